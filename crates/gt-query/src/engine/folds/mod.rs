//! Relations between the rows of a block, and folds over them: for every row the combined state of its
//! relatives.
//!
//! ```text
//! sizes, segments ──▶ Relations ──▶ fold(scope, own, starts) ──▶ a state for each row      ──▶ values, and which are known
//!                                     own: what a row gives
//! ```
//!
//! A [`State`] is the aggregate of some nodes. Joining two is associative, and the left one's nodes are entered
//! first, so the same five loops serve every aggregate. Nodes of other blocks come in as states too: `starts` has,
//! for each segment, the state that its tops find on the path ([`Scope::Path`]: down to and including the crossing
//! parent), or among their siblings in other blocks ([`Scope::Before`], [`Scope::After`]).
//!
//! **Invariant:** a row's state is that of its relatives in the order of entering, independent of the blocks.
//! Crossing nodes take part in nothing here; the results at their rows are meaningless.

mod bag;
mod fixed;
mod order;
mod pairs;
mod relations;
mod siblings;
mod span;
mod states;
#[cfg(test)]
mod tests;
mod upward;
mod wavelet;

pub(in crate::engine) use fixed::FixedPoint;
pub(in crate::engine) use order::{Multiset, Ordered, Ranked};
pub(in crate::engine) use pairs::Pairs;
pub(in crate::engine) use relations::{NOBODY, Relations, Surroundings};
pub(in crate::engine) use siblings::Siblings;
pub(in crate::engine) use span::{Span, power_of_two};
pub(in crate::engine) use states::{
    First, Greatest, GreatestFloat, GreatestInteger, Last, Least, LeastFloat, LeastInteger, LongMoments,
    Mean, Moments, PairMoments, Pick, Rule, Sum,
};

pub(in crate::engine) use upward::Forest;

use super::bits::Bitmap;

/// The relatives of a node that are folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Scope {
    Child,
    /// The descendants, excluding the node itself.
    Subtree,
    /// The ancestors, excluding the node itself.
    Path,
    /// The siblings that were entered earlier.
    Before,
    /// The siblings that were entered later.
    After,
}

/// The aggregate of some nodes; the default is that of no nodes.
pub(in crate::engine) trait State: Clone + Default {
    /// Joins the state of nodes that are entered later.
    fn join(self, later: Self) -> Self;
}

/// States from which a joined part can be removed.
pub(in crate::engine) trait Difference: State {
    /// Removes the nodes that came first.
    fn without(&self, first: &Self) -> Self;
}

/// The result of a fold.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Folded<S> {
    /// The states by row.
    pub(in crate::engine) rows: Vec<S>,
}

impl<S: Copy + Default> Folded<S> {
    /// Reads the values of all rows, and whether each is known.
    pub(in crate::engine) fn read<T>(
        &self,
        out: &mut Vec<T>,
        known: &mut Bitmap,
        value: impl Fn(&S) -> (T, bool),
    ) {
        // Two loops, each of which computes only the half that it needs.
        out.clear();
        out.extend(self.rows.iter().map(|state| value(state).0));
        known.pack(&self.rows, |state| u8::from(value(&state).1));
    }
}

/// Folds the contributions of each row's relatives; `own` is a row's contribution, `starts` may be empty.
pub(in crate::engine) fn fold<S: State>(
    relations: &Relations,
    scope: Scope,
    own: impl Fn(usize) -> S,
    starts: &[S],
) -> Folded<S> {
    match scope {
        Scope::Child => fold_up(relations, |row, _| own(row)),
        Scope::Subtree => fold_up(relations, |row, below: &S| own(row).join(below.clone())),
        Scope::Path => fold_down(relations, own, starts),
        Scope::Before => fold_before(relations, own, starts),
        Scope::After => fold_after(relations, own, starts),
    }
}

/// Like [`fold`], for states with differences: a subtree is an interval of rows, so its state is a difference of
/// running sums.
pub(in crate::engine) fn fold_sums<S: Difference>(
    relations: &Relations,
    scope: Scope,
    own: impl Fn(usize) -> S,
    starts: &[S],
) -> Folded<S> {
    if scope != Scope::Subtree {
        return fold(relations, scope, own, starts);
    }
    let mut rows = Vec::with_capacity(relations.rows() + 1);
    rows.push(S::default());
    rows.extend((0..relations.rows()).scan(S::default(), |sum, row| {
        *sum = std::mem::take(sum).join(own(row));
        Some(sum.clone())
    }));
    // From the end, so that each difference replaces a sum that is no longer needed.
    for row in relations.segments.iter().rev().flat_map(|segment| segment.clone().rev()) {
        rows[row] = rows[row].without(&rows[relations.below(row).start]);
    }
    rows.truncate(relations.rows());
    Folded { rows }
}

/// Folds upward: every row gives its parent what `given` makes from the row and its own state.
fn fold_up<S: State>(relations: &Relations, given: impl Fn(usize, &S) -> S) -> Folded<S> {
    let count = relations.rows();
    let mut rows = vec![S::default(); count + 1];
    for segment in &relations.segments {
        for row in segment.clone() {
            let given = given(row, &rows[row]);
            let parent = &mut rows[relations.family_of(row)];
            *parent = std::mem::take(parent).join(given);
        }
        rows[count] = S::default();
    }
    rows.truncate(count);
    Folded { rows }
}

/// Folds downward: every row takes over its parent's state.
fn fold_down<S: State>(relations: &Relations, own: impl Fn(usize) -> S, starts: &[S]) -> Folded<S> {
    let count = relations.rows();
    let mut rows = vec![S::default(); count];
    for (place, segment) in relations.segments.iter().enumerate() {
        let start = starts.get(place).cloned().unwrap_or_default();
        for row in segment.clone().rev() {
            let parent = relations.family_of(row);
            rows[row] = if parent < count { rows[parent].clone().join(own(parent)) } else { start.clone() };
        }
    }
    Folded { rows }
}

/// Every row reads the state that its siblings have left at their parent's index, and adds itself: a parent's own
/// state is not needed there before all its children have passed.
fn fold_before<S: State>(relations: &Relations, own: impl Fn(usize) -> S, starts: &[S]) -> Folded<S> {
    let count = relations.rows();
    let mut rows = vec![S::default(); count + 1];
    for (place, segment) in relations.segments.iter().enumerate() {
        rows[count] = starts.get(place).cloned().unwrap_or_default();
        for row in segment.clone() {
            let parent = relations.family_of(row);
            let before = std::mem::take(&mut rows[parent]);
            rows[parent] = before.clone().join(own(row));
            rows[row] = before;
        }
    }
    rows.truncate(count);
    Folded { rows }
}

/// Every row gives the sibling before it its own state, and itself.
fn fold_after<S: State>(relations: &Relations, own: impl Fn(usize) -> S, starts: &[S]) -> Folded<S> {
    let count = relations.rows();
    let mut rows = vec![S::default(); count + 1];
    for (place, segment) in relations.segments.iter().enumerate() {
        rows[segment.end - 1] = starts.get(place).cloned().unwrap_or_default();
        for row in segment.clone().rev() {
            rows[relations.sibling_before(row, segment)] = own(row).join(rows[row].clone());
        }
    }
    rows.truncate(count);
    Folded { rows }
}
