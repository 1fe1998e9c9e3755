//! Vectors of stored values: the columns of a block, decoded.

use std::sync::Arc;

use gt_log::{Decoded, Kind, Lanes};

use super::lanes::{Lane, map};
use super::texts::look_up;
use super::values::{Vector, sort};
use crate::engine::bits::Bitmap;
use crate::engine::scan::lanes::{codes_within, each_lane};

/// The values of a column of numbers or truth values. Unsigned integers of 64 bits are wide on request; otherwise
/// none may be above `i64::MAX`.
pub(in crate::engine) fn read_column(
    column: &Decoded,
    kind: Kind,
    as_wide: bool,
    rows: usize,
    out: &mut Vector,
) {
    match kind {
        Kind::U64 if as_wide => decode(column, rows, out.wides_mut(), |value| i128::from(value as u64)),
        Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64 | Kind::U8 | Kind::U16 | Kind::U32 | Kind::U64 => {
            decode(column, rows, out.integers_mut(), |value| value);
        }
        Kind::Bool => decode(column, rows, out.integers_mut(), |value| i64::from(value != 0)),
        // Adding zero turns -0.0 into 0.0.
        Kind::F32 => {
            decode(column, rows, out.floats_mut(), |value| f64::from(f32::from_bits(value as u32)) + 0.0)
        }
        Kind::F64 => decode(column, rows, out.floats_mut(), |value| f64::from_bits(value as u64) + 0.0),
        Kind::Text => panic!("texts are read with their dictionary"),
    }
}

/// The integers of a column as floats.
pub(in crate::engine) fn read_as_floats(column: &Decoded, rows: usize, out: &mut Vector) {
    let out = out.floats_mut();
    if let Decoded::Offsets { base, lanes } = column
        && base.unsigned_abs() < 1 << 52
    {
        // The sums are exact, and lanes are converted several at once.
        let base = *base as f64;
        match lanes {
            Lanes::U8(lanes) => return map(lanes, out, |lane| base + f64::from(lane)),
            Lanes::U16(lanes) => return map(lanes, out, |lane| base + f64::from(lane)),
            Lanes::U32(lanes) => return map(lanes, out, |lane| base + f64::from(lane)),
            Lanes::U64(_) => {}
        }
    }
    decode(column, rows, out, |value| value as f64);
}

/// The values of a column of texts: a row's integer is an index into `texts`, which may be unordered and contain
/// duplicates.
pub(in crate::engine) fn read_texts(texts: &[&str], column: &Decoded, rows: usize, out: &mut Vector) {
    let (dictionary, codes) = sort(texts.iter(), |text| Arc::from(*text));
    let out = out.texts_mut().codes_for(dictionary);
    decode(column, rows, out, |place| look_up(&codes, u32::try_from(place).unwrap_or(u32::MAX)));
}

/// The rows whose text passes a test, directly from a stored column: each text is tested once, and no vector
/// is made.
pub(in crate::engine) fn stored_texts_where(
    texts: &[&str],
    column: &Decoded,
    rows: usize,
    holds: impl Fn(&str) -> bool,
    out: &mut Bitmap,
) {
    let holds: Vec<bool> = texts.iter().map(|text| holds(text)).collect();
    let held = |place: i64| usize::try_from(place).is_ok_and(|place| holds.get(place) == Some(&true));
    match column {
        Decoded::Constant(place) => out.fill(rows, held(*place)),
        Decoded::Wide(places) => out.pack(places, |place| u8::from(held(place))),
        Decoded::Dictionary { values, codes } => {
            let holds: Vec<bool> = values.iter().map(|place| held(*place)).collect();
            codes_within(codes, &holds, out);
        }
        Decoded::Offsets { base, lanes } => {
            match usize::try_from(*base).ok().and_then(|base| holds.get(base..)) {
                Some(holds) => codes_within(lanes, holds, out),
                None => each_lane!(lanes, lanes => out.pack(lanes, |lane| {
                    u8::from(held(offset(*base, lane)))
                })),
            }
        }
    }
}

fn decode<T: Lane>(column: &Decoded, rows: usize, out: &mut Vec<T>, of: impl Fn(i64) -> T) {
    match column {
        Decoded::Constant(value) => {
            out.clear();
            out.resize(rows, of(*value));
        }
        Decoded::Wide(values) => map(values, out, of),
        Decoded::Offsets { base, lanes } => each_lane!(lanes, lanes => {
            map(lanes, out, |lane| of(offset(*base, lane)));
        }),
        Decoded::Dictionary { values, codes } => {
            let values: Vec<T> = values.iter().map(|value| of(*value)).collect();
            by_table(codes, &values, out);
        }
    }
}

/// The entries of a table of numbers for the codes of the rows.
pub(in crate::engine) fn look_up_codes(codes: &Lanes, table: &Vector, out: &mut Vector) {
    match table {
        Vector::Integer(table) => by_table(codes, table, out.integers_mut()),
        Vector::Float(table) => by_table(codes, table, out.floats_mut()),
        other => panic!("numbers are wanted, not {:?}", other.kind()),
    }
}

fn by_table<T: Lane>(codes: &Lanes, table: &[T], out: &mut Vec<T>) {
    each_lane!(codes, codes => {
        map(codes, out, |code| table.get(code as usize).copied().unwrap_or(T::UNKNOWN));
    });
}

/// The value of a lane.
#[inline(always)]
pub(in crate::engine) fn offset(base: i64, lane: impl Into<u64>) -> i64 {
    base.wrapping_add(lane.into() as i64)
}
