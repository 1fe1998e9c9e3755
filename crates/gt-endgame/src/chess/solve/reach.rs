//! The positions with a quiet move into a set.
//!
//! ```text
//! a king moves         the word of the neighbouring king, turned where that king has left its slots
//! the first man moves  the words of its targets, without the squares of the second man that stand in the way
//! the second man       inside the word: the squares from which it attacks a square of the set
//! ```
//!
//! Captures, promotions, and double steps beside an enemy pawn are not quiet moves.

use super::sets::Set;
use crate::chess::geometry::{Turn, attacks, between, bit, king_moves, squares};
use crate::chess::layout::{At, Layout};
use crate::chess::material::Man;
use cozy_chess::Color;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// The positions decided by the last ply for a side, and where to look for them.
pub(super) struct Front {
    pub(super) set: Set,
    /// For each place of the kings, the squares of the first man whose words are not empty.
    words: Vec<u64>,
}

impl Front {
    pub(super) fn new(layout: &Layout, set: Set) -> Self {
        let mut front = Self { set: Vec::new(), words: vec![0; layout.king_pairs()] };
        for (word, _) in set.iter().enumerate().filter(|(_, bits)| **bits != 0) {
            front.add(layout, word);
        }
        front.set = set;
        front
    }

    /// Marks a word as one to examine.
    pub(super) fn add(&mut self, layout: &Layout, word: usize) {
        let at = layout.at(word);
        self.words[layout.king_pair(at.slot, at.black_king)] |= bit(at.first);
    }

    /// Whether the word is to be examined.
    #[inline]
    pub(super) fn has(&self, layout: &Layout, at: At) -> bool {
        self.words_at(layout, at.slot, at.black_king) & bit(at.first) != 0
    }

    #[inline]
    fn words_at(&self, layout: &Layout, slot: usize, black_king: usize) -> u64 {
        self.words[layout.king_pair(slot, black_king)]
    }
}

/// A move of the white king, in the layout.
struct Step {
    slot: usize,
    turn: Turn,
}

pub(super) struct Reach {
    /// The moves of the white king from each slot.
    white_steps: Vec<Vec<Step>>,
}

impl Reach {
    pub(super) fn new(layout: &Layout) -> Self {
        let steps = |slot: usize| {
            let king = layout.at(layout.word(slot, 0, 0)).white_king;
            squares(king_moves(king))
                .map(|to| Step { slot: layout.slot(to).index, turn: layout.slot(to).turn })
                .collect()
        };
        Self { white_steps: (0..layout.slots()).map(steps).collect() }
    }

    /// Whether some position of the word may have a quiet move into the front.
    #[inline]
    pub(super) fn may_reach(&self, layout: &Layout, mover: Color, at: At, front: &Front) -> bool {
        let own = front.words_at(layout, at.slot, at.black_king);
        let by_second = layout.second.color == mover && own & bit(at.first) != 0;
        by_second
            || layout.first.is_some_and(|first| first.color == mover && own & first_targets(first, at) != 0)
            || match mover {
                Color::White => self.white_steps[at.slot].iter().any(|step| {
                    let pair = front.words_at(layout, step.slot, step.turn.square(at.black_king));
                    pair & bit(turned_first(layout, step.turn, at.first)) != 0
                }),
                Color::Black => squares(king_moves(at.black_king))
                    .any(|to| front.words_at(layout, at.slot, to) & bit(at.first) != 0),
            }
    }

    /// The bits among `wanted` whose positions, with `mover` to move, have a quiet move into `set`.
    #[inline]
    pub(super) fn reaching(&self, layout: &Layout, mover: Color, at: At, set: &Set, wanted: u64) -> u64 {
        let mut found = match mover {
            Color::White => self.by_white_king(layout, at, set, wanted),
            Color::Black => by_black_king(layout, at, set, wanted),
        };
        if let Some(first) = layout.first.filter(|first| first.color == mover && found & wanted != wanted) {
            found |= by_first(layout, first, at, set, wanted & !found);
        }
        if layout.second.color == mover && found & wanted != wanted {
            found |= by_second(layout, at, set[at.word], wanted & !found);
        }
        found & wanted
    }

    #[inline]
    fn by_white_king(&self, layout: &Layout, at: At, set: &Set, wanted: u64) -> u64 {
        let mut found = 0;
        for step in &self.white_steps[at.slot] {
            let word = layout.word(step.slot, step.turn.square(at.black_king), step.turn.square(at.first));
            if set[word] != 0 {
                found |= step.turn.set_back(set[word]);
                if found & wanted == wanted {
                    break;
                }
            }
        }
        found
    }
}

