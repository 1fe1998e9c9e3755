//! A position as SVG.

use gt_games::GameKind;
use gt_games::board::{Board, Shape};
use gt_games::registry::AnyGame;
use gt_report::plot::escape;

use crate::pieces::piece;
use crate::sheet::{FONT, px};

/// The width of a square.
const SQUARE: f64 = 40.0;
/// Half the distance between two holes of the star, and the distance between its rows.
const HOLE_ACROSS: f64 = 12.0;
const HOLE_DOWN: f64 = 20.8;
const LETTER_ACROSS: f64 = 7.8;
const LINE_DOWN: f64 = 18.0;

const LIGHT: &str = "#ece6d8";
const DARK: &str = "#a9b8c4";
const LIGHT_TOUCHED: &str = "#f0cf88";
const DARK_TOUCHED: &str = "#dabe73";
const LINE: &str = "#8593a0";

/// The positions of a board's cells, and the size of its drawing.
pub(crate) struct Geometry {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// The width of a piece.
    pub(crate) cell: f64,
    is_star: bool,
}

impl Geometry {
    pub(crate) fn of(board: &Board) -> Option<Self> {
        match board.shape {
            Shape::Squares { columns, rows } => Some(Self {
                width: columns as f64 * SQUARE,
                height: rows as f64 * SQUARE,
                cell: SQUARE,
                is_star: false,
            }),
            Shape::Star => Some(Self {
                width: 26.0 * HOLE_ACROSS,
                height: 17.0 * HOLE_DOWN,
                cell: 1.9 * HOLE_ACROSS,
                is_star: true,
            }),
            Shape::Text => None,
        }
    }

    /// The middle of a cell.
    pub(crate) fn middle(&self, x: usize, y: usize) -> (f64, f64) {
        let (x, y) = (x as f64, y as f64);
        if self.is_star {
            ((x + 1.0) * HOLE_ACROSS, (y + 0.5) * HOLE_DOWN)
        } else {
            ((x + 0.5) * SQUARE, (y + 0.5) * SQUARE)
        }
    }
}

/// Draws a position; the places of the last move are in another tone.
///
/// ```
/// use gt_games::registry::{GameKind, Setup};
///
/// let game = GameKind::Chess.open(&Setup::default())?;
/// let svg = gt_picture::board::svg(&*game, &["e2".to_owned(), "e4".to_owned()]);
/// assert!(svg.starts_with("<svg") && svg.contains("position rnbqkbnr/pppppppp"));
/// # Ok::<(), gt_games::NotationError>(())
/// ```
#[must_use]
pub fn svg(game: &dyn AnyGame, touched: &[String]) -> String {
    let board = Board::of(game);
    let (size, drawn) = match Geometry::of(&board) {
        Some(geometry) => {
            let pieces = pieces(game.kind(), &board, &geometry);
            ((geometry.width, geometry.height), ground(game.kind(), &board, &geometry, touched) + &pieces)
        }
        None => text(&game.draw()),
    };
    let (width, height) = (px(size.0), px(size.1));
    format!(
        "<svg class=\"gt-board\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" font-family=\"{FONT}\"><title>position {}</title>{drawn}</svg>\n",
        escape(&game.position_text())
    )
}

/// The empty board, with the names of files and ranks at its edges.
pub(crate) fn ground(kind: GameKind, board: &Board, geometry: &Geometry, touched: &[String]) -> String {
    let is_round = geometry.is_star || kind == GameKind::ConnectFour;
    let mut out = String::new();
    if kind == GameKind::ConnectFour {
        let (width, height) = (px(geometry.width), px(geometry.height));
        out += &format!("<rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{DARK}\"/>");
    }
    let rows = board.cells.iter().map(|cell| cell.y).max().unwrap_or(0);
    for cell in &board.cells {
        let (x, y) = geometry.middle(cell.x, cell.y);
        let is_touched = touched.contains(&cell.place);
        let is_dark = (cell.x + cell.y) % 2 == 1 && kind != GameKind::TicTacToe;
        let fill = match (is_round, is_dark, is_touched) {
            (true, _, true) | (false, false, true) => LIGHT_TOUCHED,
            (true, _, false) | (false, false, false) => LIGHT,
            (false, true, true) => DARK_TOUCHED,
            (false, true, false) => DARK,
        };
        if is_round {
            let radius = px(geometry.cell * if geometry.is_star { 0.44 } else { 0.41 });
            let (x, y) = (px(x), px(y));
            out +=
                &format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{LINE}\"/>");
            continue;
        }
        let stroke = if kind == GameKind::TicTacToe { format!(" stroke=\"{LINE}\"") } else { String::new() };
        let (left, top) = (px(x - SQUARE / 2.0), px(y - SQUARE / 2.0));
        out += &format!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\"{stroke}/>"
        );
        out += &edge(&cell.place, (x, y), cell.x == 0, cell.y == rows);
    }
    out
}

/// Letters below, numbers at the left.
fn edge(place: &str, (x, y): (f64, f64), is_left: bool, is_bottom: bool) -> String {
    let (file, rank) =
        place.split_at(place.find(|letter: char| letter.is_ascii_digit()).unwrap_or(place.len()));
    let text = |x: f64, y: f64, anchor: &str, words: &str| {
        let (x, y) = (px(x), px(y));
        format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"8.5\" font-weight=\"600\" fill=\"#33404d\" fill-opacity=\".75\"{anchor}>{}</text>",
            escape(words)
        )
    };
    let rank = if is_left { text(x - 18.5, y - 11.5, "", rank) } else { String::new() };
    let file = if is_bottom { text(x + 18.0, y + 18.0, " text-anchor=\"end\"", file) } else { String::new() };
    rank + &file
}

fn pieces(kind: GameKind, board: &Board, geometry: &Geometry) -> String {
    let scale = geometry.cell / SQUARE;
    let standing = board.cells.iter().filter_map(|cell| Some((cell, cell.piece?)));
    let drawn = standing.map(|(cell, letter)| {
        let (x, y) = geometry.middle(cell.x, cell.y);
        let (x, y) = (px(x - geometry.cell / 2.0), px(y - geometry.cell / 2.0));
        let scaled = if geometry.cell < SQUARE { format!(" scale({scale:.3})") } else { String::new() };
        format!("<g transform=\"translate({x} {y}){scaled}\">{}</g>", piece(kind, letter))
    });
    drawn.collect()
}

/// A position without a board: its lines.
fn text(drawing: &str) -> ((f64, f64), String) {
    let lines: Vec<&str> = drawing.trim_end().lines().collect();
    let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0).max(24);
    let line = |(place, line): (usize, &&str)| {
        let y = px((place + 1) as f64 * LINE_DOWN);
        format!(
            "<text x=\"4\" y=\"{y}\" font-size=\"12.5\" font-family=\"monospace\" fill=\"currentColor\" xml:space=\"preserve\">{}</text>",
            escape(line)
        )
    };
    let size = (widest as f64 * LETTER_ACROSS + 8.0, (lines.len() + 1) as f64 * LINE_DOWN);
    (size, lines.iter().enumerate().map(line).collect())
}
