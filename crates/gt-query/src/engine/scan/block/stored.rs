//! Numbers and tests of one column, from its stored form: over the values that occur in the block, if they are far
//! fewer than its rows.

use gt_log::{Column, Decoded, Kind};

use super::Scanner;
use crate::engine::Failure;
use crate::engine::bits::Bitmap;
use crate::engine::scan::graph::{Constant, Lane, Number, NumberId, TestId};
use crate::engine::scan::lanes::{codes_within, each_lane};
use crate::engine::scan::of_values::{OfValues, bit_of};
use crate::engine::vector::{
    Vector, look_up_codes, read_as_floats, read_column, read_texts, stored_texts_where,
};

/// So many times as many rows as values make a look-up for each row worth while.
const ROWS_PER_VALUE: usize = 4;

impl Scanner<'_> {
    /// The values of a column.
    pub(super) fn column(&mut self, column: Column, as_wide: bool, out: &mut Vector) -> Result<(), Failure> {
        let (rows, kind) = (self.rows(), self.kind_of(column));
        self.shape.columns.load(column)?;
        let decoded = self.shape.columns.get(column);
        match (kind, column) {
            (Kind::Text, Column::Attribute(attribute)) => {
                read_texts(&self.shape.columns.texts(attribute), decoded, rows, out);
            }
            _ => read_column(decoded, kind, as_wide, rows, out),
        }
        if let Vector::Float(lanes) = out {
            each_row(self.missing(column)?, lanes.len(), |row| lanes[row] = f64::NAN);
        }
        Ok(())
    }

    /// Computes a number of one column over the values of the block, and returns `true`; `false` if it reads more
    /// than that, or the values are many.
    pub(super) fn number_of_stored(&mut self, id: NumberId, out: &mut Vector) -> Result<bool, Failure> {
        let compiled = self.compiled;
        let Some(column) = compiled.number_of_one[id] else { return Ok(false) };
        let Some(values) = self.few_values(column)? else { return self.floats_of_integers(id, column, out) };
        let over = OfValues { compiled, values: &values };
        let found = over.number(id);
        let codes = match self.shape.columns.get(column) {
            Decoded::Dictionary { codes: lanes, .. } | Decoded::Offsets { lanes, .. } => lanes,
            Decoded::Constant(_) | Decoded::Wide(_) => return Ok(false),
        };
        look_up_codes(codes, &found, out);
        // The last one is of the rows that lack it.
        match (out, &*found) {
            (Vector::Float(lanes), Vector::Float(found)) => {
                let last = found.last().copied().unwrap_or(f64::NAN);
                each_row(self.missing_float(column)?, lanes.len(), |row| lanes[row] = last);
            }
            (Vector::Integer(lanes), Vector::Integer(found)) => {
                let last = found.last().copied().unwrap_or_default();
                each_row(self.missing_float(column)?, lanes.len(), |row| lanes[row] = last);
            }
            _ => {}
        }
        Ok(true)
    }

    /// The integers of a column as floats, if that is what the number is.
    fn floats_of_integers(
        &mut self,
        id: NumberId,
        column: Column,
        out: &mut Vector,
    ) -> Result<bool, Failure> {
        let compiled = self.compiled;
        let is_it = match compiled.numbers[id] {
            Number::Convert(Lane::Float, inner) => {
                compiled.numbers[inner] == Number::Column(column) && !self.is_computed(inner)
            }
            _ => false,
        };
        if is_it {
            read_as_floats(self.shape.columns.get(column), self.rows(), out);
        }
        Ok(is_it)
    }

    /// Like [`Scanner::number_of_stored`], for a test.
    pub(super) fn test_of_stored(&mut self, id: TestId, out: &mut Bitmap) -> Result<bool, Failure> {
        let compiled = self.compiled;
        let Some(column) = compiled.test_of_one[id] else { return Ok(false) };
        let Some(values) = self.few_values(column)? else { return Ok(false) };
        let found = OfValues { compiled, values: &values }.test(&compiled.tests[id]);
        let holds: Vec<bool> = (0..found.rows()).map(|place| found.get(place)).collect();
        match self.shape.columns.get(column) {
            Decoded::Dictionary { codes: lanes, .. } | Decoded::Offsets { lanes, .. } => {
                codes_within(lanes, &holds, out);
            }
            Decoded::Constant(_) | Decoded::Wide(_) => return Ok(false),
        }
        let rows = out.rows();
        each_row(self.missing_float(column)?, rows, |row| out.set(row, holds.last() == Some(&true)));
        Ok(true)
    }

    /// The values that the codes of a column stand for, if they are few; after them NaN, if rows lack a float.
    fn few_values(&mut self, column: Column) -> Result<Option<Vector>, Failure> {
        let (most, kind) = (self.rows() / ROWS_PER_VALUE, self.kind_of(column));
        self.shape.columns.load(column)?;
        let largest = self.shape.head.columns[column.number()].max;
        let values: Vec<i64> = match self.shape.columns.get(column) {
            Decoded::Dictionary { values, .. } if values.len() <= most => values.clone(),
            Decoded::Offsets { base, .. }
                if !matches!(kind, Kind::F32 | Kind::F64)
                    && largest.checked_sub(*base).is_some_and(|span| (0..most as i64).contains(&span)) =>
            {
                (*base..=largest).collect()
            }
            _ => return Ok(None),
        };
        let (mut found, count) = (Vector::default(), values.len());
        read_column(&Decoded::Wide(values), kind, false, count, &mut found);
        if !self.missing_float(column)?.is_empty()
            && let Vector::Float(values) = &mut found
        {
            values.push(f64::NAN);
        }
        Ok(Some(found))
    }

    fn kind_of(&self, column: Column) -> Kind {
        match column {
            Column::Attribute(attribute) => self.shape.tree.schema().attributes()[attribute].kind,
            Column::LeftOut => Kind::U64,
            Column::Size | Column::LastMove | Column::Status => Kind::I64,
        }
    }

    /// The rows that lack an attribute, as bits; none, if no row does.
    fn missing(&mut self, column: Column) -> Result<&[u64], Failure> {
        let Column::Attribute(attribute) = column else { return Ok(&[]) };
        self.shape.columns.load_missing(attribute)?;
        Ok(self.shape.columns.missing(attribute).unwrap_or_default())
    }

    /// The same for a float; where another value is missing, it does not matter what a lane is.
    fn missing_float(&mut self, column: Column) -> Result<&[u64], Failure> {
        match self.kind_of(column) {
            Kind::F32 | Kind::F64 => self.missing(column),
            _ => Ok(&[]),
        }
    }

    /// Tests a stored text against a constant one in the column's stored form, and returns `true`; `false` for other
    /// operands, or if the column is already a vector.
    pub(super) fn ask_stored(
        &mut self,
        a: NumberId,
        b: NumberId,
        holds: impl Fn(&str, &str) -> bool,
        out: &mut Bitmap,
    ) -> Result<bool, Failure> {
        let compiled = self.compiled;
        let (Number::Column(column @ Column::Attribute(attribute)), Number::Constant(Constant::Text(text))) =
            (&compiled.numbers[a], &compiled.numbers[b])
        else {
            return Ok(false);
        };
        if compiled.lanes[a] != Lane::Text || self.buffers.done.numbers[a] {
            return Ok(false);
        }
        self.shape.columns.load(*column)?;
        let (texts, stored) = (self.shape.columns.texts(*attribute), self.shape.columns.get(*column));
        stored_texts_where(&texts, stored, self.rows(), |found| holds(found, text), out);
        Ok(true)
    }
}

