//! Boards as the calls give them: their form, and a cell for every place.

use gt_games::board::{Board, Shape};
use gt_games::registry::AnyGame;
use serde::Serialize;

/// The form of a board, as every call gives it.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum BoardShape {
    Squares {
        columns: usize,
        rows: usize,
    },
    /// The board of Chinese checkers.
    Star {
        columns: usize,
        rows: usize,
    },
    /// No board: the position as lines of text.
    Text {
        columns: usize,
        rows: usize,
        text: String,
    },
}

/// A place of a board.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Cell {
    place: String,
    x: usize,
    y: usize,
    piece: Option<char>,
}

/// A board as every call gives it.
pub(crate) fn drawn(game: &dyn AnyGame) -> (BoardShape, Vec<Cell>) {
    let board = Board::of(game);
    let shape = match board.shape {
        Shape::Squares { columns, rows } => BoardShape::Squares { columns, rows },
        Shape::Star => BoardShape::Star { columns: 25, rows: 17 },
        Shape::Text => BoardShape::Text { columns: 0, rows: 0, text: game.draw() },
    };
    let cells = board.cells.into_iter();
    let cells = cells.map(|cell| Cell { place: cell.place, x: cell.x, y: cell.y, piece: cell.piece });
    (shape, cells.collect())
}
