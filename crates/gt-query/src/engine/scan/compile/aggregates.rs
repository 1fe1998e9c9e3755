//! Aggregates: counts by ranks and runs, and what else can be told by counts.

use gt_log::Column;

use super::{Compiler, SIZE_MAX, mirrored, opposite, place_of};
use crate::engine::scan::graph::{Gathered, GatheredFold, Number, NumberId, Test, TestId};
use crate::ir::{Aggregate, AggregateId, Scope};
use crate::syntax::ast::Comparison;
use crate::vocabulary::Function;

impl Compiler<'_> {
    /// The rows for which the comparison of an aggregate with a constant is `sense`.
    pub(super) fn compare_aggregate(
        &mut self,
        operator: Comparison,
        id: AggregateId,
        constant: i64,
        sense: bool,
    ) -> Option<TestId> {
        let aggregate = &self.program.aggregates[id.0];
        // Of nothing, an extreme is unknown: then neither the comparison nor its opposite holds.
        let operator = if sense { operator } else { opposite(operator) };
        match aggregate.function {
            Function::Max => self.compare_extreme(operator, true, id, constant),
            Function::Min => self.compare_extreme(operator, false, id, constant),
            Function::Count | Function::Sum => {
                let number = self.aggregate(id)?;
                Some(self.compare_constant(operator, number, constant))
            }
            _ => None,
        }
    }

    fn compare_extreme(
        &mut self,
        operator: Comparison,
        largest: bool,
        id: AggregateId,
        constant: i64,
    ) -> Option<TestId> {
        let scope = self.program.aggregates[id.0].scope;
        let (filter, number) = self.extreme(id)?;
        // What lies further out than the constant, and what is not further in.
        let (beyond, not_within, towards) = if largest {
            (Comparison::Greater, Comparison::GreaterEqual, operator)
        } else {
            (Comparison::Less, Comparison::LessEqual, mirrored(operator))
        };
        let some = |compiler: &mut Self, comparison: Comparison| {
            let test = compiler.compare_constant(comparison, number, constant);
            let test = compiler.all(vec![filter, test]);
            compiler.some(scope, test)
        };
        let some_beyond = some(self, beyond)?;
        let some_not_within = some(self, not_within)?;
        let some_at_all = self.some(scope, filter)?;
        let (none_beyond, all_within) = (self.not(some_beyond), self.not(some_not_within));
        Some(match towards {
            Comparison::Greater => some_beyond,
            Comparison::GreaterEqual => some_not_within,
            Comparison::Less => self.all(vec![some_at_all, all_within]),
            Comparison::LessEqual => self.all(vec![some_at_all, none_beyond]),
            Comparison::Equal => self.all(vec![some_not_within, none_beyond]),
            Comparison::NotEqual => {
                let less = self.all(vec![some_at_all, all_within]);
                self.any(vec![some_beyond, less])
            }
        })
    }

    /// Where `min` or `max` has anything to choose from.
    pub(super) fn some_at_all(&mut self, id: AggregateId) -> Option<TestId> {
        let (filter, _) = self.extreme(id)?;
        self.some(self.program.aggregates[id.0].scope, filter)
    }

    /// What `min` or `max` goes over; crossing nodes gather it.
    fn extreme(&mut self, id: AggregateId) -> Option<(TestId, NumberId)> {
        let aggregate = &self.program.aggregates[id.0];
        let largest = aggregate.function == Function::Max;
        let (filter, number) = self.argument(aggregate)?;
        let what = GatheredFold::Extreme { largest, filter, number };
        self.gather(Gathered { id, scope: aggregate.scope, what });
        Some((filter, number))
    }

    /// The rows for which some node of the scope satisfies a test.
    fn some(&mut self, scope: Scope, test: TestId) -> Option<TestId> {
        let count = self.count(scope, test)?;
        Some(self.compare_constant(Comparison::Greater, count, 0))
    }

    pub(super) fn truth_aggregate(&mut self, id: AggregateId) -> Option<TestId> {
        let aggregate = &self.program.aggregates[id.0];
        let place = place_of(aggregate.scope)?;
        let is_any = match aggregate.function {
            Function::Any => true,
            Function::All => false,
            _ => return None,
        };
        let filter = self.test(&aggregate.filter, place, true)?;
        // For `all`, what is unknown counts as what is false.
        let mut argument = self.test(&aggregate.argument, place, true)?;
        if !is_any {
            argument = self.not(argument);
        }
        let test = self.all(vec![filter, argument]);
        self.gather(Gathered { id, scope: aggregate.scope, what: GatheredFold::Truth(test, is_any) });
        let some = self.some(aggregate.scope, test)?;
        Some(if is_any { some } else { self.not(some) })
    }

    /// The value of an aggregate that is an integer and always known.
    pub(super) fn aggregate(&mut self, id: AggregateId) -> Option<NumberId> {
        let aggregate = &self.program.aggregates[id.0];
        let scope = aggregate.scope;
        match aggregate.function {
            Function::Count => {
                let place = place_of(scope)?;
                let tests = vec![
                    self.test(&aggregate.filter, place, true)?,
                    self.test(&aggregate.argument, place, true)?,
                ];
                let test = self.all(tests);
                self.gather(Gathered { id, scope, what: GatheredFold::Count(test) });
                self.count(scope, test)
            }
            Function::Sum if scope == Scope::Subtree => {
                let (filter, number) = self.argument(aggregate)?;
                let number = self.number_where(filter, number)?;
                self.gather(Gathered { id, scope, what: GatheredFold::Sum(number) });
                let (low, high) = self.compiled.bounds[number];
                let most = i128::from(low).abs().max(i128::from(high).abs());
                let most = most.checked_mul(i128::from(self.tree.nodes()))?;
                self.put_bounded(Number::SubtreeSum(number), -most, most)
            }
            _ => None,
        }
    }

    /// The number where a test holds, and 0 elsewhere.
    fn number_where(&mut self, test: TestId, number: NumberId) -> Option<NumberId> {
        if self.compiled.tests[test] == Test::Always(true) {
            return Some(number);
        }
        let (low, high) = self.compiled.bounds[number];
        self.put_bounded(Number::Where(test, number), low.min(0).into(), high.max(0).into())
    }

    /// Which nodes an aggregate takes, and the number that it takes of them, which is known there.
    pub(super) fn argument(&mut self, aggregate: &Aggregate) -> Option<(TestId, NumberId)> {
        let place = place_of(aggregate.scope)?;
        let filter = self.test(&aggregate.filter, place, true)?;
        let argument = self.number(&aggregate.argument, place)?;
        Some((self.where_known([argument], filter), argument.number))
    }

    pub(super) fn count(&mut self, scope: Scope, test: TestId) -> Option<NumberId> {
        let nodes = self.tree.nodes() as i64;
        let always = match self.compiled.tests[test] {
            Test::Always(value) => Some(value),
            _ => None,
        };
        match (scope, always) {
            (_, Some(false)) => Some(self.constant(0)),
            (Scope::Subtree, Some(true)) => {
                let (size, one) = (self.column(Column::Size), self.constant(1));
                self.put_bounded(Number::Subtract(size, one), 0, i128::from(nodes))
            }
            (Scope::Subtree, None) => self.put_bounded(Number::SubtreeCount(test), 0, nodes.into()),
            (Scope::Child, _) => self.put_bounded(Number::ChildCount(test), 0, nodes.into()),
            (Scope::Path, Some(true)) => Some(self.ply()),
            // Crossing nodes must be able to tell alone.
            (Scope::Path, None) if self.compiled.test_sizes[test] > SIZE_MAX => None,
            (Scope::Path, None) if !self.compiled.test_is_told_alone(test) => None,
            (Scope::Path, None) => self.put_bounded(Number::PathCount(test), 0, nodes.into()),
            _ => None,
        }
    }
}
