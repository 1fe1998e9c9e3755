//! Numbers and tests of one column, from its stored form: computed for the values that occur in the block, if these
//! are far fewer than its rows.

use gt_log::{Column, Decoded, Kind, Lanes};

use super::Scanner;
use crate::engine::Failure;
use crate::engine::bits::Bitmap;
use crate::engine::scan::graph::{Compiled, Constant, Lane, Number, NumberId, Part, TestId};
use crate::engine::scan::lanes::{codes_within, each_lane};
use crate::engine::scan::of_values::{OfValues, bit_of};
use crate::engine::scan::slotted::Slotted;
use crate::engine::vector::{
    Vector, look_up_codes, offset, read_as_floats, read_column, read_texts, stored_texts_where,
};

/// The values of a column in a block.
pub(in crate::engine::scan) struct FewValues {
    pub(in crate::engine::scan) values: Vector,
    /// Whether the last one stands for the rows that lack a value.
    lacks_last: bool,
}

impl FewValues {
    fn new(mut values: Vec<i64>, kind: Kind, lacks_last: bool) -> Self {
        values.extend(lacks_last.then_some(0));
        let (mut found, count) = (Vector::default(), values.len());
        read_column(&Decoded::Wide(values), kind, false, count, &mut found);
        if let (true, Vector::Float(values)) = (lacks_last, &mut found) {
            values.iter_mut().next_back().into_iter().for_each(|last| *last = f64::NAN);
        }
        Self { values: found, lacks_last }
    }

    pub(in crate::engine::scan) fn of<'a>(&'a self, compiled: &'a Compiled) -> OfValues<'a> {
        OfValues { compiled, values: &self.values, lacks_last: self.lacks_last }
    }
}