#[inline]
fn by_black_king(layout: &Layout, at: At, set: &Set, wanted: u64) -> u64 {
    let mut found = 0;
    for to in squares(king_moves(at.black_king)) {
        found |= set[layout.word(at.slot, to, at.first)];
        if found & wanted == wanted {
            break;
        }
    }
    found
}

#[inline]
fn turned_first(layout: &Layout, turn: Turn, first: usize) -> usize {
    if layout.first.is_some() { turn.square(first) } else { 0 }
}

/// The squares the first man can go to, as far as the kings allow.
#[inline]
fn first_targets(first: Man, at: At) -> u64 {
    let kings = bit(at.white_king) | bit(at.black_king);
    if first.is_pawn() {
        let (one, two) = steps(first, at.first);
        return one.map_or(0, bit) | two.map_or(0, bit);
    }
    attacks(first.kind, first.color, at.first, kings) & !kings
}

#[inline]
fn by_first(layout: &Layout, first: Man, at: At, set: &Set, wanted: u64) -> u64 {
    let kings = bit(at.white_king) | bit(at.black_king);
    let word = |to: usize| set[layout.word(at.slot, at.black_king, to)];
    if first.is_pawn() {
        return by_first_pawn(layout, first, at.first, kings, word);
    }
    let mut found = 0;
    for to in squares(attacks(first.kind, first.color, at.first, kings) & !kings) {
        let into = word(to);
        if into != 0 {
            found |= into & !between(at.first, to);
            if found & wanted == wanted {
                break;
            }
        }
    }
    found
}

/// The squares of a pawn after one step and after two; both are on the board for pawns that do not promote.
#[inline]
pub(super) fn steps(pawn: Man, from: usize) -> (Option<usize>, Option<usize>) {
    let rank = from >> 3;
    let (one, start, last) = match pawn.color {
        Color::White => (from.checked_add(8), 1, 6),
        Color::Black => (from.checked_sub(8), 6, 1),
    };
    let two = match pawn.color {
        Color::White => from.checked_add(16),
        Color::Black => from.checked_sub(16),
    };
    (one.filter(|_| rank != last), two.filter(|_| rank == start))
}

#[inline]
fn by_first_pawn(layout: &Layout, pawn: Man, from: usize, kings: u64, word: impl Fn(usize) -> u64) -> u64 {
    let (one, two) = steps(pawn, from);
    let Some(one) = one else { return 0 };
    if kings & bit(one) != 0 {
        return 0;
    }
    let double = two.map_or(0, |two| word(two) & !bit(one) & !captors(layout.second, pawn, two));
    word(one) | double
}

/// The squares from which an enemy pawn could take a pawn en passant that has made a double step to `to`.
#[inline]
pub(super) fn captors(other: Man, pawn: Man, to: usize) -> u64 {
    if other.is_pawn() && other.color != pawn.color { beside(bit(to)) } else { 0 }
}

#[inline]
fn beside(set: u64) -> u64 {
    (set & !FILE_H) << 1 | (set & !FILE_A) >> 1
}

#[inline]
fn by_second(layout: &Layout, at: At, into: u64, wanted: u64) -> u64 {
    let man = layout.second;
    let first = layout.first.map_or(0, |_| bit(at.first));
    let occupied = bit(at.white_king) | bit(at.black_king) | first;
    if into == 0 {
        return 0;
    }
    if man.is_pawn() {
        let captured = layout.first.map_or(0, |other| captors(other, man, at.first));
        return by_second_pawn(man, into, captured, occupied);
    }
    // Moves of pieces are reversible: start from whichever side has fewer squares.
    if into.count_ones() < wanted.count_ones() {
        squares(into).fold(0, |found, to| found | attacks(man.kind, man.color, to, occupied))
    } else {
        let reaches = |&from: &usize| attacks(man.kind, man.color, from, occupied) & into != 0;
        squares(wanted).filter(reaches).fold(0, |found, from| found | bit(from))
    }
}

#[inline]
fn by_second_pawn(pawn: Man, into: u64, captured: u64, occupied: u64) -> u64 {
    const RANK_2: u64 = 0xff00;
    const RANK_7: u64 = RANK_2 << 40;
    let double = into & !captured;
    match pawn.color {
        Color::White => into >> 8 | double >> 16 & RANK_2 & !(occupied >> 8),
        Color::Black => into << 8 | double << 16 & RANK_7 & !(occupied << 8),
    }
}
