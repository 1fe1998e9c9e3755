//! Few distinct values: each once, the most frequent first, and a code for every row.
//!
//! The most frequent have the smallest codes, so packing with exceptions profits from a skewed column.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Up to this range of values, counting is an array access.
const DIRECT_RANGE_MAX: u64 = 1 << 16;

pub(super) struct Dictionary {
    /// The distinct values, the most frequent first.
    pub(super) values: Vec<i64>,
    /// For every row, the place of its value.
    pub(super) codes: Vec<i64>,
}

impl Dictionary {
    /// The dictionary of a column with this least and greatest value, unless it had too many entries to pay.
    pub(super) fn build(column: &[i64], min: i64, max: i64) -> Option<Self> {
        let entries_max = column.len() / 4 + 2;
        if max.wrapping_sub(min) as u64 <= DIRECT_RANGE_MAX && max >= min {
            Self::build_direct(column, min, max, entries_max)
        } else {
            Self::build_hashed(column, entries_max)
        }
    }

    fn build_direct(column: &[i64], min: i64, max: i64, entries_max: usize) -> Option<Self> {
        let place = |value: i64| (value - min) as usize;
        let mut table = vec![0_u32; place(max) + 1];
        for &value in column {
            table[place(value)] += 1;
        }
        let counted = (0..table.len()).filter(|&p| table[p] > 0).map(|p| (min + p as i64, table[p]));
        let values = by_frequency(counted.collect(), entries_max)?;
        for (code, &value) in values.iter().enumerate() {
            table[place(value)] = code as u32;
        }
        let codes = column.iter().map(|&value| i64::from(table[place(value)])).collect();
        Some(Self { values, codes })
    }

    fn build_hashed(column: &[i64], entries_max: usize) -> Option<Self> {
        let mut table: HashMap<i64, u32, BuildHasherDefault<Multiply>> = HashMap::default();
        for &value in column {
            *table.entry(value).or_default() += 1;
            if table.len() > entries_max {
                return None;
            }
        }
        let values =
            by_frequency(table.iter().map(|(&value, &count)| (value, count)).collect(), entries_max)?;
        for (code, value) in values.iter().enumerate() {
            table.insert(*value, code as u32);
        }
        let codes = column.iter().map(|value| i64::from(table[value])).collect();
        Some(Self { values, codes })
    }
}

fn by_frequency(mut counted: Vec<(i64, u32)>, entries_max: usize) -> Option<Vec<i64>> {
    if counted.len() > entries_max {
        return None;
    }
    counted.sort_unstable_by_key(|&(value, count)| (std::cmp::Reverse(count), value));
    Some(counted.into_iter().map(|(value, _)| value).collect())
}

/// A hash of one number: these are an engine's own values, nobody attacks them.
#[derive(Default)]
struct Multiply(u64);

impl Hasher for Multiply {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_i64(i64::from(byte));
        }
    }
    fn write_i64(&mut self, value: i64) {
        let mixed = (self.0 ^ value as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}
