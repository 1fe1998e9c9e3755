//! The inferred type of a column that declares none, from all its values.
//!
//! Whole numbers take the narrowest of i8, i16, i32, i64, u64 that holds them all; a number with a point or an exponent makes the column
//! f64; NaN and the infinities are floats in a column with numbers, otherwise texts. In CSV a column of anything else is text; in JSON
//! Lines values of different types are an error.

use gt_log::Kind;

use crate::error::noun;
use crate::literal::{Looks, range};
use crate::{Error, ErrorKind, Result, RowPlace};

/// The largest number up to which every whole number is exact as a float.
const EXACT_MAX: i128 = 1 << 53;

/// The values seen in a column.
#[derive(Clone, Debug, Default)]
pub(super) struct Inference {
    bools: Option<RowPlace>,
    integers: Option<RowPlace>,
    floats: Option<RowPlace>,
    words: Option<RowPlace>,
    texts: Option<RowPlace>,
    min: i128,
    max: i128,
    /// The first whole number that is too large for every type.
    huge: Option<(RowPlace, String)>,
    /// The first whole number that no float equals.
    inexact: Option<(RowPlace, i128)>,
}

impl Inference {
    /// Processes an unquoted value.
    pub(super) fn see(&mut self, text: &str, place: RowPlace) {
        let seen = match Looks::of(text) {
            Looks::Nothing => return,
            Looks::Bool => &mut self.bools,
            Looks::Int(integer) => {
                self.see_integer(integer, text, place);
                &mut self.integers
            }
            Looks::Huge => {
                self.huge.get_or_insert_with(|| (place, text.to_owned()));
                &mut self.integers
            }
            Looks::Float => &mut self.floats,
            Looks::Word => &mut self.words,
            Looks::Text => &mut self.texts,
        };
        seen.get_or_insert(place);
    }

    /// Processes a value that is written as a text.
    pub(super) fn see_text(&mut self, text: &str, place: RowPlace) {
        let seen = if Looks::of(text) == Looks::Word { &mut self.words } else { &mut self.texts };
        seen.get_or_insert(place);
    }

    fn see_integer(&mut self, integer: i128, text: &str, place: RowPlace) {
        if self.integers.is_none() {
            (self.min, self.max) = (integer, integer);
        }
        self.min = self.min.min(integer);
        self.max = self.max.max(integer);
        if integer < i128::from(i64::MIN) || integer > i128::from(u64::MAX) {
            self.huge.get_or_insert_with(|| (place, text.to_owned()));
        }
        if integer.abs() > EXACT_MAX {
            self.inexact.get_or_insert((place, integer));
        }
    }

    /// The type of a column whose cells are untyped texts.
    pub(super) fn untyped(&self) -> Result<Kind> {
        let numbers = self.integers.is_some() || self.floats.is_some();
        if self.texts.is_some() || (self.bools.is_some() && (numbers || self.words.is_some())) {
            return Ok(Kind::Text);
        }
        self.one_type(numbers)
    }

    /// The type of a column whose texts are marked as such.
    pub(super) fn typed(&self) -> Result<Kind> {
        let numbers = self.integers.is_some() || self.floats.is_some();
        let number_at = earliest([self.integers, self.floats]);
        let text_at = if numbers { self.texts } else { earliest([self.texts, self.words]) };
        let mut seen: Vec<(RowPlace, &'static str)> =
            [(number_at, "a number"), (self.bools, "true or false"), (text_at, "a text")]
                .into_iter()
                .filter_map(|(place, what)| Some((place?, what)))
                .collect();
        seen.sort_unstable();
        if let [(earlier_row, earlier), (place, this), ..] = seen[..] {
            return Err(Error::new(ErrorKind::MixedTypes { this, earlier, earlier_row }).at(place));
        }
        if self.texts.is_some() { Ok(Kind::Text) } else { self.one_type(numbers) }
    }

    fn one_type(&self, numbers: bool) -> Result<Kind> {
        if self.bools.is_some() {
            return Ok(Kind::Bool);
        }
        if !numbers {
            return Ok(Kind::Text);
        }
        if let Some((place, value)) = &self.huge {
            return Err(out_of_range(value.clone(), "a number of 64 bits", *place));
        }
        if self.floats.is_some() || self.words.is_some() {
            return match self.inexact {
                None => Ok(Kind::F64),
                Some((place, value)) => Err(out_of_range(
                    value.to_string(),
                    "exact as a float, which this column's type is by its other values",
                    place,
                )),
            };
        }
        self.integer_type()
    }

    fn integer_type(&self) -> Result<Kind> {
        let kinds = [Kind::I8, Kind::I16, Kind::I32, Kind::I64, Kind::U64];
        let fits = |kind: &Kind| range(*kind).0 <= self.min && self.max <= range(*kind).1;
        kinds.into_iter().find(fits).ok_or_else(|| {
            let value = format!("{} beside {}", self.max, self.min);
            ErrorKind::OutOfRange { value, expected: noun(Kind::I64) }.into()
        })
    }
}

fn earliest<const N: usize>(places: [Option<RowPlace>; N]) -> Option<RowPlace> {
    places.into_iter().flatten().min()
}

fn out_of_range(value: String, expected: &'static str, place: RowPlace) -> Error {
    Error::new(ErrorKind::OutOfRange { value, expected }).at(place)
}
