//! Corrections: what searches of similar positions have shown the evaluation to get wrong.
//!
//! ```text
//! alike in   the pawns │ the white pieces │ the black pieces │ the last two moves
//! learnt         +310  │             -96  │            +512  │              +42     768 / 64 = +12
//! ```
//!
//! When the search of a node finds more than its evaluation said, the corrections of everything that the position is alike in rise;
//! when it finds less, they fall. Two structures may share an entry: that makes a correction worse, but breaks nothing.

use super::history::Before;
use crate::game::{Game, STRUCTURES};

const ENTRIES_LOG2: u32 = 14;
/// One for each structure, and one for the last two moves.
const TABLES: usize = STRUCTURES + 1;
/// The largest absolute value of an entry.
const ENTRY_MAX: i32 = 1024;
/// The sum of the entries that is worth one unit of the evaluation.
const PER_UNIT: i32 = 64;
/// The most that one search adds to an entry.
const LESSON_MAX: i32 = 256;
/// A lesson is the difference between value and evaluation times the depth, times this fraction.
const LESSON: (i32, i32) = (3, 8);
const DIFFERENCE_MAX: i32 = LESSON_MAX * LESSON.1 / LESSON.0 + 1;

#[derive(Debug)]
pub(super) struct Corrections(Box<[[i16; TABLES]]>);

/// The index of a position's entry in each table.
type Places = [usize; TABLES];

impl Corrections {
    pub(super) fn new() -> Self {
        Self(vec![[0; TABLES]; 1 << ENTRIES_LOG2].into_boxed_slice())
    }

    /// The correction in the evaluation's units.
    #[inline]
    pub(super) fn correction<G: Game>(&self, game: &G, before: Before) -> i32 {
        places(game, before).map_or(0, |places| self.sum(&places) / PER_UNIT)
    }

    /// Learns the difference between the value that a search of this depth found and the evaluation.
    pub(super) fn learn<G: Game>(&mut self, game: &G, before: Before, difference: i32, depth: i16) {
        if let Some(places) = places(game, before) {
            // What lies beyond is the greatest lesson anyway, from depth 1 on.
            let difference = difference.clamp(-DIFFERENCE_MAX, DIFFERENCE_MAX);
            self.approach(&places, difference * i32::from(depth) * LESSON.0 / LESSON.1);
        }
    }

    #[inline]
    fn sum(&self, places: &Places) -> i32 {
        places.iter().enumerate().map(|(table, &place)| i32::from(self.0[place][table])).sum()
    }

    /// Moves the entries towards the lesson's end of their range, more slowly the nearer they are.
    fn approach(&mut self, places: &Places, lesson: i32) {
        let lesson = lesson.clamp(-LESSON_MAX, LESSON_MAX);
        for (table, &place) in places.iter().enumerate() {
            let entry = &mut self.0[place][table];
            *entry += (lesson - i32::from(*entry) * lesson.abs() / ENTRY_MAX) as i16;
        }
    }
}

/// `None` in a game without structures.
#[inline]
fn places<G: Game>(game: &G, before: Before) -> Option<Places> {
    let structures = game.structures()?;
    let player = game.to_move() as u64;
    let place = |key: u64| {
        let mixed = (key ^ player).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> (u64::BITS - ENTRIES_LOG2)) as usize
    };
    Some(std::array::from_fn(|table| match structures.get(table) {
        Some(&structure) => place(structure),
        None => place(u64::from(before[0]) << 32 | u64::from(before[1]) << 16),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_approach_the_ends_of_their_range_and_are_apart() {
        let mut corrections = Corrections::new();
        let (here, there) = ([1, 2, 3, 4], [1, 7, 8, 9]);
        corrections.approach(&here, 40);
        assert_eq!((corrections.sum(&here), corrections.sum(&there)), (160, 40));
        for _ in 0..1000 {
            corrections.approach(&here, i32::MAX / 2);
        }
        let most = corrections.sum(&here);
        assert!(most > 3900 && most <= 4 * ENTRY_MAX, "{most}");
        for _ in 0..2000 {
            corrections.approach(&here, -300);
        }
        assert!(corrections.sum(&here) < -3900);
    }
}
