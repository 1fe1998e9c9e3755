//! The values that a search found for every move of the root, collected by an observer that can wrap another one.
//!
//! ```text
//! search ──enter/leave──▶ RootValues ──▶ the observer behind it, a log for example
//!                             └─ per move of the root: value, bound, depth, nodes, line
//! ```
//!
//! A search that prunes proves of most moves only that they are no better than the best: those values are bounds. A
//! move that an iteration did not reach keeps its value from an earlier one, with that depth.
//!
//! **Invariant:** an exact value is the value of the position after the move, for the player at the root, and a bound
//! is on the right side of it, at the reported depth.

use crate::observer::{Ended, EntryRecord, Observer, Record};
use crate::table::Bound;
use crate::value::is_decided;

/// How the value of a node relates to that of its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Two players: what is good for one is as bad for the other.
    Opposite,
    /// Max^n: every player has a value of his own.
    EachForSelf {
        /// The number of players; they move in turn.
        players: usize,
        /// The player at the root.
        root: usize,
    },
    /// Paranoid and best-reply search: the root's player against all others.
    AgainstRoot {
        /// The number of players; they move in turn.
        players: usize,
    },
}

/// The value that a search found for a move of the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootValue<M> {
    /// The move.
    pub mv: M,
    /// The value for the player at the root.
    pub value: i32,
    /// How the value relates to the true one.
    pub bound: Bound,
    /// The depth of the iteration that found it.
    pub depth: i16,
    /// The number of nodes that the iteration searched below the move, including the node after it.
    pub nodes: u64,
    /// The line that the value comes from, starting with the move.
    pub line: Vec<M>,
    /// The value for every player, if the search has such values.
    pub values: Vec<i32>,
}

/// A node that was entered and not yet left.
struct Open<M> {
    last_move: Option<M>,
    /// The highest value among its children, for its player, and the line to it.
    highest: Option<i32>,
    line: Vec<M>,
    nodes: u64,
}

/// An observer that collects the values of the root's moves.
pub struct RootValues<M, O> {
    behind: O,
    view: View,
    depth: i16,
    open: Vec<Open<M>>,
    found: Vec<RootValue<M>>,
}

impl<M: Copy + PartialEq, O> RootValues<M, O> {
    /// Wraps `behind`, which also sees everything.
    pub fn new(view: View, behind: O) -> Self {
        Self { behind, view, depth: 0, open: Vec::new(), found: Vec::new() }
    }

    /// Returns the moves, best first: exact values before bounds of the same size.
    #[must_use]
    pub fn sorted(&self) -> Vec<RootValue<M>> {
        let mut found = self.found.clone();
        found.sort_by_key(|found| std::cmp::Reverse((found.value, found.bound == Bound::Exact)));
        found
    }

    /// Returns the wrapped observer.
    pub fn into_inner(self) -> O {
        self.behind
    }

    fn push(&mut self, last_move: Option<M>) {
        self.open.push(Open { last_move, highest: None, line: Vec::new(), nodes: 1 });
    }

    fn pop(&mut self, record: &Record, values: &[i32]) {
        let Some(left) = self.open.pop() else { return };
        let parent_ply = self.open.len().wrapping_sub(1);
        let Some(parent) = self.open.last_mut() else { return };
        parent.nodes += left.nodes;
        let (Some(mv), false) = (left.last_move, record.ended == Ended::Stopped) else { return };
        let Some(value) = self.view.for_parent(record.best, values, parent_ply) else { return };
        // A move that is searched again has the value of its last search.
        if parent.highest.is_none_or(|highest| value > highest) || parent.line.first() == Some(&mv) {
            parent.highest = Some(value);
            parent.line.clear();
            parent.line.push(mv);
            parent.line.extend_from_slice(&left.line);
        }
        if parent_ply == 0 {
            let bound = self.view.bound_for_parent(record);
            let line = std::iter::once(mv).chain(left.line).collect();
            let (depth, nodes) = (self.depth, left.nodes);
            self.note(RootValue { mv, value, bound, depth, nodes, line, values: values.to_vec() });
        }
    }

    /// Stores the value of a move, unless the same iteration has a better one.
    fn note(&mut self, new: RootValue<M>) {
        let Some(old) = self.found.iter_mut().find(|old| old.mv == new.mv) else {
            self.found.push(new);
            return;
        };
        let is_same_iteration = old.depth == new.depth;
        let nodes = new.nodes + if is_same_iteration { old.nodes } else { 0 };
        if !is_same_iteration || new.bound == Bound::Exact || old.bound != Bound::Exact {
            *old = new;
        }
        old.nodes = nodes;
    }
}

impl View {
    /// A node's value as its parent's player sees it; `None` if the search did not report it.
    fn for_parent(self, value: i32, values: &[i32], parent_ply: usize) -> Option<i32> {
        match self {
            Self::Opposite => Some(-value),
            Self::EachForSelf { players, root } => values.get((root + parent_ply) % players).copied(),
            Self::AgainstRoot { players } => {
                let is_root = |ply: usize| ply.is_multiple_of(players);
                Some(if is_root(parent_ply) == is_root(parent_ply + 1) { value } else { -value })
            }
        }
    }

    /// How the value of a child of the root relates to its true value, for the root's player.
    fn bound_for_parent(self, record: &Record) -> Bound {
        match (self, Bound::of(record.best, record.alpha, record.beta)) {
            (_, Bound::Exact) => Bound::Exact,
            // The value of a won game is exact, whatever the window.
            (Self::EachForSelf { .. }, _) if is_decided(record.best) => Bound::Exact,
            (_, Bound::Lower) => Bound::Upper,
            (_, Bound::Upper) => Bound::Lower,
        }
    }
}

impl<M: Copy + PartialEq, O: Observer<M>> Observer<M> for RootValues<M, O> {
    fn begin(&mut self, depth: i16) {
        self.depth = depth;
        self.behind.begin(depth);
    }

    fn begin_line(&mut self, depth: i16, line: usize) {
        self.depth = depth;
        self.behind.begin_line(depth, line);
    }

    fn enter(&mut self, last_move: Option<M>) {
        self.push(last_move);
        self.behind.enter(last_move);
    }

    #[inline]
    fn enter_known(
        &mut self,
        last_move: Option<M>,
        known: impl FnOnce() -> EntryRecord,
        code: impl FnOnce() -> i64,
        key: impl FnOnce() -> u64,
    ) {
        self.push(last_move);
        self.behind.enter_known(last_move, known, code, key);
    }

    #[inline]
    fn leave(&mut self, record: &Record) {
        self.pop(record, &[]);
        self.behind.leave(record);
    }

    #[inline]
    fn leave_valued(&mut self, record: &Record, values: &[i32]) {
        self.pop(record, values);
        self.behind.leave_valued(record, values);
    }
}
