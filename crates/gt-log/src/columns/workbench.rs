//! Memory that encoding takes and gives back, so that nothing is allocated for each column of each block.

use super::integer::Lists;

/// What an encoder keeps from one column to the next. What is in it is of no meaning, but for the table.
#[derive(Default)]
pub(crate) struct Workbench {
    /// What a transform makes of a column, and the codes of its values.
    pub(super) integers: Lists,
    /// The integers that are not the usual one.
    pub(super) others: Lists,
    /// For counting values: all zeros while nobody counts.
    pub(super) table: Vec<u32>,
    /// A bit for each row.
    pub(super) words: Vec<u64>,
    /// The packed chunks of a column, behind whose heads they go.
    pub(super) bodies: Vec<u8>,
}
