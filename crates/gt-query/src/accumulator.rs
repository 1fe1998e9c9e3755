//! Aggregates under construction: added to node by node, merged in any order, read at the end.

use std::cmp::Ordering;

use crate::evaluate::{Evaluated, Frame, evaluate};
use crate::exact_sum::ExactSum;
use crate::hashing::QuickSet;
use crate::ir::{Aggregate, Expr, Field, Operand, Scope, Step};
use crate::mean::Mean;
use crate::moments::{Moments, PairMoments};
use crate::quantile::Multiset;
use crate::span::Span;
use crate::value::{Overflow, Type, Value, integer};
use crate::vocabulary::Function;
use crate::wire::{Bytes, Wire, put_length, read_sum, wire_fields};

/// The state of one aggregate over some nodes.
#[derive(Clone, Debug)]
pub struct Accumulator {
    state: State,
    /// The overflow at one of the nodes that comes first in the text. Overflows are rare and there may be millions of
    /// accumulators, so it is boxed, as the best node is.
    overflow: Option<Box<Overflow>>,
}

#[derive(Clone, Debug)]
enum State {
    Count(i128),
    // 2^40 nodes of 2^64 each stay far below 128 bits; only the final sum must fit in 64.
    Integers(i128),
    Floats(ExactSum),
    Mean(Mean),
    Any(bool),
    All(bool),
    Deviation(Box<Moments>),
    Correlation(Box<PairMoments>),
    /// The values, and the quantile's share.
    Quantile(Multiset, f64),
    Distinct(QuickSet<Value>),
    /// `min`, `max`, `first`, `last`, `arg_min`, `arg_max`: the best node so far.
    Best(Rule, Option<Box<Contribution>>),
}

/// The rule by which an aggregate keeps one of two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// Keeps the node whose value compares to the other's in this order, or the first of equals; the result is its
    /// value.
    Value(Ordering),
    /// Like `Value`, but the result is the second argument at that node.
    Second(Ordering),
    /// Keeps the node whose node_id compares to the other's in this order.
    Node(Ordering),
}

/// A node's contribution to an aggregate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contribution {
    /// The argument.
    pub value: Option<Value>,
    /// The second argument, if there is one.
    pub second: Option<Value>,
    /// The node, if the aggregate distinguishes nodes.
    pub node_id: u64,
}

wire_fields!(Contribution { value, second, node_id });

/// The contributions of many nodes to an aggregate: those that pass its filter, all with known values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Many {
    /// The number of nodes.
    count: u64,
    /// The number of nodes for which the argument is true.
    held: u64,
    sum: i128,
    squares: i128,
    least: i64,
    most: i64,
}

impl Default for Many {
    fn default() -> Self {
        Self { count: 0, held: 0, sum: 0, squares: 0, least: i64::MAX, most: i64::MIN }
    }
}

impl Many {
    /// Makes the contribution of `count` integers from their sum, the sum of their squares, and their minimum
    /// and maximum.
    #[must_use]
    pub fn of(count: u64, sum: i64, squares: i64, (least, most): (i64, i64)) -> Self {
        Self { count, held: 0, sum: sum.into(), squares: squares.into(), least, most }
    }

    /// Makes the contribution of `count` nodes that count.
    #[must_use]
    pub fn of_count(count: u64) -> Self {
        Self { held: count, ..Self::default() }
    }

    /// The number of integers.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// The sum of the integers.
    pub(crate) fn sum(&self) -> i128 {
        self.sum
    }

    /// The minimum of the integers, if there are any.
    pub(crate) fn least(&self) -> i64 {
        self.least
    }

    /// The maximum of the integers, if there are any.
    pub(crate) fn most(&self) -> i64 {
        self.most
    }

    /// Adds the square of the last added integer, as often as that integer was added; 2^40 squares fit.
    #[inline]
    pub fn add_square(&mut self, value: i64, times: u32) {
        let square = i128::from(value) * i128::from(value);
        self.squares = self.squares.saturating_add(square.saturating_mul(times.into()));
    }

    /// Returns these contributions and others together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            held: self.held + other.held,
            sum: self.sum + other.sum,
            squares: self.squares.saturating_add(other.squares),
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    /// Adds `times` nodes with this integer.
    #[inline]
    pub fn add_integer(&mut self, value: i64, times: u32) {
        self.count += u64::from(times);
        self.sum += i128::from(value) * i128::from(times);
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }
}

