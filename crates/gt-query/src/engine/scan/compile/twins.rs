//! Aggregates over twins that are computed by columns: which ones are, and what they read.

use std::sync::Arc;

use super::{Compiler, Place};
use crate::engine::plan::Plan;
use crate::engine::scan::graph::{
    Aspect, Errors, Lane, Number, NumberId, Quantity, Scalar, Test, TestId, TwinColumns,
};
use crate::engine::twins::{Form, Question, row_bytes};
use crate::engine::vector::VectorKind;
use crate::ir::{AggregateId, Expr, Scope};
use crate::value::Type;
use crate::vocabulary::Function;

impl TwinColumns {
    /// The approximate number of bytes kept per row.
    pub(in crate::engine) fn row_bytes(&self) -> usize {
        let texts = self.keys.iter().filter(|(_, kind)| *kind == VectorKind::Text).count();
        row_bytes(self.keys.len(), texts, self.numbers.len())
    }
}

impl Compiler<'_> {
    /// The columns of an aggregate, if it is over twins and can be computed by columns.
    pub(super) fn twin_columns(&mut self, id: AggregateId, plan: &Plan) -> Option<TwinColumns> {
        let program = self.program;
        let aggregate = &program.aggregates[id.0];
        let Scope::Twin(twin) = aggregate.scope else { return None };
        // Rows are counted in 32 bits, and no sum of them exceeds 64.
        u32::try_from(self.tree.nodes()).ok()?;
        let form = Form::of(aggregate)?;
        let is_truth = aggregate.value_type == Type::Boolean;
        if form.argument.is_some() && is_truth {
            return None;
        }
        let (keys, keyed) = self.twin_keys(&program.twins[twin.0])?;
        let mut numbers = Vec::new();
        let (mut of_twin, mut of_node) = (Vec::new(), Vec::new());
        for (tests, conditions, place) in
            [(&mut of_twin, &form.of_twin, Place::Sibling), (&mut of_node, &form.of_node, Place::Node)]
        {
            for (expr, holds) in conditions {
                tests.push(self.condition(expr, *holds, place)?);
            }
        }
        let mut pairs = Vec::new();
        for (comparison, twin, node) in &form.pairs {
            let (left, left_known) = self.twin_number(twin, Place::Sibling, &mut numbers)?;
            let (right, right_known) = self.twin_number(node, Place::Node, &mut numbers)?;
            if numbers[left].1 != numbers[right].1 {
                return None;
            }
            of_twin.push(left_known);
            of_node.push(right_known);
            pairs.push((*comparison, left, right));
        }
        let mut argument = None;
        if let Some(expr) = &form.argument {
            let (place, known) = self.twin_number(expr, Place::Sibling, &mut numbers)?;
            of_twin.push(known);
            argument = Some((place, numbers[place].1 == VectorKind::Float));
            self.check_argument(aggregate.function, numbers[place].0)?;
        }
        of_node.extend(self.left_by_filters(id, plan));
        let question = Question { function: aggregate.function, pairs, argument };
        let (is_twin, is_node) = (self.all(of_twin), self.all(of_node));
        let texts = Arc::default();
        Some(TwinColumns { keys, texts, leader: None, keyed, is_twin, is_node, numbers, form, question })
    }

    /// The conditions of the only query that reject nodes before an aggregate is needed, if only matches read the
    /// aggregate.
    fn left_by_filters(&mut self, id: AggregateId, plan: &Plan) -> Vec<TestId> {
        let program = self.program;
        let [query] = &program.queries[..] else { return Vec::new() };
        if program.is_read_elsewhere(id) {
            return Vec::new();
        }
        let known = plan.aggregates[id.0].partial;
        let early = query.filters().filter(|filter| plan.of_expr(filter).inner <= known);
        early.filter_map(|filter| self.condition(filter, true, Place::Node)).collect()
    }

    /// The keys, and where all are known; `None` if words cannot represent them.
    fn twin_keys(&mut self, keys: &[Expr]) -> Option<(Vec<(NumberId, VectorKind)>, TestId)> {
        let (mut numbers, mut known) = (Vec::new(), Vec::new());
        for key in keys {
            let quantity = self.sound_number(key, Place::Node)?;
            let lane = self.compiled.lanes[quantity.number];
            match lane {
                Lane::Integer | Lane::Float | Lane::Text => {}
                // The numbers of a column have no sign, so 64 bits distinguish them.
                Lane::Wide if matches!(self.compiled.numbers[quantity.number], Number::Column(_)) => {}
                Lane::Wide => return None,
            }
            known.push(self.value_known(&quantity));
            numbers.push((quantity.number, lane.kind()));
        }
        Some((numbers, self.all(known)))
    }

    /// The rows at which a condition is true or, if `holds` is false, is not true.
    fn condition(&mut self, expr: &Expr, holds: bool, place: Place) -> Option<TestId> {
        let truth = self.truth(expr, place);
        let test = truth.errors.is_empty().then_some(truth.yes)?;
        Some(if holds { test } else { self.not(test) })
    }

    /// The index of a number among those that are read, and where it is known.
    fn twin_number(
        &mut self,
        expr: &Expr,
        place: Place,
        numbers: &mut Vec<(NumberId, VectorKind, Expr)>,
    ) -> Option<(usize, TestId)> {
        let quantity = self.sound_number(expr, place)?;
        let lane = self.compiled.lanes[quantity.number];
        if !matches!(lane, Lane::Integer | Lane::Float) {
            return None;
        }
        let known = self.value_known(&quantity);
        let found = numbers.iter().position(|(number, ..)| *number == quantity.number);
        let place = found.unwrap_or_else(|| {
            numbers.push((quantity.number, lane.kind(), expr.clone()));
            numbers.len() - 1
        });
        Some((place, known))
    }

    /// An expression as a number that cannot overflow.
    fn sound_number(&mut self, expr: &Expr, place: Place) -> Option<Quantity> {
        let scalar = self.scalar(expr, place);
        let quantity = self.as_number(&scalar);
        quantity.errors.is_empty().then_some(quantity)
    }

    /// Rejects sums that may not fit in 64 bits, and extremes that could equal the value that stands for no twins.
    fn check_argument(&self, function: Function, number: NumberId) -> Option<()> {
        let (low, high) = self.compiled.bounds[number];
        if !matches!(function, Function::Sum | Function::Avg) {
            return (self.compiled.lanes[number] != Lane::Integer || (low > i64::MIN && high < i64::MAX))
                .then_some(());
        }
        let most = i128::from(low).abs().max(i128::from(high).abs());
        let fits = most.checked_mul(self.tree.nodes().into()).is_some_and(|sum| sum <= i64::MAX.into());
        (fits && self.compiled.lanes[number] == Lane::Integer).then_some(())
    }

    /// The value at each row of an aggregate that was computed by columns.
    pub(super) fn told_by_columns(&mut self, id: AggregateId, question: &Question) -> Scalar {
        let nodes = i64::try_from(self.tree.nodes()).unwrap_or(i64::MAX);
        let is_float = question.argument.is_some_and(|(_, is_float)| is_float);
        match question.function {
            Function::Any | Function::All => {
                let number = self.put_bounded(Number::Gathered(id, Lane::Integer), (0, nodes));
                let some = self.within(number, 1, i64::MAX);
                let holds = if question.function == Function::Any { some } else { self.not(some) };
                Scalar::Truth(self.decided(holds, Errors::new()))
            }
            Function::Avg => self.told_float(id),
            Function::Min | Function::Max if is_float => self.told_float(id),
            Function::Min | Function::Max => {
                let number = self.put_bounded(Number::Gathered(id, Lane::Integer), (i64::MIN, i64::MAX));
                let known = self.put_test(Test::Gathered(id, Aspect::Known));
                Scalar::Number(Quantity { number, known: Some(known), errors: Errors::new() })
            }
            Function::Sum => {
                let number = self.put_bounded(Number::Gathered(id, Lane::Integer), (i64::MIN, i64::MAX));
                Scalar::Number(Quantity { number, known: None, errors: Errors::new() })
            }
            // All other aggregates that are computed by columns are counts.
            _ => {
                let number = self.put_bounded(Number::Gathered(id, Lane::Integer), (0, nodes));
                Scalar::Number(Quantity { number, known: None, errors: Errors::new() })
            }
        }
    }

    fn told_float(&mut self, id: AggregateId) -> Scalar {
        let number = self.put_number(Number::Gathered(id, Lane::Float), Lane::Float);
        Scalar::Number(Quantity { number, known: None, errors: Errors::new() })
    }
}
