//! The eight ways to hold a square.

use super::{Square, TicTacToe};
use crate::symmetry::{Symmetric, turned_square};

impl Symmetric for TicTacToe {
    fn symmetries(&self) -> usize {
        8
    }

    fn turned(&self, symmetry: usize) -> Self {
        let squares = |marks: u16| (0..9).filter(move |square| marks & 1 << square != 0);
        let turned = |marks| squares(marks).fold(0, |all, square| all | 1 << turned(square, symmetry));
        Self { marks: self.marks.map(turned) }
    }

    fn turned_move(&self, Square(square): Square, symmetry: usize) -> Square {
        Square(turned(square, symmetry))
    }
}

fn turned(square: u8, symmetry: usize) -> u8 {
    let place = (usize::from(square % 3), usize::from(square / 3));
    let (file, rank) = turned_square(place, (3, 3), symmetry);
    (3 * rank + file) as u8
}