impl Accumulator {
    /// Makes the aggregate of no nodes.
    #[must_use]
    pub fn new(aggregate: &Aggregate) -> Self {
        let best = |rule| State::Best(rule, None);
        let state = match aggregate.function {
            Function::Count => State::Count(0),
            Function::Min => best(Rule::Value(Ordering::Less)),
            Function::Max => best(Rule::Value(Ordering::Greater)),
            Function::ArgMin => best(Rule::Second(Ordering::Less)),
            Function::ArgMax => best(Rule::Second(Ordering::Greater)),
            Function::First => best(Rule::Node(Ordering::Less)),
            Function::Last => best(Rule::Node(Ordering::Greater)),
            Function::Any => State::Any(false),
            Function::All => State::All(true),
            Function::Avg => State::Mean(Mean::default()),
            Function::Sum if aggregate.value_type == Type::Float => State::Floats(ExactSum::default()),
            Function::Sum => State::Integers(0),
            Function::Stddev => State::Deviation(Box::default()),
            Function::Corr => State::Correlation(Box::default()),
            Function::Median | Function::Quantile => State::Quantile(Multiset::default(), share(aggregate)),
            Function::Distinct => State::Distinct(QuickSet::default()),
        };
        Self { state, overflow: None }
    }

    /// Takes the node of `frame`, if it passes the aggregate's filter.
    pub fn take(&mut self, aggregate: &Aggregate, frame: &dyn Frame) {
        if let Some(contribution) = contribution(aggregate, frame) {
            self.add(contribution);
        }
    }

    /// Takes the match of `frame`, if it passes the aggregate's filter.
    pub fn take_match(&mut self, aggregate: &Aggregate, node_id: u64, frame: &dyn Frame) {
        if let Some(contribution) = contribution(aggregate, frame) {
            let found = contribution.map(|contribution| Contribution { node_id, ..contribution });
            self.add(found.map_err(|overflow| overflow.at(node_id)));
        }
    }

    /// Takes a node that has passed the filter.
    pub fn add(&mut self, contribution: Result<Contribution, Overflow>) {
        let contribution = match contribution {
            Ok(contribution) => contribution,
            Err(overflow) => return self.note(overflow),
        };
        let value = &contribution.value;
        let holds = *value == Some(Value::Boolean(true));
        match (&mut self.state, value) {
            (State::Count(count), _) => *count += i128::from(holds),
            (State::Any(any), _) => *any |= holds,
            (State::All(all), _) => *all &= holds,
            (State::Integers(sum), Some(Value::Integer(value))) => *sum += value,
            (State::Floats(sum), Some(Value::Integer(value))) => sum.add_integer(*value),
            (State::Floats(sum), Some(Value::Float(value))) => sum.add(*value),
            (State::Mean(mean), Some(Value::Integer(value))) => mean.add_integer(*value),
            (State::Mean(mean), Some(Value::Float(value))) => mean.add_float(*value),
            (State::Deviation(moments), Some(value)) => moments.add(value),
            (State::Correlation(moments), Some(left)) => {
                contribution.second.iter().for_each(|right| moments.add(left, right));
            }
            (State::Quantile(values, _), Some(value)) => values.add(value.clone(), 1),
            (State::Distinct(values), Some(value)) => drop(values.insert(value.clone())),
            (State::Best(rule, best), Some(_)) => rule.keep(best, &contribution),
            // Unknown values are skipped, and the binder admits no other types.
            (
                State::Integers(_)
                | State::Floats(_)
                | State::Mean(_)
                | State::Deviation(_)
                | State::Correlation(_)
                | State::Quantile(..)
                | State::Distinct(_)
                | State::Best(..),
                _,
            ) => {}
        }
    }

    /// Takes a node with this value, for a function that reads nothing else.
    pub fn add_value(&mut self, value: Value) {
        self.add(Ok(Contribution { value: Some(value), ..Contribution::default() }));
    }

