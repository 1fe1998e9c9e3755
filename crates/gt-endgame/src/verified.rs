//! What came of checking a table.

/// The result of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// The number of positions checked.
    pub looked_at: u64,
    /// The number of these whose moves are all known, and whose value follows from them.
    pub follow: u64,
}
