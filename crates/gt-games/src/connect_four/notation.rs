//! Connect four as text: rows from the top and the mover, `7/7/7/7/3o3/3x3 x`; a move is its column, `d` or `4`.

use super::{BOTTOM, COLUMNS, Column, ConnectFour, ROWS, has_four};
use crate::error::{NotationError, Result, span_in};
use crate::notation::Notation;
use crate::rows::{Row, draw_rows, fields, file_letter, parse_rows, rows_text};
use gt_search::Game;

const DISCS: &str = "xo";

impl Notation for ConnectFour {
    const NAME: &'static str = "connect-four";

    fn parse_position(text: &str) -> Result<Self> {
        let [board, mover] = fields(text, "board and mover")?;
        let rows = parse_rows(text, board, DISCS)?;
        if rows.len() != ROWS as usize || rows.iter().any(|row| row.len() != COLUMNS as usize) {
            return Err(
                NotationError::syntax(text, "the board has six rows of seven").at(span_in(text, board))
            );
        }
        let mut discs = [0; 2];
        for (height, row) in rows.iter().rev().enumerate() {
            for (column, &disc) in row.iter().enumerate() {
                if disc > 0 {
                    discs[usize::from(disc) - 1] |= 1 << (column * COLUMNS as usize + height);
                }
            }
        }
        let to_move = match mover {
            "x" => 0,
            "o" => 1,
            _ => return Err(NotationError::syntax(text, "the mover is `x` or `o`").at(span_in(text, mover))),
        };
        let game = Self { discs, to_move };
        game.check(text)?;
        Ok(game)
    }

    fn position_text(&self) -> String {
        format!("{} {}", rows_text(self.rows(), DISCS), ["x", "o"][self.to_move()])
    }

    fn parse_move(&self, text: &str) -> Result<Column> {
        let column = match *text.trim().as_bytes() {
            [letter @ b'a'..=b'g'] => letter - b'a',
            [digit @ b'1'..=b'7'] => digit - b'1',
            _ => return Err(NotationError::syntax(text, "a move is a column from a to g, or 1 to 7")),
        };
        if self.outcome().is_some() {
            return Err(NotationError::illegal(text, "the game is over"));
        }
        if self.landings() & Self::column(column) == 0 {
            return Err(NotationError::illegal(text, "the column is full"));
        }
        Ok(Column(column))
    }

    fn move_text(&self, Column(column): Column) -> String {
        file_letter(usize::from(column)).to_string()
    }

    fn draw(&self) -> String {
        format!("{}{} to move\n", draw_rows(&self.rows(), DISCS), ["x", "o"][self.to_move()])
    }
}

impl ConnectFour {
    fn rows(&self) -> Vec<Row> {
        let disc = |place: u32| match 1 << place {
            bit if self.discs[0] & bit != 0 => 1,
            bit if self.discs[1] & bit != 0 => 2,
            _ => 0,
        };
        let row = |height| (0..COLUMNS).map(|column| disc(column * COLUMNS + height)).collect();
        (0..ROWS).rev().map(row).collect()
    }

    /// Whether the discs can have come about, with this mover.
    fn check(&self, text: &str) -> Result<()> {
        let impossible = |problem: &str| Err(NotationError::impossible(text, problem));
        let [crosses, noughts] = self.discs.map(u64::count_ones);
        if crosses != noughts + u32::from(self.to_move) {
            return impossible("x begins, so x has as many discs as o when x moves, one more when o does");
        }
        let supported = self.filled() << 1 | BOTTOM;
        if self.filled() & !supported != 0 {
            return impossible("a disc hangs in the air; discs fall to the lowest empty place");
        }
        if has_four(self.discs[self.to_move()]) {
            return impossible("the mover has four in a line already, so the other could not have moved");
        }
        Ok(())
    }
}
