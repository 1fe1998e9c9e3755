//! Turns tests of one column into ranges of its values, by trying out all possible values when a query is compiled.
//!
//! ```text
//! best / 50 = 2      ──▶  best in 100 to 149
//! best % 7 = 3       ──▶  best in a set of values, a bit for each
//! abs(best) > 900    ──▶  best up to -901, or from 901 on
//! ```
//!
//! The column is then tested in its stored form, and nothing is computed for its rows.

use super::Compiler;
use crate::engine::scan::graph::{Lane, Number, Part, Test, TestId};
use crate::engine::scan::of_values::OfValues;
use crate::engine::vector::Vector;

/// The largest number of values that are tried out.
const VALUES_MAX: i64 = 1 << 16;
/// The number of ranges above which a set is used.
const RANGES_MAX: usize = 3;

impl Compiler<'_> {
    /// An equivalent test of the values of one column.
    pub(super) fn over_domain(&mut self, test: &Test) -> Option<TestId> {
        if let Test::Within(number, ..) = test
            && let Number::Column(_) = self.compiled.numbers[*number]
        {
            // This is already a range of the column.
            return None;
        }
        let column = self.compiled.one_column_of(test)?;
        // A stored integer does not tell whether its row has a value.
        let mut asks_known = false;
        let parts = |visit: &mut dyn FnMut(Part)| test.each(visit);
        self.compiled.each_below(parts, &mut |part| {
            asks_known |=
                matches!(part, Part::Test(test) if matches!(self.compiled.tests[test], Test::Known(_)));
        });
        if asks_known {
            return None;
        }
        let number = self.column(column);
        let (low, high) = self.compiled.bounds[number];
        let count = high.checked_sub(low).filter(|span| *span < VALUES_MAX)? + 1;
        if self.compiled.lanes[number] != Lane::Integer || count as u64 > self.tree.nodes().saturating_mul(4)
        {
            return None;
        }
        let values = Vector::Integer((low..=high).collect());
        let holds = OfValues { compiled: &self.compiled, values: &values, lacks_last: false }.test(test);
        let mut ranges: Vec<(i64, i64)> = Vec::new();
        holds.each(|place| match (low + place as i64, ranges.last_mut()) {
            (value, Some((_, last))) if *last + 1 == value => *last = value,
            (value, _) => ranges.push((value, value)),
        });
        if ranges.len() <= RANGES_MAX {
            let tests = ranges.into_iter().map(|(low, high)| self.within(number, low, high)).collect();
            return Some(self.any(tests));
        }
        Some(self.put_test(Test::InSet(column, low, holds.words().into())))
    }
}
