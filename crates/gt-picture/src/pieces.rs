//! The pieces on a board, as SVG in a box of 40 by 40: the viewer's own shapes.
//!
//! A chess piece is a filled outline and, over it, the lines that make it readable at 30 pixels. The queen is also
//! the amazon. `web/src/board/pieces.ts` has the same outlines, and a test compares the two.

use gt_games::GameKind;

/// The closed and the open paths of a chess piece.
struct Outline {
    body: &'static [&'static str],
    lines: &'static [&'static str],
}

const FOOT: &str = "M9.5 36.5v-2.2a2.3 2.3 0 0 1 2.3-2.3h16.4a2.3 2.3 0 0 1 2.3 2.3v2.2z";

const PAWN: Outline = Outline {
    body: &[
        "M20 16.5c-3.6 3-2.4 8.5-7.5 15.5h15c-5.1-7-3.9-12.5-7.5-15.5z",
        "M20 6.5a5.6 5.6 0 1 1 0 11.2a5.6 5.6 0 0 1 0-11.2z",
        "M11.5 36.5v-2.2a2.3 2.3 0 0 1 2.3-2.3h12.4a2.3 2.3 0 0 1 2.3 2.3v2.2z",
    ],
    lines: &[],
};

const KNIGHT: Outline = Outline {
    body: &[
        "M12.2 32c.4-6.2 5.6-7.8 6.3-12.6c-1.7 1.6-4.100 1.7-5.4 3.5c-.9 1.2-2.900 1.4-3.900.4l-1.3-1.900c-.5-.8-.4-1.7.2-2.5l4.6-6.4c.2-2.4 1.2-4 2.900-5.100l.3-3.6l3.6 2.7c7.4.9 10.900 8.6 8.7 25.5z",
        FOOT,
    ],
    lines: &["M15.6 12.7l1.5-.6", "M21.5 8.2c4 2.3 5.2 8.6 4.4 20"],
};

const BISHOP: Outline = Outline {
    body: &[
        "M20 8.3c5.5 4.3 7.6 8.900 5.6 13.7c-.7 1.7-1.3 2.5-1.3 4.2l2.2 5.8h-13l2.2-5.8c0-1.7-.6-2.5-1.3-4.2c-2-4.8.1-9.4 5.6-13.7z",
        "M20 3.8a2.4 2.4 0 1 1 0 4.8a2.4 2.4 0 0 1 0-4.8z",
        FOOT,
    ],
    lines: &["M20 13.5v7", "M16.5 17h7", "M15.5 26.2h9"],
};

const ROOK: Outline = Outline {
    body: &[
        "M10.5 6.5h4.6v3h2.8v-3h4.2v3h2.8v-3h4.6v7.3l-3.2 2.7l.9 11.5l2.3 4h-19l2.3-4l.9-11.5l-3.2-2.7z",
        FOOT,
    ],
    lines: &["M13.7 16.5h12.6", "M12.900 28h14.2"],
};

const QUEEN: Outline = Outline {
    body: &[
        "M7.5 12.5l5.3 8l2-12.5l5.2 11.5l5.2-11.5l2 12.5l5.3-8l-4.5 19.5h-16z",
        "M20 4.8a2.2 2.2 0 1 1 0 4.4a2.2 2.2 0 0 1 0-4.4z",
        "M7.2 8.6a2.100 2.100 0 1 1 0 4.2a2.100 2.100 0 0 1 0-4.2z",
        "M32.8 8.6a2.100 2.100 0 1 1 0 4.2a2.100 2.100 0 0 1 0-4.2z",
        FOOT,
    ],
    lines: &["M12.4 27.5h15.2"],
};

const KING: Outline = Outline {
    body: &[
        "M20 14.8c3.6-4.6 11.5-3.2 11.5 3.100c0 5.2-4.3 7.100-4.3 14.100h-14.4c0-7-4.3-8.900-4.3-14.100c0-6.3 7.900-7.7 11.5-3.100z",
        "M18.6 12.8v-3.6h-3.4v-2.900h3.4v-3.3h2.8v3.3h3.4v2.900h-3.4v3.6z",
        FOOT,
    ],
    lines: &["M20 15.5v12", "M12.900 28h14.2"],
};

