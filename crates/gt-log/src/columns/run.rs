//! Writes a run, the bytes of one column of a block. [`decode`](super::decode) reads it.
//!
//! ```text
//! transform u8 │ its data │ coder u8 │ lane u8 │ base │ coded integers
//! ```
//!
//! A sparse run names the value that most rows have, has a bit for each row with another value, and codes only these values. A grouped run
//! has its integers in the order of another column's values.

use super::coding::{Coder, Coding, GROUPED, SPARSE, Transform};
use super::integer::Integer;
use super::lane::{bit_length, lane_number};
use super::others::put_others;
use super::packed::{self, Origin};
use super::workbench::Workbench;
use crate::wire::{put_signed, put_unsigned};

pub(crate) struct Run;

impl Run {
    /// Encodes integers that are already transformed and ordered, and have these extremes.
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

    /// Appends what precedes the deltas of values with these extremes: the values' least, and the lane that they fit.
    pub(super) fn put_before_deltas(out: &mut Vec<u8>, (min, max): (i64, i64)) {
        put_signed(out, min);
        out.push(lane_number(bit_length(max.wrapping_sub(min) as u64)));
    }

    /// Appends what precedes codes, the dictionary's values, and returns the extremes of the codes.
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
