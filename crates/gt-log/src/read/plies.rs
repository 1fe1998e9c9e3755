//! Every row's distance from the root, from the sizes of its block alone.
//!
//! ```text
//! row    0 1 2 3 4        a row is a child of the nearest row after it whose subtree reaches it;
//! size   1 1 3 1 5        where the block has none, of the open path that the head records
//! ply    2 2 1 1 0
//! ```

use crate::format::BlockHead;
use crate::wire::{Malformed, Wire};

/// The plies of a block's rows. `sizes` are the block's own.
pub(crate) fn plies(head: &BlockHead, sizes: &[i64]) -> Wire<Vec<i64>> {
    let mut plies = vec![0; sizes.len()];
    // The ancestors of the row at hand that lie in this block: first row of the subtree, ply.
    let mut ancestors: Vec<(i64, i64)> = Vec::new();
    let mut open = head.path_added.len();
    for row in (0..sizes.len()).rev() {
        while ancestors.last().is_some_and(|&(start, _)| start > row as i64) {
            ancestors.pop();
        }
        let ply = match ancestors.last() {
            Some(&(_, ply)) => ply + 1,
            None => {
                let global = head.first_row + row as u64;
                while open > 0 && head.path_added[open - 1].start_row > global {
                    open -= 1;
                }
                i64::from(head.path_kept) + open as i64
            }
        };
        plies[row] = ply;
        let size = sizes[row];
        if size < 1 || size as u64 > head.first_row + row as u64 + 1 {
            return Err(Malformed("a subtree's size is impossible"));
        }
        if size > 1 {
            ancestors.push((row as i64 + 1 - size, ply));
        }
    }
    Ok(plies)
}
