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
mod values;

pub(in crate::engine) use arithmetic::arithmetic;
pub(in crate::engine) use column::{
    look_up_codes, offset, read_as_floats, read_column, read_texts, stored_texts_where,
};
pub(in crate::engine) use compare::{compare, has_value, is_finite, within};
pub(in crate::engine) use functions::{
    absolute, choose, convert, logarithm, lower_case, pick, round, square_root, truth,
};
pub(in crate::engine) use gather::{NOBODY, each_ghost, gather, gather_bits};
pub(in crate::engine) use lanes::Lanes;
pub(in crate::engine) use overflow::{absolute_overflows, overflows};
pub(in crate::engine) use texts::{TextQuestion, ask_texts};
pub(in crate::engine) use values::{Texts, Vector, VectorKind, float_order_word};
