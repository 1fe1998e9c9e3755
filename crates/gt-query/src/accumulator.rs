//! Aggregates while they are being made: added to node by node, joined in any order, read at the end.

use std::cmp::Ordering;

use crate::evaluate::{Evaluated, Frame, evaluate};
use crate::exact_sum::ExactSum;
use crate::ir::Aggregate;
use crate::mean::Mean;
use crate::span::Span;
use crate::value::{Overflow, Type, Value, integer};
use crate::vocabulary::Function;

/// The state of one aggregate over some nodes.
#[derive(Clone, Debug)]
pub struct Accumulator {
    state: State,
    /// An overflow at one of the nodes; the one first in the text.
    overflow: Option<Overflow>,
}

#[derive(Clone, Debug)]
enum State {
    Count(i128),
    // 2^40 nodes of 2^64 each stay far within 128 bits; the sum alone must fit 64.
    Integers(i128),
    Floats(ExactSum),
    Mean(Mean),
    Least(Option<Value>),
    Greatest(Option<Value>),
    Any(bool),
    All(bool),
}

/// What many nodes add to an aggregate at once: those that its filter lets through, all with known values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Many {
    /// How many there are.
    count: u64,
    /// For how many of them the argument is true.
    held: u64,
    sum: i128,
    least: i64,
    most: i64,
}

impl Default for Many {
    fn default() -> Self {
        Self { count: 0, held: 0, sum: 0, least: i64::MAX, most: i64::MIN }
    }
}

impl Many {
    /// A node with this truth value.
    #[inline]
    pub fn add_truth(&mut self, value: bool) {
        self.count += 1;
        self.held += u64::from(value);
    }

    /// These and others.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            held: self.held + other.held,
            sum: self.sum + other.sum,
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    /// A node with this integer.
    #[inline]
    pub fn add_integer(&mut self, value: i64) {
        self.count += 1;
        self.sum += i128::from(value);
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }
}

impl Accumulator {
    /// The aggregate of nothing.
    #[must_use]
    pub fn new(aggregate: &Aggregate) -> Self {
        let state = match aggregate.function {
            Function::Count => State::Count(0),
            Function::Min => State::Least(None),
            Function::Max => State::Greatest(None),
            Function::Any => State::Any(false),
            Function::All => State::All(true),
            Function::Avg => State::Mean(Mean::default()),
            Function::Sum if aggregate.value_type == Type::Float => State::Floats(ExactSum::default()),
            Function::Sum => State::Integers(0),
        };
        Self { state, overflow: None }
    }

    /// Takes the node that `frame` stands at, if the aggregate's filter lets it.
    pub fn take(&mut self, aggregate: &Aggregate, frame: &dyn Frame) {
        if let Some(contribution) = contribution(aggregate, frame) {
            self.add(contribution);
        }
    }

    /// Takes a node for which the argument has this value; the filter has let it through.
    pub fn add(&mut self, contribution: Evaluated) {
        let value = match contribution {
            Ok(value) => value,
            Err(overflow) => return self.note(overflow),
        };
        let holds = value == Some(Value::Boolean(true));
        match &mut self.state {
            State::Count(count) => *count += i128::from(holds),
            State::Any(any) => *any |= holds,
            State::All(all) => *all &= holds,
            State::Integers(sum) => {
                if let Some(Value::Integer(value)) = value {
                    *sum += value;
                }
            }
            State::Floats(sum) => match value {
                Some(Value::Integer(value)) => sum.add_integer(value),
                Some(Value::Float(value)) => sum.add(value),
                _ => {}
            },
            State::Mean(mean) => match value {
                Some(Value::Integer(value)) => mean.add_integer(value),
                Some(Value::Float(value)) => mean.add_float(value),
                _ => {}
            },
            State::Least(least) => keep(Ordering::Less, least, value),
            State::Greatest(greatest) => keep(Ordering::Greater, greatest, value),
        }
    }

    /// Takes many nodes.
    pub fn add_many(&mut self, many: Many) {
        let extreme = |value: i64| (many.count > 0).then_some(Value::Integer(value.into()));
        match &mut self.state {
            State::Count(count) => *count += i128::from(many.held),
            State::Any(any) => *any |= many.held > 0,
            State::All(all) => *all &= many.held == many.count,
            State::Integers(sum) => *sum += many.sum,
            State::Floats(sum) => sum.add_integer(many.sum),
            State::Mean(mean) => mean.add_integers(many.sum, many.count),
            State::Least(least) => keep(Ordering::Less, least, extreme(many.least)),
            State::Greatest(greatest) => keep(Ordering::Greater, greatest, extreme(many.most)),
        }
    }

    /// Takes all that another has taken, of the same aggregate.
    ///
    /// # Panics
    /// Where the other is one of another function.
    pub fn merge(&mut self, other: &Self) {
        if let Some(overflow) = other.overflow {
            self.note(overflow);
        }
        // Each state takes its own kind: a new one does not compile until it says how.
        macro_rules! of_same_kind {
            ($variant:ident) => {
                match &other.state {
                    State::$variant(more) => more,
                    other => unreachable!("accumulators of one aggregate are alike, this one is {other:?}"),
                }
            };
        }
        match &mut self.state {
            State::Count(count) => *count += of_same_kind!(Count),
            State::Any(any) => *any |= of_same_kind!(Any),
            State::All(all) => *all &= of_same_kind!(All),
            State::Integers(sum) => *sum += of_same_kind!(Integers),
            State::Floats(sum) => sum.merge(of_same_kind!(Floats)),
            State::Mean(mean) => mean.merge(of_same_kind!(Mean)),
            State::Least(least) => keep(Ordering::Less, least, of_same_kind!(Least).clone()),
            State::Greatest(greatest) => keep(Ordering::Greater, greatest, of_same_kind!(Greatest).clone()),
        }
    }

    /// The aggregate of all that was taken; `span` is where it is written.
    ///
    /// # Errors
    /// An overflow at one of the nodes, or a sum that 64 bits do not hold.
    pub fn value(&self, span: Span) -> Evaluated {
        if let Some(overflow) = self.overflow {
            return Err(overflow);
        }
        Ok(match &self.state {
            State::Count(count) => Some(Value::Integer(*count)),
            State::Any(value) | State::All(value) => Some(Value::Boolean(*value)),
            State::Least(value) | State::Greatest(value) => value.clone(),
            State::Integers(sum) => return integer(*sum, span),
            State::Floats(sum) => Value::float(sum.value()),
            State::Mean(mean) => mean.value().and_then(Value::float),
        })
    }

    fn note(&mut self, overflow: Overflow) {
        self.overflow = Some(self.overflow.map_or(overflow, |before| before.min(overflow)));
    }
}

/// What the node that `frame` stands at adds to the aggregate; nothing where the filter is not true.
#[must_use]
pub fn contribution(aggregate: &Aggregate, frame: &dyn Frame) -> Option<Evaluated> {
    match evaluate(&aggregate.filter, frame) {
        Ok(Some(Value::Boolean(true))) => Some(evaluate(&aggregate.argument, frame)),
        Ok(_) => None,
        Err(overflow) => Some(Err(overflow)),
    }
}

/// Keeps the value, if it is known and stands in this order to the best so far.
fn keep(order: Ordering, best: &mut Option<Value>, value: Option<Value>) {
    let Some(value) = value else { return };
    if best.as_ref().is_none_or(|best| value.order(best) == order) {
        *best = Some(value);
    }
}
