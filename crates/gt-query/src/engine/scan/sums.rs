//! Running sums over the rows: what a node gives to all its descendants is added where its subtree starts, and taken
//! away at the node.
//!
//! ```text
//! row     0  1  2  3  4
//! size    1  1  3  1  5
//! steps  +2  .  -1 .  -1      2 gives one to 0 and 1, 4 to all before it
//! sums    2  2  1  1  0
//! ```

use crate::engine::skeleton::JointId;
use crate::engine::survey::Regions;

/// Begins running sums over the rows with what crossing nodes give to the children below them.
pub(super) fn begin_sums(sums: &mut Vec<i32>, rows: usize, regions: &Regions, of: impl Fn(JointId) -> i64) {
    sums.clear();
    sums.resize(rows + 1, 0);
    for region in &regions.segments {
        if let Some(parent) = region.parent {
            // A path has at most 2^20 nodes.
            let given = of(parent) as i32;
            sums[region.first_start] += given;
            sums[region.last_row + 1] -= given;
        }
    }
}

/// Makes steps into their sums.
pub(super) fn sum_up(steps: &mut [i32]) {
    let mut sum = 0_i32;
    for step in steps {
        sum = sum.wrapping_add(*step);
        *step = sum;
    }
}

/// The nearest that 32 bits hold.
pub(super) fn saturated(value: i64) -> i32 {
    value.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}
