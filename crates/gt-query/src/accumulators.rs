//! The accumulators of many groups, one aggregate after the other.
//!
//! ```text
//! count(*)     2  1  1  7 …        8 bytes each
//! sum(best)   40 -3  0 12 …        8, until one of them does not fit
//! the others   an [`Accumulator`] each
//! ```

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::accumulator::{Accumulator, Many};
use crate::evaluate::Evaluated;
use crate::mean::Mean;
use crate::span::Span;
use crate::value::{Overflow, Value, integer};
use crate::vocabulary::Function;

/// The accumulators of an aggregate, by group. Those of integers are stored compactly as long as they fit and nothing
/// has overflowed.
#[derive(Clone, Debug)]
pub(crate) enum Accumulators {
    Counts(Vec<u64>),
    Sums(Vec<i64>),
    Means(Vec<IntegerMean>),
    /// `min` or `max`: values that compare to the others in this order.
    Extremes(Ordering, Vec<Option<i64>>),
    States(Vec<Accumulator>),
}

/// The mean of integers under construction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IntegerMean {
    sum: i64,
    count: u64,
}

impl IntegerMean {
    fn and(self, more: Self) -> Option<Self> {
        Some(Self { sum: self.sum.checked_add(more.sum)?, count: self.count + more.count })
    }

    fn mean(self) -> Mean {
        let mut mean = Mean::default();
        mean.add_integers(self.sum.into(), self.count);
        mean
    }
}

impl Accumulators {
    /// The accumulators that have taken these contributions to a function; `None` if they cannot be stored compactly.
    pub(crate) fn of_many(function: Function, many: &[Many]) -> Option<Self> {
        let sum = |many: &Many| i64::try_from(many.sum()).ok();
        let extremes = |order: Ordering| {
            let extreme = |many: &Many| if order.is_lt() { many.least() } else { many.most() };
            let values = many.iter().map(|many| (many.count() > 0).then(|| extreme(many)));
            Self::Extremes(order, values.collect())
        };
        match function {
            Function::Sum => many.iter().map(sum).collect::<Option<_>>().map(Self::Sums),
            Function::Avg => {
                let mean = |many: &Many| Some(IntegerMean { sum: sum(many)?, count: many.count() });
                many.iter().map(mean).collect::<Option<_>>().map(Self::Means)
            }
            Function::Min => Some(extremes(Ordering::Less)),
            Function::Max => Some(extremes(Ordering::Greater)),
            Function::Count
            | Function::Any
            | Function::All
            | Function::Stddev
            | Function::Corr
            | Function::Median
            | Function::Quantile
            | Function::Distinct
            | Function::First
            | Function::Last
            | Function::ArgMin
            | Function::ArgMax => None,
        }
    }

    /// An empty list of the same kind.
    pub(crate) fn empty(&self, capacity: usize) -> Self {
        match self {
            Self::Counts(_) => Self::Counts(Vec::with_capacity(capacity)),
            Self::Sums(_) => Self::Sums(Vec::with_capacity(capacity)),
            Self::Means(_) => Self::Means(Vec::with_capacity(capacity)),
            Self::Extremes(order, _) => Self::Extremes(*order, Vec::with_capacity(capacity)),
            Self::States(_) => Self::States(Vec::with_capacity(capacity)),
        }
    }

