//! Memory that encoding takes and returns, so that nothing is allocated for each column of each block.

use super::integer::Lists;

/// Memory that an encoder keeps from one column to the next. Its content means nothing, except for the table's.
#[derive(Default)]
pub(crate) struct Workbench {
    /// The transform of a column, and the codes of its values.
    pub(super) integers: Lists,
    /// The integers that differ from the usual one.
    pub(super) others: Lists,
    /// For counting values: all zeros except during a count.
    pub(super) table: Vec<u32>,
    /// A bit for each row.
    pub(super) words: Vec<u64>,
    /// The packed chunks of a column, which go after their heads.
    pub(super) bodies: Vec<u8>,
}
