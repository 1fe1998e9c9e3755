//! Boards as the calls give them: their form, and a cell for every place.

use gt_games::board::{Board, Shape};
use gt_games::registry::AnyGame;
use serde::Serialize;

/// The form of a board, as every call gives it.
#[derive(Serialize)]
pub(crate) struct ShapeAnswer {
    kind: &'static str,
    columns: usize,
    rows: usize,
    /// The position as lines of text, where there is no board.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// A place of a board.
#[derive(Serialize)]
pub(crate) struct CellAnswer {
    place: String,
    x: usize,
    y: usize,
    piece: Option<char>,
}

/// A board as every call gives it.
pub(crate) fn drawn(game: &dyn AnyGame) -> (ShapeAnswer, Vec<CellAnswer>) {
    let board = Board::of(game);
    let shape = match board.shape {
        Shape::Squares { columns, rows } => ShapeAnswer { kind: "squares", columns, rows, text: None },
        Shape::Star => ShapeAnswer { kind: "star", columns: 25, rows: 17, text: None },
        Shape::Text => ShapeAnswer { kind: "text", columns: 0, rows: 0, text: Some(game.draw()) },
    };
    let cells = board.cells.into_iter();
    let cells = cells.map(|cell| CellAnswer { place: cell.place, x: cell.x, y: cell.y, piece: cell.piece });
    (shape, cells.collect())
}
