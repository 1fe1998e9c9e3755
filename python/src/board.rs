//! Boards as SVG: squares with pieces, discs and queens, and the star of Chinese checkers.
//!
//! **Invariant:** a picture needs nothing else, and shows every piece by its form or letter as well as by its colour.

use gt_games::GameKind;
use gt_games::board::{Board, Cell, Shape};
use gt_games::registry::AnyGame;

use crate::html::escaped;

/// The side of a square.
const SIDE: usize = 40;
/// The room for letters and numbers at the edges.
const EDGE: usize = 18;

/// The board of a position; `last` is the move that led there.
pub(crate) fn svg(game: &dyn AnyGame, last: Option<&str>) -> String {
    let board = Board::of(game);
    let kind = game.kind();
    let code = last.and_then(|text| kind.move_code(text));
    let touched = code.and_then(|code| kind.move_places(code)).unwrap_or_default();
    match board.shape {
        Shape::Squares { columns, rows } => squares(kind, &board, columns, rows, &touched),
        Shape::Star => star(&board, &touched),
        Shape::Text => lines(&game.draw()),
    }
}

/// A position that has no board: its lines.
fn lines(text: &str) -> String {
    const LINE: usize = 18;
    const LETTER: usize = 9;
    let width = text.lines().map(|line| line.chars().count()).max().unwrap_or(0) * LETTER + 2 * EDGE;
    let mut svg = head(width, (text.lines().count() + 1) * LINE);
    for (place, line) in text.lines().enumerate() {
        let escaped = line.replace('&', "&amp;").replace('<', "&lt;");
        let y = (place + 1) * LINE;
        svg += &format!(
            "<text x=\"{EDGE}\" y=\"{y}\" font-family=\"monospace\" font-size=\"14\" xml:space=\"preserve\">{escaped}</text>"
        );
    }
    svg + "</svg>"
}

fn squares(kind: GameKind, board: &Board, columns: usize, rows: usize, touched: &[String]) -> String {
    let (width, height) = (columns * SIDE + EDGE, rows * SIDE + EDGE);
    let mut svg = head(width, height);
    for cell in &board.cells {
        let (x, y) = (EDGE + cell.x * SIDE, cell.y * SIDE);
        let is_dark = (cell.x + cell.y + rows).is_multiple_of(2);
        let fill = match (touched.contains(&cell.place), is_dark) {
            (true, true) => "#b7a84b",
            (true, false) => "#ddd583",
            (false, true) => "#b58863",
            (false, false) => "#f0d9b5",
        };
        svg += &format!("<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{fill}\"/>");
        if let Some(letter) = cell.piece {
            svg += &piece(kind, letter, x + SIDE / 2, y + SIDE / 2);
        }
    }
    for row in 0..rows {
        svg += &label(EDGE / 2, row * SIDE + SIDE / 2, &(rows - row).to_string());
    }
    for cell in board.cells.iter().filter(|cell| cell.y + 1 == rows) {
        let file: String = cell.place.chars().take_while(|letter| letter.is_alphabetic()).collect();
        svg += &label(EDGE + cell.x * SIDE + SIDE / 2, rows * SIDE + EDGE / 2, &file);
    }
    svg + "</svg>"
}

fn piece(kind: GameKind, letter: char, x: usize, y: usize) -> String {
    match kind {
        GameKind::Chess => glyph(chess_glyph(letter), letter.is_uppercase(), x, y),
        GameKind::Amazons if letter.is_alphabetic() && !letter.eq_ignore_ascii_case(&'x') => {
            let is_first = letter.is_uppercase() || letter == 'w';
            glyph('♛', is_first && letter != 'b', x, y)
        }
        GameKind::Amazons => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"7\" fill=\"#333\"/>"),
        GameKind::TicTacToe
        | GameKind::ConnectFour
        | GameKind::ChineseCheckers
        | GameKind::Thorns
        | GameKind::Tree => disc(letter, x, y, SIDE * 2 / 5),
    }
}

/// The filled form of a piece; white ones are filled with white.
fn chess_glyph(letter: char) -> char {
    match letter.to_ascii_lowercase() {
        'k' => '♚',
        'q' => '♛',
        'r' => '♜',
        'b' => '♝',
        'n' => '♞',
        _ => '♟',
    }
}

fn glyph(glyph: char, is_white: bool, x: usize, y: usize) -> String {
    let fill = if is_white { "#fff" } else { "#222" };
    let stroke = if is_white { "#222" } else { "#eee" };
    format!(
        "<text x=\"{x}\" y=\"{y}\" font-size=\"32\" text-anchor=\"middle\" dominant-baseline=\"central\" fill=\"{fill}\" \
         stroke=\"{stroke}\" stroke-width=\"0.7\">{glyph}&#xFE0E;</text>"
    )
}

/// The colours of discs, by the order of the letters in the alphabet.
const COLOURS: [&str; 6] = ["#c0392b", "#f1c40f", "#2980b9", "#27ae60", "#8e44ad", "#e67e22"];

fn disc(letter: char, x: usize, y: usize, radius: usize) -> String {
    let place = letter.to_ascii_lowercase() as usize;
    let colour = COLOURS[place % COLOURS.len()];
    let letter = escaped(&letter.to_string());
    format!(
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{colour}\" stroke=\"#0006\"/><text x=\"{x}\" y=\"{y}\" \
         font-size=\"{radius}\" text-anchor=\"middle\" dominant-baseline=\"central\" fill=\"#fff\">{letter}</text>"
    )
}

/// Half the distance of two holes in a row, the distance of two rows, and the radius of a hole.
const HALF: usize = 14;
const ROW: usize = 24;
const HOLE: usize = 10;

fn star(board: &Board, touched: &[String]) -> String {
    let most = |of: fn(&Cell) -> usize| board.cells.iter().map(of).max().unwrap_or(0);
    let (width, height) = ((most(|cell| cell.x) + 2) * HALF, (most(|cell| cell.y) + 1) * ROW + EDGE);
    let mut svg = head(width, height);
    for cell in &board.cells {
        let (x, y) = ((cell.x + 1) * HALF, cell.y * ROW + ROW / 2 + EDGE / 2);
        let fill = if touched.contains(&cell.place) { "#ddd583" } else { "#f0d9b5" };
        svg += &format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{HOLE}\" fill=\"{fill}\" stroke=\"#b58863\"/>");
        if let Some(letter) = cell.piece {
            svg += &disc(letter, x, y, HOLE - 1);
        }
    }
    svg + "</svg>"
}

fn head(width: usize, height: usize) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" role=\"img\">"
    )
}

fn label(x: usize, y: usize, text: &str) -> String {
    format!(
        "<text x=\"{x}\" y=\"{y}\" font-size=\"11\" text-anchor=\"middle\" dominant-baseline=\"central\" fill=\"#888\">{text}</text>"
    )
}
