//! Amazons as text.
//!
//! A position is the board from the top rank down, then the mover: `3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w3 w`,
//! with `w`, `b` for amazons, `x` for arrows, numbers for runs of empty squares. The size is the board's own.
//! A move is `d1-d7/g7`.

use super::bits::{Bits, Size, Square};
use super::{Amazons, Move};
use crate::error::{NotationError, Result, span_in};
use crate::notation::Notation;
use crate::rows::{Row, draw_rows, fields, parse_rows, rows_text};
use gt_search::Game;

const PIECES: &str = "wbx";
const MOVE_FORM: &str = "a move is written from-to/arrow, as in d1-d7/g7";

impl Notation for Amazons {
    const NAME: &'static str = "amazons";

    fn parse_position(text: &str) -> Result<Self> {
        let [board, mover] = fields(text, "board and mover")?;
        let rows = parse_rows(text, board, PIECES)?;
        let size = size_of_rows(text, &rows).map_err(|error| error.at(span_in(text, board)))?;
        let to_move = match mover {
            "w" => 0,
            "b" => 1,
            _ => {
                let problem = "the mover is `w` or `b`";
                return Err(NotationError::syntax(text, problem).at(span_in(text, mover)));
            }
        };
        let mut sets: [Bits; 4] = [0; 4];
        for (rank, row) in rows.iter().rev().enumerate() {
            for (file, &piece) in row.iter().enumerate() {
                sets[usize::from(piece)] |= Square::new(file, rank).bit();
            }
        }
        Ok(Self::from_parts(size, [sets[1], sets[2]], sets[0], to_move))
    }

    fn position_text(&self) -> String {
        format!("{} {}", rows_text(self.rows(), PIECES), ["w", "b"][self.to_move()])
    }

    fn parse_move(&self, text: &str) -> Result<Move> {
        let form = || NotationError::syntax(text, MOVE_FORM);
        let (from, rest) = text.trim().split_once('-').ok_or_else(form)?;
        let (to, arrow) = rest.split_once('/').ok_or_else(form)?;
        let square = |name: &str| self.parse_square(text, name);
        let mv = Move::new(square(from)?, square(to)?, square(arrow)?);
        if self.is_legal(mv) { Ok(mv) } else { Err(self.why_illegal(text, mv)) }
    }

    fn move_text(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn decode(&self, code: i64) -> Result<Move> {
        let squares = [code & 127, code >> 7 & 127, code >> 14];
        let square = |number: i64| {
            let number = usize::try_from(number).ok().filter(|&number| number < 100)?;
            Some(Square::new(number % 10, number / 10))
        };
        let [from, to, arrow] = squares.map(square);
        let mv = from.zip(to).zip(arrow).map(|((from, to), arrow)| Move::new(from, to, arrow));
        mv.filter(|&mv| self.is_legal(mv)).ok_or_else(|| self.unknown_code(code))
    }

    fn draw(&self) -> String {
        let mover = ["white (w)", "black (b)"][self.to_move()];
        format!("{}{mover} to move\n", draw_rows(&self.rows(), PIECES))
    }
}

impl Amazons {
    /// The board's rows from the top, pieces numbered as in [`PIECES`].
    fn rows(&self) -> Vec<Row> {
        let arrows = self.arrows();
        let piece = |square: Square| {
            let sets = [self.amazons[0], self.amazons[1], arrows];
            sets.iter().position(|set| set & square.bit() != 0).map_or(0, |index| index as u8 + 1)
        };
        let row = |rank| (0..self.size.width()).map(|file| piece(Square::new(file, rank))).collect();
        (0..self.size.height()).rev().map(row).collect()
    }

    fn parse_square(&self, text: &str, name: &str) -> Result<Square> {
        let mut letters = name.chars();
        let file = letters.next().map(|letter| u32::from(letter).wrapping_sub(u32::from('a')) as usize);
        let digits = letters.as_str();
        // `parse` alone would also accept `+3` and `03`.
        let rank = digits.parse::<usize>().ok().filter(|rank| rank.to_string() == digits);
        let (width, height) = (self.size.width(), self.size.height());
        match (file, rank) {
            (Some(file), Some(rank)) if file < width && (1..=height).contains(&rank) => {
                Ok(Square::new(file, rank - 1))
            }
            _ => {
                let last = Square::new(width - 1, height - 1);
                let problem = format!("this board's squares are a1 to {last}; {MOVE_FORM}");
                Err(NotationError::syntax(text, problem).at(span_in(text, name)))
            }
        }
    }

    fn why_illegal(&self, text: &str, mv: Move) -> NotationError {
        use super::attacks::queen_attacks;
        let (from, to, arrow) = (mv.from(), mv.to(), mv.arrow());
        let problem = if self.amazons[self.to_move()] & from.bit() == 0 {
            format!("the mover has no amazon on {from}")
        } else if queen_attacks(from, self.empty) & to.bit() == 0 {
            format!("the amazon on {from} cannot go to {to}: a queen's move over empty squares is needed")
        } else {
            format!("an arrow from {to} cannot reach {arrow}: a queen's move over empty squares is needed")
        };
        NotationError::illegal(text, problem)
    }
}

fn size_of_rows(text: &str, rows: &[Row]) -> Result<Size> {
    let width = rows.first().map_or(0, Vec::len);
    if let Some(index) = rows.iter().position(|row| row.len() != width) {
        let problem = format!(
            "all rows are equally long, but row {} has {} squares and row 1 {width}",
            index + 1,
            rows[index].len()
        );
        return Err(NotationError::syntax(text, problem));
    }
    Size::new(width, rows.len()).map_err(|error| NotationError::impossible(text, error.problem))
}
