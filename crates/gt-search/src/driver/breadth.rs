//! Breadth: how many moves of a wide node are searched.
//!
//! ```text
//! remaining depth    1    2    3    4   …
//! moves searched   180  240  300  360   …     the best by evaluation, after the table's move and the killers
//! ```
//!
//! In a game with hundreds of moves most are not worth searching, and a search of all of them gets nowhere. The
//! greater the remaining depth, the more the choice of moves matters and the less one more move costs in proportion,
//! so a node gets broader with every iteration, the root most of all.
//!
//! **Invariant:** a win that is found is a win. A loss is proven only if every move was tried: a skipped move might hold, so the value
//! stays just above all losses, measured or not.

use super::Driver;
use super::moves::{Order, Pick};
use crate::game::{Evaluate, Foresight, Game};
use crate::node::Node;
use crate::observer::Observer;
use crate::value::UNMEASURED_WIN_MIN;

/// The number of moves that a node searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breadth {
    /// The number of moves at remaining depth 0.
    pub base: u16,
    /// The additional moves for each ply of remaining depth.
    pub per_ply: u16,
}

impl Breadth {
    /// Returns the number of moves at a remaining depth.
    #[must_use]
    pub fn at(self, depth: i16) -> usize {
        let plies = u32::try_from(depth).unwrap_or(0);
        (u32::from(self.base) + u32::from(self.per_ply) * plies) as usize
    }
}

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    /// The number of moves that the node searches, of `moves`; `None` if it searches all of them.
    pub(super) fn breadth(&self, moves: usize, node: Node) -> Option<usize> {
        // One ply above the leaves, choosing moves by value pays off only if that is cheaper than evaluating a leaf.
        let is_chosen = node.depth >= 2 || self.foresight == Foresight::Rough;
        let breadth = self.options.breadth?.at(node.depth);
        (is_chosen && moves > breadth).then_some(breadth)
    }

    /// The number of moves that the root searches: all of them in the first iteration, which orders them.
    pub(super) fn root_breadth(&self, moves: usize, node: Node) -> usize {
        match self.options.breadth {
            Some(breadth) if node.depth >= 2 => breadth.at(node.depth).max(1).min(moves),
            _ => moves,
        }
    }

    /// Keeps the picks of the best moves and of those tried before there were scores.
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

    /// The value of a node that may have skipped moves.
    #[inline]
    pub(super) fn unproven(&self, value: i32, order: &Order) -> i32 {
        if order.is_narrowed() { value.max(1 - UNMEASURED_WIN_MIN) } else { value }
    }

    /// Like [`Driver::unproven`], at the root.
    pub(super) fn unproven_at_root(&self, value: i32, node: Node) -> i32 {
        let moves = self.root_moves.len();
        if self.root_breadth(moves, node) < moves { value.max(1 - UNMEASURED_WIN_MIN) } else { value }
    }
}
