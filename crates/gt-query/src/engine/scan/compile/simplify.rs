//! Numbers and tests are put down once, in the simplest form that means the same.

use gt_log::Column;

use super::Compiler;
use crate::engine::scan::graph::{Gathered, Number, NumberId, Test, TestId};

impl Compiler<'_> {
    pub(super) fn put_bounded(&mut self, number: Number, low: i128, high: i128) -> Option<NumberId> {
        let bounds = (i64::try_from(low).ok()?, i64::try_from(high).ok()?);
        Some(self.put_number(number, bounds))
    }

    pub(super) fn put_number(&mut self, number: Number, bounds: (i64, i64)) -> NumberId {
        if let Some(&id) = self.known_numbers.get(&number) {
            return id;
        }
        let id = self.compiled.numbers.len();
        self.known_numbers.insert(number.clone(), id);
        self.compiled.number_sizes.push(self.compiled.size_of(|visit| number.each(visit)));
        self.compiled.numbers.push(number);
        self.compiled.bounds.push(bounds);
        id
    }

    pub(super) fn put_test(&mut self, test: Test) -> TestId {
        if let Some(&id) = self.known_tests.get(&test) {
            return id;
        }
        let id = self.compiled.tests.len();
        self.known_tests.insert(test.clone(), id);
        self.compiled.test_sizes.push(self.compiled.size_of(|visit| test.each(visit)));
        self.compiled.tests.push(test);
        id
    }

    pub(super) fn within(&mut self, number: NumberId, low: i64, high: i64) -> TestId {
        let (least, most) = self.compiled.bounds[number];
        if low <= least && most <= high {
            return self.put_test(Test::Always(true));
        }
        if high < least || most < low {
            return self.put_test(Test::Always(false));
        }
        let (low, high) = (low.max(least), high.min(most));
        match self.compiled.numbers[number] {
            Number::Subtract(inner, other) => {
                if let Number::Constant(constant) = self.compiled.numbers[other] {
                    let (low, high) = (low.checked_add(constant), high.checked_add(constant));
                    if let (Some(low), Some(high)) = (low, high) {
                        return self.within(inner, low, high);
                    }
                }
            }
            // All children count: there are some where the size says so.
            Number::ChildCount(test) if self.compiled.tests[test] == Test::Always(true) => {
                let size = self.column(Column::Size);
                match (low, high) {
                    (0, 0) => return self.within(size, 1, 1),
                    (1, high) if high == most => return self.within(size, 2, i64::MAX),
                    _ => {}
                }
            }
            _ => {}
        }
        self.put_test(Test::Within(number, low, high))
    }

    pub(super) fn not(&mut self, test: TestId) -> TestId {
        match self.compiled.tests[test] {
            Test::Always(value) => self.put_test(Test::Always(!value)),
            Test::Not(inner) => inner,
            // The other side of a range that starts or ends with the numbers is a range.
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

    /// Conjunction where `neutral` is true, disjunction where it is false.
    pub(super) fn join(&mut self, mut tests: Vec<TestId>, neutral: bool) -> TestId {
        if tests.iter().any(|&test| self.compiled.tests[test] == Test::Always(!neutral)) {
            return self.put_test(Test::Always(!neutral));
        }
        tests.retain(|&test| self.compiled.tests[test] != Test::Always(neutral));
        tests.sort_unstable();
        tests.dedup();
        match tests[..] {
            [] => self.put_test(Test::Always(neutral)),
            [test] => test,
            _ if neutral => self.put_test(Test::All(tests)),
            _ => self.put_test(Test::Any(tests)),
        }
    }

    pub(super) fn gather(&mut self, gathered: Gathered) {
        if self.known_gathered.insert(gathered.id) {
            self.compiled.gathered.push(gathered);
        }
    }

    /// Gathers no more than the first so many.
    pub(super) fn forget_gathered(&mut self, kept: usize) {
        // Who reads a column again gathers again what it is made of.
        self.column_numbers.clear();
        self.columns_known.clear();
        self.column_tests.clear();
        for gathered in self.compiled.gathered.drain(kept..) {
            self.known_gathered.remove(&gathered.id);
        }
    }
}
