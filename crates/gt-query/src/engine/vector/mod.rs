//! Values of many rows at once, and the results of operators and functions, lane by lane.
//!
//! ```text
//! row              0    1    2
//! a                7   -3  101     a vector
//! a / 50           0    0    2     arithmetic: a vector again
//! a / 50 = 2       0    0    1     compare: a bitmap
//! ```
//!
//! A function gives for each row the result of [`Value`] and its operators for that row's values. The caller knows
//! which rows have a value, and keeps them in bitmaps beside the vectors.
//!
//! **Invariant:** the lane of a row whose value is unknown is meaningless and makes no function panic; an unknown
//! float is NaN, and no float is `-0.0`. Lengths are those of the operands; two constants give one row.
//!
//! Functions panic if the kinds of their operands do not match: the caller converts. Only a constant integer is
//! accepted as a wide integer or a float if the other operand is one.

mod arithmetic;
mod column;
mod compare;
mod divide;
mod functions;
mod gather;
mod lanes;
mod overflow;
#[cfg(test)]
mod tests;
mod texts;

use std::cmp::Ordering;

use crate::value::Value;
pub(in crate::engine) use arithmetic::arithmetic;
pub(in crate::engine) use column::{
    look_up_codes, read_as_floats, read_column, read_texts, stored_texts_where,
};
pub(in crate::engine) use compare::{compare, has_value, is_finite, within};
pub(in crate::engine) use functions::{
    absolute, choose, convert, logarithm, lower_case, pick, round, square_root, truth,
};
pub(in crate::engine) use gather::{NOBODY, each_ghost, gather, gather_bits};
pub(in crate::engine) use lanes::Lanes;
pub(in crate::engine) use overflow::{absolute_overflows, overflows};
pub(in crate::engine) use texts::{TextQuestion, Texts, ask_texts};

/// A value of every row.
#[derive(Clone, Debug)]
pub(in crate::engine) enum Vector {
    /// Integers of 64 bits; truth values as 0 and 1.
    Integer(Vec<i64>),
    /// Integers in `i64::MIN ..= u64::MAX`.
    Wide(Vec<i128>),
    /// Floats, NaN where unknown.
    Float(Vec<f64>),
    /// Texts.
    Text(Texts),
}

/// The kind of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::engine) enum VectorKind {
    /// Integers of 64 bits.
    Integer,
    /// Integers in `i64::MIN ..= u64::MAX`.
    Wide,
    /// Floats.
    Float,
    /// Texts.
    Text,
}

impl Default for Vector {
    fn default() -> Self {
        Self::Integer(Vec::new())
    }
}

/// A method that turns a vector into one of a kind, if necessary, and returns its lanes for writing.
macro_rules! lanes_to_write {
    ($name:ident, $kind:ident, $lanes:ty) => {
        pub(in crate::engine) fn $name(&mut self) -> &mut $lanes {
            if !matches!(self, Self::$kind(_)) {
                *self = Self::$kind(<$lanes>::default());
            }
            match self {
                Self::$kind(lanes) => lanes,
                _ => unreachable!("it was made one just now"),
            }
        }
    };
}

impl Vector {
    lanes_to_write!(integers_mut, Integer, Vec<i64>);
    lanes_to_write!(wides_mut, Wide, Vec<i128>);
    lanes_to_write!(floats_mut, Float, Vec<f64>);
    lanes_to_write!(texts_mut, Text, Texts);

    /// An empty vector of a kind.
    pub(in crate::engine) fn empty(kind: VectorKind) -> Self {
        let mut empty = Self::default();
        empty.set_values(kind, &[]);
        empty
    }

    pub(in crate::engine) fn kind(&self) -> VectorKind {
        match self {
            Self::Integer(_) => VectorKind::Integer,
            Self::Wide(_) => VectorKind::Wide,
            Self::Float(_) => VectorKind::Float,
            Self::Text(_) => VectorKind::Text,
        }
    }

    pub(in crate::engine) fn len(&self) -> usize {
        match self {
            Self::Integer(lanes) => lanes.len(),
            Self::Wide(lanes) => lanes.len(),
            Self::Float(lanes) => lanes.len(),
            Self::Text(texts) => texts.codes.len(),
        }
    }

    /// The value of a row that has one; unknown for a float that is NaN.
    pub(in crate::engine) fn value_at(&self, row: usize) -> Option<Value> {
        match self {
            Self::Integer(lanes) => Some(Value::Integer(lanes[row].into())),
            Self::Wide(lanes) => Some(Value::Integer(lanes[row])),
            Self::Float(lanes) => Value::float(lanes[row]),
            Self::Text(texts) => texts.get(row).cloned().map(Value::Text),
        }
    }

    /// Makes it the vector of a kind with these values. A truth value is 0 or 1; a value that the kind cannot hold
    /// counts as unknown.
    pub(in crate::engine) fn set_values(&mut self, kind: VectorKind, values: &[Option<Value>]) {
        let integers = values.iter().map(|value| match value {
            Some(Value::Integer(value)) => *value,
            Some(Value::Boolean(value)) => i128::from(*value),
            Some(Value::Float(_) | Value::Text(_) | Value::Line(_)) | None => 0,
        });
        match kind {
            VectorKind::Integer => refill(self.integers_mut(), integers.map(|value| value as i64)),
            VectorKind::Wide => refill(self.wides_mut(), integers),
            VectorKind::Float => {
                let floats = values.iter().map(|value| value.as_ref().and_then(Value::as_float));
                refill(self.floats_mut(), floats.map(|value| value.unwrap_or(f64::NAN)));
            }
            VectorKind::Text => self.texts_mut().set_values(values),
        }
    }

    /// A number that orders the rows that have a value as their values do, except that some wide integers may share
    /// one.
    #[inline]
    pub(in crate::engine) fn order_word(&self, row: usize) -> u64 {
        const SIGN: u64 = 1 << 63;
        match self {
            Self::Integer(lanes) => lanes[row].cast_unsigned() ^ SIGN,
            // They range from the smallest 64-bit integer, below zero.
            Self::Wide(lanes) => ((lanes[row] - i128::from(i64::MIN)) >> 1) as u64,
            Self::Float(lanes) => {
                let bits = lanes[row].to_bits();
                if bits & SIGN == 0 { bits | SIGN } else { !bits }
            }
            Self::Text(texts) => texts.codes[row].into(),
        }
    }

    /// The order of the values of two rows that have one.
    pub(in crate::engine) fn order(&self, left: usize, right: usize) -> Ordering {
        match self {
            Self::Integer(lanes) => lanes[left].cmp(&lanes[right]),
            Self::Wide(lanes) => lanes[left].cmp(&lanes[right]),
            Self::Float(lanes) => lanes[left].total_cmp(&lanes[right]),
            Self::Text(texts) => texts.codes[left].cmp(&texts.codes[right]),
        }
    }
}

fn refill<T>(out: &mut Vec<T>, lanes: impl Iterator<Item = T>) {
    out.clear();
    out.extend(lanes);
}
