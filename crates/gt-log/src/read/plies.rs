//! The distance of every row from the root, computed from the sizes of its block alone.
//!
//! ```text
//! row     0  1  2  3  4       a node adds one where its subtree starts and takes it away at itself; what is left,
//! size    1  1  3  1  5       with the open path that the head records, is how many nodes a row is below
//! steps  +2  . -1  . -1
//! ply     2  2  1  1  0
//! ```

use crate::format::BlockHead;
use crate::wire::{Malformed, Wire};

/// The plies of a block's rows; `sizes` are the sizes of these rows.
pub(crate) fn plies(head: &BlockHead, sizes: &[i64]) -> Wire<Vec<i64>> {
    // Each row starts with -1 for the node that ends at the row itself. A leaf also starts there: no branch depends on which rows are
    // leaves.
    let mut plies = vec![-1_i64; sizes.len()];
    for open in &head.path_added {
        // A node that starts after the last row is above none of the rows.
        if let Some(step) = plies.get_mut(open.start_row.saturating_sub(head.first_row) as usize) {
            *step += 1;
        }
    }
    let mut is_impossible = false;
    for (row, &size) in sizes.iter().enumerate() {
        is_impossible |= size < 1 || size as u64 > head.first_row + row as u64 + 1;
        plies[(row + 1).saturating_sub(size as usize).min(row)] += 1;
    }
    if is_impossible {
        return Err(Malformed("a subtree's size is impossible"));
    }
    let mut ply = i64::from(head.path_kept);
    for step in &mut plies {
        ply += *step;
        *step = ply;
    }
    Ok(plies)
}
