//! Squares of a board and sets of them.
//!
//! ```text
//! rank 10   99 100 .. 108 | 109        a square is rank * 11 + file; the eleventh column is no square
//!  ..                     |  ..        of any board, so that a set shifted sideways never comes back in
//! rank 1     0   1 ..   9 |  10        on the other side once it is cut with the empty squares
//! ```
//!
//! One layout serves every size: a smaller board is the lower left corner, and squares outside it are simply
//! never empty. So every shift is by a constant.

use crate::error::{ErrorKind, NotationError, Result};
use crate::rows::file_letter;
use std::fmt;

/// A set of squares; bit `n` is the square with index `n`.
pub(super) type Bits = u128;

/// The distance between two ranks.
pub(super) const STRIDE: usize = 11;

/// The longest side of a board.
const SIDE_MAX: usize = 10;
/// The shortest side of a board.
const SIDE_MIN: usize = 4;

/// `BIT[n]` is `1 << n`: loading it is cheaper than shifting 128 bits by a variable.
pub(super) static BIT: [Bits; 128] = {
    let mut bits = [0; 128];
    let mut index = 0;
    while index < 128 {
        bits[index] = 1 << index;
        index += 1;
    }
    bits
};

/// A square of a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square on a file and a rank, both from 0 and below 10.
    ///
    /// # Panics
    /// If either is 10 or more.
    pub const fn new(file: usize, rank: usize) -> Self {
        assert!(file < SIDE_MAX && rank < SIDE_MAX, "a file and a rank are below 10");
        Self((rank * STRIDE + file) as u8)
    }

    #[inline(always)]
    pub(super) const fn from_index(index: u32) -> Self {
        Self(index as u8)
    }

    /// The index in a set; the mask tells the compiler that it is below 128.
    #[inline(always)]
    pub(super) const fn index(self) -> usize {
        (self.0 & 127) as usize
    }

    #[inline(always)]
    pub(super) fn bit(self) -> Bits {
        BIT[self.index()]
    }

    /// The file, 0 for `a`.
    pub const fn file(self) -> usize {
        self.0 as usize % STRIDE
    }

    /// The rank, from 0.
    pub const fn rank(self) -> usize {
        self.0 as usize / STRIDE
    }
}

impl fmt::Display for Square {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", file_letter(self.file()), self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// A board's width and height, each from 4 to 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// 10x10.
    pub const STANDARD: Self = Self { width: 10, height: 10 };

    /// A board of `width` files and `height` ranks.
    ///
    /// # Errors
    /// Returns an error if a side is not from 4 to 10.
    pub fn new(width: usize, height: usize) -> Result<Self> {
        let fits = |side: usize| (SIDE_MIN..=SIDE_MAX).contains(&side);
        if fits(width) && fits(height) {
            return Ok(Self { width: width as u8, height: height as u8 });
        }
        let problem = format!("an Amazons board has {SIDE_MIN} to {SIDE_MAX} files and ranks, as in 6x6");
        Err(NotationError::new(ErrorKind::UnknownName, format!("{width}x{height}"), problem))
    }

    /// The number of files.
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// The number of ranks.
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// The board's squares.
    pub(super) fn squares(self) -> Bits {
        let rank: Bits = (1 << self.width) - 1;
        (0..self.height()).fold(0, |all, number| all | rank << (number * STRIDE))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}x{}", self.width, self.height)
    }
}

/// The set and all squares next to it, also off the board.
#[inline(always)]
pub(super) fn neighbours(set: Bits) -> Bits {
    let row = set | set << 1 | set >> 1;
    row | row << STRIDE | row >> STRIDE
}

/// The squares of a set, in ascending order.
#[derive(Clone)]
pub(super) struct Squares(pub(super) Bits);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::from_index(self.0.trailing_zeros());
        self.0 &= self.0 - 1;
        Some(square)
    }
}
