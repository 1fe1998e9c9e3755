//! Predicates over a column in its stored form: constants are converted to the domain of its narrow integers once,
//! and then 64 rows at a time are compared.

use gt_log::{Decoded, Lanes};

use crate::engine::bits::Bitmap;

macro_rules! each_lane {
    ($lanes:expr, $values:ident => $body:expr) => {
        match $lanes {
            gt_log::Lanes::U8($values) => $body,
            gt_log::Lanes::U16($values) => $body,
            gt_log::Lanes::U32($values) => $body,
            gt_log::Lanes::U64($values) => $body,
        }
    };
}
pub(in crate::engine) use each_lane;

/// The rows whose values are in `low ..= high`, for a column whose values are all in `min ..= max`.
pub(in crate::engine) fn within(
    column: &Decoded,
    rows: usize,
    (low, high): (i64, i64),
    (min, max): (i64, i64),
    out: &mut Bitmap,
) {
    if low <= min && max <= high {
        return out.fill(rows, true);
    }
    if high < min || max < low || low > high {
        return out.fill(rows, false);
    }
    let (low, high) = (low.max(min), high.min(max));
    match column {
        Decoded::Constant(value) => out.fill(rows, (low..=high).contains(value)),
        Decoded::Wide(values) => out.pack(values, |value| u8::from((low..=high).contains(&value))),
        Decoded::Offsets { base, lanes } => {
            // Between two values of the column, so within the lane; for the widest, arithmetic wraps
            // correctly.
            let (low, high) = (low.wrapping_sub(*base) as u64, high.wrapping_sub(*base) as u64);
            lanes_within(lanes, low, high.wrapping_sub(low), out);
        }
        Decoded::Dictionary { values, codes } => {
            let holds: Vec<bool> = values.iter().map(|value| (low..=high).contains(value)).collect();
            codes_within(codes, &holds, out);
        }
    }
}

/// The rows whose values have a bit in common with `mask`.
pub(in crate::engine) fn masked(column: &Decoded, rows: usize, mask: i64, out: &mut Bitmap) {
    match column {
        Decoded::Constant(value) => out.fill(rows, value & mask != 0),
        Decoded::Wide(values) => out.pack(values, |value| u8::from(value & mask != 0)),
        Decoded::Offsets { base, lanes } => {
            macro_rules! narrow {
                ($type:ty, $lanes:expr) => {
                    match <$type>::try_from(mask as u64) {
                        // The low bits of a sum depend only on the low bits.
                        Ok(mask) => {
                            let base = *base as $type;
                            out.pack($lanes, |lane: $type| u8::from(lane.wrapping_add(base) & mask != 0));
                        }
                        Err(_) => out.pack($lanes, |lane: $type| {
                            u8::from(base.wrapping_add(u64::from(lane) as i64) & mask != 0)
                        }),
                    }
                };
            }
            match lanes {
                Lanes::U8(lanes) => narrow!(u8, lanes),
                Lanes::U16(lanes) => narrow!(u16, lanes),
                Lanes::U32(lanes) => narrow!(u32, lanes),
                Lanes::U64(lanes) => narrow!(u64, lanes),
            }
        }
        Decoded::Dictionary { values, codes } => {
            let holds: Vec<bool> = values.iter().map(|value| value & mask != 0).collect();
            codes_within(codes, &holds, out);
        }
    }
}

/// The rows whose lanes are in `low ..= low + span`.
fn lanes_within(lanes: &Lanes, low: u64, span: u64, out: &mut Bitmap) {
    macro_rules! narrow {
        ($type:ty, $lanes:expr) => {{
            let (low, span) = (low as $type, span as $type);
            out.pack($lanes, |lane: $type| u8::from(lane.wrapping_sub(low) <= span));
        }};
    }
    match lanes {
        Lanes::U8(lanes) => narrow!(u8, lanes),
        Lanes::U16(lanes) => narrow!(u16, lanes),
        Lanes::U32(lanes) => narrow!(u32, lanes),
        Lanes::U64(lanes) => narrow!(u64, lanes),
    }
}

/// The rows whose codes are marked in `holds`.
pub(in crate::engine) fn codes_within(codes: &Lanes, holds: &[bool], out: &mut Bitmap) {
    let first = holds.iter().position(|held| *held);
    let last = holds.iter().rposition(|held| *held);
    let (Some(first), Some(last)) = (first, last) else { return out.fill(codes.len(), false) };
    if holds[first..=last].iter().all(|held| *held) {
        return lanes_within(codes, first as u64, (last - first) as u64, out);
    }
    each_lane!(codes, codes => out.pack(codes, |code| {
        u8::from(holds.get(code as usize).copied().unwrap_or(false))
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decoded() -> impl Strategy<Value = Decoded> {
        let base = prop_oneof![Just(0_i64), -300..300_i64, Just(i64::MIN), Just(i64::MAX - 300)];
        let lanes =
            (0..4_u8, proptest::collection::vec(0..200_u64, 1..150)).prop_map(|(width, lanes)| match width {
                0 => Lanes::U8(lanes.iter().map(|&lane| lane as u8).collect()),
                1 => Lanes::U16(lanes.iter().map(|&lane| lane as u16).collect()),
                2 => Lanes::U32(lanes.iter().map(|&lane| lane as u32).collect()),
                _ => Lanes::U64(lanes),
            });
        prop_oneof![
            (base, lanes.clone()).prop_map(|(base, lanes)| Decoded::Offsets { base, lanes }),
            (proptest::collection::vec(-9..9_i64, 200), lanes)
                .prop_map(|(values, codes)| Decoded::Dictionary { values, codes }),
            proptest::collection::vec(-300..300_i64, 1..150).prop_map(Decoded::Wide),
        ]
    }

    proptest! {
        #[test]
        fn rows_are_those_whose_values_pass(column in decoded(), low in -350..350_i64, span in -3..350_i64, mask in -9..300_i64) {
            let rows = match &column {
                Decoded::Offsets { lanes, .. } => lanes.len(),
                Decoded::Dictionary { codes, .. } => codes.len(),
                Decoded::Wide(values) => values.len(),
                Decoded::Constant(_) => 1,
            };
            let values: Vec<i64> = (0..rows).map(|row| column.get(row)).collect();
            let bounds = (*values.iter().min().unwrap(), *values.iter().max().unwrap());
            let mut out = Bitmap::default();
            for (low, high) in [(low, low + span), (bounds.0.saturating_add(low), bounds.0.saturating_add(low + span))] {
                within(&column, rows, (low, high), bounds, &mut out);
                for (row, value) in values.iter().enumerate() {
                    prop_assert_eq!(out.get(row), (low..=high).contains(value));
                }
            }
            masked(&column, rows, mask, &mut out);
            for (row, value) in values.iter().enumerate() {
                prop_assert_eq!(out.get(row), value & mask != 0);
            }
        }
    }
}
