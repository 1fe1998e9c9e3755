//! The first divergence: the first event in which the two searches differ.
//!
//! A search is a sequence of events: it enters a node, by a move and with what is known then (window, depth, …), and
//! it leaves the node, with everything else. The two sequences are compared from their start.
//!
//! ```text
//! at a pair   entered otherwise ──▶ here        children, in order: the first that has a difference ──▶ down into it
//!                                               children go apart ──▶ the two that are entered, or left for one
//!             left otherwise ──▶ here
//! ```

use crate::attributes::ENTRY;
use crate::diff::Diff;

/// The rows of the first divergence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Divergence {
    pub(crate) row_a: Option<u32>,
    pub(crate) row_b: Option<u32>,
    /// Whether the nodes are entered differently; if not, they are left differently.
    pub(crate) on_entry: bool,
}

/// The first difference of two trees; `None` if they are equal.
pub(crate) fn first_divergence(diff: &Diff<'_>) -> Option<Divergence> {
    if diff.is_same() {
        return None;
    }
    let (a, b) = (&diff.skeletons.a, &diff.skeletons.b);
    let (mut row_a, mut row_b) = (a.root(), b.root());
    let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
    loop {
        if diff.changes.roles(row_a) & ENTRY != 0 {
            return Some(Divergence { row_a: Some(row_a), row_b: Some(row_b), on_entry: true });
        }
        of_a.clear();
        of_b.clear();
        a.children(row_a, &mut of_a);
        b.children(row_b, &mut of_b);
        let is_next = |place: &usize| match (of_a.get(*place), of_b.get(*place)) {
            (Some(one), Some(other)) => a.code(*one) != b.code(*other) || !diff.is_same_subtree(*one, *other),
            (one, other) => one.is_some() || other.is_some(),
        };
        let Some(place) = (0..of_a.len().max(of_b.len())).find(is_next) else {
            return Some(Divergence { row_a: Some(row_a), row_b: Some(row_b), on_entry: false });
        };
        match (of_a.get(place), of_b.get(place)) {
            (Some(one), Some(other)) if a.code(*one) == b.code(*other) => (row_a, row_b) = (*one, *other),
            (one, other) => {
                return Some(Divergence { row_a: one.copied(), row_b: other.copied(), on_entry: true });
            }
        }
    }
}
