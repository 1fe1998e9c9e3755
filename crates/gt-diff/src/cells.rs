//! One decoded column of one block, and the comparison of two of them.
//!
//! Two values are equal if they are the same number, text or truth value, both NaN, or both missing.

use std::collections::HashMap;

use gt_log::{Column, Decoded, Kind, Lanes, Scratch, Tree};

use crate::error::Result;

/// An attribute's values in a block.
#[derive(Debug, PartialEq)]
pub(crate) struct Cells {
    values: Decoded,
    texts: Vec<String>,
    missing: Option<Vec<u64>>,
}

/// Memory for values that must be widened.
#[derive(Default)]
pub(crate) struct Widened {
    a: Vec<i64>,
    b: Vec<i64>,
}

/// Rows of two blocks that are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) rows: usize,
}

impl Cells {
    pub(crate) fn read(tree: Tree<'_>, block: usize, place: usize, scratch: &mut Scratch) -> Result<Self> {
        let (texts, values) = match tree.schema().attributes()[place].kind {
            Kind::Text => tree.texts(block, place)?,
            _ => (Vec::new(), tree.decode_with(block, Column::Attribute(place), scratch)?),
        };
        Ok(Self { values, texts, missing: tree.missing_with(block, place, scratch)? })
    }

    /// Returns the memory.
    pub(crate) fn recycle(self, scratch: &mut Scratch) {
        scratch.recycle(self.values);
    }

    fn lacks(&self, row: usize) -> bool {
        self.missing.as_ref().is_some_and(|words| words[row / 64] >> (row % 64) & 1 == 1)
    }

    /// Calls `mark` with the indices in the span whose values differ, and with the integers of both if both have one.
    pub(crate) fn differing(
        &self,
        other: &Self,
        kinds: (Kind, Kind),
        span: Span,
        widened: &mut Widened,
        mut mark: impl FnMut(usize, Option<(i64, i64)>),
    ) {
        if self.missing.is_none() && other.missing.is_none() && self.is_plainly_same(other, kinds, span) {
            return;
        }
        widen(&self.values, span.a, span.rows, &mut widened.a);
        widen(&other.values, span.b, span.rows, &mut widened.b);
        if kinds.0 == Kind::Text {
            let numbers = self.numbered_texts();
            number_texts(&mut widened.a, &self.texts, &numbers);
            number_texts(&mut widened.b, &other.texts, &numbers);
        }
        let are_same = sameness(kinds);
        for (place, (a, b)) in widened.a.iter().zip(&widened.b).enumerate() {
            match (self.lacks(span.a + place), other.lacks(span.b + place)) {
                (false, false) if !are_same(*a, *b) => mark(place, Some((*a, *b))),
                (true, false) | (false, true) => mark(place, None),
                (false, false) | (true, true) => {}
            }
        }
    }

    /// Whether the span is equal in both, judging by the stored form; `false` is inconclusive.
    fn is_plainly_same(&self, other: &Self, kinds: (Kind, Kind), span: Span) -> bool {
        if kinds.0 != kinds.1 || self.texts != other.texts {
            return false;
        }
        match (&self.values, &other.values) {
            (Decoded::Constant(a), Decoded::Constant(b)) => a == b,
            (Decoded::Offsets { base: a, lanes }, Decoded::Offsets { base: b, lanes: others }) => {
                a == b && same_lanes(lanes, others, span)
            }
            (Decoded::Dictionary { values: a, codes }, Decoded::Dictionary { values: b, codes: others }) => {
                a == b && same_lanes(codes, others, span)
            }
            (Decoded::Wide(a), Decoded::Wide(b)) => {
                a[span.a..span.a + span.rows] == b[span.b..span.b + span.rows]
            }
            _ => false,
        }
    }

    /// The index of each text here; for duplicates, the first.
    fn numbered_texts(&self) -> HashMap<&str, i64> {
        self.texts.iter().enumerate().rev().map(|(at, text)| (text.as_str(), at as i64)).collect()
    }
}

/// Replaces codes of texts by the texts' numbers; -1 if a text has none.
fn number_texts(codes: &mut [i64], texts: &[String], numbers: &HashMap<&str, i64>) {
    let of_code: Vec<i64> =
        texts.iter().map(|text| numbers.get(text.as_str()).copied().unwrap_or(-1)).collect();
    codes.iter_mut().for_each(|code| *code = of_code.get(*code as usize).copied().unwrap_or(-1));
}

fn same_lanes(a: &Lanes, b: &Lanes, span: Span) -> bool {
    let (of_a, of_b) = (span.a..span.a + span.rows, span.b..span.b + span.rows);
    match (a, b) {
        (Lanes::U8(a), Lanes::U8(b)) => a[of_a] == b[of_b],
        (Lanes::U16(a), Lanes::U16(b)) => a[of_a] == b[of_b],
        (Lanes::U32(a), Lanes::U32(b)) => a[of_a] == b[of_b],
        (Lanes::U64(a), Lanes::U64(b)) => a[of_a] == b[of_b],
        _ => false,
    }
}

fn widen(values: &Decoded, from: usize, rows: usize, out: &mut Vec<i64>) {
    out.clear();
    let range = from..from + rows;
    match values {
        Decoded::Constant(value) => out.resize(rows, *value),
        Decoded::Wide(values) => out.extend_from_slice(&values[range]),
        Decoded::Offsets { base, lanes } => {
            each_lane(lanes, range, |lane| out.push(base.wrapping_add(lane as i64)))
        }
        Decoded::Dictionary { values, codes } => {
            each_lane(codes, range, |code| out.push(values[code as usize]))
        }
    }
}

fn each_lane(lanes: &Lanes, range: std::ops::Range<usize>, mut take: impl FnMut(u64)) {
    match lanes {
        Lanes::U8(lanes) => lanes[range].iter().for_each(|lane| take(u64::from(*lane))),
        Lanes::U16(lanes) => lanes[range].iter().for_each(|lane| take(u64::from(*lane))),
        Lanes::U32(lanes) => lanes[range].iter().for_each(|lane| take(u64::from(*lane))),
        Lanes::U64(lanes) => lanes[range].iter().for_each(|lane| take(*lane)),
    }
}

/// The function that decides whether integers of two columns of these types represent the same value.
fn sameness(kinds: (Kind, Kind)) -> fn(i64, i64) -> bool {
    match kinds {
        (Kind::F32, Kind::F32) => |a, b| same_floats(narrow_float(a), narrow_float(b)),
        (Kind::F64, Kind::F64) => |a, b| same_floats(wide_float(a), wide_float(b)),
        (Kind::F32, Kind::F64) => |a, b| same_floats(narrow_float(a), wide_float(b)),
        (Kind::F64, Kind::F32) => |a, b| same_floats(wide_float(a), narrow_float(b)),
        // Beyond i64::MAX an unsigned number is stored as a negative one.
        (Kind::U64, b) if b != Kind::U64 => |a, b| a == b && a >= 0,
        (a, Kind::U64) if a != Kind::U64 => |a, b| a == b && a >= 0,
        _ => |a, b| a == b,
    }
}

fn same_floats(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

fn narrow_float(integer: i64) -> f64 {
    f64::from(f32::from_bits(integer as u32))
}

fn wide_float(integer: i64) -> f64 {
    f64::from_bits(integer as u64)
}
