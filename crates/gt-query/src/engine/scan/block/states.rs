//! Aggregates over relatives as [`Accumulator`]s, and the values of accumulated states.

use super::Scanner;
use crate::accumulator::{Accumulator, Contribution};
use crate::engine::Failure;
use crate::engine::bits::Bitmap;
use crate::engine::folds::{self, State};
use crate::engine::scan::graph::{Fold, NumberId, Scalar};
use crate::engine::vector::{Vector, gather};
use crate::ir::AggregateId;
use crate::value::Value;
use crate::vocabulary::Function;

/// The state of any aggregate; `None` without nodes.
#[derive(Clone, Default)]
struct Gathered(Option<Accumulator>);

impl State for Gathered {
    fn join(self, later: Self) -> Self {
        Self(match (self.0, later.0) {
            (Some(mut first), Some(later)) => {
                first.merge(&later);
                Some(first)
            }
            (first, later) => first.or(later),
        })
    }
}

impl Scanner<'_> {
    /// Computes any aggregate, with general states.
    pub(super) fn gather_all(&self, number: NumberId, fold_of: &Fold, out: &mut Vector, known: &mut Bitmap) {
        let Some(id) = fold_of.id else { return };
        let aggregate = &self.program.aggregates[id.0];
        let take = &self.buffers.tests[fold_of.take];
        let own = |row: usize| {
            Gathered(take.get(row).then(|| {
                let mut own = Accumulator::new(aggregate);
                own.add(Ok(self.contribution(fold_of, row, 0)));
                own
            }))
        };
        let starts: Vec<Gathered> =
            self.starts(fold_of).into_iter().map(|start| Gathered(start.cloned())).collect();
        let folded = folds::fold(self.known_relations(), fold_of.scope.into(), own, &starts);
        let states = folded.rows.into_iter().map(|state| state.0);
        self.read_states(number, id, states, out, known);
    }

    /// The values of accumulators, as a vector of the aggregate's kind.
    pub(super) fn read_states(
        &self,
        number: NumberId,
        id: AggregateId,
        states: impl Iterator<Item = Option<Accumulator>>,
        out: &mut Vector,
        known: &mut Bitmap,
    ) {
        let aggregate = &self.program.aggregates[id.0];
        let nothing = Accumulator::new(aggregate);
        let values: Vec<Option<Value>> = states
            .map(|state| state.as_ref().unwrap_or(&nothing).value(aggregate.origin.0))
            .map(|value| known_or_beyond(aggregate.function, value))
            .collect();
        let bits: Vec<u8> = values.iter().map(|value| u8::from(value.is_some())).collect();
        known.pack(&bits, |bit| bit);
        out.set_values(self.compiled.lanes[number].kind(), &values);
    }

    /// The contribution of a taken row (or pair) to an aggregate.
    pub(super) fn contribution(&self, fold: &Fold, row: usize, node_id: u64) -> Contribution {
        let second = fold.second.filter(|_| fold.second_known.is_none_or(|known| self.bit(known, row)));
        let gathered = fold.id.and_then(|id| self.compiled.gathered[id.0].as_ref());
        // A truth value is stored as 0 or 1.
        let of_type = |value: Option<Value>, scalar: Option<&Scalar>| match (value, scalar) {
            (Some(Value::Integer(value)), Some(Scalar::Truth(_))) => Some(Value::Boolean(value != 0)),
            (value, _) => value,
        };
        let value = match fold.argument {
            Some(argument) => self.value_at(argument, row),
            None => Some(Value::Boolean(true)),
        };
        let second = second.and_then(|second| self.value_at(second, row));
        Contribution {
            value: of_type(value, gathered.and_then(|gathered| gathered.argument.as_ref())),
            second: of_type(second, gathered.and_then(|gathered| gathered.second.as_ref())),
            node_id,
        }
    }

    /// Fills in the values of the children of crossing nodes, whose siblings are in other blocks.
    pub(super) fn patch_tops(
        &mut self,
        id: NumberId,
        fold: &Fold,
        out: &mut Vector,
        known: &mut Bitmap,
    ) -> Result<(), Failure> {
        let Some(aggregate) = fold.id else { return Ok(()) };
        let (rows, block, details) = (self.rows(), self.shape.block, self.elsewhere.details);
        let sizes = self.shape.sizes()?.to_vec();
        let mut indexes: Vec<u32> = (0..rows as u32).collect();
        let mut values: Vec<Option<Value>> = Vec::new();
        for (place, region) in self.shape.regions.segments.iter().enumerate() {
            let Some(segment) = details.segments(block).get(place).filter(|segment| segment.keeps_any())
            else {
                continue;
            };
            let tops = region.tops(|row| sizes[row].into());
            for (joint, row) in segment.kept().filter_map(|(joint, place)| Some((joint, *tops.get(place)?))) {
                let value = self.patch_of(fold, aggregate, &details.aggregate(joint, aggregate));
                indexes[row] = (rows + values.len()) as u32;
                if known.rows() == rows {
                    known.set(row, value.is_some());
                }
                values.push(value);
            }
        }
        if values.is_empty() {
            return Ok(());
        }
        let mut ghosts = Vector::default();
        ghosts.set_values(self.compiled.lanes[id].kind(), &values);
        let own = std::mem::take(out);
        gather(&indexes, &own, &ghosts, out);
        Ok(())
    }

    /// The result of the fold behind an aggregate, from the aggregate's value.
    fn patch_of(&self, fold: &Fold, id: AggregateId, value: &crate::evaluate::Evaluated) -> Option<Value> {
        let aggregate = &self.program.aggregates[id.0];
        let count = |holds: bool| Some(Value::Integer(holds.into()));
        match (fold.overflow, aggregate.function, value) {
            (Some(span), _, value) => count(matches!(value, Err(overflow) if overflow.span == span)),
            (None, Function::Any, value) => count(*value == Ok(Some(Value::Boolean(true)))),
            (None, Function::All, value) => count(*value == Ok(Some(Value::Boolean(false)))),
            (None, function, value) => known_or_beyond(function, value.clone()),
        }
    }
}

/// The value of an aggregate. A sum that overflows becomes one that does not fit in 64 bits: narrowing detects it. An
/// overflow in another aggregate's argument is detected by the fold that counts such overflows.
fn known_or_beyond(function: Function, value: crate::evaluate::Evaluated) -> Option<Value> {
    match value {
        Err(_) if function == Function::Sum => Some(Value::Integer(i128::from(i64::MAX) + 1)),
        value => value.ok().flatten(),
    }
}