/// Calls `visit` with the rows whose bits are set.
fn each_row(words: &[u64], rows: usize, mut visit: impl FnMut(usize)) {
    for (place, word) in words.iter().enumerate() {
        let mut left = *word;
        while left != 0 {
            let row = place * 64 + left.trailing_zeros() as usize;
            if row < rows {
                visit(row);
            }
            left &= left - 1;
        }
    }
}

/// The rows whose integers are in a set, which has a bit for each value from the first on.
pub(super) fn in_set(column: &Decoded, rows: usize, first: i64, words: &[u64], out: &mut Bitmap) {
    let holds = |value: i64| bit_of(words, first, value);
    match column {
        Decoded::Constant(value) => out.fill(rows, holds(*value) == 1),
        Decoded::Wide(values) => out.pack(values, holds),
        Decoded::Dictionary { values, codes } => {
            let table: Vec<u8> = values.iter().map(|value| holds(*value)).collect();
            each_lane!(codes, codes => out.pack(codes, |code| table.get(code as usize).copied().unwrap_or(0)));
        }
        // One of the lanes is already as wide as the number.
        #[allow(clippy::useless_conversion)]
        Decoded::Offsets { base, lanes } => each_lane!(lanes, lanes => {
            out.pack(lanes, |lane| holds(base.wrapping_add(u64::from(lane) as i64)));
        }),
    }
}
