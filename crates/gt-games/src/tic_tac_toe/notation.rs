//! Tic-tac-toe as text: rows from the top and the mover, `x1o/1x1/3 o`; a move is its square, `b2`.

use super::{BOARD, Square, TicTacToe};
use crate::error::{NotationError, Result, span_in};
use crate::notation::Notation;
use crate::rows::{Row, draw_rows, fields, file_letter, parse_rows, rows_text};
use gt_search::Game;

const MARKS: &str = "xo";

impl Notation for TicTacToe {
    const NAME: &'static str = "tic-tac-toe";

    fn parse_position(text: &str) -> Result<Self> {
        let [board, mover] = fields(text, "board and mover")?;
        let rows = parse_rows(text, board, MARKS)?;
        if rows.len() != 3 || rows.iter().any(|row| row.len() != 3) {
            return Err(
                NotationError::syntax(text, "the board has three rows of three").at(span_in(text, board))
            );
        }
        let mut marks = [0; 2];
        for (square, &mark) in rows.iter().rev().flatten().enumerate() {
            if mark > 0 {
                marks[usize::from(mark) - 1] |= 1 << square;
            }
        }
        let game = Self { marks };
        game.check(text, mover)?;
        Ok(game)
    }

    fn position_text(&self) -> String {
        format!("{} {}", rows_text(self.rows(), MARKS), ["x", "o"][self.to_move()])
    }

    fn parse_move(&self, text: &str) -> Result<Square> {
        let &[file @ b'a'..=b'c', rank @ b'1'..=b'3'] = text.trim().as_bytes() else {
            return Err(NotationError::syntax(text, "a move is a square from a1 to c3"));
        };
        let square = (rank - b'1') * 3 + (file - b'a');
        if self.outcome().is_some() {
            return Err(NotationError::illegal(text, "the game is over"));
        }
        if self.empty() & 1 << square == 0 {
            return Err(NotationError::illegal(text, "the square is taken"));
        }
        Ok(Square(square))
    }

    fn move_text(&self, Square(square): Square) -> String {
        format!("{}{}", file_letter(usize::from(square % 3)), square / 3 + 1)
    }

    fn draw(&self) -> String {
        format!("{}{} to move\n", draw_rows(&self.rows(), MARKS), ["x", "o"][self.to_move()])
    }
}

impl TicTacToe {
    fn rows(&self) -> Vec<Row> {
        let mark = |square: usize| match 1 << square & BOARD {
            bit if self.marks[0] & bit != 0 => 1,
            bit if self.marks[1] & bit != 0 => 2,
            _ => 0,
        };
        (0..3).rev().map(|rank| (0..3).map(|file| mark(rank * 3 + file)).collect()).collect()
    }

    /// Checks that the marks can have arisen in play, with this mover.
    fn check(&self, text: &str, mover: &str) -> Result<()> {
        let impossible = |problem: &str| Err(NotationError::impossible(text, problem));
        let [crosses, noughts] = self.marks.map(u16::count_ones);
        match mover {
            "x" if crosses == noughts => {}
            "o" if crosses == noughts + 1 => {}
            "x" | "o" => {
                return impossible(
                    "x begins, so x has as many marks as o when x moves, one more when o does",
                );
            }
            _ => return Err(NotationError::syntax(text, "the mover is `x` or `o`").at(span_in(text, mover))),
        }
        // The winner has just moved.
        if self.has_won(self.to_move()) {
            return impossible("the mover has a line already, so the other could not have moved");
        }
        Ok(())
    }
}
