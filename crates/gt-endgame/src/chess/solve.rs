//! Retrograde analysis, 64 positions at a time.
//!
//! ```text
//! ply 0   lost   mated positions
//! ply 1   won    a move into what is lost in 0, or a capture or promotion that wins in 1
//! ply 2   lost   every move into what is won in 1 or less …
//! ```
//!
//! A set of positions has a word for each place of the kings and the first man; its bits are the squares of the
//! second man. So a question like "which positions have a move into this set" is answered for 64 positions at once
//! (`reach.rs`). Captures and promotions leave the ending: their values are looked up in the endings that are already
//! solved (`conversions.rs`), and take effect at their ply. En passant is the only move that depends on the move
//! before; it has its own list (`en_passant.rs`).
//!
//! **Invariant:** after ply `n` a position is in `won` or `lost` exactly if it is decided in at most `n` plies.

mod conversions;
mod en_passant;
mod reach;
mod sets;

use super::geometry::{attackers, attacks, between, bit, king_moves};
use super::layout::{At, Layout};
use super::material::{Man, Material};
use super::solved::{Library, Solved};
use crate::error::{Error, Result};
use crate::parallel::over_parts;
use conversions::Conversions;
use cozy_chess::Color;
use en_passant::DoublePush;
use reach::{Front, Reach};
use sets::{PART_WORDS, SIDES, Set, subtract};

/// The ranks on which pawns can stand.
const PAWN_RANKS: u64 = 0x00ff_ffff_ffff_ff00;
/// The longest game that a byte can store.
const PLIES_MAX: usize = 253;

/// Solves an ending whose successors are all in the library.
///
/// # Errors
/// Returns an error if a successor is missing, or a game is longer than a byte can store.
pub(super) fn solve(material: Material, library: &Library) -> Result<Solved> {
    let layout = Layout::new(material);
    let legal = legal(&layout);
    let mut conversions = Conversions::find(&layout, &legal, library)?;
    let pushes = en_passant::find(&layout, &legal, library)?;
    conversions.wait_for(pushes.iter().map(DoublePush::ply_last).max().unwrap_or_default());
    let mut solver = Solver::new(layout, legal, conversions, pushes);
    solver.mark_mates();
    for ply in 1.. {
        if solver.is_done(ply) {
            break;
        }
        if ply > PLIES_MAX {
            return Err(Error::Unfit(format!("{material} has games of more than {PLIES_MAX} plies")));
        }
        if ply % 2 == 1 {
            solver.find_won(ply);
        } else {
            solver.find_lost(ply);
        }
    }
    Ok(Solved { layout: solver.layout, values: solver.values, legal: solver.legal })
}

struct Solver {
    layout: Layout,
    reach: Reach,
    /// Legal positions; by side to move, like all that follow.
    legal: [Set; 2],
    /// Legal and not known to be won: the targets of the other side.
    not_won: [Set; 2],
    /// Not yet won or lost, and not certain never to be lost.
    may_be_lost: [Set; 2],
    /// Neither won nor lost.
    unknown: [Set; 2],
    /// The positions decided by the last ply.
    latest: [Front; 2],
    values: [Vec<u8>; 2],
    conversions: Conversions,
    pushes: Vec<DoublePush>,
    /// The last ply that decided anything.
    ply_fruitful: usize,
}

impl Solver {
    fn new(layout: Layout, legal: [Set; 2], conversions: Conversions, pushes: Vec<DoublePush>) -> Self {
        let none = || vec![0; layout.words()];
        let without =
            |set: &Set, other: &Set| set.iter().zip(other).map(|(set, other)| set & !other).collect();
        Self {
            reach: Reach::new(&layout),
            not_won: legal.clone(),
            may_be_lost: [0, 1].map(|side| without(&legal[side], &conversions.escapes[side])),
            unknown: legal.clone(),
            latest: [Front::new(&layout, none()), Front::new(&layout, none())],
            values: [0, 1].map(|_| vec![0; layout.places()]),
            layout,
            legal,
            conversions,
            pushes,
            ply_fruitful: 0,
        }
    }

    /// Whether nothing more can be decided: two plies brought nothing, and no capture or promotion is
    /// pending.
    fn is_done(&self, ply: usize) -> bool {
        ply > self.ply_fruitful + 2 && ply > self.conversions.ply_last
    }

    /// Marks positions without a move: mated if in check, otherwise never decided.
    fn mark_mates(&mut self) {
        for side in SIDES {
            let (own, other) = (side as usize, !side as usize);
            let mut stuck =
                self.without_quiet_move(side, self.unknown[own].clone(), &self.legal[other], |_| true);
            subtract(&mut stuck, &self.conversions.any[own]);
            for push in self.pushes.iter().filter(|push| push.mover == side) {
                stuck[push.word] &= !push.bit;
            }
            for push in self.pushes.iter_mut().filter(|push| push.mover == !side) {
                push.note_stuck(&stuck);
            }
            for (word, stuck) in stuck.iter_mut().enumerate().filter(|(_, stuck)| **stuck != 0) {
                let mated = *stuck & checked(&self.layout, self.layout.at(word), side);
                self.may_be_lost[own][word] &= !*stuck;
                *stuck = mated;
            }
            self.decide(side, stuck, 0);
        }
    }

    /// Finds positions with a move into those that were lost a ply before, or that win by leaving the ending.
    fn find_won(&mut self, ply: usize) {
        for (side, won) in SIDES.map(|side| (side, self.won_by(side, ply))) {
            self.decide(side, won, ply);
        }
    }