    /// Takes many nodes, for a function of counts, sums and extremes. For `all`, the nodes that violate it count.
    pub fn add_many(&mut self, many: Many) {
        match &mut self.state {
            State::Count(count) => *count += i128::from(many.held),
            State::Any(any) => *any |= many.held > 0,
            State::All(all) => *all &= many.held == 0,
            State::Integers(sum) => *sum += many.sum,
            State::Floats(sum) => sum.add_integer(many.sum),
            State::Mean(mean) => mean.add_integers(many.sum, many.count),
            State::Deviation(moments) => {
                moments.merge(&Moments::from_sums(many.count, many.sum, many.squares));
            }
            State::Best(Rule::Value(_), _) if many.count == 0 => {}
            State::Best(Rule::Value(order), _) => {
                let extreme = if order.is_lt() { many.least } else { many.most };
                self.add_value(Value::Integer(extreme.into()));
            }
            State::Correlation(_)
            | State::Quantile(..)
            | State::Distinct(_)
            | State::Best(Rule::Second(_) | Rule::Node(_), _) => {
                unreachable!("many nodes at once tell counts, sums and extremes only")
            }
        }
    }

    /// An aggregate that has taken this many nodes that count.
    pub(crate) fn of_count(aggregate: &Aggregate, count: u64) -> Self {
        let mut accumulator = Self::new(aggregate);
        accumulator.add_many(Many::of_count(count));
        accumulator
    }

    /// A `count` of this many nodes.
    pub(crate) fn counted(count: u64) -> Self {
        Self { state: State::Count(count.into()), overflow: None }
    }

    /// A `sum` of integers.
    pub(crate) fn of_sum(sum: i128) -> Self {
        Self { state: State::Integers(sum), overflow: None }
    }

    /// An `avg`.
    pub(crate) fn of_mean(mean: Mean) -> Self {
        Self { state: State::Mean(mean), overflow: None }
    }

    /// A `min` or `max` of integers: the value that compares to the others in this order.
    pub(crate) fn of_extreme(order: Ordering, value: Option<i64>) -> Self {
        let mut accumulator = Self { state: State::Best(Rule::Value(order), None), overflow: None };
        value.into_iter().for_each(|value| accumulator.add_value(Value::Integer(value.into())));
        accumulator
    }

    /// Takes `count` floats with this sum.
    pub(crate) fn add_floats(&mut self, sum: &ExactSum, count: u64) {
        match &mut self.state {
            State::Floats(all) => all.merge(sum),
            State::Mean(mean) => mean.add_floats(sum, count),
            other => unreachable!("floats are summed up, and {other:?} is no sum"),
        }
    }

    /// The number of nodes that count; for an operator, 1 if its overflow occurred and otherwise 0.
    pub(crate) fn count(&self, overflow: Option<Span>) -> i64 {
        match (overflow, &self.state) {
            (Some(span), _) => self.overflow.as_ref().is_some_and(|met| met.span == span).into(),
            (None, State::Count(count)) => i64::try_from(*count).unwrap_or(i64::MAX),
            (None, State::Any(any)) => (*any).into(),
            (None, State::All(all)) => (!*all).into(),
            (None, _) => 0,
        }
    }

    /// The sum of integers.
    pub(crate) fn sum(&self) -> i128 {
        if let State::Integers(sum) = &self.state { *sum } else { 0 }
    }

    /// The parts of a mean: the sum of integers, and the number of numbers.
    pub(crate) fn mean_sums(&self) -> (i128, i64) {
        if let State::Mean(mean) = &self.state { mean.sums() } else { (0, 0) }
    }

    /// The sum of floats, also in a mean.
    pub(crate) fn float_sum(&self) -> ExactSum {
        match &self.state {
            State::Floats(sum) => sum.clone(),
            State::Mean(mean) => mean.float_sum(),
            _ => ExactSum::default(),
        }
    }

    /// The moments of a deviation.
    pub(crate) fn moments(&self) -> Option<&Moments> {
        if let State::Deviation(moments) = &self.state { Some(moments) } else { None }
    }

    /// The values that the accumulator keeps, each with its number of occurrences, which is not known for distinct
    /// values.
    pub(crate) fn kept(&self) -> Vec<(&Value, u64)> {
        match &self.state {
            State::Quantile(values, _) => values.iter().collect(),
            State::Distinct(values) => values.iter().map(|value| (value, 1)).collect(),
            _ => Vec::new(),
        }
    }

    /// The node that the accumulator has chosen.
    pub(crate) fn best(&self) -> Option<&Contribution> {
        if let State::Best(_, best) = &self.state { best.as_deref() } else { None }
    }

