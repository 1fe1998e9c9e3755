//! The terms that [`Phased`](super::Phased) counts for each side, on whole sets of squares.
//!
//! ```text
//! queen moves   level 1, 2, 3 …   from both sides at once; a square belongs to who gets there first
//! king steps    level 1, 2, 3 …   the same, step by step: how near, once the lines are shut
//! ```
//!
//! The first two levels of queen moves are computed for each side alone, ignoring the other. From the third on a side
//! continues only from squares that neither has reached, which decides who is first just as well. `super::plain`
//! counts the same square by square.

use super::Amazons;
use super::bits::{Bits, STRIDE, neighbours};
use super::fill::Slides;

/// The number of terms.
pub const TERMS: usize = 9;

/// The terms' names and what they count, in their order.
pub const TERM_NOTES: [(&str, &str); TERMS] = [
    ("queen-territory", "squares reached in fewer queen moves than the opponent needs"),
    ("king-territory", "squares reached in fewer king steps than the opponent needs"),
    ("one-move", "squares reached in one queen move"),
    ("two-moves", "squares reached in two queen moves and not in one"),
    ("nearness", "squares reached within one king step, within two, up to six, added up"),
    ("mobility", "queen moves of all amazons"),
    ("shut-in", "amazons with no empty square beside them"),
    ("hemmed-in", "amazons with one or two empty squares beside them"),
    ("tempo", "squares that both reach in equally many queen moves, for the player to move"),
];

/// The number of steps up to which nearness counts.
pub(super) const STEPS_MAX: usize = 6;

/// Both sides' counts of each term, and how much of the board they still share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The counts of the player to move.
    pub mine: [i32; TERMS],
    /// The counts of the opponent.
    pub theirs: [i32; TERMS],
    /// The number of empty squares that both sides can reach.
    pub contested: i32,
}

/// The owned squares: the mover's and the opponent's, by queen moves and by king steps.
#[derive(Clone, Copy)]
pub(super) struct Owned {
    pub(super) by_queen: [Bits; 2],
    pub(super) by_king: [Bits; 2],
}

impl Terms {
    /// Counts the terms of a position.
    #[inline]
    pub fn of(game: &Amazons) -> Self {
        Self::and_owned(game).0
    }

    /// The terms, and the squares that they count.
    #[inline(always)]
    pub(super) fn and_owned(game: &Amazons) -> (Self, Owned) {
        let slides = Slides::new(game.empty);
        let mover = usize::from(game.to_move & 1);
        let amazons = [game.amazons[mover], game.amazons[mover ^ 1]];
        let queens = QueenLevels::of(&slides, amazons);
        let kings = KingSteps::of(game.empty, amazons);
        let crowded = amazons.map(|set| crowding(set, game.empty));
        let counts = |side: usize, tempo: i32| {
            let [first, second] = queens.levels[side];
            let (shut_in, hemmed_in) = crowded[side];
            [
                count(queens.owned[side]),
                count(kings.owned[side]),
                count(first),
                count(second),
                kings.nearness[side],
                queens.mobility[side],
                shut_in,
                hemmed_in,
                tempo,
            ]
        };
        let terms = Self {
            mine: counts(0, count(queens.tied)),
            theirs: counts(1, 0),
            contested: count(kings.reached[0] & kings.reached[1]),
        };
        (terms, Owned { by_queen: queens.owned, by_king: kings.owned })
    }
}

/// The squares that each side reaches by queen moves.
struct QueenLevels {
    owned: [Bits; 2],
    /// Squares that both reach in equally many moves.
    tied: Bits,
    /// The squares at one and at two moves, for each side.
    levels: [[Bits; 2]; 2],
    mobility: [i32; 2],
}

impl QueenLevels {
    #[inline(always)]
    fn of(slides: &Slides, amazons: [Bits; 2]) -> Self {
        let directions = amazons.map(|set| slides.directions(set));
        let mobility = directions.map(|sets| sets.into_iter().map(count).sum());
        let first = directions.map(|sets| sets.into_iter().fold(0, |all, set| all | set));
        let second = first.map(|set| slides.reach(set) & !set);
        let [mine, theirs] = first;
        let mut owned = [mine & !theirs, theirs & !mine];
        let mut tied = mine & theirs;
        let mut open = slides.empty & !(mine | theirs);
        let [mut mine, mut theirs] = second;
        loop {
            let (my_new, their_new) = (mine & open, theirs & open);
            owned[0] |= my_new & !their_new;
            owned[1] |= their_new & !my_new;
            tied |= my_new & their_new;
            open &= !(my_new | their_new);
            if open == 0 || my_new | their_new == 0 {
                break;
            }
            (mine, theirs) = (slides.reach(my_new), slides.reach(their_new));
        }
        Self { owned, tied, levels: [[first[0], second[0]], [first[1], second[1]]], mobility }
    }
}

/// The squares that each side reaches by king steps.
struct KingSteps {
    owned: [Bits; 2],
    nearness: [i32; 2],
    /// All squares that a side can reach.
    reached: [Bits; 2],
}

impl KingSteps {
    #[inline(always)]
    fn of(empty: Bits, amazons: [Bits; 2]) -> Self {
        let mut reached = amazons.map(|set| neighbours(set) & empty);
        let mut owned = [reached[0] & !reached[1], reached[1] & !reached[0]];
        let mut open = empty & !(reached[0] | reached[1]);
        let mut nearness = reached.map(count);
        for steps in 2.. {
            let next = reached.map(|set| set | neighbours(set) & empty);
            let new = next.map(|set| set & open);
            owned[0] |= new[0] & !new[1];
            owned[1] |= new[1] & !new[0];
            open &= !(new[0] | new[1]);
            if next == reached {
                // Further steps add nothing.
                let left = (STEPS_MAX + 1).saturating_sub(steps) as i32;
                nearness = [0, 1].map(|side| nearness[side] + left * count(reached[side]));
                break;
            }
            reached = next;
            if steps <= STEPS_MAX {
                nearness = [0, 1].map(|side| nearness[side] + count(reached[side]));
            }
        }
        Self { owned, nearness, reached }
    }
}

/// The number of amazons in a set with no empty neighbour, and the number with one or two.
#[inline(always)]
fn crowding(amazons: Bits, empty: Bits) -> (i32, i32) {
    const WAYS: [usize; 4] = [1, STRIDE - 1, STRIDE, STRIDE + 1];
    // Count the empty neighbours of every square, up to "three or more": one bit plane for ones, one for twos, one
    // for "more".
    let (mut ones, mut twos, mut more): (Bits, Bits, Bits) = (0, 0, 0);
    for way in WAYS {
        for free in [empty << way, empty >> way] {
            let carry = ones & free;
            ones ^= free;
            more |= twos & carry;
            twos ^= carry;
        }
    }
    let shut_in = amazons & !(ones | twos | more);
    let hemmed_in = amazons & !more & (ones ^ twos);
    (count(shut_in), count(hemmed_in))
}

#[inline(always)]
fn count(set: Bits) -> i32 {
    set.count_ones() as i32
}