    /// The accumulator of a group.
    pub(crate) fn get(&self, group: usize) -> Cow<'_, Accumulator> {
        Cow::Owned(match self {
            Self::Counts(counts) => Accumulator::counted(counts[group]),
            Self::Sums(sums) => Accumulator::of_sum(sums[group].into()),
            Self::Means(means) => Accumulator::of_mean(means[group].mean()),
            Self::Extremes(order, values) => Accumulator::of_extreme(*order, values[group]),
            Self::States(states) => return Cow::Borrowed(&states[group]),
        })
    }

    /// The aggregate of a group; `span` is its place in the text.
    pub(crate) fn value(&self, group: usize, span: Span) -> Evaluated {
        match self {
            Self::Counts(counts) => Ok(Some(Value::Integer(counts[group].into()))),
            Self::Sums(sums) => integer(sums[group].into(), span),
            Self::Means(means) => Ok(means[group].mean().value().and_then(Value::float)),
            Self::Extremes(_, values) => Ok(values[group].map(|value| Value::Integer(value.into()))),
            Self::States(states) => states[group].value(span),
        }
    }

    /// The first overflow of any group; `span` is the aggregate's place in the text. Compact accumulators have met no
    /// overflow.
    pub(crate) fn failure(&self, span: Span) -> Option<Overflow> {
        let Self::States(states) = self else { return None };
        states.iter().filter_map(|state| state.failure(span)).min()
    }

    /// The accumulators one by one, which are then no longer stored compactly.
    pub(crate) fn states(&mut self) -> &mut Vec<Accumulator> {
        if !matches!(self, Self::States(_)) {
            *self = Self::States((0..self.len()).map(|group| self.get(group).into_owned()).collect());
        }
        match self {
            Self::States(states) => states,
            _ => unreachable!("they have just been listed"),
        }
    }

    pub(crate) fn into_states(mut self) -> Vec<Accumulator> {
        std::mem::take(self.states())
    }

    fn len(&self) -> usize {
        match self {
            Self::Counts(counts) => counts.len(),
            Self::Sums(sums) => sums.len(),
            Self::Means(means) => means.len(),
            Self::Extremes(_, values) => values.len(),
            Self::States(states) => states.len(),
        }
    }

    /// Appends the accumulator of another list's group, which keeps no meaningful accumulator.
    pub(crate) fn push(&mut self, from: &mut Self, group: usize) {
        match (&mut *self, from) {
            (Self::Counts(counts), Self::Counts(from)) => counts.push(from[group]),
            (Self::Sums(sums), Self::Sums(from)) => sums.push(from[group]),
            (Self::Means(means), Self::Means(from)) => means.push(from[group]),
            (Self::Extremes(_, values), Self::Extremes(_, from)) => values.push(from[group]),
            (Self::States(states), Self::States(from)) => {
                states.push(std::mem::replace(&mut from[group], Accumulator::counted(0)));
            }
            (all, from) => all.states().push(from.get(group).into_owned()),
        }
    }

    /// Merges the accumulator of group `of` in another list into that of a group.
    pub(crate) fn merge(&mut self, group: usize, from: &Self, of: usize) {
        let is_merged = match (&mut *self, from) {
            (Self::Counts(counts), Self::Counts(from)) => {
                store(&mut counts[group], |count| count.checked_add(from[of]))
            }
            (Self::Sums(sums), Self::Sums(from)) => store(&mut sums[group], |sum| sum.checked_add(from[of])),
            (Self::Means(means), Self::Means(from)) => store(&mut means[group], |mean| mean.and(from[of])),
            (Self::Extremes(order, values), Self::Extremes(_, from)) => {
                store(&mut values[group], |value| Some(better(*order, value, from[of])))
            }
            (Self::States(states), from) => {
                states[group].merge(&from.get(of));
                true
            }
            _ => false,
        };
        if !is_merged {
            self.states()[group].merge(&from.get(of));
        }
    }

    /// The approximate memory of a group's accumulator, in bytes.
    pub(crate) fn bytes(&self, group: usize) -> usize {
        match self {
            Self::Counts(_) => size_of::<u64>(),
            Self::Sums(_) => size_of::<i64>(),
            Self::Means(_) => size_of::<IntegerMean>(),
            Self::Extremes(..) => size_of::<Option<i64>>(),
            Self::States(states) => size_of::<Accumulator>() + states[group].bytes(),
        }
    }

    /// The approximate memory of all accumulators, in bytes.
    pub(crate) fn bytes_of_all(&self) -> usize {
        match self {
            Self::States(states) => (0..states.len()).map(|group| self.bytes(group)).sum(),
            _ if self.len() == 0 => 0,
            _ => self.len() * self.bytes(0),
        }
    }
}

