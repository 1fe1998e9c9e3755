//! The ways to hold a board: eight for a square, four for other rectangles.

use super::bits::{Bits, Square, Squares};
use super::{Amazons, Move};
use crate::symmetry::{Symmetric, turned_square};

impl Symmetric for Amazons {
    fn symmetries(&self) -> usize {
        if self.size.width() == self.size.height() { 8 } else { 4 }
    }

    fn turned(&self, symmetry: usize) -> Self {
        let turned =
            |set| Squares(set).fold(0, |all: Bits, square| all | self.turned_square(square, symmetry).bit());
        Self::from_parts(self.size, self.amazons.map(turned), turned(self.empty), self.to_move)
    }

    fn turned_move(&self, mv: Move, symmetry: usize) -> Move {
        let [from, to, arrow] =
            [mv.from(), mv.to(), mv.arrow()].map(|square| self.turned_square(square, symmetry));
        Move::new(from, to, arrow)
    }
}

impl Amazons {
    fn turned_square(&self, square: Square, symmetry: usize) -> Square {
        let size = (self.size.width(), self.size.height());
        let (file, rank) = turned_square((square.file(), square.rank()), size, symmetry);
        Square::new(file, rank)
    }
}
