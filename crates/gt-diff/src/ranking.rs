//! The subtrees that grew or shrank most.
//!
//! A subtree is ranked if its change of size is its own: one that owes more than half to a single child is
//! represented by that child.

use std::cmp::Reverse;

use crate::matching::Child;

/// The number of subtrees kept.
const RANKS: usize = 10;

/// A subtree that changed its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grown {
    pub(crate) child: Child,
    /// Nodes in B minus nodes in A.
    pub(crate) growth: i64,
}

/// The subtrees that changed most, the largest change first; of equal ones, the first in the order of the
/// walk.
#[derive(Debug, Default)]
pub(crate) struct Ranking(Vec<Grown>);

impl Ranking {
    /// Adds a subtree if it is one of the first; `child_growth` is the largest change of a child.
    pub(crate) fn offer(&mut self, child: Child, growth: i64, child_growth: u64) {
        let change = growth.unsigned_abs();
        let is_low =
            self.0.len() == RANKS && self.0.last().is_some_and(|last| last.growth.unsigned_abs() >= change);
        if change == 0 || child_growth > change / 2 || is_low {
            return;
        }
        let place = self.0.partition_point(|other| Reverse(other.growth.unsigned_abs()) <= Reverse(change));
        self.0.insert(place, Grown { child, growth });
        self.0.truncate(RANKS);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Grown> {
        self.0.iter()
    }
}
