//! The values that aggregates over twins read from each row, as unsigned integers: keys that are equal if the values
//! are, and numbers that are ordered as the values are.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::vector::{Texts, Vector, VectorKind};
use crate::hashing::QuickMap;
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

/// The values read from the rows of a block in the order of their buckets, in little memory.
#[derive(Debug)]
pub(super) struct Stored {
    flags: Flags,
    numbers: Vec<Lane>,
}

/// The flags of some rows.
#[derive(Debug)]
enum Flags {
    /// The flags that all rows have.
    All(u8),
    Each(Vec<u8>),
}

/// The numbers of some rows.
#[derive(Debug)]
enum Lane {
    /// The integers behind the sort keys, if they are small.
    Narrow(Vec<i32>),
    Wide(Vec<u64>),
}

impl Stored {
    /// Takes the values of these rows.
    pub(super) fn of(lanes: &Lanes, rows: &[u32]) -> Self {
        let flags = |row: &u32| lanes.flags[*row as usize];
        let first = rows.first().map_or(0, flags);
        let flags = match rows.iter().all(|row| flags(row) == first) {
            true => Flags::All(first),
            false => Flags::Each(rows.iter().map(flags).collect()),
        };
        let lane = |lane: &Vec<u64>| {
            let beyond = |key: &u64| integer_of_key(*key).wrapping_add(1 << 31).cast_unsigned() >> 32;
            match lane.iter().fold(0, |all, key| all | beyond(key)) {
                0 => {
                    Lane::Narrow(rows.iter().map(|row| integer_of_key(lane[*row as usize]) as i32).collect())
                }
                _ => Lane::Wide(rows.iter().map(|row| lane[*row as usize]).collect()),
            }
        };
        Self { flags, numbers: lanes.numbers.iter().map(lane).collect() }
    }

    /// The flags of some rows.
    pub(super) fn flags_into(&self, range: Range<usize>, out: &mut Vec<u8>) {
        out.clear();
        match &self.flags {
            Flags::All(flags) => out.resize(range.len(), *flags),
            Flags::Each(each) => out.extend_from_slice(&each[range]),
        }
    }

    /// The sort keys of a number at some rows.
    pub(super) fn numbers_into(&self, number: usize, range: Range<usize>, out: &mut Vec<u64>) {
        out.clear();
        match &self.numbers[number] {
            Lane::Narrow(lane) => out.extend(lane[range].iter().map(|lane| key_of_integer((*lane).into()))),
            Lane::Wide(lane) => out.extend_from_slice(&lane[range]),
        }
    }

    /// The number of numbers.
    pub(super) fn width(&self) -> usize {
        self.numbers.len()
    }
}

/// A number for each text that occurred as a key, the same in all blocks.
#[derive(Debug, Default)]
pub(in crate::engine) struct TextNumbers(Mutex<QuickMap<Arc<str>, u64>>);

impl TextNumbers {
    /// The approximate number of bytes for each row; some rows share their text.
    pub(super) const BYTES: usize = 48;

    fn of(&self, texts: &Texts) -> Vec<u64> {
        let of_entries: Vec<u64> = {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let number = |text: &Arc<str>| {
                let next = known.len() as u64;
                *known.entry(Arc::clone(text)).or_insert(next)
            };
            texts.dictionary().iter().map(number).collect()
        };
        texts.codes().iter().map(|code| of_entries.get(*code as usize).copied().unwrap_or(0)).collect()
    }
}

/// Words that are equal if the values are. Wide integers must come from a column without signs.
pub(in crate::engine) fn words(vector: &Vector, texts: &TextNumbers) -> Vec<u64> {
    match vector {
        Vector::Integer(lanes) => lanes.iter().map(|lane| lane.cast_unsigned()).collect(),
        Vector::Wide(lanes) => lanes.iter().map(|lane| *lane as u64).collect(),
        Vector::Float(lanes) => lanes.iter().map(|lane| lane.to_bits()).collect(),
        Vector::Text(lanes) => texts.of(lanes),
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

        #[test]
        fn what_is_stored_is_what_was_read(
            rows in proptest::collection::vec((any::<u64>(), i64::from(i32::MIN) - 1..i64::from(i32::MAX) + 2, 0..2_u8), 1..20),
            narrow in any::<bool>(),
        ) {
            let within = |value: i64| if narrow { value.clamp(i32::MIN.into(), i32::MAX.into()) } else { value };
            let numbers = vec![
                rows.iter().map(|row| row.0).collect(),
                rows.iter().map(|row| key_of_integer(within(row.1))).collect::<Vec<_>>(),
            ];
            let lanes = Lanes { words: Vec::new(), numbers, flags: rows.iter().map(|row| row.2).collect() };
            let order: Vec<u32> = (0..rows.len() as u32).rev().collect();
            let stored = Stored::of(&lanes, &order);
            prop_assert!(!narrow || matches!(stored.numbers[1], Lane::Narrow(_)));
            let (mut flags, mut found) = (Vec::new(), vec![Vec::new(); 2]);
            stored.flags_into(0..rows.len(), &mut flags);
            (0..2).for_each(|lane| stored.numbers_into(lane, 0..rows.len(), &mut found[lane]));
            let turned = |lane: &[u64]| lane.iter().rev().copied().collect::<Vec<_>>();
            prop_assert_eq!(found, lanes.numbers.iter().map(|lane| turned(lane)).collect::<Vec<_>>());
            prop_assert_eq!(flags, lanes.flags.iter().rev().copied().collect::<Vec<_>>());
        }
    }
}
