//! The values that aggregates over twins read from each row, as unsigned integers: keys that are equal if the values
//! are, and numbers that are ordered as the values are.

use crate::engine::vector::{Vector, VectorKind};
use crate::value::Value;

const SIGN: u64 = 1 << 63;

/// The values read from rows, by row.
#[derive(Debug, Default)]
pub(in crate::engine) struct Lanes {
    /// The keys; equal words represent equal keys.
    pub(in crate::engine) words: Vec<Vec<u64>>,
    /// The numbers that are compared and taken, as sort keys.
    pub(in crate::engine) numbers: Vec<Vec<u64>>,
    pub(in crate::engine) flags: Vec<u8>,
}

impl Lanes {
    /// Set if all keys of the row are known.
    pub(in crate::engine) const KEYED: u8 = 1;
    /// Set if the row is taken as a twin.
    pub(in crate::engine) const TWIN: u8 = 2;
    /// Set if the row takes twins.
    pub(in crate::engine) const NODE: u8 = 4;

    /// Forgets all rows.
    pub(super) fn clear(&mut self) {
        self.flags.clear();
        self.words.iter_mut().chain(&mut self.numbers).for_each(Vec::clear);
    }
}

/// Words that are equal if the values are; none for texts. Wide integers must come from a column without signs.
pub(in crate::engine) fn words(vector: &Vector) -> Vec<u64> {
    match vector {
        Vector::Integer(lanes) => lanes.iter().map(|lane| lane.cast_unsigned()).collect(),
        Vector::Wide(lanes) => lanes.iter().map(|lane| *lane as u64).collect(),
        Vector::Float(lanes) => lanes.iter().map(|lane| lane.to_bits()).collect(),
        Vector::Text(_) => Vec::new(),
    }
}

/// Numbers in the order of the values; none for wide integers and texts.
pub(in crate::engine) fn sort_keys(vector: &Vector) -> Vec<u64> {
    match vector {
        Vector::Integer(lanes) => lanes.iter().map(|lane| key_of_integer(*lane)).collect(),
        Vector::Float(lanes) => lanes.iter().map(|lane| key_of_float(*lane)).collect(),
        Vector::Wide(_) | Vector::Text(_) => Vec::new(),
    }
}

pub(super) const fn key_of_integer(value: i64) -> u64 {
    value.cast_unsigned() ^ SIGN
}

pub(super) const fn integer_of_key(key: u64) -> i64 {
    (key ^ SIGN).cast_signed()
}

pub(super) fn key_of_float(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

pub(super) fn float_of_key(key: u64) -> f64 {
    f64::from_bits(if key & SIGN == 0 { !key } else { key ^ SIGN })
}

/// A value as one of the words or sort keys of this kind.
pub(in crate::engine) fn word_of_value(
    value: Option<Value>,
    kind: VectorKind,
    of: impl Fn(&Vector) -> Vec<u64>,
) -> u64 {
    let mut vector = Vector::default();
    vector.set_values(kind, &[value]);
    of(&vector).first().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keys_are_ordered_as_numbers_are(a in any::<i64>(), b in any::<i64>(), x in any::<f64>(), y in any::<f64>()) {
            prop_assert_eq!(key_of_integer(a).cmp(&key_of_integer(b)), a.cmp(&b));
            prop_assert_eq!(integer_of_key(key_of_integer(a)), a);
            let (x, y) = (x + 0.0, y + 0.0);
            prop_assume!(!x.is_nan() && !y.is_nan());
            prop_assert_eq!(key_of_float(x).cmp(&key_of_float(y)), x.total_cmp(&y));
            prop_assert_eq!(float_of_key(key_of_float(x)).to_bits(), x.to_bits());
        }
    }
}
