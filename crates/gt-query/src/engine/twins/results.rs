//! The value of an aggregate over twins at every row: stored by bucket, in which each block finds its part.

use std::sync::Arc;

use super::arranged::Arranged;
use super::lanes::{float_of_key, integer_of_key};
use crate::value::Value;

/// The representation of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StoredAs {
    /// Counts and sums: 0 without twins.
    Sums,
    /// Sort keys of integers, or of floats; [`UNKNOWN`] without twins.
    Integers,
    Floats,
}

/// Not the sort key of any float, nor of an integer that such an aggregate can have.
const UNKNOWN: u64 = u64::MAX;

impl StoredAs {
    /// The value of a row without twins.
    pub(super) const fn nothing(self) -> u64 {
        match self {
            Self::Sums => 0,
            Self::Integers | Self::Floats => UNKNOWN,
        }
    }
}

/// The answers of a bucket's rows.
#[derive(Debug)]
pub(super) enum Answers {
    Counts(Vec<u32>),
    /// Sums, or sort keys.
    Words(Vec<u64>),
}

/// The positions of a block's rows in the buckets.
#[derive(Debug)]
struct Stretches {
    rows: Vec<u32>,
    ends: Vec<u32>,
    /// By bucket, the index of the block's first row in it.
    starts: Vec<u32>,
}

/// The positions of all blocks' rows in the buckets.
#[derive(Debug)]
pub(super) struct Layout(Vec<Stretches>);

impl Layout {
    pub(super) fn of(blocks: Vec<Arranged>) -> Self {
        let mut next = vec![0; blocks.first().map_or(0, |block| block.ends.len())];
        let stretches = blocks.into_iter().map(|block| {
            let starts = next.clone();
            next.iter_mut().enumerate().for_each(|(bucket, next)| *next += block.places(bucket).len() as u32);
            Stretches { rows: block.rows, ends: block.ends, starts }
        });
        Self(stretches.collect())
    }
}

/// The value of an aggregate at every row.
#[derive(Debug)]
pub(in crate::engine) struct Results {
    pub(super) layout: Arc<Layout>,
    pub(super) buckets: Vec<Answers>,
    pub(super) kept: StoredAs,
}

impl Results {
    /// Calls `visit` with the rows of a block that have keys, and their values.
    fn each(&self, block: usize, mut visit: impl FnMut(usize, u64)) {
        let Some(Stretches { rows, ends, starts }) = self.layout.0.get(block) else { return };
        let mut place = 0;
        for ((values, end), start) in self.buckets.iter().zip(ends).zip(starts) {
            let (rows, start) = (&rows[place as usize..*end as usize], *start as usize);
            match values {
                Answers::Counts(counts) => {
                    let counts = rows.iter().zip(&counts[start..]);
                    counts.for_each(|(row, count)| visit(*row as usize, (*count).into()));
                }
                Answers::Words(words) => {
                    rows.iter().zip(&words[start..]).for_each(|(row, word)| visit(*row as usize, *word));
                }
            }
            place = *end;
        }
    }

    /// The values of a block's rows as integers; arbitrary where unknown.
    pub(in crate::engine) fn integers_into(&self, block: usize, rows: usize, out: &mut Vec<i64>) {
        out.clear();
        out.resize(rows, 0);
        match self.kept {
            StoredAs::Sums => self.each(block, |row, value| out[row] = value.cast_signed()),
            StoredAs::Integers | StoredAs::Floats => {
                self.each(block, |row, value| out[row] = integer_of_key(value))
            }
        }
    }

    /// The values of a block's rows as floats; NaN where unknown.
    pub(in crate::engine) fn floats_into(&self, block: usize, rows: usize, out: &mut Vec<f64>) {
        out.clear();
        out.resize(rows, f64::NAN);
        self.each(block, |row, value| {
            if value != UNKNOWN {
                out[row] = float_of_key(value);
            }
        });
    }

    /// For each of a block's rows, 1 if it has a value.
    pub(in crate::engine) fn known(&self, block: usize, rows: usize) -> Vec<u8> {
        let mut known = vec![u8::from(self.kept == StoredAs::Sums); rows];
        if self.kept != StoredAs::Sums {
            self.each(block, |row, value| known[row] = u8::from(value != UNKNOWN));
        }
        known
    }

    /// The values of a block's rows.
    pub(in crate::engine) fn values(&self, block: usize, rows: usize) -> Vec<Option<Value>> {
        let value = |value: u64| match self.kept {
            StoredAs::Sums => Some(Value::Integer(value.cast_signed().into())),
            StoredAs::Integers => (value != UNKNOWN).then(|| Value::Integer(integer_of_key(value).into())),
            StoredAs::Floats => (value != UNKNOWN).then(|| float_of_key(value)).and_then(Value::float),
        };
        let mut values = vec![value(self.kept.nothing()); rows];
        self.each(block, |row, found| values[row] = value(found));
        values
    }
}
