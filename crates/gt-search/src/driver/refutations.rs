//! The refutation table: the reply that last cut off after a move.
//!
//! ```text
//! last move ──▶ the reply that refuted it, wherever that was
//! ```
//!
//! Killers are good moves at a ply; a refutation is a good answer to a move, and the same move occurs at many plies. If the table and the
//! killers have nothing better, it is tried next. Moves are identified by a hash of their encoding: a collision costs ordering quality,
//! never a value.

use super::Driver;
use crate::game::{Evaluate, Game};
use crate::observer::Observer;

const REPLIES_LOG2: u32 = 14;

/// Replies by the move before them, and the moves of the line to the node.
pub(super) struct Refutations<M> {
    replies: Box<[Option<M>]>,
    /// The numbers of the moves that led to the node, the last at the end.
    line: Vec<i64>,
}

impl<M: Copy> Refutations<M> {
    /// An empty table; without slots if `wanted` is `false`.
    pub(super) fn new(wanted: bool) -> Self {
        let places = if wanted { 1 << REPLIES_LOG2 } else { 0 };
        Self { replies: vec![None; places].into_boxed_slice(), line: Vec::new() }
    }

    fn slot(&self) -> Option<usize> {
        let last = *self.line.last()?;
        Some(((last as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - REPLIES_LOG2)) as usize)
    }
}

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    /// Puts the move on the line until [`Driver::step_back`].
    #[inline]
    pub(super) fn step_forward(&mut self, mv: G::Move) {
        if self.options.refutations {
            self.refutations.line.push(self.walk.game.encode(mv));
        }
    }

    #[inline]
    pub(super) fn step_back(&mut self) {
        if self.options.refutations {
            self.refutations.line.pop();
        }
    }

    /// The reply that last refuted the move before this node.
    pub(super) fn refutation(&self) -> Option<G::Move> {
        self.refutations.slot().and_then(|slot| self.refutations.replies.get(slot).copied().flatten())
    }

    /// Records that this reply refuted the move before this node.
    pub(super) fn remember_refutation(&mut self, mv: G::Move) {
        if let Some(place) = self.refutations.slot().and_then(|slot| self.refutations.replies.get_mut(slot)) {
            *place = Some(mv);
        }
    }
}
