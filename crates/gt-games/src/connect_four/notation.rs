//! Connect four as text: rows from the top and the mover, `7/7/7/7/3o3/3x3 x`; a move is its column, `d` or `4`. The
//! rows determine the size of the board.

use super::layout::Layout;
use super::{Column, ConnectFour, Size};
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
        let columns = rows.first().map_or(0, Vec::len);
        let wrong = |problem: &str| NotationError::syntax(text, problem).at(span_in(text, board));
        if rows.iter().any(|row| row.len() != columns) {
            return Err(wrong("the rows of a board have the same length"));
        }
        let size = Size::new(columns, rows.len()).map_err(|error| wrong(&error.problem))?;
        let layout = Layout::of(size);
        let mut discs = [0; 2];
        for (height, row) in rows.iter().rev().enumerate() {
            for (column, &disc) in row.iter().enumerate() {
                if disc > 0 {
                    discs[usize::from(disc) - 1] |= 1 << (column * (size.rows() + 1) + height);
                }
            }
        }
        let to_move = match mover {
            "x" => 0,
            "o" => 1,
            _ => return Err(NotationError::syntax(text, "the mover is `x` or `o`").at(span_in(text, mover))),
        };
        let game = Self::from_discs(discs, to_move, layout);
        game.check(text)?;
        Ok(game)
    }

    fn position_text(&self) -> String {
        format!("{} {}", rows_text(self.rows(), DISCS), ["x", "o"][self.to_move()])
    }

    fn parse_move(&self, text: &str) -> Result<Column> {
        let columns = self.size().columns() as u8;
        let column = match text.trim() {
            letter if letter.len() == 1 && letter.as_bytes()[0].is_ascii_lowercase() => {
                letter.as_bytes()[0] - b'a'
            }
            number if !number.starts_with(['+', '0']) => {
                number.parse::<u8>().map_or(u8::MAX, |number| number - 1)
            }
            _ => u8::MAX,
        };
        if column >= columns {
            let last = file_letter(usize::from(columns) - 1);
            let problem = format!("a move is a column from a to {last}, or 1 to {columns}");
            return Err(NotationError::syntax(text, problem));
        }
        if self.outcome().is_some() {
            return Err(NotationError::illegal(text, "the game is over"));
        }
        if self.landings() & self.layout.column(column) == 0 {
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
        let disc = |place: usize| match 1 << place {
            bit if self.discs[0] & bit != 0 => 1,
            bit if self.discs[1] & bit != 0 => 2,
            _ => 0,
        };
        let size = self.size();
        let row =
            |height| (0..size.columns()).map(|column| disc(column * (size.rows() + 1) + height)).collect();
        (0..size.rows()).rev().map(row).collect()
    }

    /// Checks that the discs can have arisen in play, with this mover.
    fn check(&self, text: &str) -> Result<()> {
        let impossible = |problem: &str| Err(NotationError::impossible(text, problem));
        let [crosses, noughts] = self.discs.map(u64::count_ones);
        if crosses != noughts + u32::from(self.to_move) {
            return impossible("x begins, so x has as many discs as o when x moves, one more when o does");
        }
        let supported = self.filled() << 1 | self.layout.bottom;
        if self.filled() & !supported != 0 {
            return impossible("a disc hangs in the air; discs fall to the lowest empty place");
        }
        if self.layout.has_four(self.discs[self.to_move()]) {
            return impossible("the mover has four in a line already, so the other could not have moved");
        }
        Ok(())
    }
}