    /// Takes `times` nodes with this value, for a function of the values alone.
    pub(crate) fn add_times(&mut self, value: Value, times: u64) {
        match &mut self.state {
            State::Quantile(values, _) => values.add(value, times),
            State::Distinct(values) => drop(values.insert(value)),
            other => unreachable!("values are kept one by one, and {other:?} keeps none"),
        }
    }

    /// Takes the moments of a deviation, or those of both arguments of a correlation with the sum of their products.
    pub(crate) fn add_moments(&mut self, first: Moments, second: Moments, products: &ExactSum) {
        match &mut self.state {
            State::Deviation(moments) => moments.merge(&first),
            State::Correlation(moments) => moments.merge(&PairMoments::of_floats(first, second, products)),
            other => unreachable!("moments are summed up, and {other:?} has none"),
        }
    }

    /// Returns the approximate number of bytes of the values that it keeps individually.
    #[must_use]
    pub fn bytes(&self) -> usize {
        const EACH: usize = size_of::<Value>() + size_of::<u64>();
        match &self.state {
            State::Distinct(values) => EACH * values.len(),
            State::Quantile(values, _) => EACH * values.distinct(),
            State::Count(_)
            | State::Integers(_)
            | State::Floats(_)
            | State::Mean(_)
            | State::Any(_)
            | State::All(_)
            | State::Deviation(_)
            | State::Correlation(_)
            | State::Best(_, None) => 0,
            State::Best(_, Some(_)) => size_of::<Contribution>(),
        }
    }

    /// Merges another accumulator of the same aggregate.
    ///
    /// # Panics
    /// If the other belongs to another function.
    pub fn merge(&mut self, other: &Self) {
        if let Some(overflow) = &other.overflow {
            self.note(**overflow);
        }
        // Each state merges only with its own kind: a new state does not compile until it defines how.
        macro_rules! of_same_kind {
            ($variant:ident $(, $rest:pat)?) => {
                match &other.state {
                    State::$variant(more $(, $rest)?) => more,
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
            State::Deviation(moments) => moments.merge(of_same_kind!(Deviation)),
            State::Correlation(moments) => moments.merge(of_same_kind!(Correlation)),
            State::Quantile(values, _) => values.merge(of_same_kind!(Quantile, _)),
            State::Distinct(values) => values.extend(of_same_kind!(Distinct).iter().cloned()),
            State::Best(rule, best) => {
                let State::Best(_, Some(other)) = &other.state else { return };
                rule.keep(best, other);
            }
        }
    }

    /// Merges another accumulator of the same aggregate `times` times.
    pub(crate) fn merge_times(&mut self, other: &Self, times: u64) {
        let (mut power, mut left) = (other.clone(), times);
        while left > 0 {
            if left & 1 == 1 {
                self.merge(&power);
            }
            left >>= 1;
            if left > 0 {
                let same = power.clone();
                power.merge(&same);
            }
        }
    }

    /// Returns the aggregate of all nodes taken; `span` is its place in the text.
    ///
    /// # Errors
    /// Returns an overflow at one of the nodes, or that of a sum that does not fit in 64 bits.
    pub fn value(&self, span: Span) -> Evaluated {
        if let Some(overflow) = &self.overflow {
            return Err(**overflow);
        }
        Ok(match &self.state {
            State::Count(count) => Some(Value::Integer(*count)),
            State::Any(value) | State::All(value) => Some(Value::Boolean(*value)),
            State::Best(rule, best) => best.as_ref().and_then(|best| rule.result(best)),
            State::Deviation(moments) => moments.deviation().and_then(Value::float),
            State::Correlation(moments) => moments.correlation().and_then(Value::float),
            State::Quantile(values, share) => values.quantile(*share),
            State::Distinct(values) => Some(Value::Integer(values.len() as i128)),
            State::Integers(sum) => return integer(*sum, span),
            State::Floats(sum) => Value::float(sum.value()),
            State::Mean(mean) => mean.value().and_then(Value::float),
        })
    }

    /// The overflow that leaves the aggregate without a value; `span` is its place in the text.
    pub(crate) fn failure(&self, span: Span) -> Option<Overflow> {
        let sum = if let State::Integers(sum) = &self.state { integer(*sum, span).err() } else { None };
        self.overflow.as_deref().copied().or(sum)
    }

    /// Writes the state, which must have met no overflow, as bytes.
    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        match &self.state {
            State::Count(sum) | State::Integers(sum) => sum.put(bytes),
            State::Any(truth) | State::All(truth) => truth.put(bytes),
            State::Floats(sum) => sum.put(bytes),
            State::Mean(mean) => mean.put(bytes),
            State::Deviation(moments) => moments.put(bytes),
            State::Correlation(moments) => moments.put(bytes),
            State::Quantile(values, _) => values.put(bytes),
            State::Distinct(values) => {
                put_length(values.len(), bytes);
                values.iter().for_each(|value| value.put(bytes));
            }
            State::Best(_, best) => best.put(bytes),
        }
    }

    /// Reads the state of an aggregate from bytes.
    pub(crate) fn read(aggregate: &Aggregate, bytes: &mut Bytes<'_>) -> Option<Self> {
        let mut accumulator = Self::new(aggregate);
        match &mut accumulator.state {
            State::Count(sum) | State::Integers(sum) => *sum = read_sum(bytes)?,
            State::Any(truth) | State::All(truth) => *truth = bool::read(bytes)?,
            State::Floats(sum) => *sum = ExactSum::read(bytes)?,
            State::Mean(mean) => *mean = Mean::read(bytes)?,
            State::Deviation(moments) => *moments = Box::read(bytes)?,
            State::Correlation(moments) => *moments = Box::read(bytes)?,
            State::Quantile(values, _) => *values = Multiset::read(bytes)?,
            State::Distinct(values) => values.extend(Vec::<Value>::read(bytes)?),
            State::Best(_, best) => *best = Option::read(bytes)?,
        }
        Some(accumulator)
    }

    fn note(&mut self, overflow: Overflow) {
        let first = self.overflow.as_ref().map_or(overflow, |before| overflow.min(**before));
        self.overflow = Some(Box::new(first));
    }
}

impl Rule {
    /// Keeps the candidate, if it is better than the best so far.
    fn keep(self, best: &mut Option<Box<Contribution>>, candidate: &Contribution) {
        let is_better = |best: &Contribution| {
            let by_node = candidate.node_id.cmp(&best.node_id);
            match (self, &candidate.value, &best.value) {
                (Self::Node(order), _, _) => by_node == order,
                (Self::Value(order) | Self::Second(order), Some(candidate), Some(best)) => {
                    let by_value = candidate.order(best);
                    by_value == order || (by_value.is_eq() && by_node.is_lt())
                }
                (Self::Value(_) | Self::Second(_), candidate, _) => candidate.is_some(),
            }
        };
        if best.as_deref().is_none_or(is_better) {
            *best = Some(Box::new(candidate.clone()));
        }
    }