    fn won_by(&self, side: Color, ply: usize) -> Set {
        let (own, other) = (side as usize, !side as usize);
        let (reach, layout, lost) = (&self.reach, &self.layout, &self.latest[other]);
        let mut won = self.unknown[own].clone();
        over_parts(&mut won, PART_WORDS, |(): &mut (), part, words| {
            for (offset, word) in words.iter_mut().enumerate().filter(|(_, word)| **word != 0) {
                let at = layout.at(part * PART_WORDS + offset);
                *word = match reach.may_reach(layout, side, at, lost) {
                    true => reach.reaching(layout, side, at, &lost.set, *word),
                    false => 0,
                };
            }
        });
        for &place in self.conversions.won_at(side, ply) {
            let (word, bit) = (place as usize / 64, bit(place as usize % 64));
            won[word] |= self.unknown[own][word] & bit;
        }
        for push in self.pushes.iter().filter(|push| push.mover == side) {
            if push.wins(&self.values[other], ply) {
                won[push.word] |= self.unknown[own][push.word] & push.bit;
            }
        }
        won
    }

    /// Finds positions whose every move leads to a win of the other side.
    fn find_lost(&mut self, ply: usize) {
        SIDES.into_iter().for_each(|side| self.conversions.close(side, ply));
        for (side, lost) in SIDES.map(|side| (side, self.lost_by(side, ply))) {
            self.decide(side, lost, ply);
        }
    }

    fn lost_by(&self, side: Color, ply: usize) -> Set {
        let (own, other) = (side as usize, !side as usize);
        let mut candidates = self.may_be_lost[own].clone();
        subtract(&mut candidates, self.conversions.open(side));
        let mut changed = Front::new(&self.layout, Vec::new());
        for &place in self.conversions.lost_at(side, ply) {
            changed.add(&self.layout, place as usize / 64);
        }
        for push in self.pushes.iter().filter(|push| push.mover == side) {
            changed.add(&self.layout, push.word);
            if !push.loses(&self.values[other], ply) {
                candidates[push.word] &= !push.bit;
            }
        }
        // A position whose moves lead only where nothing has changed since it was last examined cannot have become
        // lost.
        let (reach, layout, won) = (&self.reach, &self.layout, &self.latest[other]);
        self.without_quiet_move(side, candidates, &self.not_won[other], |at| {
            changed.has(layout, at) || reach.may_reach(layout, side, at, won)
        })
    }

    /// The positions among `candidates`, in the words to examine, that have no quiet move into `set`.
    fn without_quiet_move(
        &self,
        side: Color,
        mut candidates: Set,
        set: &Set,
        is_looked_at: impl Fn(At) -> bool + Sync,
    ) -> Set {
        let (reach, layout) = (&self.reach, &self.layout);
        over_parts(&mut candidates, PART_WORDS, |(): &mut (), part, words| {
            for (offset, word) in words.iter_mut().enumerate().filter(|(_, word)| **word != 0) {
                let at = layout.at(part * PART_WORDS + offset);
                *word = match is_looked_at(at) {
                    true => *word & !reach.reaching(layout, side, at, set, *word),
                    false => 0,
                };
            }
        });
        candidates
    }

    /// Records the positions that a ply decided for a side.
    fn decide(&mut self, side: Color, decided: Set, ply: usize) {
        let own = side as usize;
        let byte = ply as u8 + 1;
        let is_won = ply % 2 == 1;
        for (word, &bits) in decided.iter().enumerate().filter(|(_, bits)| **bits != 0) {
            self.ply_fruitful = ply;
            self.unknown[own][word] &= !bits;
            self.may_be_lost[own][word] &= !bits;
            if is_won {
                self.not_won[own][word] &= !bits;
            }
            for square in super::geometry::squares(bits) {
                self.values[own][word * 64 + square] = byte;
            }
        }
        self.latest[own] = Front::new(&self.layout, decided);
    }
}

/// The positions that the rules allow, by side to move.
pub(super) fn legal(layout: &Layout) -> [Set; 2] {
    SIDES.map(|side| legal_positions(layout, side))
}

/// The positions that the rules allow: pieces on distinct squares, kings apart, and the side that has moved not in
/// check.
fn legal_positions(layout: &Layout, side: Color) -> Set {
    let mut legal = vec![0; layout.words()];
    over_parts(&mut legal, PART_WORDS, |(): &mut (), part, words| {
        for (offset, word) in words.iter_mut().enumerate() {
            let at = layout.at(part * PART_WORDS + offset);
            *word = placed(layout, at) & !checked(layout, at, !side);
        }
    });
    legal
}

/// The squares of the second man on which the pieces can stand at all.
fn placed(layout: &Layout, at: At) -> u64 {
    let kings = bit(at.white_king) | bit(at.black_king);
    if at.white_king == at.black_king || king_moves(at.white_king) & bit(at.black_king) != 0 {
        return 0;
    }
    let ground = |man: Man| if man.is_pawn() { PAWN_RANKS } else { !0 };
    match layout.first {
        None => ground(layout.second) & !kings,
        Some(first) if ground(first) & !kings & bit(at.first) == 0 => 0,
        Some(_) => ground(layout.second) & !kings & !bit(at.first),
    }
}

/// The squares of the second man on which the king of `side` is attacked by a man.
fn checked(layout: &Layout, at: At, side: Color) -> u64 {
    let (king, other_king) = match side {
        Color::White => (at.white_king, at.black_king),
        Color::Black => (at.black_king, at.white_king),
    };
    let mut found = 0;
    if layout.second.color != side {
        let first = layout.first.map_or(0, |_| bit(at.first));
        found |= attackers(layout.second.kind, layout.second.color, king, bit(other_king) | first);
    }
    if let Some(first) = layout.first.filter(|first| first.color != side)
        && attacks(first.kind, first.color, at.first, bit(other_king)) & bit(king) != 0
    {
        found |= !between(at.first, king);
    }
    found
}
