//! Counts of pairs of siblings that need no look at every pair.
//!
//! ```text
//! []best > alpha and []type & Cut and depth > 2        of the sibling   type & Cut
//!                                                      of the node      depth > 2
//!                                                      compared         best > alpha
//! ```
//!
//! A condition that must not hold is counted by those that fulfil it: `all([]best < best)` counts siblings, less those
//! with a smaller `best`.

use super::graph::{Base, Compiled, Fold, Lane, Number, NumberId, PairCount, Part, Relative, Test, TestId};
use crate::syntax::ast::Comparison;
use crate::vocabulary::Function;

/// Which nodes of a pair something reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sees {
    node: bool,
    sibling: bool,
}

impl Compiled {
    /// Records which folds of pairs can be counted without a look at each pair.
    pub(super) fn note_pair_counts(&mut self) {
        let count = |number: &Number| match number {
            Number::Fold(fold) => self.pair_count(fold),
            _ => None,
        };
        self.pair_counts = self.numbers.iter().map(count).collect();
    }

    /// How the pairs of a fold are counted without a look at each; `None` if they cannot be.
    fn pair_count(&self, fold: &Fold) -> Option<PairCount> {
        if !fold.of_pairs || fold.function != Function::Count {
            return None;
        }
        let mut count = PairCount::default();
        self.split(fold.take, &mut count)?;
        let are_both_compared =
            count.all.compared.is_some() && count.except.iter().any(|except| except.compared.is_some());
        (!are_both_compared).then_some(count)
    }

    fn split(&self, test: TestId, count: &mut PairCount) -> Option<()> {
        let sees = self.sees(Part::Test(test))?;
        let conditions = &mut count.all;
        match (&self.tests[test], sees) {
            (Test::Always(true), _) => {}
            (_, Sees { node: false, sibling: false }) => return None,
            (_, Sees { sibling: false, .. }) => conditions.of_node.push(test),
            (_, Sees { node: false, .. }) => conditions.of_sibling.push(test),
            (Test::All(tests), _) => tests.iter().try_for_each(|test| self.split(*test, count))?,
            (Test::Compare(comparison, a, b), _) if conditions.compared.is_none() => {
                conditions.compared = Some(self.compared(*comparison, *a, *b)?);
            }
            (Test::Not(inner), _) if count.except.is_none() => {
                let mut inside = PairCount::default();
                self.split(*inner, &mut inside)?;
                if inside.except.is_some() {
                    return None;
                }
                count.except = Some(inside.all);
            }
            _ => return None,
        }
        Some(())
    }

    /// A comparison with the sibling's number on the left.
    fn compared(
        &self,
        comparison: Comparison,
        a: NumberId,
        b: NumberId,
    ) -> Option<(Comparison, NumberId, NumberId)> {
        if self.lanes[a] != self.lanes[b] || !matches!(self.lanes[a], Lane::Integer | Lane::Float) {
            return None;
        }
        match (self.sees(Part::Number(a))?, self.sees(Part::Number(b))?) {
            (Sees { node: false, sibling: true }, Sees { node: true, sibling: false }) => {
                Some((comparison, a, b))
            }
            (Sees { node: true, sibling: false }, Sees { node: false, sibling: true }) => {
                Some((comparison.mirrored(), b, a))
            }
            _ => None,
        }
    }

    /// The nodes of a pair that something reads; `None` if it is not about pairs alone.
    fn sees(&self, root: Part) -> Option<Sees> {
        let mut seen = (vec![false; self.numbers.len()], vec![false; self.tests.len()]);
        let (mut open, mut sees) = (vec![root], Sees::default());
        while let Some(part) = open.pop() {
            let was_seen = match part {
                Part::Number(number) => &mut seen.0[number],
                Part::Test(test) => &mut seen.1[test],
            };
            if std::mem::replace(was_seen, true) {
                continue;
            }
            let relative: Option<&Relative> = match part {
                Part::Number(number) => match &self.numbers[number] {
                    Number::Constant(_) => continue,
                    _ if !self.number_of_pairs[number] => return None,
                    Number::Of(relative, ..) => Some(relative),
                    _ => None,
                },
                Part::Test(test) => match &self.tests[test] {
                    Test::Always(_) => continue,
                    _ if !self.test_of_pairs[test] => return None,
                    Test::Of(relative, ..) | Test::Exists(relative) => Some(relative),
                    _ => None,
                },
            };
            match relative.map(|relative| relative.base) {
                Some(Base::First) => sees.node = true,
                Some(Base::Second) => sees.sibling = true,
                Some(Base::Row | Base::Parent) => return None,
                None => self.each_of(part, &mut |part| open.push(part)),
            }
        }
        Some(sees)
    }
}
