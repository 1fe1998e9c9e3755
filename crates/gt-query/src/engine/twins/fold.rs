//! The aggregate of each row over the others of its group, if nothing is compared: the group's aggregate less the row
//! itself. For `min` and `max` a group keeps its best two values.

use std::ops::Range;

use super::groups::Groups;
use super::lanes::{Lanes, Stored, integer_of_key, key_of_float};
use super::results::{Answers, StoredAs};
use crate::ir::Comparison;
use crate::mean::Mean;
use crate::vocabulary::Function;

/// A question about twins.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Question {
    pub(in crate::engine) function: Function,
    /// The comparisons, with the indices of lanes: of the twin, and of the node.
    pub(in crate::engine) pairs: Vec<(Comparison, usize, usize)>,
    /// The index of the value taken from a twin, and whether it is a float.
    pub(in crate::engine) argument: Option<(usize, bool)>,
}

impl Question {
    /// The representation of its answers.
    pub(super) fn kept(&self) -> StoredAs {
        match (self.function, self.argument) {
            (Function::Avg, _) | (Function::Min | Function::Max, Some((_, true))) => StoredAs::Floats,
            (Function::Min | Function::Max, _) => StoredAs::Integers,
            _ => StoredAs::Sums,
        }
    }
}

/// The answers of the rows of a bucket, whose lanes are in pieces.
pub(super) fn of_all<'l>(
    question: &Question,
    groups: &Groups,
    pieces: impl Iterator<Item = (&'l Stored, Range<usize>)> + Clone,
) -> Answers {
    let fold = Fold { argument: question.argument.map(|(argument, _)| argument), groups, pieces };
    let nothing = question.kept().nothing();
    Answers::Words(match question.function {
        Function::Min => fold.extremes(|key| key),
        // The maximum is the minimum from the other end.
        Function::Max => fold.extremes(|key| !key),
        Function::Sum => fold.each(
            0_i64,
            nothing,
            |sum, key| *sum = sum.wrapping_add(integer_of_key(key)),
            |sum, own| sum.wrapping_sub(own.map_or(0, integer_of_key)).cast_unsigned(),
        ),
        Function::Avg => fold.each(
            (0_i64, 0_u32),
            nothing,
            |(sum, count), key| (*sum, *count) = (sum.wrapping_add(integer_of_key(key)), *count + 1),
            |(sum, count), own| {
                let sum = sum.wrapping_sub(own.map_or(0, integer_of_key));
                mean(sum, count - u32::from(own.is_some())).unwrap_or(nothing)
            },
        ),
        // All others are counts.
        _ => {
            let own = |count: u32, own: Option<u64>| count - u32::from(own.is_some());
            return Answers::Counts(fold.each(0_u32, 0, |count, _| *count += 1, own));
        }
    })
}

/// The sort key of a mean of integers; `None` if there are none.
pub(super) fn mean(sum: i64, count: u32) -> Option<u64> {
    let mut mean = Mean::default();
    mean.add_integers(sum.into(), count.into());
    mean.value().map(key_of_float).filter(|_| count > 0)
}

struct Fold<'a, P> {
    argument: Option<usize>,
    groups: &'a Groups,
    pieces: P,
}

impl<'l, P: Iterator<Item = (&'l Stored, Range<usize>)> + Clone> Fold<'_, P> {
    /// Adds the twins of each group to its state, and answers each row from the state of its group and the row's own
    /// value, if it is one of the twins.
    fn each<S: Copy, T: Copy>(
        &self,
        empty: S,
        nothing: T,
        add: impl Fn(&mut S, u64),
        value: impl Fn(S, Option<u64>) -> T,
    ) -> Vec<T> {
        let mut states = vec![empty; self.groups.of_rows().len()];
        self.rows(|group, flags, taken| {
            if flags & Lanes::TWIN != 0 {
                add(&mut states[group as usize], taken);
            }
        });
        let mut answers = Vec::with_capacity(self.groups.of_rows().len());
        self.rows(|group, flags, taken| {
            let own = (flags & Lanes::TWIN != 0).then_some(taken);
            let is_node = flags & Lanes::NODE != 0;
            answers.push(if is_node { value(states[group as usize], own) } else { nothing });
        });
        answers
    }

    /// The minimum of the others: of the group's two smallest values, the one that is not the row's own.
    fn extremes(&self, turned: impl Fn(u64) -> u64) -> Vec<u64> {
        const NONE: u64 = u64::MAX;
        let nothing = StoredAs::Integers.nothing();
        self.each(
            (NONE, NONE),
            nothing,
            |(least, second), key| {
                let key = turned(key);
                (*least, *second) = ((*least).min(key), (*second).min((*least).max(key)));
            },
            |(least, second), own| {
                let found = if own.map(&turned) == Some(least) { second } else { least };
                if found == NONE { nothing } else { turned(found) }
            },
        )
    }

    /// Calls `visit` with the group, the flags and the argument of each row.
    #[inline]
    fn rows(&self, mut visit: impl FnMut(u32, u8, u64)) {
        let (mut left, mut flags, mut taken) = (self.groups.of_rows(), Vec::new(), Vec::new());
        for (lanes, range) in self.pieces.clone() {
            let groups;
            (groups, left) = left.split_at(range.len());
            lanes.flags_into(range.clone(), &mut flags);
            match self.argument {
                None => taken.resize(range.len().max(taken.len()), 0),
                Some(argument) => lanes.numbers_into(argument, range, &mut taken),
            }
            for ((group, flags), taken) in groups.iter().zip(&flags).zip(&taken) {
                visit(*group, *flags, *taken);
            }
        }
    }
}
