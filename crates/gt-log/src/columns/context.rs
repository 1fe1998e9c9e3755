//! The surroundings in which a column is read.

use crate::wire::Wire;

/// What decoding a run needs to know about its block.
pub(crate) trait Context {
    /// The values of the column with this number; an error if columns need each other in a circle.
    fn column(&mut self, number: usize) -> Wire<Vec<i64>>;
    /// Every row's distance from the root.
    fn plies(&mut self) -> Wire<Vec<i64>>;
}
