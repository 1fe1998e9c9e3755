//! Folds over children and subtrees that visit only the rows with children: the rows without any are taken in runs.
//!
//! ```text
//! row       0 1 2 3 4 5 6       at row 3 the rows 0..3 wait; they are its children. At row 6 the subtree 0..4 and the
//! size      1 1 1 4 1 1 7       rows 4..6 wait
//! ```
//!
//! **Invariant:** the waiting rows are adjacent and cover all rows of the segment so far. So a size that does not fit
//! is noticed: it would cut a subtree in two.

use std::ops::Range;

use super::State;
use crate::engine::bits::Bitmap;

/// Rows that wait for their parent.
enum Waiting<S> {
    /// Rows without children, which may have different parents.
    Leaves(Range<usize>),
    /// A subtree from this row on, with what it gives to the parent of its last row.
    Subtree(usize, S),
}

/// The rows of a block.
pub(in crate::engine) struct Forest<'a> {
    pub(in crate::engine) sizes: &'a [u32],
    /// The rows with children.
    pub(in crate::engine) branches: &'a Bitmap,
    /// The rows of each segment.
    pub(in crate::engine) segments: Vec<Range<usize>>,
}

impl Forest<'_> {
    /// Calls `found` with each row that has children, and with the state of its children or of its whole subtree. `own`
    /// is the state of a row, `leaves` that of adjacent rows without children.
    ///
    /// # Errors
    /// Returns the row whose size does not fit those around it.
    pub(in crate::engine) fn fold<S: State>(
        &self,
        of_subtree: bool,
        own: impl Fn(usize) -> S,
        leaves: impl Fn(Range<usize>) -> S,
        mut found: impl FnMut(usize, &S),
    ) -> Result<(), usize> {
        let mut waiting: Vec<Waiting<S>> = Vec::with_capacity(64);
        let mut end = 0;
        for segment in &self.segments {
            if segment.start < end || segment.end > self.sizes.len() {
                return Err(segment.start);
            }
            let sizes = &self.sizes[segment.clone()];
            if sizes.iter().fold(false, |any, size| any | (*size == 0)) {
                return Err(segment.start);
            }
            waiting.clear();
            let mut next = segment.start;
            end = segment.end;
            let mut fits = Ok(());
            self.branches.each_in(segment.clone(), |row| {
                if fits.is_err() {
                    return;
                }
                if next < row {
                    waiting.push(Waiting::Leaves(next..row));
                }
                next = row + 1;
                let start = (row + 1).checked_sub(self.sizes[row] as usize);
                let Some(start) = start.filter(|start| *start >= segment.start) else {
                    fits = Err(row);
                    return;
                };
                let mut state = S::default();
                let mut first = row;
                while first > start {
                    match waiting.last_mut() {
                        Some(Waiting::Leaves(rows)) if rows.start < start => {
                            state = leaves(start..rows.end).join(state);
                            rows.end = start;
                            first = start;
                        }
                        Some(Waiting::Leaves(rows)) => {
                            (first, state) = (rows.start, leaves(rows.clone()).join(state));
                            waiting.pop();
                        }
                        Some(Waiting::Subtree(from, _)) if *from < start => break,
                        Some(Waiting::Subtree(from, given)) => {
                            (first, state) = (*from, std::mem::take(given).join(state));
                            waiting.pop();
                        }
                        None => break,
                    }
                }
                if first > start {
                    fits = Err(row);
                    return;
                }
                found(row, &state);
                let given = if of_subtree { own(row).join(state) } else { own(row) };
                waiting.push(Waiting::Subtree(start, given));
            });
            fits?;
        }
        Ok(())
    }
}
