//! Relations between the rows of a block, and folds over them: for every row what its relatives add up to.
//!
//! ```text
//! sizes, segments ──▶ Relations ──▶ fold(scope, own, starts) ──▶ a state for each row      ──▶ values, and which are known
//!                                     own: what a row gives      a state for each segment  ──▶ the segment's crossing parent
//! ```
//!
//! A [`State`] is what some nodes have gathered; joining two is associative, and the left one's nodes are entered first.
//! So the same five loops serve every aggregate. Nodes of other blocks come in as states too: `starts` has, for each
//! segment, what its tops find on the path ([`Scope::Path`]: down to and including the crossing parent), or among their
//! siblings in other blocks ([`Scope::Before`], [`Scope::After`]).
//!
//! **Invariant:** a row's state is that of its relatives in the order of entering, whatever the blocks. Crossing nodes
//! take part in nothing here; what stands at their rows means nothing.

mod fixed;
mod order;
mod pairs;
mod relations;
mod states;
#[cfg(test)]
mod tests;
mod wavelet;

pub(in crate::engine) use fixed::FixedPoint;
pub(in crate::engine) use order::{Ordered, Ranked};
pub(in crate::engine) use pairs::{Pairs, fold_pairs};
pub(in crate::engine) use relations::{NOBODY, Relations, Surroundings};
pub(in crate::engine) use states::{
    First, Greatest, Last, Least, Mean, Moments, PairMoments, Pick, Sum, Whole,
};

use super::bits::Bitmap;

/// Which relatives of a node are folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Scope {
    Child,
    /// The descendants, without the node itself.
    Subtree,
    /// The ancestors, without the node itself.
    Path,
    /// The siblings that were entered earlier.
    Before,
    /// The siblings that were entered later.
    After,
}

/// What some nodes have gathered; the default is that of no nodes.
pub(in crate::engine) trait State: Clone + Default {
    /// What these nodes and others gather, which are entered after them.
    fn join(self, later: Self) -> Self;
}

/// States from which a part that was joined can be taken away.
pub(in crate::engine) trait Difference: State {
    /// What is left when the nodes that came first are taken away.
    fn without(&self, first: &Self) -> Self;
}

/// What a fold found.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Folded<S> {
    /// By row.
    pub(in crate::engine) rows: Vec<S>,
    /// By segment what the crossing parent gathers from it: its tops, or for [`Scope::Subtree`] all its nodes; empty
    /// for [`Scope::Path`].
    pub(in crate::engine) segments: Vec<S>,
}

impl<S> Folded<S> {
    /// The values of all rows, and which of them are known.
    pub(in crate::engine) fn read<T>(
        &self,
        out: &mut Vec<T>,
        known: &mut Bitmap,
        value: impl Fn(&S) -> (T, bool),
    ) {
        out.clear();
        out.reserve(self.rows.len());
        known.mark(self.rows.len(), |words| {
            words.clear();
            words.extend(self.rows.chunks(64).map(|rows| {
                let bits = rows.iter().enumerate().map(|(bit, state)| {
                    let (value, is_known) = value(state);
                    out.push(value);
                    u64::from(is_known) << bit
                });
                bits.fold(0, |word, bit| word | bit)
            }));
        });
    }
}

/// Folds what the relatives of each row give; `own` says what a row gives, `starts` may be empty.
pub(in crate::engine) fn fold<S: State>(
    relations: &Relations<'_>,
    scope: Scope,
    own: impl Fn(usize) -> S,
    starts: &[S],
) -> Folded<S> {
    match scope {
        Scope::Child => fold_up(relations, |row, _| own(row)),
        Scope::Subtree => fold_up(relations, |row, below: &S| own(row).join(below.clone())),
        Scope::Path => fold_down(relations, own, starts),
        Scope::Before => {
            fold_along(relations, &own, starts, |rows| rows, |before, row| before.join(own(row)))
        }
        Scope::After => fold_along(relations, &own, starts, Iterator::rev, |after, row| own(row).join(after)),
    }
}

/// Like [`fold`], for states with differences: a subtree is an interval of rows, so what it gathers is a difference of
/// running sums.
pub(in crate::engine) fn fold_sums<S: Difference>(
    relations: &Relations<'_>,
    scope: Scope,
    own: impl Fn(usize) -> S,
    starts: &[S],
) -> Folded<S> {
    if scope != Scope::Subtree {
        return fold(relations, scope, own, starts);
    }
    let mut running = S::default();
    let mut sums = Vec::with_capacity(relations.rows() + 1);
    sums.push(running.clone());
    sums.extend((0..relations.rows()).map(|row| {
        running = std::mem::take(&mut running).join(own(row));
        running.clone()
    }));
    let mut rows = vec![S::default(); relations.rows()];
    for row in relations.segments.iter().cloned().flatten() {
        rows[row] = sums[row].without(&sums[relations.below(row).start]);
    }
    let segments = relations.segments.iter().map(|rows| sums[rows.end].without(&sums[rows.start]));
    Folded { rows, segments: segments.collect() }
}

/// Every row hands its parent what `given` makes of the row and of what was handed to it.
fn fold_up<S: State>(relations: &Relations<'_>, given: impl Fn(usize, &S) -> S) -> Folded<S> {
    let count = relations.rows();
    let mut rows = vec![S::default(); count + 1];
    let mut segments = Vec::with_capacity(relations.segments.len());
    for segment in &relations.segments {
        for row in segment.clone() {
            let given = given(row, &rows[row]);
            let parent = &mut rows[relations.family_of(row)];
            *parent = std::mem::take(parent).join(given);
        }
        segments.push(std::mem::take(&mut rows[count]));
    }
    rows.truncate(count);
    Folded { rows, segments }
}

fn fold_down<S: State>(relations: &Relations<'_>, own: impl Fn(usize) -> S, starts: &[S]) -> Folded<S> {
    let count = relations.rows();
    let mut rows = vec![S::default(); count];
    for (place, segment) in relations.segments.iter().enumerate() {
        let start = starts.get(place).cloned().unwrap_or_default();
        for row in segment.clone().rev() {
            let parent = relations.family_of(row);
            rows[row] = if parent < count { rows[parent].clone().join(own(parent)) } else { start.clone() };
        }
    }
    Folded { rows, segments: Vec::new() }
}

/// Every row finds what its siblings have left so far, in the `order` of rows, and `add`s itself.
fn fold_along<S: State, O: Iterator<Item = usize>>(
    relations: &Relations<'_>,
    own: &impl Fn(usize) -> S,
    starts: &[S],
    order: impl Fn(std::ops::Range<usize>) -> O,
    add: impl Fn(S, usize) -> S,
) -> Folded<S> {
    let count = relations.rows();
    let mut rows = vec![S::default(); count];
    let mut families = vec![S::default(); count + 1];
    let mut segments = Vec::with_capacity(relations.segments.len());
    for (place, segment) in relations.segments.iter().enumerate() {
        families[count] = starts.get(place).cloned().unwrap_or_default();
        for row in order(segment.clone()) {
            let family = &mut families[relations.family_of(row)];
            rows[row] = family.clone();
            *family = add(std::mem::take(family), row);
        }
        let tops = relations.families(segment.clone());
        segments.push(tops.fold(S::default(), |later, top| own(top).join(later)));
    }
    Folded { rows, segments }
}