/// Stores a new value, and returns whether there is one.
fn store<T: Copy>(place: &mut T, change: impl Fn(T) -> Option<T>) -> bool {
    let changed = change(*place);
    changed.into_iter().for_each(|changed| *place = changed);
    changed.is_some()
}

/// The value that compares to the other in this order.
fn better(order: Ordering, left: Option<i64>, right: Option<i64>) -> Option<i64> {
    match (left, right) {
        (Some(left), Some(right)) if order.is_lt() => Some(left.min(right)),
        (Some(left), Some(right)) => Some(left.max(right)),
        (left, right) => left.or(right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Contributions of groups: integers, some of which reach the ends of the range.
    fn contributions() -> impl Strategy<Value = Vec<Vec<i64>>> {
        let value = prop_oneof![-100..100_i64, Just(i64::MAX), Just(i64::MIN)];
        proptest::collection::vec(proptest::collection::vec(value, 0..4), 1..6)
    }

    fn many(values: &[i64]) -> Many {
        let mut many = Many::default();
        values.iter().for_each(|value| many.add_integer(*value, 1));
        many
    }

    proptest! {
        /// Compact accumulators have the values of ordinary ones, however they are merged.
        #[test]
        fn compact_accumulators_have_the_same_values(
            function in proptest::sample::select(vec![Function::Sum, Function::Avg, Function::Min, Function::Max]),
            lists in proptest::collection::vec(contributions(), 1..5),
        ) {
            let span = Span::default();
            let plain = |groups: &[Vec<i64>]| {
                let mut of_group = match function {
                    Function::Sum => Accumulator::of_sum(0),
                    Function::Avg => Accumulator::of_mean(Mean::default()),
                    Function::Min => Accumulator::of_extreme(Ordering::Less, None),
                    _ => Accumulator::of_extreme(Ordering::Greater, None),
                };
                groups.iter().for_each(|values| of_group.add_many(many(values)));
                of_group
            };
            let listed = |groups: &[Vec<i64>]| {
                let many: Vec<Many> = groups.iter().map(|values| many(values)).collect();
                let plainly = || Accumulators::States(groups.iter().map(|values| plain(std::slice::from_ref(values))).collect());
                Accumulators::of_many(function, &many).unwrap_or_else(plainly)
            };
            // The groups of each list are merged into its first, and the lists into one.
            let mut all: Option<Accumulators> = None;
            for list in &lists {
                let mut from = listed(list);
                (1..list.len()).for_each(|group| {
                    let others = from.clone();
                    from.merge(0, &others, group);
                });
                let first = all.get_or_insert_with(|| from.empty(1));
                if first.len() == 0 { first.push(&mut from, 0) } else { first.merge(0, &from, 0) }
            }
            let (found, expected) = (all.expect("a list"), plain(&lists.concat()));
            prop_assert_eq!(found.value(0, span), expected.value(span));
            prop_assert_eq!(found.get(0).value(span), expected.value(span));
        }
    }

    #[test]
    fn counts_merge_with_an_accumulator_that_met_an_overflow() {
        let overflow = crate::value::Overflow::new(Span::default());
        let mut failed = Accumulator::counted(2);
        failed.add(Err(overflow));
        let mut counts = Accumulators::Counts(vec![5, 6]);
        assert_eq!((counts.bytes(0), counts.bytes_of_all()), (8, 16));
        counts.merge(1, &Accumulators::States(vec![failed]), 0);
        assert_eq!(counts.value(0, Span::default()), Ok(Some(Value::Integer(5))));
        assert_eq!(counts.value(1, Span::default()), Err(overflow));
    }
}
