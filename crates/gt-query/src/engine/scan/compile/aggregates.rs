//! Aggregates: counts by ranks and runs, and what else can be told by counts.

use gt_log::Column;

use super::{Compiler, SIZE_MAX, mirrored, place_of};
use crate::engine::scan::graph::{Gathered, Number, NumberId, Test, TestId, What};
use crate::ir::{Aggregate, AggregateId, Scope};
use crate::syntax::ast::Comparison;
use crate::vocabulary::Function;

impl Compiler<'_> {
    /// An aggregate against a constant, where only what is true counts.
    pub(super) fn compare_aggregate(
        &mut self,
        operator: Comparison,
        id: AggregateId,
        constant: i64,
    ) -> Option<TestId> {
        let aggregate = &self.program.aggregates[id.0];
        let largest = match aggregate.function {
            Function::Max => true,
            Function::Min => false,
            _ => {
                let number = self.aggregate(id)?;
                return Some(self.compare_constant(operator, number, constant));
            }
        };
        let (filter, number) = self.argument(aggregate)?;
        let what = What::Extreme { largest, filter, number };
        self.gather(Gathered { id, scope: aggregate.scope, what });
        // What lies further out than the constant, and what is not further in.
        let (beyond, not_within, towards) = if largest {
            (Comparison::Greater, Comparison::GreaterEqual, operator)
        } else {
            (Comparison::Less, Comparison::LessEqual, mirrored(operator))
        };
        let some = |compiler: &mut Self, comparison: Option<Comparison>| {
            let test = match comparison {
                None => filter,
                Some(comparison) => {
                    let test = compiler.compare_constant(comparison, number, constant);
                    compiler.all(vec![filter, test])
                }
            };
            let count = compiler.count(aggregate.scope, test)?;
            Some(compiler.compare_constant(Comparison::Greater, count, 0))
        };
        let some_beyond = some(self, Some(beyond))?;
        let some_not_within = some(self, Some(not_within))?;
        let some_at_all = some(self, None)?;
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

    pub(super) fn truth_aggregate(&mut self, id: AggregateId) -> Option<TestId> {
        let aggregate = &self.program.aggregates[id.0];
        let place = place_of(aggregate.scope)?;
        let filter = self.test(&aggregate.filter, place, true)?;
        let is_any = match aggregate.function {
            Function::Any => true,
            Function::All => false,
            _ => return None,
        };
        let mut argument = self.test(&aggregate.argument, place, is_any)?;
        if !is_any {
            argument = self.not(argument);
        }
        let test = self.all(vec![filter, argument]);
        self.gather(Gathered { id, scope: aggregate.scope, what: What::Truth(test, is_any) });
        let count = self.count(aggregate.scope, test)?;
        let comparison = if is_any { Comparison::Greater } else { Comparison::Equal };
        Some(self.compare_constant(comparison, count, 0))
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
                self.gather(Gathered { id, scope, what: What::Count(test) });
                self.count(scope, test)
            }
            Function::Sum if scope == Scope::Subtree && aggregate.filter.is_true() => {
                let (_, number) = self.argument(aggregate)?;
                self.gather(Gathered { id, scope, what: What::Sum(number) });
                let (low, high) = self.compiled.bounds[number];
                let most = i128::from(low).abs().max(i128::from(high).abs());
                let most = most.checked_mul(i128::from(self.tree.nodes()))?;
                self.put_bounded(Number::SubtreeSum(number), -most, most)
            }
            _ => None,
        }
    }

    pub(super) fn argument(&mut self, aggregate: &Aggregate) -> Option<(TestId, NumberId)> {
        let place = place_of(aggregate.scope)?;
        let filter = self.test(&aggregate.filter, place, true)?;
        Some((filter, self.number(&aggregate.argument, place)?))
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
            (Scope::Matches, _) => None,
        }
    }
}