/// The fill, the outline and the lines of the first player's pieces, and of the second's.
const SIDES: [[&str; 3]; 2] = [["#fdfdfb", "#1d242d", "#1d242d"], ["#2b333d", "#0d1116", "#c9d3de"]];
/// The marbles of the star's players, and the letters on them.
const MARBLES: [(&str, &str); 6] = [
    ("#2f7fc4", "#ffffff"),
    ("#f0a13c", "#20160a"),
    ("#1f9a7a", "#ffffff"),
    ("#d9cf3c", "#20160a"),
    ("#cf8ab4", "#20160a"),
    ("#55606d", "#ffffff"),
];

/// A piece of a game, drawn in a box of 40 by 40.
pub(crate) fn piece(game: GameKind, letter: char) -> String {
    match game {
        GameKind::Chess => chess(letter),
        GameKind::Amazons => match letter {
            'w' => outlined(&QUEEN, 0),
            'b' => outlined(&QUEEN, 1),
            _ => "<rect x=\"7\" y=\"7\" width=\"26\" height=\"26\" rx=\"5\" fill=\"#55626f\"/><path d=\"M14 14 26 26M26 14 14 26\" \
                  stroke=\"#dfe6ec\" stroke-width=\"3\" stroke-linecap=\"round\"/>"
                .to_owned(),
        },
        GameKind::TicTacToe => {
            let (color, shape) = sign(letter, "M11 11 29 29M29 11 11 29", 10.5);
            format!("<g fill=\"none\" stroke=\"{color}\" stroke-width=\"4.5\" stroke-linecap=\"round\">{shape}</g>")
        }
        GameKind::ConnectFour => {
            let (_, shape) = sign(letter, "M15 15 25 25M25 15 15 25", 6.5);
            let (disc, ink) = if letter == 'x' { ("#2f7fc4", "#e6f1fb") } else { ("#f0a13c", "#5a3200") };
            format!(
                "<circle cx=\"20\" cy=\"20\" r=\"15.5\" fill=\"{disc}\" stroke=\"#000\" stroke-opacity=\".35\" \
                 stroke-width=\"1.5\"/><g fill=\"none\" stroke=\"{ink}\" stroke-width=\"3\" stroke-linecap=\"round\">{shape}</g>"
            )
        }
        GameKind::ChineseCheckers | GameKind::Thorns | GameKind::Tree => marble(letter),
    }
}

fn chess(letter: char) -> String {
    let side = usize::from(letter.is_ascii_lowercase());
    match letter.to_ascii_lowercase() {
        'p' => outlined(&PAWN, side),
        'n' => outlined(&KNIGHT, side),
        'b' => outlined(&BISHOP, side),
        'r' => outlined(&ROOK, side),
        'q' => outlined(&QUEEN, side),
        'k' => outlined(&KING, side),
        _ => marble(letter),
    }
}

fn outlined(outline: &Outline, side: usize) -> String {
    let [fill, stroke, detail] = SIDES[side];
    let body: String = outline.body.iter().map(|path| format!("<path d=\"{path}\"/>")).collect();
    let lines = match outline.lines {
        [] => String::new(),
        lines => {
            format!("<path fill=\"none\" stroke=\"{detail}\" stroke-width=\"1.6\" d=\"{}\"/>", lines.concat())
        }
    };
    format!(
        "<g fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\
         {body}{lines}</g>"
    )
}

/// The colour of a player of crosses and noughts, and the shape.
fn sign(letter: char, cross: &str, radius: f64) -> (&'static str, String) {
    if letter == 'x' {
        ("#1464b4", format!("<path d=\"{cross}\"/>"))
    } else {
        ("#c9660a", format!("<circle cx=\"20\" cy=\"20\" r=\"{radius}\"/>"))
    }
}

fn marble(letter: char) -> String {
    let player = "abcdef".find(letter.to_ascii_lowercase()).unwrap_or(MARBLES.len() - 1);
    let (fill, ink) = MARBLES[player];
    let letter = gt_report::plot::escape(&letter.to_string());
    format!(
        "<circle cx=\"20\" cy=\"20\" r=\"17\" fill=\"{fill}\" stroke=\"#000\" stroke-opacity=\".35\" stroke-width=\"1.5\"/>\
         <text x=\"20\" y=\"26.5\" font-size=\"19\" font-weight=\"700\" text-anchor=\"middle\" fill=\"{ink}\">{letter}</text>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_pieces_have_the_same_outlines() {
        let page = include_str!("../../gt-view/web/src/board/pieces.ts");
        for outline in [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING] {
            for path in outline.body.iter().chain(outline.lines) {
                assert!(page.contains(&format!("'{path}'")), "pieces.ts lacks {path}");
            }
        }
    }
}
