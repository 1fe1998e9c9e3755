//! Aggregates over relatives: which nodes they take, with which values, and what counts alone can decide.

use gt_log::Column;

use super::{Compiler, Place};
use crate::engine::crossing::Twins;
use crate::engine::scan::graph::{
    Aspect, Contribution, Errors, Fold, Gathered, Lane, Number, NumberId, Quantity, Scalar, Test, TestId,
    Truth, TwinParts,
};
use crate::ir::{Aggregate, AggregateId, Anchor, Expr, Operand, Scope};
use crate::span::Span;
use crate::syntax::ast::Comparison;
use crate::value::Value;
use crate::vocabulary::Function;

impl Compiler<'_> {
    fn place_of(aggregate: &Aggregate) -> Place {
        match aggregate.scope {
            Scope::Child => Place::Child,
            Scope::Before | Scope::After if aggregate.reads_node() => Place::Pair,
            Scope::Before | Scope::After => Place::Sibling,
            // A twin's contribution is read from the twin itself; aggregates that read both nodes are computed after
            // gathering.
            Scope::Twin(_) => Place::Sibling,
            Scope::Subtree | Scope::Path | Scope::Tree | Scope::Matches => Place::Node,
        }
    }

    pub(super) fn contribution(&mut self, id: AggregateId) -> Contribution {
        if let Some(contribution) = self.contributions.get(&id) {
            return contribution.clone();
        }
        let aggregate = &self.program.aggregates[id.0];
        let place = Self::place_of(aggregate);
        let filter = self.truth(&aggregate.filter, place);
        let mut errors = filter.errors.clone();
        let (take, argument, second) = match aggregate.function {
            Function::Count | Function::Any | Function::All => {
                let argument = self.truth(&aggregate.argument, place);
                errors.extend(self.errors_where(&argument.errors, filter.yes));
                // For `all`, unknown counts as false.
                let counts = match aggregate.function {
                    Function::All => self.not(argument.yes),
                    _ => argument.yes,
                };
                (self.all(vec![filter.yes, counts]), None, None)
            }
            function => {
                let argument = self.scalar(&aggregate.argument, place);
                errors.extend(self.errors_where(argument.errors(), filter.yes));
                let mut tests = vec![filter.yes, self.scalar_known(&argument)];
                let second = match (function, &aggregate.second) {
                    (Function::Quantile | Function::Median, _) | (_, None) => None,
                    (_, Some(second)) => Some(self.scalar(second, place)),
                };
                if let Some(second) = &second {
                    errors.extend(self.errors_where(second.errors(), filter.yes));
                    if function == Function::Corr {
                        tests.push(self.scalar_known(second));
                    }
                }
                (self.all(tests), Some(argument), second)
            }
        };
        errors.retain(|(_, test)| self.compiled.tests[*test] != Test::Always(false));
        let contribution = Contribution { take, argument, second, errors };
        self.contributions.insert(id, contribution.clone());
        contribution
    }

    pub(super) fn scalar_known(&mut self, scalar: &Scalar) -> TestId {
        match scalar {
            Scalar::Number(quantity) => self.value_known(quantity),
            Scalar::Truth(truth) => self.any(vec![truth.yes, truth.no]),
        }
    }

    /// The parts of an aggregate over twins.
    pub(super) fn twin_parts(&mut self, id: AggregateId) -> Option<TwinParts> {
        let aggregate = &self.program.aggregates[id.0];
        let Scope::Twin(twin) = aggregate.scope else { return None };
        let keys = self.program.twins[twin.0].iter().map(|key| self.scalar(key, Place::Node)).collect();
        let (others, own) = Twins::operands(aggregate);
        let here = |operand: &Operand| Operand { anchor: Anchor::Node, ..*operand };
        let others = others.iter().map(|operand| self.read(here(operand), Place::Node)).collect();
        let own = own.into_iter().map(|operand| (operand, self.read(operand, Place::Node))).collect();
        Some(TwinParts { keys, others, own })
    }

    pub(super) fn gathered(&mut self, id: AggregateId) -> Gathered {
        let Contribution { take, argument, second, errors } = self.contribution(id);
        let aggregate = &self.program.aggregates[id.0];
        let mut gathered =
            Gathered { id, scope: aggregate.scope, take, argument, second, errors, column: None };
        if !aggregate.function.tells_nodes_apart() {
            gathered.column = self.compiled.one_column_of_groups(&[], std::slice::from_ref(&gathered));
        }
        gathered
    }

    /// The value of an aggregate at each row.
    pub(super) fn aggregate(&mut self, id: AggregateId) -> Scalar {
        let aggregate = &self.program.aggregates[id.0];
        if let Some(twins) = &self.compiled.twin_columns[id.0] {
            let question = twins.question.clone();
            return self.told_by_columns(id, &question);
        }
        let contribution = self.contribution(id);
        if matches!(aggregate.scope, Scope::Tree | Scope::Twin(_) | Scope::Matches) {
            return self.told(id, &contribution);
        }
        let errors = self.folded_errors(id, &contribution.errors);
        match aggregate.function {
            Function::Count => {
                let number = self.count(aggregate.scope, contribution.take, Some(id));
                let always = self.always(true);
                Scalar::Number(self.quantity(number, always, errors))
            }
            Function::Any | Function::All => {
                let number = self.count(aggregate.scope, contribution.take, Some(id));
                let some = self.within(number, 1, i64::MAX);
                let is_any = aggregate.function == Function::Any;
                let holds = if is_any { some } else { self.not(some) };
                Scalar::Truth(self.decided(holds, errors))
            }
            _ => self.aggregated(id, &contribution, errors),
        }
    }

    /// An aggregate of numbers or texts.
    fn aggregated(&mut self, id: AggregateId, contribution: &Contribution, errors: Errors) -> Scalar {
        let aggregate = &self.program.aggregates[id.0];
        let Some(argument) = &contribution.argument else { return Scalar::Truth(self.unknown_truth()) };
        let (argument, second) =
            (self.as_number(argument), contribution.second.as_ref().map(|second| self.as_number(second)));
        let second_known = second.as_ref().and_then(|second| {
            let known = self.value_known(second);
            self.unless_always(known)
        });
        let share = match &aggregate.second {
            Some(Expr::Constant(Some(value))) => value.as_float().unwrap_or(0.5).to_bits(),
            _ => 0.5_f64.to_bits(),
        };
        let mut fold = Fold {
            scope: aggregate.scope,
            function: aggregate.function,
            take: contribution.take,
            argument: Some(argument.number),
            second: second.as_ref().map(|second| second.number),
            second_known,
            share,
            id: Some(id),
            of_pairs: Self::place_of(aggregate) == Place::Pair,
            overflow: None,
        };
        if fold.function != Function::Corr && !matches!(fold.function, Function::ArgMin | Function::ArgMax) {
            (fold.second, fold.second_known) = (None, None);
        }
        self.fold_value(fold, aggregate.origin.0, errors)
    }

    fn fold_value(&mut self, fold: Fold, span: Span, errors: Errors) -> Scalar {
        let number = self.put_fold(fold.clone());
        let always = self.always(true);
        match fold.function {
            Function::Sum if self.compiled.lanes[number] == Lane::Wide => {
                Scalar::Number(self.narrowed(number, span, errors))
            }
            Function::Sum | Function::Distinct => Scalar::Number(self.quantity(number, always, errors)),
            _ if self.compiled.lanes[number] == Lane::Float => {
                Scalar::Number(self.quantity(number, always, errors))
            }
            _ => {
                let known = self.has_value(number);
                let quantity = self.quantity(number, known, errors);
                if self.is_truth_fold(&fold) { self.as_truth(quantity) } else { Scalar::Number(quantity) }
            }
        }
    }

    fn is_truth_fold(&self, fold: &Fold) -> bool {
        fold.id.is_some_and(|id| self.program.aggregates[id.0].value_type == crate::value::Type::Boolean)
    }

    /// A truth value that is stored as 0 and 1.
    fn as_truth(&mut self, quantity: Quantity) -> Scalar {
        let known = self.known_of(quantity.known);
        let (one, zero) = (self.within(quantity.number, 1, 1), self.within(quantity.number, 0, 0));
        let (yes, no) = (self.all(vec![one, known]), self.all(vec![zero, known]));
        Scalar::Truth(Truth { yes, no, errors: quantity.errors })
    }

    pub(super) fn as_number(&mut self, scalar: &Scalar) -> Quantity {
        match scalar {
            Scalar::Number(quantity) => quantity.clone(),
            Scalar::Truth(truth) => {
                let number = match self.compiled.tests[truth.yes] {
                    Test::Always(value) => self.integer(value.into()),
                    _ => self.put_bounded(Number::Truth(truth.yes), (0, 1)),
                };
                let known = self.any(vec![truth.yes, truth.no]);
                Quantity { number, known: self.unless_always(known), errors: truth.errors.clone() }
            }
        }
    }

    /// Adds a fold, in the lane of its result.
    fn put_fold(&mut self, fold: Fold) -> NumberId {
        let argument = match fold.argument {
            Some(argument) => argument,
            None => self.integer(0),
        };
        let (lane, bounds) = (self.compiled.lanes[argument], self.compiled.bounds[argument]);
        let nodes = i128::from(self.tree.nodes());
        match fold.function {
            Function::Count | Function::Any | Function::All | Function::Distinct => {
                self.put_bounded(Number::Fold(fold), (0, nodes as i64))
            }
            Function::Sum if lane == Lane::Integer => {
                let most = i128::from(bounds.0).abs().max(i128::from(bounds.1).abs()).saturating_mul(nodes);
                match i64::try_from(most) {
                    Ok(most) => self.put_bounded(Number::Fold(fold), (-most, most)),
                    Err(_) => self.put_number(Number::Fold(fold), Lane::Wide),
                }
            }
            Function::Sum if lane == Lane::Wide => self.put_number(Number::Fold(fold), Lane::Wide),
            Function::Sum | Function::Avg | Function::Stddev | Function::Corr => {
                self.put_number(Number::Fold(fold), Lane::Float)
            }
            Function::ArgMin | Function::ArgMax => {
                let second = fold.second.unwrap_or_default();
                self.put_like(Number::Fold(fold), second)
            }
            Function::Min
            | Function::Max
            | Function::First
            | Function::Last
            | Function::Quantile
            | Function::Median => self.put_like(Number::Fold(fold), argument),
        }
    }

    /// An aggregate whose argument is known wherever it is taken; for expressions that the language derives from
    /// others.
    pub(super) fn fold_number(
        &mut self,
        scope: Scope,
        function: Function,
        take: TestId,
        argument: NumberId,
    ) -> NumberId {
        if function == Function::Sum && self.integer_constant(argument) == Some(0) {
            return self.integer(0);
        }
        self.put_fold(Fold {
            scope,
            function,
            take,
            argument: Some(argument),
            second: None,
            second_known: None,
            share: 0,
            id: None,
            of_pairs: false,
            overflow: None,
        })
    }

    /// The number of nodes of the scope that satisfy a test.
    pub(super) fn count(&mut self, scope: Scope, take: TestId, id: Option<AggregateId>) -> NumberId {
        self.count_of(scope, take, id, None)
    }

    fn count_of(
        &mut self,
        scope: Scope,
        take: TestId,
        id: Option<AggregateId>,
        overflow: Option<Span>,
    ) -> NumberId {
        match (scope, &self.compiled.tests[take]) {
            (_, Test::Always(false)) => return self.integer(0),
            (Scope::Subtree, Test::Always(true)) => {
                let size = self.column(Column::Size);
                return self.minus_one(size);
            }
            (Scope::Path, Test::Always(true)) => return self.ply(),
            _ => {}
        }
        let of_pairs = id.is_some_and(|id| Self::place_of(&self.program.aggregates[id.0]) == Place::Pair);
        // Counts of children and descendants are the same for every aggregate.
        let id = id.filter(|_| !matches!(scope, Scope::Child | Scope::Subtree));
        self.put_fold(Fold {
            scope,
            function: Function::Count,
            take,
            argument: None,
            second: None,
            second_known: None,
            share: 0,
            id,
            of_pairs,
            overflow,
        })
    }

    /// The rows at which an aggregate overflows because of a node that it takes.
    fn folded_errors(&mut self, id: AggregateId, errors: &Errors) -> Errors {
        let scope = self.program.aggregates[id.0].scope;
        let mut sorted = errors.clone();
        sorted.sort_by_key(|(span, _)| *span);
        let folded = sorted.into_iter().map(|(span, test)| {
            let count = self.count_of(scope, test, Some(id), Some(span));
            (span, self.within(count, 1, i64::MAX))
        });
        folded.collect()
    }

    /// The rows at which `min` or `max` compares with a constant in this way, decided by counts; `None` if counts
    /// cannot decide.
    pub(super) fn extreme_beyond(
        &mut self,
        id: AggregateId,
        largest: bool,
        operator: Comparison,
        constant: i64,
    ) -> Option<TestId> {
        let scope = self.program.aggregates[id.0].scope;
        let contribution = self.contribution(id);
        let Some(Scalar::Number(argument)) = &contribution.argument else { return None };
        let (take, number) = (contribution.take, argument.number);
        let is_counted = matches!(scope, Scope::Child | Scope::Subtree) && contribution.errors.is_empty();
        if !is_counted || self.compiled.lanes[number] != Lane::Integer {
            return None;
        }
        // The comparisons for values beyond the constant, and for values at least as far out as the constant.
        let (beyond, not_within, towards) = if largest {
            (Comparison::Greater, Comparison::GreaterEqual, operator)
        } else {
            (Comparison::Less, Comparison::LessEqual, operator.mirrored())
        };
        let some = |compiler: &mut Self, comparison: Option<Comparison>| {
            let test = comparison.map(|comparison| compiler.compare_constant(comparison, number, constant));
            let tests = test.into_iter().chain([take]).collect();
            let test = compiler.all(tests);
            let count = compiler.count(scope, test, None);
            compiler.within(count, 1, i64::MAX)
        };
        let some_beyond = some(self, Some(beyond));
        let some_not_within = some(self, Some(not_within));
        let some_at_all = some(self, None);
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

    /// An aggregate that an earlier pass has gathered.
    fn told(&mut self, id: AggregateId, contribution: &Contribution) -> Scalar {
        let aggregate = &self.program.aggregates[id.0];
        let keys = self.twin_parts(id).map_or_else(Vec::new, |parts| parts.keys);
        let of_keys = keys.iter().flat_map(|key| key.errors().clone());
        let spans: Vec<Span> =
            of_keys.chain(contribution.errors.iter().copied()).map(|(span, _)| span).collect();
        let errors = spans
            .into_iter()
            .chain([aggregate.origin.0])
            .map(|span| (span, self.put_test(Test::Gathered(id, Aspect::Overflow(span)))))
            .collect();
        if aggregate.value_type == crate::value::Type::Boolean {
            let yes = self.put_test(Test::Gathered(id, Aspect::True));
            let no = self.put_test(Test::Gathered(id, Aspect::False));
            return Scalar::Truth(Truth { yes, no, errors });
        }
        let argument = contribution.argument.as_ref().map(|argument| self.as_number(argument).number);
        let second = contribution.second.as_ref().map(|second| self.as_number(second).number);
        let lane_of =
            |number: Option<NumberId>| number.map_or(Lane::Integer, |number| self.compiled.lanes[number]);
        let lane = match aggregate.function {
            Function::Count | Function::Any | Function::All | Function::Distinct => Lane::Integer,
            Function::Avg | Function::Stddev | Function::Corr => Lane::Float,
            Function::Sum if lane_of(argument) == Lane::Float => Lane::Float,
            Function::Sum => Lane::Integer,
            Function::ArgMin | Function::ArgMax => lane_of(second),
            Function::Min
            | Function::Max
            | Function::First
            | Function::Last
            | Function::Quantile
            | Function::Median => lane_of(argument),
        };
        let number = match lane {
            Lane::Integer => self.put_bounded(Number::Gathered(id, lane), (i64::MIN, i64::MAX)),
            lane => self.put_number(Number::Gathered(id, lane), lane),
        };
        let known = self.put_test(Test::Gathered(id, Aspect::Known));
        Scalar::Number(Quantity { number, known: Some(known), errors })
    }

    fn minus_one(&mut self, number: NumberId) -> NumberId {
        let (number, one) = (
            Quantity { number, known: None, errors: Errors::new() },
            Expr::Constant(Some(Value::Integer(1))),
        );
        let one = self.number(&one, Place::Node);
        self.arithmetic(crate::syntax::ast::Arithmetic::Subtract, &[number, one], Span::default()).number
    }
}