/// Values are few, and a look-up for each row worth while, if there are this many rows per value.
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
        let values = values.of(compiled);
        let found = values.number(id);
        let Some(codes) = self.codes_of(column) else { return Ok(false) };
        look_up_codes(codes, &found, out);
        match (out, &*found) {
            (Vector::Float(lanes), Vector::Float(found)) => {
                let last = found.last().copied().unwrap_or(f64::NAN);
                each_row(self.missing(column)?, lanes.len(), |row| lanes[row] = last);
            }
            (Vector::Integer(lanes), Vector::Integer(found)) => {
                let last = found.last().copied().unwrap_or_default();
                each_row(self.missing(column)?, lanes.len(), |row| lanes[row] = last);
            }
            _ => {}
        }
        Ok(true)
    }

    /// The integers of a column as floats, if the number is just that.
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
        let found = values.of(compiled).test(&compiled.tests[id]);
        let Some(codes) = self.codes_of(column) else { return Ok(false) };
        let holds: Vec<bool> = (0..found.rows()).map(|place| found.get(place)).collect();
        codes_within(codes, &holds, out);
        let rows = out.rows();
        each_row(self.missing(column)?, rows, |row| out.set(row, holds.last() == Some(&true)));
        Ok(true)
    }

    /// The values that the codes of a column stand for, if they are few; if rows lack a value, the last one stands for
    /// them.
    pub(in crate::engine::scan) fn few_values(
        &mut self,
        column: Column,
    ) -> Result<Option<FewValues>, Failure> {
        let (most, kind) = (self.rows() / ROWS_PER_VALUE, self.kind_of(column));
        self.shape.columns.load(column)?;
        let largest = self.shape.head.columns[column.number()].max;
        let values: Vec<i64> = match self.shape.columns.get(column) {
            _ if kind == Kind::Text => return Ok(None),
            Decoded::Constant(value) => vec![*value],
            Decoded::Dictionary { values, .. } if values.len() <= most => values.clone(),
            Decoded::Offsets { base, .. }
                if !matches!(kind, Kind::F32 | Kind::F64)
                    && largest.checked_sub(*base).is_some_and(|span| (0..most as i64).contains(&span)) =>
            {
                (*base..=largest).collect()
            }
            _ => return Ok(None),
        };
        let lacks_last = !self.missing(column)?.is_empty();
        Ok(Some(FewValues::new(values, kind, lacks_last)))
    }

    /// The code of each row's value; `None` if all rows have the same value or each has its own.
    fn codes_of(&self, column: Column) -> Option<&Lanes> {
        match self.shape.columns.get(column) {
            Decoded::Dictionary { codes: lanes, .. } | Decoded::Offsets { lanes, .. } => Some(lanes),
            Decoded::Constant(_) | Decoded::Wide(_) => None,
        }
    }

    /// Counts how many of some rows have each value of a column; `None` if the values are many.
    pub(in crate::engine::scan) fn count_values(
        &mut self,
        column: Column,
        rows: &Bitmap,
    ) -> Result<Option<(FewValues, Vec<u32>)>, Failure> {
        let few = self.few_values(column)?;
        let mut known = rows.clone();
        known.and_not_words(self.missing(column)?);
        let (values, mut counts) = match (few, self.kind_of(column)) {
            (Some(values), _) => {
                let mut counts = vec![0; values.values.len()];
                match self.codes_of(column) {
                    Some(codes) => count_codes(codes, &known, &mut counts),
                    None => counts.iter_mut().take(1).for_each(|count| *count = known.count() as u32),
                }
                (values, counts)
            }
            (None, Kind::F32 | Kind::F64 | Kind::Text) => return Ok(None),
            (None, kind) => {
                let counted = match self.shape.columns.get(column) {
                    Decoded::Offsets { base, lanes } => each_lane!(lanes, lanes => {
                        count_near(lanes, |lane| offset(*base, lane), &known)
                    }),
                    Decoded::Wide(values) => count_near(values, |value| value, &known),
                    Decoded::Constant(_) | Decoded::Dictionary { .. } => None,
                };
                let Some((values, mut counts)) = counted else { return Ok(None) };
                let lacks_last = !self.missing(column)?.is_empty();
                counts.extend(lacks_last.then_some(0));
                (FewValues::new(values, kind, lacks_last), counts)
            }
        };
        if values.lacks_last {
            let lacking = (rows.count() - known.count()) as u32;
            counts.iter_mut().next_back().into_iter().for_each(|count| *count += lacking);
        }
        Ok(Some((values, counts)))
    }

    /// Counts how many rows of each slot have each value of a column; `None` if there are too many of them.
    pub(in crate::engine::scan) fn count_values_by_slot(
        &mut self,
        column: Column,
        slotted: &Slotted<'_>,
    ) -> Result<Option<(FewValues, Vec<u32>)>, Failure> {
        let Some(values) = self.few_values(column)? else { return Ok(None) };
        let (count, missing) = (values.values.len(), self.missing(column)?.to_vec());
        let Some(codes) = self.codes_of(column) else { return Ok(None) };
        if count * slotted.count > slotted.rows.len() / ROWS_PER_COUNT {
            return Ok(None);
        }
        let (mut counts, last) = (vec![0_u32; count * slotted.count], count - 1);
        let lacks = |row: usize| missing.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1);
        each_lane!(codes, codes => slotted.each(|row, slot, _| {
            let code = if lacks(row) { last } else { last.min(codes[row] as usize) };
            counts[slot as usize * count + code] += 1;
        }));
        Ok(Some((values, counts)))
    }

    /// Calls `then` while the values of a column stand in for the rows; these parts are computed for the values.
    pub(in crate::engine::scan) fn among_values<T>(
        &mut self,
        values: &FewValues,
        parts: &[Part],
        then: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let mut buffers = self.buffers.of_values.take().unwrap_or_default();
        buffers.begin(self.compiled);
        let values = values.of(self.compiled);
        for part in parts {
            match *part {
                Part::Number(number) => buffers.numbers[number] = values.number(number).into_owned(),
                Part::Test(test) => buffers.tests[test] = values.test(&self.compiled.tests[test]),
            }
        }
        std::mem::swap(self.buffers, &mut *buffers);
        let result = then(self);
        std::mem::swap(self.buffers, &mut *buffers);
        self.buffers.of_values = Some(buffers);
        result
    }

    /// The type of a column's values.
    pub(in crate::engine::scan) fn kind_of(&self, column: Column) -> Kind {
        match column {
            Column::Attribute(attribute) => self.shape.tree.schema().attributes()[attribute].kind,
            Column::LeftOut => Kind::U64,
            Column::Size | Column::LastMove | Column::Status => Kind::I64,
        }
    }

    /// The rows that lack an attribute, as bits; empty if no row does.
    fn missing(&mut self, column: Column) -> Result<&[u64], Failure> {
        let Column::Attribute(attribute) = column else { return Ok(&[]) };
        self.shape.columns.load_missing(attribute)?;
        Ok(self.shape.columns.missing(attribute).unwrap_or_default())
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

/// Counting the values of each slot is worth while if there are this many rows per count.
const ROWS_PER_COUNT: usize = 16;

/// The number of tables in which neighbouring rows are counted in turn: they mostly have the same value, and adding to
/// one place repeatedly is slow.
const WAYS: usize = 4;

/// Counts the rows of each code; codes that only a log with wrong heads has count as the last.
fn count_codes(codes: &Lanes, rows: &Bitmap, counts: &mut [u32]) {
    let values = counts.len();
    let Some(last) = values.checked_sub(1) else { return };
    let mut by_way = vec![0_u32; WAYS * values];
    let (mut ways, mut turn) = (by_way.chunks_exact_mut(values), 0);
    let mut ways: [&mut [u32]; WAYS] = std::array::from_fn(|_| ways.next().unwrap_or_default());
    each_lane!(codes, codes => {
        let mut count = |way: usize, code: usize| ways[way][code.min(last)] += 1;
        if rows.count() < codes.len() as u64 {
            rows.each(|row| {
                count(turn % WAYS, codes[row] as usize);
                turn += 1;
            });
        } else {
            let (whole, rest) = codes.as_chunks::<WAYS>();
            for codes in whole {
                codes.iter().enumerate().for_each(|(way, code)| count(way, *code as usize));
            }
            rest.iter().for_each(|code| count(0, *code as usize));
        }
    });
    for way in ways {
        counts.iter_mut().zip(way).for_each(|(count, counted)| *count += *counted);
    }
}

/// The number of integers around a block's middle that a table counts.
const NEAR: usize = 1 << 15;
/// The number of rows that tell where the middle is.
const SAMPLE: usize = 64;

/// The integers of some rows, and how many rows have each; `None` if too many of the integers are far from the middle.
fn count_near<T: Copy>(
    lanes: &[T],
    value_of: impl Fn(T) -> i64,
    rows: &Bitmap,
) -> Option<(Vec<i64>, Vec<u32>)> {
    let step = lanes.len().div_ceil(SAMPLE).max(1);
    let mut sample: Vec<i64> = lanes.iter().step_by(step).map(|lane| value_of(*lane)).collect();
    sample.sort_unstable();
    let low = sample.get(sample.len() / 2)?.wrapping_sub(NEAR as i64 / 2);
    let place = |value: i64| value.wrapping_sub(low).cast_unsigned() as usize;
    if sample.iter().filter(|value| place(**value) >= NEAR).count() > sample.len() / 4 {
        return None;
    }
    let (mut table, mut others) = (vec![0_u32; NEAR], Vec::new());
    let mut count = |lane: T| {
        let value = value_of(lane);
        match table.get_mut(place(value)) {
            Some(count) => *count += 1,
            None => others.push(value),
        }
    };
    if rows.count() < lanes.len() as u64 {
        rows.each(|row| count(lanes[row]));
    } else {
        lanes.iter().for_each(|lane| count(*lane));
    }
    others.sort_unstable();
    let near = table.iter().enumerate().filter(|(_, count)| **count > 0);
    let near = near.map(|(place, count)| (low.wrapping_add(place as i64), *count));
    let others = others.chunk_by(|left, right| left == right).map(|same| (same[0], same.len() as u32));
    Some(near.chain(others).unzip())
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

/// The rows whose integers are in a set; it has a bit for each value from `first` on.
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
            out.pack(lanes, |lane| holds(offset(*base, lane)));
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// Integers around a middle, and some far away.
    fn values() -> impl Strategy<Value = Vec<i64>> {
        let far = prop_oneof![any::<i64>(), Just(i64::MIN), Just(i64::MAX), -40_000..40_000_i64];
        let middle = prop_oneof![Just(0), Just(i64::MAX), Just(i64::MIN), Just(-1_000_000)];
        middle.prop_flat_map(move |middle| {
            let near = (-300..300_i64).prop_map(move |step| middle.wrapping_add(step));
            proptest::collection::vec(prop_oneof![8 => near, 1 => far.clone()], 1..700)
        })
    }

    proptest! {
        #[test]
        fn integers_are_counted(values in values(), chosen in proptest::bool::weighted(0.8)) {
            let mut rows = Bitmap::default();
            rows.pack(&values, |value| u8::from(chosen || value % 3 != 0));
            let mut expected = BTreeMap::new();
            rows.each(|row| *expected.entry(values[row]).or_insert(0) += 1);
            if let Some((found, counts)) = count_near(&values, |value| value, &rows) {
                prop_assert_eq!(found.len(), expected.len());
                prop_assert_eq!(found.into_iter().zip(counts).collect::<BTreeMap<_, _>>(), expected);
            }
            let codes: Vec<u16> = values.iter().map(|value| value.rem_euclid(1000) as u16).collect();
            let mut counts = vec![0; 900];
            count_codes(&Lanes::U16(codes.clone()), &rows, &mut counts);
            let mut expected = vec![0; 900];
            rows.each(|row| expected[usize::from(codes[row]).min(899)] += 1);
            prop_assert_eq!(counts, expected);
        }
    }
}
