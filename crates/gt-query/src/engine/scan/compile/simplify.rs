//! Adds each number and test once, in its simplest equivalent form.

use gt_log::Column;

use super::Compiler;
use crate::engine::scan::graph::{Lane, Number, NumberId, Test, TestId};
use crate::ir::Scope;
use crate::syntax::ast::Arithmetic;
use crate::vocabulary::Function;

impl Compiler<'_> {
    /// Adds an integer that is between these bounds where it is known.
    pub(super) fn put_bounded(&mut self, number: Number, bounds: (i64, i64)) -> NumberId {
        self.put(number, Lane::Integer, bounds)
    }

    pub(super) fn put_number(&mut self, number: Number, lane: Lane) -> NumberId {
        self.put(number, lane, (i64::MIN, i64::MAX))
    }

    /// Adds a number of the same kind and with the same bounds as another.
    pub(super) fn put_like(&mut self, number: Number, other: NumberId) -> NumberId {
        self.put(number, self.compiled.lanes[other], self.compiled.bounds[other])
    }

    fn put(&mut self, number: Number, lane: Lane, bounds: (i64, i64)) -> NumberId {
        if let Some(&id) = self.known_numbers.get(&number) {
            return id;
        }
        let id = self.compiled.numbers.len();
        self.known_numbers.insert(number.clone(), id);
        self.compiled.numbers.push(number);
        self.compiled.lanes.push(lane);
        self.compiled.bounds.push(bounds);
        id
    }

    pub(super) fn put_test(&mut self, test: Test) -> TestId {
        if let Some(&id) = self.known_tests.get(&test) {
            return id;
        }
        let id = self.compiled.tests.len();
        self.known_tests.insert(test.clone(), id);
        self.compiled.tests.push(test);
        id
    }

    /// Whether an integer is in `low ..= high`.
    pub(super) fn within(&mut self, number: NumberId, low: i64, high: i64) -> TestId {
        let (least, most) = self.compiled.bounds[number];
        if low <= least && most <= high {
            return self.always(true);
        }
        if high < least || most < low {
            return self.always(false);
        }
        let (low, high) = (low.max(least), high.min(most));
        match &self.compiled.numbers[number] {
            &Number::Arithmetic(Arithmetic::Subtract, inner, other) => {
                if let Some(constant) = self.integer_constant(other)
                    && let (Some(low), Some(high)) = (low.checked_add(constant), high.checked_add(constant))
                    && self.never_wraps(number)
                {
                    return self.within(inner, low, high);
                }
            }
            // If all children count, a node has some where its size is above 1.
            Number::Fold(fold)
                if fold.scope == Scope::Child
                    && fold.function == Function::Count
                    && self.compiled.tests[fold.take] == Test::Always(true) =>
            {
                let size = self.column(Column::Size);
                match (low, high) {
                    (0, 0) => return self.within(size, 1, 1),
                    (1, high) if high == most => return self.within(size, 2, i64::MAX),
                    _ => {}
                }
            }
            _ => {}
        }
        let test = Test::Within(number, low, high);
        if let Some(ranges) = self.over_domain(&test) {
            return ranges;
        }
        self.put_test(test)
    }

    /// Whether an operation's bounds are those of its result, and not those of 64 bits.
    fn never_wraps(&self, number: NumberId) -> bool {
        !self.known_tests.contains_key(&Test::Overflows(number))
    }

    pub(super) fn not(&mut self, test: TestId) -> TestId {
        match self.compiled.tests[test] {
            Test::Always(value) => self.always(!value),
            Test::Not(inner) => inner,
            // The complement of a range that starts or ends at the bounds is a range.
            Test::Within(number, low, high) => {
                let (least, most) = self.compiled.bounds[number];
                if low == least {
                    self.within(number, high + 1, most)
                } else if high == most {
                    self.within(number, least, low - 1)
                } else {
                    self.put_test(Test::Not(test))
                }
            }
            _ => self.put_test(Test::Not(test)),
        }
    }

    pub(super) fn all(&mut self, tests: Vec<TestId>) -> TestId {
        self.join(tests, true)
    }

    pub(super) fn any(&mut self, tests: Vec<TestId>) -> TestId {
        self.join(tests, false)
    }

    /// Conjunction if `neutral` is true, disjunction if it is false.
    fn join(&mut self, tests: Vec<TestId>, neutral: bool) -> TestId {
        let mut flat = Vec::with_capacity(tests.len());
        for test in tests {
            match &self.compiled.tests[test] {
                Test::Always(value) if *value == neutral => {}
                Test::Always(_) => return self.always(!neutral),
                Test::All(inner) if neutral => flat.extend_from_slice(inner),
                Test::Any(inner) if !neutral => flat.extend_from_slice(inner),
                _ => flat.push(test),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let contradicts = |test: &TestId| match self.compiled.tests[*test] {
            Test::Not(inner) => flat.binary_search(&inner).is_ok(),
            _ => false,
        };
        if flat.iter().any(contradicts) {
            return self.always(!neutral);
        }
        let ranges = self.joined_ranges(&flat, neutral);
        if ranges.len() < flat.len() {
            return self.join(ranges, neutral);
        }
        match flat[..] {
            [] => self.always(neutral),
            [test] => test,
            _ if neutral => self.put_test(Test::All(flat)),
            _ => self.put_test(Test::Any(flat)),
        }
    }

    /// The tests with one range for all ranges of a number, where their intersection or union is one.
    fn joined_ranges(&mut self, tests: &[TestId], intersects: bool) -> Vec<TestId> {
        let (mut ranges, mut joined) = (Vec::new(), Vec::with_capacity(tests.len()));
        for &test in tests {
            match self.compiled.tests[test] {
                Test::Within(number, low, high) => ranges.push((number, low, high)),
                _ => joined.push(test),
            }
        }
        ranges.sort_unstable();
        let both = |(number, low, high): (NumberId, i64, i64), next: (NumberId, i64, i64)| {
            if number != next.0 {
                return None;
            }
            match intersects {
                true => Some((number, low.max(next.1), high.min(next.2))),
                false => (next.1 <= high.saturating_add(1)).then_some((number, low, high.max(next.2))),
            }
        };
        let mut left = ranges.into_iter().peekable();
        while let Some(mut range) = left.next() {
            while let Some(more) = left.peek().and_then(|next| both(range, *next)) {
                range = more;
                left.next();
            }
            let (number, low, high) = range;
            joined.push(if low > high { self.always(false) } else { self.within(number, low, high) });
        }
        joined
    }
}
