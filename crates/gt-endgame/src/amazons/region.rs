//! A part of an Amazons board that arrows and edges cut off from the rest.
//!
//! ```text
//! w..      a box with a set of open squares, and amazons on some of them; `x` is closed
//! .x.      squares count from the lower left corner, row by row
//! ```
//!
//! Regions are the same however the board is held: [`Region::key`] is one number for all eight ways.

use std::fmt;

/// The maximum number of squares in a box.
pub(super) const SQUARES_MAX: usize = 25;
const DIRECTIONS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// A player: White is 0.
pub(super) type Player = usize;

/// Open squares in a box, and the amazons on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Region {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Squares without an arrow, including those of amazons.
    pub(super) open: u32,
    pub(super) amazons: [u32; 2],
}

impl Region {
    pub(super) fn squares(&self) -> impl Iterator<Item = usize> + use<> {
        bits(self.open)
    }

    fn at(&self, file: i32, rank: i32) -> Option<usize> {
        let is_inside = (0..self.width as i32).contains(&file) && (0..self.height as i32).contains(&rank);
        is_inside.then(|| rank as usize * self.width + file as usize)
    }

    /// The empty squares that a queen reaches from a square.
    fn reach(&self, from: usize, empty: u32) -> u32 {
        let (file, rank) = ((from % self.width) as i32, (from / self.width) as i32);
        let mut reached = 0;
        for (across, up) in DIRECTIONS {
            let (mut file, mut rank) = (file + across, rank + up);
            while let Some(square) = self.at(file, rank).filter(|&square| empty >> square & 1 == 1) {
                reached |= 1 << square;
                (file, rank) = (file + across, rank + up);
            }
        }
        reached
    }

    fn empty(&self) -> u32 {
        self.open & !self.amazons[0] & !self.amazons[1]
    }

    /// The region after each turn of a player.
    pub(super) fn turns(&self, player: Player) -> Vec<Self> {
        let mut turns = Vec::new();
        for from in bits(self.amazons[player]) {
            let empty = self.empty() | 1 << from;
            for to in bits(self.reach(from, empty & !(1 << from))) {
                for arrow in bits(self.reach(to, empty & !(1 << to))) {
                    let mut after = *self;
                    after.amazons[player] ^= 1 << from | 1 << to;
                    after.open &= !(1 << arrow);
                    turns.push(after);
                }
            }
        }
        turns
    }

    /// The connected parts with an amazon, each in the smallest box that holds it.
    pub(super) fn parts(&self) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut left = self.open;
        while left != 0 {
            let part = self.connected(1 << left.trailing_zeros());
            left &= !part;
            if part & (self.amazons[0] | self.amazons[1]) != 0 {
                parts.push(self.cut_out(part));
            }
        }
        parts
    }

    /// The open squares connected to these.
    fn connected(&self, mut part: u32) -> u32 {
        loop {
            let mut grown = part;
            for square in bits(part) {
                let (file, rank) = ((square % self.width) as i32, (square / self.width) as i32);
                for (across, up) in DIRECTIONS {
                    grown |= self.at(file + across, rank + up).map_or(0, |square| 1 << square);
                }
            }
            grown &= self.open;
            if grown == part {
                return part;
            }
            part = grown;
        }
    }

    pub(super) fn is_connected(&self) -> bool {
        self.open != 0 && self.connected(1 << self.open.trailing_zeros()) == self.open
    }

    fn cut_out(&self, part: u32) -> Self {
        let files = || bits(part).map(|square| square % self.width);
        let ranks = || bits(part).map(|square| square / self.width);
        let (left, right) = (files().min().unwrap_or_default(), files().max().unwrap_or_default());
        let (low, high) = (ranks().min().unwrap_or_default(), ranks().max().unwrap_or_default());
        let (width, height) = (right - left + 1, high - low + 1);
        let moved = |set: u32| {
            bits(set & part).fold(0, |moved, square| {
                moved | 1 << ((square / self.width - low) * width + square % self.width - left)
            })
        };
        Self { width, height, open: moved(self.open), amazons: self.amazons.map(moved) }
    }

    /// The number of the region, the same for every way to hold the board, and unique among regions.
    pub(super) fn key(&self) -> u64 {
        (0..8).map(|turn| self.turned(turn).number()).min().unwrap_or_default()
    }

    /// Files mirrored, ranks mirrored, both exchanged: one bit of `turn` each.
    fn turned(&self, turn: u8) -> Self {
        let (width, height) =
            if turn & 4 == 0 { (self.width, self.height) } else { (self.height, self.width) };
        let square = |square: usize| {
            let (mut file, mut rank) = (square % self.width, square / self.width);
            if turn & 1 != 0 {
                file = self.width - 1 - file;
            }
            if turn & 2 != 0 {
                rank = self.height - 1 - rank;
            }
            if turn & 4 == 0 { rank * width + file } else { file * width + rank }
        };
        let set = |set: u32| bits(set).fold(0, |turned, place| turned | 1 << square(place));
        Self { width, height, open: set(self.open), amazons: self.amazons.map(set) }
    }

    /// Width, height, and two bits for each square: closed, empty, white, black.
    fn number(&self) -> u64 {
        let mut number = (self.height as u64) << 4 | self.width as u64;
        for square in 0..self.width * self.height {
            let [white, black] = self.amazons.map(|amazons| amazons >> square & 1);
            let open = self.open >> square & 1;
            number = number << 2 | u64::from(open + white + 2 * black);
        }
        number
    }

    /// The region with White and Black exchanged.
    pub(super) fn exchanged(self) -> Self {
        Self { amazons: [self.amazons[1], self.amazons[0]], ..self }
    }
}

pub(super) fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (square < u32::BITS).then_some(square as usize)
    })
}

/// Writes rows from the top, as in positions: `w` and `b` are amazons, `x` closed squares, `.` empty ones.
impl fmt::Display for Region {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..self.height).rev() {
            for square in rank * self.width..(rank + 1) * self.width {
                let letter = match [self.open, self.amazons[0], self.amazons[1]].map(|set| set >> square & 1)
                {
                    [0, ..] => 'x',
                    [_, 1, _] => 'w',
                    [_, _, 1] => 'b',
                    _ => '.',
                };
                write!(out, "{letter}")?;
            }
            if rank > 0 {
                out.write_str("/")?;
            }
        }
        Ok(())
    }
}
