//! Breadth: how many moves of a wide node are searched.
//!
//! ```text
//! remaining depth    1    2    3    4   …
//! moves searched   180  240  300  360   …     the best by evaluation, after the table's move and the killers
//! ```
//!
//! In a game with hundreds of moves most of them are not worth a look, and a search of all gets nowhere. The deeper the
//! search that is left, the more depends on the choice, and the smaller is the part of the work that a move more takes: so a node
//! gets broader with every iteration, the root most of all.
//!
//! **Invariant:** a win that is found is a win. A loss is one only where every move was tried: what was left out might
//! hold, so the value stays just above the losses.

use super::Driver;
use super::moves::{Order, Pick};
use crate::game::{Evaluate, Foresight, Game};
use crate::node::Node;
use crate::observer::Observer;
use crate::value::WIN_MIN;

/// How many of its moves a node searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breadth {
    /// Without a ply left.
    pub base: u16,
    /// More for each ply of remaining depth.
    pub per_ply: u16,
}

impl Breadth {
    /// The number of moves at a remaining depth.
    #[must_use]
    pub fn at(self, depth: i16) -> usize {
        let plies = u32::try_from(depth).unwrap_or(0);
        (u32::from(self.base) + u32::from(self.per_ply) * plies) as usize
    }
}

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    /// How many of so many moves the node searches; `None` where it searches all.
    pub(super) fn breadth(&self, moves: usize, node: Node) -> Option<usize> {
        // Above leaves the moves are chosen by their values, which is worth it only if those are had for less than a leaf's.
        let is_chosen = node.depth >= 2 || self.foresight == Foresight::Rough;
        let breadth = self.options.breadth?.at(node.depth);
        (is_chosen && moves > breadth).then_some(breadth)
    }

    /// How many moves the root searches: all in the first iteration, which orders them.
    pub(super) fn root_breadth(&self, moves: usize, node: Node) -> usize {
        match self.options.breadth {
            Some(breadth) if node.depth >= 2 => breadth.at(node.depth).max(1).min(moves),
            _ => moves,
        }
    }

    /// Keeps the picks of the best moves, and of those that were tried before there were scores.
    pub(super) fn narrow(&mut self, order: &Order, breadth: usize) {
        let picks = &mut self.picks[order.picks_start()..];
        let tried = order.tried().min(picks.len());
        let rest = &mut picks[tried..];
        if breadth < rest.len() {
            rest.select_nth_unstable_by_key(breadth, Pick::rank);
            self.picks.truncate(order.picks_start() + tried + breadth);
            self.walk.open_ends += 1;
        }
    }

    /// The value of a node that may have left out moves.
    #[inline]
    pub(super) fn unproven(&self, value: i32, order: &Order) -> i32 {
        if order.is_narrowed() { value.max(1 - WIN_MIN) } else { value }
    }

    /// The same at the root.
    pub(super) fn unproven_at_root(&self, value: i32, node: Node) -> i32 {
        let moves = self.root_moves.len();
        if self.root_breadth(moves, node) < moves { value.max(1 - WIN_MIN) } else { value }
    }
}
