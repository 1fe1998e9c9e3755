//! The origins of differences, and their consequences.
//!
//! The walk covers the pairs that differ themselves or below, in the order of the search. Each pair is explained by
//! the first of these that holds:
//!
//! ```text
//! entered otherwise           what came before it at its parent, or else a new origin: extension, reduction, depth, order, window
//! table or evaluation differ  a new origin
//! children go apart           a child before that returned another value, or else a new origin: cutoff, order
//! left otherwise              what came before inside, or else a new origin: evaluation at a leaf, cutoff, other
//! ```
//!
//! *What came before* at a node is the explanation of its own entry, table or evaluation, or else the first child
//! that returned another value. A subtree of one tree only follows from what made the children diverge.
//!
//! **Invariant:** every difference belongs to one origin, and an origin comes before its consequences.

use crate::attributes::{ENTRY, Role};
use crate::cause::Cause;
use crate::changes::Changes;
use crate::matching::{Child, Matching, matched_children};
use crate::ranking::Ranking;
use crate::skeleton::Skeletons;

/// The place where a difference starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub(crate) cause: Cause,
    /// The pair of nodes at which it starts.
    pub(crate) row_a: u32,
    /// The number of differing nodes that it explains, including itself if it differs.
    pub(crate) nodes: u64,
}

/// All origins, and the causes of subtrees that are in one tree only.
#[derive(Debug, Default)]
pub(crate) struct Causes {
    pub(crate) origins: Vec<Origin>,
    /// By the index in [`Matching::only_a`].
    pub(crate) only_a: Vec<Option<Cause>>,
    /// By the index in [`Matching::only_b`].
    pub(crate) only_b: Vec<Option<Cause>>,
    pub(crate) ranking: Ranking,
}

type Found = Option<u32>;

/// A pair on the path of the walk.
struct Frame {
    row_a: u32,
    row_b: u32,
    roles: u16,
    /// The start of its children in the list of all frames' children.
    children: usize,
    next: usize,
    /// The index of the first child at which they diverge.
    fork: usize,
    /// The cause at the fork, if nothing came before.
    fork_cause: Cause,
    /// The explanation of its entry, its table answer or its evaluation.
    inner: Found,
    /// The explanation of the window and the moves of the remaining children.
    before: Found,
    /// The first origin of anything below it.
    inside: Found,
    /// The largest change of size of a child.
    child_growth: u64,
}

struct Walk<'d> {
    skeletons: &'d Skeletons,
    matching: &'d Matching,
    changes: &'d mut Changes,
    /// Whether values are compared; if not, any difference of a child counts as another value.
    has_value: bool,
    causes: Causes,
    frames: Vec<Frame>,
    children: Vec<Child>,
    of_a: Vec<u32>,
    of_b: Vec<u32>,
}

impl Causes {
    /// Explains all differences, and stores the cause of each changed row.
    pub(crate) fn of(
        skeletons: &Skeletons,
        matching: &Matching,
        changes: &mut Changes,
        has_value: bool,
    ) -> Self {
        let causes = Self {
            only_a: vec![None; matching.only_a.len()],
            only_b: vec![None; matching.only_b.len()],
            ..Self::default()
        };
        let (of_a, of_b) = (Vec::new(), Vec::new());
        let (frames, children) = (Vec::new(), Vec::new());
        let mut walk = Walk { skeletons, matching, changes, has_value, causes, frames, children, of_a, of_b };
        walk.run();
        walk.causes
    }
}

