//! Aggregates over pairs of siblings that can be computed without a look at every pair.
//!
//! ```text
//! []best > alpha and []type & Cut and depth > 2        of the sibling   type & Cut
//!                                                      of the node      depth > 2
//!                                                      compared         best > alpha
//! ```
//!
//! If a condition must not hold, the siblings that fulfil it are counted and subtracted: `all([]best < best)` counts
//! siblings, less those with a smaller `best`. Aggregates other than counts must read the sibling alone:
//! `max([]best where []depth > depth)`.

use super::graph::{Base, Compiled, Fold, Lane, Number, NumberId, Part, Relative, TakenPairs, Test, TestId};
use crate::syntax::ast::Comparison;
use crate::vocabulary::Function;

/// Which nodes of a pair something reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sees {
    node: bool,
    sibling: bool,
}

impl Compiled {
    /// Records which folds over pairs can be computed without a look at each pair.
    pub(super) fn note_taken_pairs(&mut self) {
        let taken = |number: &Number| match number {
            Number::Fold(fold) => self.taken_pairs_of(fold),
            _ => None,
        };
        self.taken_pairs = self.numbers.iter().map(taken).collect();
    }

    /// The pairs that a fold takes; `None` if it must look at each.
    fn taken_pairs_of(&self, fold: &Fold) -> Option<TakenPairs> {
        if !fold.of_pairs || keeps_values(fold.function) {
            return None;
        }
        let mut taken = TakenPairs::default();
        self.split(fold.take, &mut taken)?;
        let numbers = [fold.argument, fold.second].into_iter().flatten().map(Part::Number);
        for part in numbers.chain(fold.second_known.map(Part::Test)) {
            self.sees(part).filter(|sees| !sees.node)?;
        }
        let is_split = match &taken.except {
            None => true,
            Some(except) => {
                fold.function == Function::Count
                    && !(taken.all.compared.is_some() && except.compared.is_some())
            }
        };
        is_split.then_some(taken)
    }

    fn split(&self, test: TestId, taken: &mut TakenPairs) -> Option<()> {
        let sees = self.sees(Part::Test(test))?;
        let conditions = &mut taken.all;
        match (&self.tests[test], sees) {
            (Test::Always(true), _) => {}
            (_, Sees { node: false, sibling: false }) => return None,
            (_, Sees { sibling: false, .. }) => conditions.of_node.push(test),
            (_, Sees { node: false, .. }) => conditions.of_sibling.push(test),
            (Test::All(tests), _) => tests.iter().try_for_each(|test| self.split(*test, taken))?,
            (Test::Compare(comparison, a, b), _) if conditions.compared.is_none() => {
                conditions.compared = Some(self.compared(*comparison, *a, *b)?);
            }
            (Test::Not(inner), _) if taken.except.is_none() => {
                let mut inside = TakenPairs::default();
                self.split(*inner, &mut inside)?;
                if inside.except.is_some() {
                    return None;
                }
                taken.except = Some(inside.all);
            }
            _ => return None,
        }
        Some(())
    }

    /// A comparison, turned so that the sibling's number is on the left.
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

/// Whether the states of a function grow with the number of values, so that joining them is no faster than a look at
/// each.
fn keeps_values(function: Function) -> bool {
    match function {
        Function::Median | Function::Quantile | Function::Distinct => true,
        Function::Count
        | Function::Any
        | Function::All
        | Function::Sum
        | Function::Avg
        | Function::Min
        | Function::Max
        | Function::Stddev
        | Function::Corr
        | Function::First
        | Function::Last
        | Function::ArgMin
        | Function::ArgMax => false,
    }
}
