//! Aggregates while they are being made: added to node by node, joined in any order, read at the end.

use crate::evaluate::{Evaluated, Frame, evaluate};
use crate::exact_sum::ExactSum;
use crate::ir::Aggregate;
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
    Integers { function: Function, sum: i128, count: u64 },
    Floats { function: Function, sum: ExactSum, count: u64 },
    Extreme { largest: bool, value: Option<Value> },
    Truth { function: Function, value: bool },
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
        let function = aggregate.function;
        let state = match function {
            Function::Count => State::Count(0),
            Function::Min | Function::Max => {
                State::Extreme { largest: function == Function::Max, value: None }
            }
            Function::Any | Function::All => State::Truth { function, value: function == Function::All },
            Function::Sum if aggregate.value_type == Type::Float => {
                State::Floats { function, sum: ExactSum::default(), count: 0 }
            }
            // An average of floats turns into `Floats` with its first value.
            Function::Sum | Function::Avg => State::Integers { function, sum: 0, count: 0 },
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
        match (&mut self.state, value) {
            (State::Count(count), _) => *count += i128::from(holds),
            (State::Truth { function: Function::All, value }, _) => *value &= holds,
            (State::Truth { value, .. }, _) => *value |= holds,
            (_, None) => {}
            (State::Integers { sum, count, .. }, Some(Value::Integer(value))) => {
                *sum += value;
                *count += 1;
            }
            (State::Integers { function, .. }, Some(Value::Float(value))) => {
                let mut sum = ExactSum::default();
                sum.add(value);
                self.state = State::Floats { function: *function, sum, count: 1 };
            }
            (State::Floats { sum, count, .. }, Some(value)) => {
                sum.add(value.as_float().unwrap_or(0.0));
                *count += 1;
            }
            (State::Extreme { largest, value: best }, Some(value)) => keep(*largest, best, value),
            (State::Integers { .. }, Some(_)) => {}
        }
    }

    /// Takes many nodes.
    pub fn add_many(&mut self, many: Many) {
        match &mut self.state {
            State::Count(count) => *count += i128::from(many.held),
            State::Truth { function: Function::All, value } => *value &= many.held == many.count,
            State::Truth { value, .. } => *value |= many.held > 0,
            State::Integers { sum, count, .. } => {
                *sum += many.sum;
                *count += many.count;
            }
            State::Extreme { largest, value } if many.count > 0 => {
                let extreme = if *largest { many.most } else { many.least };
                keep(*largest, value, Value::Integer(extreme.into()));
            }
            State::Extreme { .. } | State::Floats { .. } => {}
        }
    }

    /// Takes all that another has taken, of the same aggregate.
    pub fn merge(&mut self, other: &Self) {
        if let Some(overflow) = other.overflow {
            self.note(overflow);
        }
        match (&mut self.state, &other.state) {
            (State::Count(count), State::Count(more)) => *count += more,
            (State::Truth { function: Function::All, value }, State::Truth { value: more, .. }) => {
                *value &= more
            }
            (State::Truth { value, .. }, State::Truth { value: more, .. }) => *value |= more,
            (State::Integers { sum, count, .. }, State::Integers { sum: more, count: n, .. }) => {
                *sum += more;
                *count += n;
            }
            (State::Floats { sum, count, .. }, State::Floats { sum: more, count: n, .. }) => {
                sum.merge(more);
                *count += n;
            }
            // One of them has taken nothing yet.
            (state @ State::Integers { .. }, more @ State::Floats { .. }) => *state = more.clone(),
            (State::Extreme { largest, value }, State::Extreme { value: Some(more), .. }) => {
                keep(*largest, value, more.clone());
            }
            _ => {}
        }
    }

    /// The aggregate of all that was taken; `span` is where it is written.
    ///
    /// # Errors
    /// An overflow at one of the nodes, or a sum that 64 bits do not hold.
    #[allow(clippy::cast_precision_loss)] // An average is a float.
    pub fn value(&self, span: Span) -> Evaluated {
        if let Some(overflow) = self.overflow {
            return Err(overflow);
        }
        match &self.state {
            State::Count(count) => Ok(Some(Value::Integer(*count))),
            State::Truth { value, .. } => Ok(Some(Value::Boolean(*value))),
            State::Extreme { value, .. } => Ok(value.clone()),
            State::Integers { function: Function::Avg, count: 0, .. } => Ok(None),
            State::Integers { function: Function::Avg, sum, count } => {
                Ok(Value::float(*sum as f64 / *count as f64))
            }
            State::Integers { sum, .. } => integer(*sum, span),
            State::Floats { function: Function::Avg, count: 0, .. } => Ok(None),
            State::Floats { function: Function::Avg, sum, count } => {
                Ok(Value::float(sum.value() / *count as f64))
            }
            State::Floats { sum, .. } => Ok(Value::float(sum.value())),
        }
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

fn keep(largest: bool, best: &mut Option<Value>, value: Value) {
    let better = best.as_ref().is_none_or(|best| {
        let order = value.order(best);
        if largest { order.is_gt() } else { order.is_lt() }
    });
    if better {
        *best = Some(value);
    }
}
