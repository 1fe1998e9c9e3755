//! A run: the bytes of one column of a block, and what they decode to.
//!
//! ```text
//! transform u8 │ its data │ coder u8 │ lane u8 │ base │ coded integers
//! ```

use std::fmt;

use super::decode::{read_coder, read_dictionary, read_transform};
use super::dictionary::Dictionary;
use super::lane::{Lane, Lanes, bit_length, each_lane, lane_number};
use super::packed::{self, Origin};
use crate::wire::{Reader, Wire, put_signed, put_unsigned};

/// What is done to values before they are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transform {
    /// Nothing.
    Plain,
    /// Each becomes its code in a dictionary.
    Dictionary,
    /// Each becomes its difference from the one before; the values' least and lane go first.
    Delta,
    /// Each becomes its difference from the same row of the column with this, smaller number.
    Relative(usize),
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

/// A column's values, in the form that takes the least work to get at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decoded {
    /// All rows have this value.
    Constant(i64),
    /// A row's value is `base` plus its lane, wrapping.
    Offsets {
        /// What is added to every lane.
        base: i64,
        /// One for each row.
        lanes: Lanes,
    },
    /// A row's value is `values[code]`; every code is a place of `values`.
    Dictionary {
        /// The distinct values.
        values: Vec<i64>,
        /// One for each row.
        codes: Lanes,
    },
    /// The values themselves.
    Wide(Vec<i64>),
}

impl Decoded {
    /// The value of a row.
    ///
    /// # Panics
    /// If the block has no such row (a constant has every row).
    #[must_use]
    pub fn get(&self, row: usize) -> i64 {
        match self {
            Decoded::Constant(value) => *value,
            Decoded::Offsets { base, lanes } => base.wrapping_add(lanes.get(row) as i64),
            Decoded::Dictionary { values, codes } => values[codes.get(row) as usize],
            Decoded::Wide(values) => values[row],
        }
    }

    /// All values, widened into `out`, which is cleared first; a constant gives `rows` of them.
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

    /// All values, widened.
    #[must_use]
    pub fn widened(&self, rows: usize) -> Vec<i64> {
        let mut out = Vec::new();
        self.widen_into(rows, &mut out);
        out
    }
}

/// How a column of a block is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    transform: Transform,
    coder: Option<Coder>,
    pub(crate) compressed: bool,
}

impl Encoding {
    pub(crate) const CONSTANT: Self = Self { transform: Transform::Constant, coder: None, compressed: false };

    /// The number of the column that this one is relative to, if it is.
    #[must_use]
    pub fn relative_to(&self) -> Option<usize> {
        match self.transform {
            Transform::Relative(column) => Some(column),
            _ => None,
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let transform = match self.transform {
            Transform::Plain => "",
            Transform::Dictionary => "dictionary",
            Transform::Delta => "delta",
            Transform::Relative(_) => "relative",
            Transform::Ply => "ply",
            Transform::Constant => "constant",
        };
        let coder = match self.coder {
            None => "",
            Some(Coder::Packed) => "packed",
            Some(Coder::Centred) => "centred",
            Some(Coder::Raw) => "raw",
            Some(Coder::Planes) => "planes",
        };
        let between = if transform.is_empty() || coder.is_empty() { "" } else { "+" };
        let zstd = if self.compressed { "+zstd" } else { "" };
        write!(f, "{transform}{between}{coder}{zstd}")
    }
}

pub(crate) struct Run;

impl Run {
    /// How the run of this column is written.
    pub(crate) fn encoding(bytes: &[u8], column: usize) -> Wire<Encoding> {
        let mut reader = Reader::new(bytes);
        let transform = read_transform(&mut reader, column)?;
        let coder = match transform {
            Transform::Ply | Transform::Constant => None,
            Transform::Dictionary => {
                read_dictionary(&mut reader)?;
                Some(read_coder(&mut reader)?)
            }
            Transform::Delta => {
                reader.signed()?;
                reader.u8()?;
                Some(read_coder(&mut reader)?)
            }
            Transform::Plain | Transform::Relative(_) => Some(read_coder(&mut reader)?),
        };
        Ok(Encoding { transform, coder, compressed: false })
    }

    /// Encodes integers that have been transformed already, with these extremes.
    pub(super) fn put_integers(out: &mut Vec<u8>, values: &[i64], (min, max): (i64, i64), coder: Coder) {
        let bits = bit_length(max.wrapping_sub(min) as u64) + u32::from(coder == Coder::Centred);
        let lane = lane_number(bits.min(64));
        out.extend_from_slice(&[coder as u8, lane]);
        put_signed(out, min);
        match coder {
            Coder::Packed => packed::encode(out, values, min, lane, Origin::Least),
            Coder::Centred => packed::encode(out, values, min, lane, Origin::Middle),
            Coder::Raw => {
                let width = 1 << lane;
                for value in values {
                    out.extend_from_slice(&value.wrapping_sub(min).to_le_bytes()[..width]);
                }
            }
            Coder::Planes => {
                for plane in 0..1 << lane {
                    out.extend(values.iter().map(|value| value.wrapping_sub(min).to_le_bytes()[plane]));
                }
            }
        }
    }

    pub(super) fn put_transform(out: &mut Vec<u8>, transform: Transform) {
        match transform {
            Transform::Plain => out.push(0),
            Transform::Dictionary => out.push(1),
            Transform::Delta => out.push(2),
            Transform::Relative(column) => {
                out.push(3);
                put_unsigned(out, column as u64);
            }
            Transform::Ply => out.push(4),
            Transform::Constant => out.push(5),
        }
    }

    /// The deltas, with their extremes, of values with these: in the lane that the values fit.
    pub(super) fn put_deltas(
        out: &mut Vec<u8>,
        (deltas, delta_ends): (&[i64], (i64, i64)),
        (min, max): (i64, i64),
        coder: Coder,
    ) {
        put_signed(out, min);
        out.push(lane_number(bit_length(max.wrapping_sub(min) as u64)));
        Self::put_integers(out, deltas, delta_ends, coder);
    }

    pub(super) fn put_dictionary(out: &mut Vec<u8>, dictionary: &Dictionary, coder: Coder) {
        put_unsigned(out, dictionary.values.len() as u64);
        for &value in &dictionary.values {
            put_signed(out, value);
        }
        let most = dictionary.values.len().saturating_sub(1) as i64;
        Self::put_integers(out, &dictionary.codes, (0, most), coder);
    }
}
