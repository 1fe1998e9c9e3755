//! Rows that go to the slots of aggregates.

/// Some rows, and the slot of each.
pub(super) struct Slotted<'a> {
    pub(super) rows: &'a [u32],
    pub(super) slots: &'a [u32],
    /// The number of slots.
    pub(super) count: usize,
}