impl Walk<'_> {
    fn run(&mut self) {
        self.enter(self.skeletons.a.root(), self.skeletons.b.root(), None);
        while let Some(frame) = self.frames.last_mut() {
            let place = frame.children + frame.next;
            if frame.next == frame.fork {
                self.fork();
            }
            match self.children.get(place).copied() {
                Some(child) => self.child(child),
                None => self.leave(),
            }
        }
    }

    fn origin(&mut self, cause: Cause, row_a: u32) -> Found {
        self.causes.origins.push(Origin { cause, row_a, nodes: 0 });
        Some(self.causes.origins.len() as u32 - 1)
    }

    /// Begins a pair; `before` explains the difference at its parent when it was entered.
    fn enter(&mut self, row_a: u32, row_b: u32, before: Found) {
        let roles = self.changes.roles(row_a);
        let inner = match roles {
            roles if roles & ENTRY != 0 => before.or_else(|| self.origin(Cause::of_entry(roles), row_a)),
            roles if Role::Table.is_in(roles) => self.origin(Cause::Table, row_a),
            roles if Role::Evaluation.is_in(roles) => self.origin(Cause::Evaluation, row_a),
            _ => None,
        };
        let Skeletons { a, b, .. } = self.skeletons;
        self.of_a.clear();
        self.of_b.clear();
        a.children(row_a, &mut self.of_a);
        b.children(row_b, &mut self.of_b);
        let pairs = self.of_a.iter().zip(&self.of_b);
        let same = pairs.take_while(|(row_a, row_b)| a.code(**row_a) == b.code(**row_b)).count();
        let fork = if self.of_a.len().max(self.of_b.len()) > same { same } else { usize::MAX };
        let fork_cause = self.fork_cause(same);
        let children = self.children.len();
        matched_children(self.skeletons, &self.of_a, &self.of_b, |child| self.children.push(child));
        let (next, inside, child_growth) = (0, None, 0);
        self.frames.push(Frame {
            row_a,
            row_b,
            roles,
            children,
            next,
            fork,
            fork_cause,
            inner,
            before: inner,
            inside,
            child_growth,
        });
    }

    /// The cause if children diverge after `same` equal ones.
    fn fork_cause(&self, same: usize) -> Cause {
        let runs = &self.matching.runs;
        match (self.of_a.get(same), self.of_b.get(same)) {
            // Each continues with a move that the other searched later, or never.
            (Some(row_a), Some(row_b)) if runs.to_b(*row_a).is_some() == runs.to_a(*row_b).is_some() => {
                Cause::Order
            }
            _ => Cause::Cutoff,
        }
    }

    /// Handles the fork of the current pair's children.
    fn fork(&mut self) {
        let Some(&Frame { before, fork_cause, row_a, .. }) = self.frames.last() else { return };
        let before = before.or_else(|| self.origin(fork_cause, row_a));
        if let Some(frame) = self.frames.last_mut() {
            frame.before = before;
            frame.inside = frame.inside.or(before);
            frame.fork = usize::MAX;
        }
    }

    fn child(&mut self, child: Child) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.next += 1;
        let before = frame.before;
        let Skeletons { a, b, .. } = self.skeletons;
        match child {
            Child::Both(row_a, row_b) => {
                let start = a.start(row_a);
                let is_same = self.matching.runs.is_one(start, row_a, row_b)
                    && b.size(row_b) == a.size(row_a)
                    && !self.changes.any(start, row_a);
                if !is_same {
                    self.enter(row_a, row_b, before);
                }
            }
            Child::OnlyA(row) => self.stray(child, before, -i64::from(a.size(row))),
            Child::OnlyB(row) => self.stray(child, before, i64::from(b.size(row))),
        }
    }

    /// Handles a subtree of one tree only.
    fn stray(&mut self, child: Child, before: Found, growth: i64) {
        let Some(origin) = before.and_then(|place| self.causes.origins.get_mut(place as usize)) else {
            return;
        };
        origin.nodes += growth.unsigned_abs();
        let cause = Some(origin.cause);
        let place =
            |strays: &[crate::matching::Stray], row| strays.binary_search_by_key(&row, |stray| stray.row);
        match child {
            Child::OnlyA(row) => {
                place(&self.matching.only_a, row).into_iter().for_each(|at| self.causes.only_a[at] = cause);
            }
            Child::OnlyB(row) => {
                place(&self.matching.only_b, row).into_iter().for_each(|at| self.causes.only_b[at] = cause);
            }
            Child::Both(..) => {}
        }
        self.grew(child, growth, 0);
    }

    /// Ends the current pair, and reports its findings to its parent.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        self.children.truncate(frame.children);
        let is_leaf = self.skeletons.a.size(frame.row_a) == 1 && self.skeletons.b.size(frame.row_b) == 1;
        let own = match frame.roles {
            0 => None,
            _ if frame.inner.is_some() => frame.inner,
            roles => frame
                .before
                .or(frame.inside)
                .or_else(|| self.origin(Cause::of_leaving(roles, is_leaf), frame.row_a)),
        };
        if let Some(origin) = own.and_then(|place| self.causes.origins.get_mut(place as usize)) {
            origin.nodes += 1;
            self.changes.set_cause(frame.row_a, origin.cause as u8);
        }
        let Skeletons { a, b, .. } = self.skeletons;
        let growth = i64::from(b.size(frame.row_b)) - i64::from(a.size(frame.row_a));
        self.grew(Child::Both(frame.row_a, frame.row_b), growth, frame.child_growth);
        let returned = match self.has_value {
            true => own.filter(|_| Role::Value.is_in(frame.roles) || Role::Ended.is_in(frame.roles)),
            false => own.or(frame.inside),
        };
        if let Some(parent) = self.frames.last_mut() {
            parent.before = parent.before.or(returned);
            parent.inside = parent.inside.or(own).or(frame.inside);
        }
    }

    /// Ranks a child of the current pair, or the root, by its growth.
    fn grew(&mut self, child: Child, growth: i64, child_growth: u64) {
        if let Some(parent) = self.frames.last_mut() {
            parent.child_growth = parent.child_growth.max(growth.unsigned_abs());
            self.causes.ranking.offer(child, growth, child_growth);
        }
    }
}
