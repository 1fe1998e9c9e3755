//! How a run is written: what is done to the values, and how the integers that this makes become bytes.

use super::grouped::Grouping;

/// What is done to values before they are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transform {
    /// Nothing.
    Plain,
    /// Each becomes its code in a dictionary.
    Dictionary,
    /// The same, its values written as they are and not as the steps between them: in files of version 1.0.
    ListedDictionary,
    /// Each becomes its difference from the one before; the values' least and lane go first.
    Delta,
    /// Each becomes its difference from the same row of the column with this, smaller number.
    Relative(usize),
    /// Every other row is negated, then each becomes its difference from the one before; the values' least and lane go first. A
    /// node's value is often that of the child before it, from the other side.
    Alternating,
    /// The row's distance from the root is added, then each becomes its difference from the one before; the values' least and lane
    /// go first. A remaining depth falls as the distance grows.
    PlyDelta,
    /// All equal the node's distance from the root: nothing is stored.
    Ply,
    /// All are equal: only that value is stored.
    Constant,
}

/// How integers become bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coder {
    /// Bit-packed, relative to the least of a chunk.
    Packed,
    /// Bit-packed, relative to the middle of a chunk.
    Centred,
    /// One lane after the other: what a general compressor likes.
    Raw,
    /// All low bytes, then all second bytes …
    Planes,
}

/// How a run's integers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Coding {
    pub(super) coder: Coder,
    /// The integer that most rows have, where only others are coded.
    pub(super) usual: Option<i64>,
    /// How the integers are put in order, where that is not the order of the rows.
    pub(super) grouping: Option<Grouping>,
}

impl Coding {
    /// All integers, in the order of the rows.
    pub(super) const fn whole(coder: Coder) -> Self {
        Self { coder, usual: None, grouping: None }
    }
}

/// The number of sparse runs in the place of a coder; their coder follows.
pub(super) const SPARSE: u8 = 4;
/// The number of grouped runs in the place of a coder; the grouping follows, and then the number of another.
pub(super) const GROUPED: u8 = 5;
