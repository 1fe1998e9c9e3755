//! How a run is written: how values are transformed, and how the resulting integers become bytes.

use super::grouped::Grouping;

/// A transform of values before they are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transform {
    /// Nothing.
    Plain,
    /// Each becomes its code in a dictionary.
    Dictionary,
    /// Each becomes its code in a dictionary whose values are written as they are, not as steps between them: in files of version 1.0.
    ListedDictionary,
    /// Each becomes its difference from the previous value; the values' least and lane are written first.
    Delta,
    /// Each becomes its difference from the same row of the column with this number, which is smaller.
    Relative(usize),
    /// Every other row is negated, then each becomes its difference from the previous one; the values' least and lane are written first.
    ///
    /// A node's value is often that of the child before it, seen from the other side.
    Alternating,
    /// The row's distance from the root is added, then each becomes its difference from the previous one; the values' least and lane are
    /// written first.
    ///
    /// A remaining depth falls as the distance grows.
    PlyDelta,
    /// Each equals the node's distance from the root: nothing is stored.
    Ply,
    /// All are equal: only their value is stored.
    Constant,
}

/// How integers become bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coder {
    /// Bit-packed, relative to the least integer of a chunk.
    Packed,
    /// Bit-packed, relative to the middle of a chunk.
    Centred,
    /// One lane after the other, which suits a general compressor.
    Raw,
    /// All low bytes, then all second bytes …
    Planes,
}

/// How a run's integers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Coding {
    pub(super) coder: Coder,
    /// The integer of most rows, if only the other rows are coded.
    pub(super) usual: Option<i64>,
    /// How the integers are ordered, if not by rows.
    pub(super) grouping: Option<Grouping>,
}

impl Coding {
    /// All integers, in the order of the rows.
    pub(super) const fn whole(coder: Coder) -> Self {
        Self { coder, usual: None, grouping: None }
    }
}

/// The number in place of a coder that marks sparse runs; their coder follows.
pub(super) const SPARSE: u8 = 4;
/// The number in place of a coder that marks grouped runs; the grouping follows, and then another such number.
pub(super) const GROUPED: u8 = 5;
