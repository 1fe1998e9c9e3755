//! Queen moves of whole sets of squares at once.
//!
//! A set slides through the empty squares in one direction by doubling: after one step, steps of 1, 2 and 4 squares
//! through runs of 1, 2 and 4 empty squares, and a last step of 1, a piece has gone up to 9 squares, which is across
//! the board. The squares that can be slid over depend on the empty squares alone, so [`Slides`] is computed once per
//! position and serves both players and every step of a flood.

use super::bits::{Bits, STRIDE};

const EAST: i32 = 1;
const NORTH: i32 = STRIDE as i32;
const NORTH_EAST: i32 = STRIDE as i32 + 1;
const NORTH_WEST: i32 = STRIDE as i32 - 1;

/// The squares that end a run of 2, and of 4, empty squares in each direction.
pub(super) struct Slides {
    pub(super) empty: Bits,
    runs: [[Bits; 2]; 8],
}

impl Slides {
    #[inline(always)]
    pub(super) fn new(empty: Bits) -> Self {
        let runs = [
            runs::<EAST>(empty),
            runs::<{ -EAST }>(empty),
            runs::<NORTH>(empty),
            runs::<{ -NORTH }>(empty),
            runs::<NORTH_EAST>(empty),
            runs::<{ -NORTH_EAST }>(empty),
            runs::<NORTH_WEST>(empty),
            runs::<{ -NORTH_WEST }>(empty),
        ];
        Self { empty, runs }
    }

    /// The empty squares that a queen of the set `from` reaches, by direction.
    ///
    /// In one direction no two queens reach the same square, because the nearer one blocks the other, so the
    /// sizes of the eight sets add up to the number of queen moves.
    #[inline(always)]
    pub(super) fn directions(&self, from: Bits) -> [Bits; 8] {
        [
            slide::<EAST>(from, self.empty, &self.runs[0]),
            slide::<{ -EAST }>(from, self.empty, &self.runs[1]),
            slide::<NORTH>(from, self.empty, &self.runs[2]),
            slide::<{ -NORTH }>(from, self.empty, &self.runs[3]),
            slide::<NORTH_EAST>(from, self.empty, &self.runs[4]),
            slide::<{ -NORTH_EAST }>(from, self.empty, &self.runs[5]),
            slide::<NORTH_WEST>(from, self.empty, &self.runs[6]),
            slide::<{ -NORTH_WEST }>(from, self.empty, &self.runs[7]),
        ]
    }

    /// The empty squares that a queen of the set `from` reaches in one move.
    #[inline(always)]
    pub(super) fn reach(&self, from: Bits) -> Bits {
        self.directions(from).into_iter().fold(0, |all, direction| all | direction)
    }
}

#[inline(always)]
fn shift<const STEP: i32>(set: Bits) -> Bits {
    if STEP > 0 { set << STEP } else { set >> -STEP }
}

/// `shift` four times: stable Rust does not allow a multiple of a const parameter as a const argument.
#[inline(always)]
fn shift_4<const STEP: i32>(set: Bits) -> Bits {
    if STEP > 0 { set << (4 * STEP) } else { set >> (-4 * STEP) }
}

#[inline(always)]
fn shift_2<const STEP: i32>(set: Bits) -> Bits {
    if STEP > 0 { set << (2 * STEP) } else { set >> (-2 * STEP) }
}

#[inline(always)]
fn runs<const STEP: i32>(empty: Bits) -> [Bits; 2] {
    let two = empty & shift::<STEP>(empty);
    [two, two & shift_2::<STEP>(two)]
}

#[inline(always)]
fn slide<const STEP: i32>(from: Bits, empty: Bits, [two, four]: &[Bits; 2]) -> Bits {
    let one_step = empty & shift::<STEP>(from);
    let two_steps = one_step | empty & shift::<STEP>(one_step);
    let four_steps = two_steps | two & shift_2::<STEP>(two_steps);
    let eight_steps = four_steps | four & shift_4::<STEP>(four_steps);
    eight_steps | empty & shift::<STEP>(eight_steps)
}
