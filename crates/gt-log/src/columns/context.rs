//! What a column is read beside.

use crate::wire::Wire;

/// What a run needs to know of its block to be decoded.
pub(crate) trait Context {
    /// The values of the column with this number. Refused where columns need each other in a circle.
    fn column(&mut self, number: usize) -> Wire<Vec<i64>>;
    /// Every row's distance from the root.
    fn plies(&mut self) -> Wire<Vec<i64>>;
}
