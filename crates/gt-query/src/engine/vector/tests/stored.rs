//! Columns in their stored form, and values of other rows.

use gt_log::{Decoded, Kind, Lanes as Stored};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::engine::bits::Bitmap;
use crate::engine::vector::{
    NOBODY, gather, gather_bits, read_as_floats, read_column, read_texts, stored_texts_where,
};

fn lanes(most: u64) -> impl Strategy<Value = Stored> {
    (0..4_u8, vec(0..most, 0..300)).prop_map(|(width, lanes)| match width {
        0 => Stored::U8(lanes.iter().map(|&lane| lane as u8).collect()),
        1 => Stored::U16(lanes.iter().map(|&lane| lane as u16).collect()),
        2 => Stored::U32(lanes.iter().map(|&lane| lane as u32).collect()),
        _ => Stored::U64(lanes),
    })
}

/// A column, and its number of rows.
fn column(
    value: BoxedStrategy<i64>,
    base: BoxedStrategy<i64>,
    most: u64,
) -> impl Strategy<Value = (Decoded, usize)> {
    prop_oneof![
        (value.clone(), 0..300_usize).prop_map(|(value, rows)| (Decoded::Constant(value), rows)),
        (base, lanes(most)).prop_map(|(base, lanes)| {
            let rows = lanes.len();
            (Decoded::Offsets { base, lanes }, rows)
        }),
        (vec(value.clone(), 12), lanes(12)).prop_map(|(values, codes)| {
            let rows = codes.len();
            (Decoded::Dictionary { values, codes }, rows)
        }),
        vec(value, 0..300).prop_map(|values| {
            let rows = values.len();
            (Decoded::Wide(values), rows)
        }),
    ]
}

/// The value of a column's integer, by the kinds of the format.
fn stored_value(kind: Kind, integer: i64) -> Option<Value> {
    match kind {
        Kind::U64 => Some(Value::Integer((integer as u64).into())),
        Kind::F32 => Value::float(f32::from_bits(integer as u32).into()),
        Kind::F64 => Value::float(f64::from_bits(integer as u64)),
        Kind::Bool => Some(Value::Integer((integer != 0).into())),
        _ => Some(Value::Integer(integer.into())),
    }
}

fn bits() -> BoxedStrategy<i64> {
    let edges = [0, 1, -1, i64::MIN, i64::MAX];
    let floats = [0.0, -0.0, f64::NAN, f64::INFINITY, 1.5].map(|float: f64| float.to_bits() as i64);
    let singles = [-0.0, f32::NAN, f32::NEG_INFINITY, 0.1].map(|float: f32| i64::from(float.to_bits()));
    prop_oneof![select([&edges[..], &floats, &singles].concat()), any::<i64>()].boxed()
}

proptest! {
    #[test]
    fn columns_of_numbers_are_read_as_their_kind(
        (column, rows) in column(bits(), bits(), 200),
        kind in select(Kind::ALL[..11].to_vec()),
    ) {
        let mut out = Vector::default();
        read_column(&column, kind, true, rows, &mut out);
        prop_assert_eq!(out.len(), rows);
        prop_assert!(!is_minus_zero(&out));
        for row in 0..rows {
            prop_assert!(agrees(&out, row, stored_value(kind, column.get(row)).as_ref()), "{:?}", column.get(row));
        }
        read_column(&column, Kind::U64, false, rows, &mut out);
        for row in (0..rows).filter(|row| column.get(*row) >= 0) {
            prop_assert_eq!(out.value_at(row), Some(Value::Integer(column.get(row).into())));
        }
        read_as_floats(&column, rows, &mut out);
        for row in 0..rows {
            prop_assert_eq!(out.value_at(row), Value::float(column.get(row) as f64));
        }
    }

    /// A row's index can be beyond the texts if it has no value.
    #[test]
    fn columns_of_texts_are_read_and_asked(
        (column, rows) in column((-1..12_i64).boxed(), (-2..12_i64).boxed(), 10),
        texts in vec(value(VectorKind::Text), 0..12),
    ) {
        let texts: Vec<String> = texts.iter().map(ToString::to_string).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (mut out, mut holds) = (Vector::default(), Bitmap::default());
        read_texts(&texts, &column, rows, &mut out);
        stored_texts_where(&texts, &column, rows, |text| text.contains('b'), &mut holds);
        prop_assert_eq!((out.len(), holds.rows()), (rows, rows));
        for row in 0..rows {
            let text = usize::try_from(column.get(row)).ok().and_then(|place| texts.get(place));
            prop_assert!(agrees(&out, row, text.map(|text| Value::text(text)).as_ref()));
            prop_assert_eq!(holds.get(row), text.is_some_and(|text| text.contains('b')));
        }
        for row in 1..rows {
            let (left, right) = (out.value_at(row - 1), out.value_at(row));
            let Some((left, right)) = left.zip(right) else { continue };
            prop_assert_eq!(out.order(row - 1, row), left.order(&right));
        }
    }

    #[test]
    fn gathered_values_are_those_of_rows_and_ghosts(
        (source, ghosts) in kind().prop_flat_map(|kind| (operand(kind), operand(kind))),
        picks in vec(prop::option::weighted(0.9, any::<prop::sample::Index>()), 0..300),
        shared in any::<bool>(),
    ) {
        let ghosts = if shared { source.clone() } else { ghosts };
        let all: Vec<Option<Value>> = source.values.iter().chain(&ghosts.values).cloned().collect();
        let index = |pick: &Option<prop::sample::Index>| match pick {
            Some(pick) if !all.is_empty() => pick.index(all.len()) as u32,
            _ => NOBODY,
        };
        let indexes: Vec<u32> = picks.iter().map(index).collect();
        let of = |values: &[Option<Value>]| {
            let mut bits = Bitmap::default();
            bits.pack(&values.iter().map(Option::is_some).collect::<Vec<_>>(), u8::from);
            bits
        };
        let (mut out, mut known) = (Vector::default(), Bitmap::default());
        gather(&indexes, &source.vector, &ghosts.vector, &mut out);
        gather_bits(&indexes, &of(&source.values), &of(&ghosts.values), &mut known);
        prop_assert_eq!((out.len(), known.rows()), (indexes.len(), indexes.len()));
        for (row, index) in indexes.iter().enumerate() {
            let expected = all.get(*index as usize).cloned().flatten();
            prop_assert!(agrees(&out, row, expected.as_ref()));
            prop_assert_eq!(known.get(row), expected.is_some());
        }
    }
}
