//! Sets of positions: a word for each place of the kings and the first man, a bit for each square of the second.

use cozy_chess::Color;

/// The sides to move.
pub(super) const SIDES: [Color; 2] = [Color::White, Color::Black];

/// The number of words that a thread takes at once.
pub(super) const PART_WORDS: usize = 4096;

/// A set of positions with one side to move.
pub(super) type Set = Vec<u64>;

/// Takes the positions of the other set away.
pub(super) fn subtract(set: &mut Set, other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(set, other)| *set &= !other);
}
