//! The squares that a queen on one square can go to.
//!
//! ```text
//! lower blockers     the square      upper blockers
//!  1   1 0 0 0            Q          0 0 0 1   1
//!      └── highest                         └── lowest
//! ```
//!
//! On each of the four lines through a square, the squares between the highest blocker below and the lowest blocker above are what one
//! subtraction changes: subtracting the lower blocker's bit from the upper blockers borrows all the way. With no blocker above, the borrow
//! runs to the end of the line; with none below, it starts at bit 0. This takes no loop and no branch.

use super::bits::{Bits, STRIDE, Square};

/// The parts of a line below and above a square, without the square.
#[derive(Clone, Copy)]
struct Line {
    lower: Bits,
    upper: Bits,
}

/// For every square its four lines: along the rank, the file, and both diagonals.
static LINES: [[Line; 4]; 128] = lines();

/// The empty squares a queen on `square` can reach in one move.
#[inline(always)]
pub(super) fn queen_attacks(square: Square, empty: Bits) -> Bits {
    let blockers = !empty;
    let [rank, file, rising, falling] = &LINES[square.index()];
    let seen = seen(rank, blockers) | seen(file, blockers) | seen(rising, blockers) | seen(falling, blockers);
    seen & empty
}

/// The squares seen along a line, blockers included.
#[inline(always)]
fn seen(line: &Line, blockers: Bits) -> Bits {
    let below = (line.lower & blockers) | 1;
    let above = line.upper & blockers;
    let highest_below: Bits = 1 << (127 - below.leading_zeros());
    (above ^ above.wrapping_sub(highest_below)) & (line.lower | line.upper)
}

const fn lines() -> [[Line; 4]; 128] {
    const STEPS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];
    let mut lines = [[Line { lower: 0, upper: 0 }; 4]; 128];
    let mut index = 0;
    while index < 10 * STRIDE {
        let mut axis = 0;
        while axis < 4 && index % STRIDE < 10 {
            let (file, rank) = STEPS[axis];
            lines[index][axis] = Line { lower: ray(index, -file, -rank), upper: ray(index, file, rank) };
            axis += 1;
        }
        index += 1;
    }
    lines
}

/// The squares of a 10x10 board that lie from `index` in one direction.
const fn ray(index: usize, file_step: isize, rank_step: isize) -> Bits {
    let mut file = (index % STRIDE) as isize + file_step;
    let mut rank = (index / STRIDE) as isize + rank_step;
    let mut squares = 0;
    while file >= 0 && file < 10 && rank >= 0 && rank < 10 {
        squares |= 1 << (rank * STRIDE as isize + file);
        file += file_step;
        rank += rank_step;
    }
    squares
}
