//! A run: the bytes of one column of a block, and what they decode to.
//!
//! ```text
//! transform u8 │ its data │ coder u8 │ lane u8 │ base │ coded integers
//! ```
//!
//! A sparse run names the value that most rows have, has a bit for each row that has another, and codes only those. A grouped run
//! has its integers in the order of another column's values.

use std::fmt;

use super::decode::{Coded, read_dictionary, read_transform};
use super::grouped::Grouping;
use super::integer::Integer;
use super::lane::{Lane, Lanes, bit_length, each_lane, lane_number};
use super::others::put_others;
use super::packed::{self, Origin};
use super::workbench::Workbench;
use crate::wire::{Reader, Wire, put_signed, put_unsigned};

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
    coded: Option<Coded>,
    pub(crate) compressed: bool,
}

impl Encoding {
    pub(crate) const CONSTANT: Self = Self { transform: Transform::Constant, coded: None, compressed: false };
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let transform = match self.transform {
            Transform::Plain => "",
            Transform::Dictionary | Transform::ListedDictionary => "dictionary",
            Transform::Delta => "delta",
            Transform::Relative(_) => "relative",
            Transform::Alternating => "alternating",
            Transform::PlyDelta => "ply-delta",
            Transform::Ply => "ply",
            Transform::Constant => "constant",
        };
        let coder = match self.coded.map(|coded| coded.coder) {
            None => "",
            Some(Coder::Packed) => "packed",
            Some(Coder::Centred) => "centred",
            Some(Coder::Raw) => "raw",
            Some(Coder::Planes) => "planes",
        };
        let grouped = if self.coded.is_some_and(|coded| coded.grouping.is_some()) { "grouped" } else { "" };
        let sparse = if self.coded.is_some_and(|coded| coded.is_sparse) { "sparse" } else { "" };
        let zstd = if self.compressed { "zstd" } else { "" };
        let parts = [transform, grouped, sparse, coder, zstd];
        f.write_str(&parts.iter().copied().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("+"))
    }
}

pub(crate) struct Run;

impl Run {
    /// How the run of this column is written.
    pub(crate) fn encoding(bytes: &[u8], column: usize) -> Wire<Encoding> {
        let mut reader = Reader::new(bytes);
        let transform = read_transform(&mut reader, column)?;
        match transform {
            Transform::Ply | Transform::Constant => {
                return Ok(Encoding { transform, coded: None, compressed: false });
            }
            Transform::Dictionary | Transform::ListedDictionary => {
                read_dictionary(&mut reader, transform)?;
            }
            Transform::Delta | Transform::Alternating | Transform::PlyDelta => {
                reader.signed()?;
                reader.u8()?;
            }
            Transform::Plain | Transform::Relative(_) => {}
        }
        let coded = Coded::read(&mut reader)?;
        Ok(Encoding { transform, coded: Some(coded), compressed: false })
    }

    /// Encodes integers that have been transformed and put in order already, with these extremes.
    pub(super) fn put_integers<T: Integer>(
        out: &mut Vec<u8>,
        values: &[T],
        (min, max): (i64, i64),
        coding: Coding,
        bench: &mut Workbench,
    ) {
        let Coding { coder, usual, grouping } = coding;
        let (min, max) = usual.map_or((min, max), |usual| (min.min(usual), max.max(usual)));
        let origin = if coder == Coder::Centred { Origin::Middle } else { Origin::Least };
        let lane = packed::lane_of((min, max), origin);
        if let Some(grouping) = grouping {
            out.push(GROUPED);
            grouping.put(out);
        }
        if usual.is_some() {
            out.push(SPARSE);
        }
        out.extend_from_slice(&[coder as u8, lane]);
        put_signed(out, min);
        match usual {
            None => Self::put_coded(out, values, min, lane, coder, &mut bench.bodies),
            Some(usual) => {
                put_signed(out, usual);
                let mut others = bench.others.take();
                let count = put_others(out, values, usual, &mut bench.words, &mut others);
                Self::put_coded(out, &others[..count], min, lane, coder, &mut bench.bodies);
                bench.others.keep(others);
            }
        }
    }

    fn put_coded<T: Integer>(
        out: &mut Vec<u8>,
        values: &[T],
        min: i64,
        lane: u8,
        coder: Coder,
        bodies: &mut Vec<u8>,
    ) {
        let offset = |value: &T| (*value).into().wrapping_sub(min).to_le_bytes();
        match coder {
            Coder::Packed => packed::encode(out, values, min, lane, Origin::Least, bodies),
            Coder::Centred => packed::encode(out, values, min, lane, Origin::Middle, bodies),
            Coder::Raw => {
                let width = 1 << lane;
                values.iter().for_each(|value| out.extend_from_slice(&offset(value)[..width]));
            }
            Coder::Planes => {
                for plane in 0..1 << lane {
                    out.extend(values.iter().map(|value| offset(value)[plane]));
                }
            }
        }
    }

    pub(super) fn put_transform(out: &mut Vec<u8>, transform: Transform) {
        match transform {
            Transform::Plain => out.push(0),
            Transform::ListedDictionary => out.push(1),
            Transform::Delta => out.push(2),
            Transform::Relative(column) => {
                out.push(3);
                put_unsigned(out, column as u64);
            }
            Transform::Ply => out.push(4),
            Transform::Constant => out.push(5),
            Transform::Alternating => out.push(6),
            Transform::PlyDelta => out.push(7),
            Transform::Dictionary => out.push(8),
        }
    }

    /// What deltas of values with these extremes are preceded by: the values' least, and the lane that they fit.
    pub(super) fn put_before_deltas(out: &mut Vec<u8>, (min, max): (i64, i64)) {
        put_signed(out, min);
        out.push(lane_number(bit_length(max.wrapping_sub(min) as u64)));
    }

    /// What codes are preceded by: the dictionary's values. Gives the extremes of the codes.
    pub(super) fn put_before_codes(out: &mut Vec<u8>, values: &[i64]) -> (i64, i64) {
        put_unsigned(out, values.len() as u64);
        let mut last = 0_i64;
        for &value in values {
            put_signed(out, value.wrapping_sub(last));
            last = value;
        }
        (0, values.len().saturating_sub(1) as i64)
    }
}