    fn result(self, best: &Contribution) -> Option<Value> {
        match self {
            Self::Value(_) | Self::Node(_) => best.value.clone(),
            Self::Second(_) => best.second.clone(),
        }
    }
}

/// The share of a quantile.
pub(crate) fn share(aggregate: &Aggregate) -> f64 {
    match &aggregate.second {
        Some(Expr::Constant(Some(share))) => share.as_float().unwrap_or(0.5),
        _ => 0.5,
    }
}

/// Returns the contribution of the node of `frame`; `None` if the filter is not true.
#[must_use]
pub fn contribution(aggregate: &Aggregate, frame: &dyn Frame) -> Option<Result<Contribution, Overflow>> {
    match evaluate(&aggregate.filter, frame) {
        Ok(Some(Value::Boolean(true))) => Some(arguments(aggregate, frame)),
        Ok(_) => None,
        Err(overflow) => Some(Err(overflow)),
    }
}

fn arguments(aggregate: &Aggregate, frame: &dyn Frame) -> Result<Contribution, Overflow> {
    let value = evaluate(&aggregate.argument, frame)?;
    let second = aggregate.second.as_ref().map_or(Ok(None), |second| evaluate(second, frame))?;
    let node_id = match aggregate.function {
        Function::First | Function::Last | Function::ArgMin | Function::ArgMax
            if aggregate.scope != Scope::Matches =>
        {
            let anchor = aggregate.scope.anchor();
            frame.read(Operand { anchor, step: Step::Here, field: Field::NodeId })?
        }
        _ => None,
    };
    let node_id = match node_id {
        Some(Value::Integer(node_id)) => u64::try_from(node_id).unwrap_or(u64::MAX),
        _ => 0,
    };
    Ok(Contribution { value, second, node_id })
}
