//! The values of a decoded column, read without asking for each how it is stored.

use gt_log::{Decoded, Lanes};

/// What is done with a column, whatever its values are stored as.
pub(super) trait Visit {
    type Output;
    /// `get` gives the value of a row.
    fn visit(self, get: impl Fn(usize) -> i64) -> Self::Output;
}

/// Visits a column, with code of its own for each way that it can be stored.
pub(super) fn visit<V: Visit>(column: &Decoded, visitor: V) -> V::Output {
    match column {
        Decoded::Constant(value) => visitor.visit(|_| *value),
        Decoded::Wide(values) => visitor.visit(|row| values[row]),
        Decoded::Offsets { base, lanes } => match lanes {
            Lanes::U8(lanes) => visitor.visit(|row| base.wrapping_add(lanes[row].into())),
            Lanes::U16(lanes) => visitor.visit(|row| base.wrapping_add(lanes[row].into())),
            Lanes::U32(lanes) => visitor.visit(|row| base.wrapping_add(lanes[row].into())),
            Lanes::U64(lanes) => visitor.visit(|row| base.wrapping_add(lanes[row].cast_signed())),
        },
        Decoded::Dictionary { values, codes } => match codes {
            Lanes::U8(codes) => visitor.visit(|row| values[usize::from(codes[row])]),
            Lanes::U16(codes) => visitor.visit(|row| values[usize::from(codes[row])]),
            Lanes::U32(codes) => visitor.visit(|row| values[codes[row] as usize]),
            Lanes::U64(codes) => visitor.visit(|row| values[codes[row] as usize]),
        },
    }
}
