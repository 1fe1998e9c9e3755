//! The short way in and out of nodes, for records that are known as bytes.
//!
//! Most nodes need nothing but their frame on the open path and their row: for those, this is all there is. It asks no clock, hands no rows
//! over and allocates nothing; where one of these is due, or a root, a budget, a trigger or a node left out need a further look, it does
//! nothing and says so, and the other calls do all of it.
//!
//! **Invariant:** none of this panics, if what it calls does not, so that a caller needs no barrier against panics.

use super::State;
use crate::write::open::{Last, flag};

impl State {
    /// Whether rows are bytes, so many, and have one word for the attributes that they lack.
    pub(in crate::write) fn is_plain(&self, record_bytes: usize) -> bool {
        let layout = self.staging.layout();
        !layout.has_texts() && layout.missing_words() == 1 && layout.record_bytes() == record_bytes
    }

    /// Enters a node if nothing needs a further look: says whether it did. `fill` gets the place of the record's bytes, padded; `missing` are
    /// the attributes that are not known. It never panics, whatever the tree is like, if `fill` does not.
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
            // A frame has a word for what a node lacks, so none was pushed.
            _ => false,
        }
    }

    /// The same for a node of which nothing is known yet.
    #[inline(always)]
    pub fn try_enter(&mut self, last_move: i64) -> bool {
        self.is_free() && self.clock.is_counted() && self.path.push(last_move, self.rows, 0).is_some()
    }

    /// Leaves the node on top if nothing needs a further look: says whether it did. `fill` gets the place of the record's bytes, padded. Where
    /// the node is the root, it does not. It never panics, whatever the tree is like, if `fill` does not.
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
