//! Matches each node of A with the node of B that the same line of moves leads to.
//!
//! Two nodes with matched parents match if the same move leads to them; of a move searched several times, the first
//! with the first, the second with the second, and so on. A move that was entered in a test of singular extensions
//! (the flag `Excluded`) counts as another move than in earnest. From the roots down:
//!
//! ```text
//! pair (a, b) ── rows below are the same ──▶ one run, nothing is walked
//!      └──────── else the children by (move, occurrence) ──▶ pairs, and subtrees of one tree only
//! ```
//!
//! Equal rows are remembered as long as both trees stay in step, so that a row is compared once on the way down and
//! not again in each subtree that it belongs to.
//!
//! **Invariant:** pairs wait on an explicit stack: the depth of a tree costs memory, never the call stack.

use std::collections::HashMap;

use crate::runs::{Run, Runs};
use crate::skeleton::Skeletons;

/// A node in one tree only whose parent is in both: its whole subtree is in that tree only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stray {
    pub(crate) row: u32,
    pub(crate) rows: u32,
}

/// The match of two trees.
#[derive(Debug, Default)]
pub(crate) struct Matching {
    pub(crate) runs: Runs,
    /// The strays in the order of their rows.
    pub(crate) only_a: Vec<Stray>,
    pub(crate) only_b: Vec<Stray>,
}

/// A child in A, in B, or in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Child {
    Both(u32, u32),
    OnlyA(u32),
    OnlyB(u32),
}

enum Task {
    /// The subtrees of two matched nodes.
    Subtrees(u32, u32),
    /// The two nodes themselves, after everything below them.
    Nodes(u32, u32),
}

/// Rows of A from `from` to `to` equal those of B that are `shift` rows further on.
struct InStep {
    shift: i64,
    from: u32,
    to: u32,
}

impl Matching {
    /// Matches `rows` rows of both trees one to one.
    pub(crate) fn all(rows: u32) -> Self {
        let mut matching = Self::default();
        matching.runs.push(Run { a: 0, b: 0, rows });
        matching.runs.close();
        matching
    }

    /// Matches all nodes.
    pub(crate) fn of(skeletons: &Skeletons) -> Self {
        let Skeletons { a, b, .. } = skeletons;
        let mut matching = Self::default();
        matching.runs.push(Run { a: 0, b: 0, rows: a.first() });
        let mut in_step = InStep { shift: 0, from: 0, to: 0 };
        let mut tasks = vec![Task::Subtrees(a.root(), b.root())];
        let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
        while let Some(task) = tasks.pop() {
            let (row_a, row_b) = match task {
                Task::Nodes(row_a, row_b) => {
                    matching.runs.push(Run { a: row_a, b: row_b, rows: 1 });
                    continue;
                }
                Task::Subtrees(row_a, row_b) => (row_a, row_b),
            };
            if in_step.holds(skeletons, row_a, row_b) {
                let held = a.start(row_a).max(a.first());
                matching.runs.push(Run { a: held, b: row_b - (row_a - held), rows: row_a + 1 - held });
                continue;
            }
            of_a.clear();
            of_b.clear();
            a.children(row_a, &mut of_a);
            b.children(row_b, &mut of_b);
            tasks.push(Task::Nodes(row_a, row_b));
            let waiting = tasks.len();
            matched_children(skeletons, &of_a, &of_b, |child| match child {
                Child::Both(a, b) => tasks.push(Task::Subtrees(a, b)),
                Child::OnlyA(row) => matching.only_a.push(Stray { row, rows: a.size(row) }),
                Child::OnlyB(row) => matching.only_b.push(Stray { row, rows: b.size(row) }),
            });
            // The first child is processed first.
            tasks[waiting..].reverse();
        }
        matching.runs.close();
        matching.only_a.sort_unstable_by_key(|stray| stray.row);
        matching.only_b.sort_unstable_by_key(|stray| stray.row);
        matching
    }
}

impl InStep {
    /// Whether the subtrees of two matched rows are equal.
    fn holds(&mut self, skeletons: &Skeletons, row_a: u32, row_b: u32) -> bool {
        let Skeletons { a, b, .. } = skeletons;
        if a.size(row_a) != b.size(row_b) {
            return false;
        }
        // Both begin among the equal rows that are not held, or neither does.
        let start = a.start(row_a).max(a.first());
        let rows = row_a - start;
        if b.start(row_b).max(b.first()) + rows != row_b {
            return false;
        }
        let shift = i64::from(row_b) - i64::from(row_a);
        if self.shift != shift || !(self.from..=self.to).contains(&start) {
            *self = Self { shift, from: start, to: start };
        }
        if self.to < row_a {
            let from_b = (i64::from(self.to) + shift) as u32;
            self.to += skeletons.same_rows(self.to, from_b, row_a - self.to);
        }
        self.to >= row_a
    }
}

/// The largest number of children that are searched linearly.
const FEW: usize = 12;

/// Matches the children of two matched nodes: those of A in their order, and each child that only B has after the
/// child that it follows in B.
pub(crate) fn matched_children(
    skeletons: &Skeletons,
    of_a: &[u32],
    of_b: &[u32],
    mut take: impl FnMut(Child),
) {
    let Skeletons { a, b, .. } = skeletons;
    let same = of_a.iter().zip(of_b).take_while(|(row_a, row_b)| a.code(**row_a) == b.code(**row_b)).count();
    of_a[..same].iter().zip(&of_b[..same]).for_each(|(row_a, row_b)| take(Child::Both(*row_a, *row_b)));
    let (of_a, of_b) = (&of_a[same..], &of_b[same..]);
    let partners = partners(skeletons, of_a, of_b);
    let mut is_taken = vec![false; of_b.len()];
    partners.iter().flatten().for_each(|&place| is_taken[place as usize] = true);
    // B's own children from this index on, up to the next that A also has.
    let own = |from: usize| (from..of_b.len()).take_while(|&place| !is_taken[place]).map(|place| of_b[place]);
    own(0).for_each(|row| take(Child::OnlyB(row)));
    for (row, partner) in of_a.iter().zip(&partners) {
        match partner {
            None => take(Child::OnlyA(*row)),
            Some(place) => {
                let place = *place as usize;
                take(Child::Both(*row, of_b[place]));
                own(place + 1).for_each(|row| take(Child::OnlyB(row)));
            }
        }
    }
}

/// For each child of A the index of B's child with the same move, in a test or in earnest: the first with the first,
/// the second with the second.
fn partners(skeletons: &Skeletons, of_a: &[u32], of_b: &[u32]) -> Vec<Option<u32>> {
    let Skeletons { a, b, .. } = skeletons;
    if of_b.is_empty() {
        return vec![None; of_a.len()];
    }
    if of_a.len().max(of_b.len()) <= FEW {
        let mut is_taken = [false; FEW];
        let mut partner = |row: &u32| {
            let code = a.code(*row);
            let place = (0..of_b.len()).find(|&place| !is_taken[place] && b.code(of_b[place]) == code)?;
            is_taken[place] = true;
            Some(place as u32)
        };
        return of_a.iter().map(&mut partner).collect();
    }
    // The indices in B of each move, last first.
    let mut places: HashMap<u32, Vec<u32>> = HashMap::with_capacity(of_b.len());
    for (place, row) in of_b.iter().enumerate().rev() {
        places.entry(b.code(*row)).or_default().push(place as u32);
    }
    of_a.iter().map(|row| places.get_mut(&a.code(*row)).and_then(Vec::pop)).collect()
}
