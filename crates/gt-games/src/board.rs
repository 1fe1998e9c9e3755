//! A position as cells to draw: every place of the board with its name, its coordinates and its piece.
//!
//! ```text
//! squares   x 0 1 2          star   x counts half holes, 0 … 24: rows are half a hole apart
//!         y 0 a3 b3 c3             y 0              a1
//!           1 a2 b2 c2               1            b1  b2
//!           2 a1 b1 c1               2          c1  c2  c3
//! ```
//!
//! The cells are read from the position's text, which contains all of them in every game with a board, so no game
//! needs to know how it is drawn. The look of a piece is up to the code that draws it. [`Pointing`] describes how a
//! player points at a move on the board.

mod pointing;

pub use pointing::{PointedMove, Pointing, StandIn, touched_places};

use crate::registry::{AnyGame, GameKind};
use crate::rows::file_letter;

/// The shape of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Squares in rows.
    Squares {
        /// The number of squares in a row.
        columns: usize,
        /// The number of rows.
        rows: usize,
    },
    /// The star of Chinese checkers.
    Star,
    /// No board: the position is a text of several lines ([`AnyGame::draw`]).
    Text,
}

/// A place of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its name in the game's notation.
    pub place: String,
    /// The column from the left, from 0; in half holes on the star.
    pub x: usize,
    /// The row from the top, from 0.
    pub y: usize,
    /// The letter of the piece on it.
    pub piece: Option<char>,
}

/// A board with its pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Its shape.
    pub shape: Shape,
    /// Its places, by rows from the top.
    pub cells: Vec<Cell>,
}

impl Board {
    /// Returns the board of a position.
    ///
    /// ```
    /// use gt_games::board::Board;
    /// use gt_games::registry::{GameKind, Setup};
    ///
    /// let game = GameKind::Chess.open(&Setup::default())?;
    /// let board = Board::of(&*game);
    /// let king = board.cells.iter().find(|cell| cell.place == "e1").unwrap();
    /// assert_eq!((king.x, king.y, king.piece), (4, 7, Some('K')));
    /// # Ok::<(), gt_games::NotationError>(())
    /// ```
    #[must_use]
    pub fn of(game: &dyn AnyGame) -> Self {
        let rows = || rows_of(&game.position_text());
        match game.kind() {
            GameKind::ChineseCheckers => star(&rows()),
            GameKind::TicTacToe | GameKind::ConnectFour | GameKind::Amazons | GameKind::Chess => {
                squares(&rows())
            }
            GameKind::Thorns | GameKind::Tree => Self { shape: Shape::Text, cells: Vec::new() },
        }
    }
}

/// The piece on each place of a position's board, row by row from the top.
pub(crate) fn rows_of(position_text: &str) -> Vec<Vec<Option<char>>> {
    position_text.split_whitespace().next().unwrap_or("").split('/').map(row_of).collect()
}

fn row_of(text: &str) -> Vec<Option<char>> {
    let mut row = Vec::new();
    let mut run = 0;
    for character in text.chars() {
        if let Some(digit) = character.to_digit(10) {
            run = 10 * run + digit as usize;
        } else {
            row.resize(row.len() + run, None);
            run = 0;
            row.push(Some(character));
        }
    }
    row.resize(row.len() + run, None);
    row
}

fn squares(rows: &[Vec<Option<char>>]) -> Board {
    let shape = Shape::Squares { columns: rows.iter().map(Vec::len).max().unwrap_or(0), rows: rows.len() };
    let cells = cells(rows, |x, y| (format!("{}{}", file_letter(x), rows.len() - y), x));
    Board { shape, cells }
}

fn star(rows: &[Vec<Option<char>>]) -> Board {
    // A row is symmetric about half hole 12.
    let first = |y: usize| 13_usize.saturating_sub(rows[y].len());
    let cells = cells(rows, |place, y| (format!("{}{}", file_letter(y), place + 1), first(y) + 2 * place));
    Board { shape: Shape::Star, cells }
}

/// The cells of rows; `name` gives the name and the column of a cell by its row and place.
fn cells(rows: &[Vec<Option<char>>], name: impl Fn(usize, usize) -> (String, usize)) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        for (index, &piece) in row.iter().enumerate() {
            let (place, x) = name(index, y);
            cells.push(Cell { place, x, y, piece });
        }
    }
    cells
}
