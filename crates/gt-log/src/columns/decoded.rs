//! The result of decoding a run.

use super::lane::{Lane, Lanes, each_lane};

/// A column's values, in the form that takes the least work to access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decoded {
    /// All rows have this value.
    Constant(i64),
    /// A row's value is `base` plus its lane, wrapping.
    Offsets {
        /// The value that is added to every lane.
        base: i64,
        /// One lane for each row.
        lanes: Lanes,
    },
    /// A row's value is `values[code]`; every code is a place in `values`.
    Dictionary {
        /// The distinct values.
        values: Vec<i64>,
        /// One code for each row.
        codes: Lanes,
    },
    /// The values themselves.
    Wide(Vec<i64>),
}

impl Decoded {
    /// The value of a row.
    ///
    /// # Panics
    /// If the block has no such row (a constant accepts every row).
    #[must_use]
    pub fn get(&self, row: usize) -> i64 {
        match self {
            Decoded::Constant(value) => *value,
            Decoded::Offsets { base, lanes } => base.wrapping_add(lanes.get(row) as i64),
            Decoded::Dictionary { values, codes } => values[codes.get(row) as usize],
            Decoded::Wide(values) => values[row],
        }
    }

    /// Whether all values, as unsigned integers, are below a limit.
    pub(crate) fn is_below(&self, limit: u64) -> bool {
        let holds = |value: i64| value.cast_unsigned() < limit;
        match self {
            Decoded::Constant(value) => holds(*value),
            // The largest value decides, unless sums wrap around.
            Decoded::Offsets { base, lanes } if *base >= 0 => each_lane!(lanes, lanes => {
                let largest = lanes.iter().fold(0, |largest, lane| lane.widen().max(largest));
                base.cast_unsigned().checked_add(largest).is_some_and(|largest| largest < limit)
            }),
            Decoded::Offsets { base, lanes } => {
                (0..lanes.len()).all(|row| holds(base.wrapping_add(lanes.get(row) as i64)))
            }
            Decoded::Dictionary { values, .. } | Decoded::Wide(values) => {
                values.iter().all(|value| holds(*value))
            }
        }
    }

    /// Widens all values into `out`, which is cleared first; a constant is repeated `rows` times.
    pub fn widen_into(&self, rows: usize, out: &mut Vec<i64>) {
        out.clear();
        match self {
            Decoded::Constant(value) => out.resize(rows, *value),
            Decoded::Offsets { base, lanes } => {
                each_lane!(lanes, lanes => out.extend(lanes.iter().map(|l| base.wrapping_add(l.widen() as i64))));
            }
            Decoded::Dictionary { values, codes } => {
                each_lane!(codes, codes => out.extend(codes.iter().map(|code| values[code.widen() as usize])));
            }
            Decoded::Wide(values) => out.extend_from_slice(values),
        }
    }

    /// All values, widened; a constant is repeated `rows` times.
    #[must_use]
    pub fn widened(&self, rows: usize) -> Vec<i64> {
        let mut out = Vec::new();
        self.widen_into(rows, &mut out);
        out
    }
}
