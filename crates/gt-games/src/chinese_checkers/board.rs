//! The star: 121 holes in 17 rows.
//!
//! ```text
//! a              0                a hole is numbered row by row from the top, and named by its row's letter
//! b             1 2               and its place in the row: 0 is a1, 2 is b2, 10 is e1
//! c            3 4 5
//! d           6 7 8 9             rows are half a hole apart sideways, so a column counts double:
//! e  10 11 12 13 14 15 ..         the neighbours are at (0, ±2) and (±1, ±1)
//! f    23 24 25 26 27 ..
//! ..
//! ```

use std::fmt;

/// A set of holes; bit `n` is hole `n`.
pub(super) type Holes = u128;

/// The number of holes.
pub const HOLES: usize = 121;
/// The number of rows.
pub(super) const ROWS: usize = 17;
/// The number of each player's pieces, and of the holes in a point of the star.
pub(super) const PIECES_EACH: u32 = 10;

/// The six directions to a neighbour, as steps in row and doubled column.
const DIRECTIONS: [(isize, isize); 6] = [(-1, -1), (-1, 1), (0, -2), (0, 2), (1, -1), (1, 1)];

/// The row and the doubled column of the hole in the middle.
const CENTRE: (isize, isize) = (8, 12);

/// A hole of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hole(u8);

/// `BIT[n]` is `1 << n`.
pub(super) static BIT: [Holes; 128] = {
    let mut bits = [0; 128];
    let mut index = 0;
    while index < 128 {
        bits[index] = 1 << index;
        index += 1;
    }
    bits
};

/// The neighbour in each direction.
pub(super) static NEIGHBOURS: [[Option<Hole>; 6]; 128] = neighbours();

/// The six points of the star, clockwise from the top.
pub(super) static CORNERS: [Holes; 6] = corners();

/// For each point, the number of steps from a hole to its tip, on an empty board.
pub(super) static DISTANCES: [[u8; 128]; 6] = distances();

impl Hole {
    /// The hole at a row and a place in it, both from 0.
    pub(super) fn at(row: usize, place: usize) -> Option<Self> {
        (row < ROWS && place < row_length(row)).then(|| Self((row_start(row) + place) as u8))
    }

    /// The hole's number, below 121; the mask lets the compiler know it fits the tables.
    pub const fn index(self) -> usize {
        (self.0 & 127) as usize
    }

    pub(super) const fn row(self) -> usize {
        let mut row = 0;
        while row + 1 < ROWS && row_start(row + 1) <= self.index() {
            row += 1;
        }
        row
    }

    /// The hole's distance from the star's centre in rows and doubled columns.
    pub(super) const fn offset(self) -> (isize, isize) {
        (self.row() as isize - CENTRE.0, column(self) as isize - CENTRE.1)
    }

    /// The hole at this distance in rows and doubled columns from the star's centre.
    pub(super) const fn at_offset(rows: isize, columns: isize) -> Option<Self> {
        hole_at(CENTRE.0 + rows, CENTRE.1 + columns)
    }

    /// The pairs of a neighbour and the hole behind it.
    pub(super) fn hops(self) -> impl Iterator<Item = (Self, Self)> {
        NEIGHBOURS[self.index()].into_iter().enumerate().filter_map(|(direction, over)| {
            let over = over?;
            Some((over, NEIGHBOURS[over.index()][direction]?))
        })
    }
}

impl fmt::Display for Hole {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.row();
        write!(out, "{}{}", crate::rows::file_letter(row), self.index() - row_start(row) + 1)
    }
}

impl fmt::Debug for Hole {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// The doubled column of a row's first hole.
pub(super) const fn first_column(row: usize) -> usize {
    match row {
        4..=8 | 13..=16 => row - 4,
        _ => 12 - row,
    }
}

/// The number of holes in a row: it is symmetric about the doubled column 12.
pub(super) const fn row_length(row: usize) -> usize {
    13 - first_column(row)
}

/// The number of a row's first hole.
const fn row_start(row: usize) -> usize {
    let mut start = 0;
    let mut above = 0;
    while above < row {
        start += row_length(above);
        above += 1;
    }
    start
}

const fn column(hole: Hole) -> usize {
    let row = hole.row();
    first_column(row) + 2 * (hole.index() - row_start(row))
}

/// The hole at a row and a doubled column of the right parity.
const fn hole_at(row: isize, column: isize) -> Option<Hole> {
    if row < 0 || row >= ROWS as isize {
        return None;
    }
    let first = first_column(row as usize) as isize;
    if column < first || column > 24 - first {
        return None;
    }
    Some(Hole((row_start(row as usize) as isize + (column - first) / 2) as u8))
}

const fn neighbours() -> [[Option<Hole>; 6]; 128] {
    let mut neighbours = [[None; 6]; 128];
    let mut index = 0;
    while index < HOLES {
        let hole = Hole(index as u8);
        let mut direction = 0;
        while direction < 6 {
            let (rows, columns) = DIRECTIONS[direction];
            neighbours[index][direction] =
                hole_at(hole.row() as isize + rows, column(hole) as isize + columns);
            direction += 1;
        }
        index += 1;
    }
    neighbours
}

/// The tips of the points, clockwise from the top, by row and doubled column.
const TIPS: [(usize, usize); 6] = [(0, 12), (4, 24), (12, 24), (16, 12), (12, 0), (4, 0)];

/// A point consists of the holes at most three steps from its tip: the star narrows towards it.
const fn corners() -> [Holes; 6] {
    let mut corners: [Holes; 6] = [0; 6];
    let distances = distances();
    let mut corner = 0;
    while corner < 6 {
        let mut index = 0;
        while index < HOLES {
            if distances[corner][index] <= 3 {
                corners[corner] |= 1 << index;
            }
            index += 1;
        }
        assert!(corners[corner].count_ones() == PIECES_EACH);
        corner += 1;
    }
    corners
}

const fn distances() -> [[u8; 128]; 6] {
    let mut distances = [[0; 128]; 6];
    let mut corner = 0;
    while corner < 6 {
        let (tip_row, tip_column) = TIPS[corner];
        let mut index = 0;
        while index < HOLES {
            let hole = Hole(index as u8);
            let rows = hole.row().abs_diff(tip_row);
            let columns = column(hole).abs_diff(tip_column);
            // Each step to another row also moves one doubled column; the rest moves two at a time.
            let sideways = if columns > rows { (columns - rows) / 2 } else { 0 };
            distances[corner][index] = (rows + sideways) as u8;
            index += 1;
        }
        corner += 1;
    }
    distances
}

/// The holes of a set, in ascending order.
#[derive(Clone)]
pub(super) struct HoleSet(pub(super) Holes);

impl Iterator for HoleSet {
    type Item = Hole;

    #[inline]
    fn next(&mut self) -> Option<Hole> {
        if self.0 == 0 {
            return None;
        }
        let hole = Hole(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(hole)
    }
}
