//! Boards of any size that fits into 64 bits.
//!
//! ```text
//!     6 13 20 27 34 41 48    never filled: it keeps columns apart
//!  6  5 12 19 26 33 40 47
//!  .  .  .  .  .  .  .  .    a place is (rows + 1) * column + row, so that four in a line are four bits
//!  1  0  7 14 21 28 35 42    at distances of 1 (up), rows + 1 (along), rows + 2 and rows (the diagonals)
//!     a  b  c  d  e  f  g
//! ```

use crate::error::{ErrorKind, NotationError, Result};
use std::fmt;
use std::sync::OnceLock;

/// The width and height of a board of connect four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    columns: u8,
    rows: u8,
}

/// The shortest side: four in a line must fit.
const SIDE_MIN: usize = 4;
/// The longest sides: each column has an extra row above it that stays empty, and everything must fit into 64
/// bits.
const COLUMNS_MAX: usize = 12;
const ROWS_MAX: usize = 15;

impl Size {
    /// Seven columns of six.
    pub const STANDARD: Self = Self { columns: 7, rows: 6 };

    /// Makes a board size from columns and rows.
    ///
    /// # Errors
    /// Returns an error if a side is shorter than four, or the board has too many places.
    pub fn new(columns: usize, rows: usize) -> Result<Self> {
        let fits = columns >= SIDE_MIN
            && rows >= SIDE_MIN
            && columns <= COLUMNS_MAX
            && rows <= ROWS_MAX
            && columns * (rows + 1) <= 64;
        match fits {
            true => Ok(Self { columns: columns as u8, rows: rows as u8 }),
            false => {
                let problem = "a board of connect four has at least 4 columns and 4 rows, and columns times rows + 1 is at most 64: \
                               4x15, 5x11, 6x9, 7x8, 8x7, 9x6, 10x5 and 12x4 are the largest";
                Err(NotationError::new(ErrorKind::UnknownName, format!("{columns}x{rows}"), problem))
            }
        }
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(self) -> usize {
        usize::from(self.columns)
    }

    /// Returns the number of discs that fit into a column.
    #[must_use]
    pub fn rows(self) -> usize {
        usize::from(self.rows)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}x{}", self.columns, self.rows)
    }
}

/// Everything derived from a board's size.
#[derive(PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) size: Size,
    /// The lowest place of every column.
    pub(super) bottom: u64,
    /// All places.
    pub(super) board: u64,
    /// The rows that `x` gets to play when the board fills up, then `o`'s.
    pub(super) in_time: [u64; 2],
    /// The distances between neighbours on a line: up, along, and the two diagonals.
    pub(super) steps: [u32; 4],
    /// The value of a disc at each place: the number of fours through it, minus three.
    pub(super) worth: [u8; 64],
}

impl Layout {
    /// The layout of a size; computed once.
    pub(super) fn of(size: Size) -> &'static Self {
        const LAYOUTS: usize = (COLUMNS_MAX + 1) * (ROWS_MAX + 1);
        static KNOWN: [OnceLock<Layout>; LAYOUTS] = [const { OnceLock::new() }; LAYOUTS];
        KNOWN[size.columns() * (ROWS_MAX + 1) + size.rows()].get_or_init(|| Self::new(size))
    }

    fn new(size: Size) -> Self {
        let (columns, rows) = (u32::from(size.columns), u32::from(size.rows));
        let stride = rows + 1;
        let bottom = (0..columns).fold(0, |all, column| all | 1 << (column * stride));
        let board = bottom * ((1 << rows) - 1);
        let odd = (0..rows).step_by(2).fold(0, |all, row| all | bottom << row);
        let steps = [1, stride, stride + 1, stride - 1];
        let mut layout = Self { size, bottom, board, in_time: [odd, board & !odd], steps, worth: [0; 64] };
        for place in 0..64 {
            layout.worth[place] = layout.fours_through(place as u32).saturating_sub(3);
        }
        layout
    }

    fn fours_through(&self, place: u32) -> u8 {
        let mut fours = 0;
        for step in self.steps {
            for first in 0..64 - 3 * step.min(21) {
                let line = (0..4)
                    .fold(0_u64, |line, disc| line | 1_u64.checked_shl(first + disc * step).unwrap_or(0));
                let is_line = line.count_ones() == 4 && line & !self.board == 0;
                fours += u8::from(is_line && line >> place & 1 == 1);
            }
        }
        fours
    }

    /// The places of a column.
    #[inline]
    pub(super) fn column(&self, column: u8) -> u64 {
        let rows = u32::from(self.size.rows);
        ((1 << rows) - 1) << (u32::from(column) * (rows + 1))
    }

    /// The total value of the places of discs.
    pub(super) fn worth_of(&self, discs: u64) -> i32 {
        (0..64).filter(|place| discs >> place & 1 == 1).map(|place| i32::from(self.worth[place])).sum()
    }

    /// Whether a set holds four in a line.
    #[inline]
    pub(super) fn has_four(&self, discs: u64) -> bool {
        self.steps.iter().any(|&step| {
            let pairs = discs & discs >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }

    /// The places, empty or not, that with three of the set make four in a line.
    #[inline]
    pub(super) fn completing(&self, discs: u64) -> u64 {
        let mut places = 0;
        for step in self.steps {
            let (up, down) = (discs << step & discs << (2 * step), discs >> step & discs >> (2 * step));
            // … the fourth at either end, then in either gap.
            places |= up & discs << (3 * step) | down & discs >> (3 * step);
            places |= up & discs >> step | down & discs << step;
        }
        places & self.board
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.size)
    }
}
