//! The short way to enter and leave nodes, for records that are given as bytes.
//!
//! Most nodes need only their frame on the open path and their row: the short way does no more than that. It asks no clock, hands over no
//! rows and allocates nothing. If one of these is due, or if a root, a budget, a trigger or a left-out node needs a further check, it does
//! nothing and returns `false`, and the caller uses the other calls.
//!
//! **Invariant:** none of these functions panics unless the caller's closure does, so a caller needs no barrier against panics.

use super::State;
use crate::write::open::{Last, flag};

impl State {
    /// Whether rows are this many bytes without texts, and have one word for the attributes that they lack.
    pub(in crate::write) fn is_plain(&self, record_bytes: usize) -> bool {
        let layout = self.staging.layout();
        !layout.has_texts() && layout.missing_words() == 1 && layout.record_bytes() == record_bytes
    }

    /// Enters a node unless it needs a further check; returns whether it did. `fill` gets the place of the record's bytes, padded;
    /// `missing` are the attributes that are not known. This never panics, whatever the state of the tree, if `fill` does not.
    #[inline(always)]
    pub fn try_enter_filled(&mut self, last_move: i64, missing: u64, fill: impl FnOnce(&mut [u8])) -> bool {
        if !self.is_free() || !self.clock.is_counted() {
            return false;
        }
        match self.path.push(last_move, self.rows, flag::HAS_ENTRY) {
            Some([lacking, record @ ..]) => {
                *lacking = missing;
                fill(bytemuck::cast_slice_mut(record));
                true
            }
            // A frame has a word for the attributes that a node lacks, so none was pushed.
            _ => false,
        }
    }

    /// Enters a node of which nothing is known yet, unless it needs a further check; returns whether it did.
    #[inline(always)]
    pub fn try_enter(&mut self, last_move: i64) -> bool {
        self.is_free() && self.clock.is_counted() && self.path.push(last_move, self.rows, 0).is_some()
    }

    /// Leaves the node on top unless it needs a further check, as the root does; returns whether it did. `fill` gets the place of the
    /// record's bytes, padded. This never panics, whatever the state of the tree, if `fill` does not.
    #[inline(always)]
    pub fn try_leave_filled(&mut self, fill: impl FnOnce(&mut [u8])) -> bool {
        let Some(Last { last_move, start_row, flags, .. }) = self.path.last() else { return false };
        let Some((head, record)) = self.staging.free_row() else { return false };
        if flags & flag::LOOK != 0 || !self.clock.is_counted() {
            return false;
        }
        self.rows += 1;
        *head = [last_move as u64, self.rows - start_row, self.path.shorten() as u64, 0];
        fill(record);
        self.staging.count_row();
        true
    }
}
