//! Under which key the table keeps a position.
//!
//! ```text
//! . . x o . . .     . . . o x . .      a position and its mirror image share an entry: what is known of one is
//! a b c d e f g     a b c d e f g      known of both, and the move on place 2 of 7 is the one on place 4
//! ```
//!
//! They do so if the game has mirror images and the evaluation gives both the same value; otherwise the table keeps a position under its
//! own hash.

use crate::game::Game;
use crate::table::Entry;

/// The key of a position in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) hash: u64,
    /// Whether the table has the position's mirror image instead of the position.
    is_mirrored: bool,
}

impl Key {
    /// The key of a position; with `mirrors`, its mirror image has the same key.
    #[inline]
    pub(super) fn of<G: Game>(game: &G, mirrors: bool) -> Self {
        let hash = game.hash();
        let mirrored = if mirrors { game.mirrored_hash() } else { None };
        match mirrored {
            Some(mirrored) if mirrored < hash => Self { hash: mirrored, is_mirrored: true },
            _ => Self { hash, is_mirrored: false },
        }
    }

    /// Converts a move's place in the driver's position to its place in the table's position, or the other way round.
    #[inline]
    pub(super) fn turned(self, place: u32, moves: usize) -> u32 {
        if self.is_mirrored { (moves as u32).saturating_sub(1 + place) } else { place }
    }

    /// Converts the table's entry to one for the driver's position, which has this many moves.
    #[inline]
    pub(super) fn entry(self, entry: Entry, moves: usize) -> Entry {
        if !self.is_mirrored {
            return entry;
        }
        // Another position with the same hash may have had more moves.
        let place = entry.move_index.filter(|&place| usize::from(place) < moves);
        Entry { move_index: place.map(|place| self.turned(place.into(), moves) as u16), ..entry }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Bound;

    #[test]
    fn a_mirrored_entry_has_its_move_on_the_other_side() {
        let entry =
            |move_index| Entry { value: 7, move_index, depth: 3, bound: Bound::Exact, is_whole: false };
        let plain = Key { hash: 1, is_mirrored: false };
        let mirrored = Key { hash: 1, is_mirrored: true };
        assert_eq!(plain.entry(entry(Some(2)), 7), entry(Some(2)));
        assert_eq!(mirrored.entry(entry(Some(2)), 7), entry(Some(4)));
        assert_eq!(mirrored.entry(entry(None), 7), entry(None));
        assert_eq!(mirrored.entry(entry(Some(7)), 7), entry(None), "no such move");
        assert_eq!([0, 3, 6].map(|place| mirrored.turned(place, 7)), [6, 3, 0]);
    }
}
