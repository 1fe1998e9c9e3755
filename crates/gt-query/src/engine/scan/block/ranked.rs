//! Medians, quantiles and distinct values over relatives.

use super::Scanner;
use crate::accumulator::Accumulator;
use crate::engine::bits::Bitmap;
use crate::engine::folds::{Multiset, Ordered, Ranked};
use crate::engine::scan::graph::Fold;
use crate::engine::vector::Vector;
use crate::quantile::nearest_rank;
use crate::value::Value;
use crate::vocabulary::Function;

impl Scanner<'_> {
    /// For each segment, the changes from the values on the path of the segment before it to the values on its own
    /// path.
    pub(super) fn changes<T: Ordered>(
        &self,
        fold: &Fold,
        of: impl Fn(&Value) -> Option<T>,
    ) -> Vec<Multiset<T>> {
        let of_start = |start: Option<&Accumulator>| {
            let kept = start.map_or_else(Vec::new, Accumulator::kept).into_iter();
            kept.filter_map(|(value, times)| Some((of(value)?, times as i64))).collect()
        };
        let paths: Vec<Multiset<T>> = self.starts(fold).into_iter().map(of_start).collect();
        let gone = |before: &Multiset<T>| before.iter().map(|(value, times)| (*value, -times)).collect();
        let mut changes: Vec<Multiset<T>> =
            std::iter::once(Vec::new()).chain(paths.iter().map(gone)).collect();
        changes.truncate(paths.len());
        changes.iter_mut().zip(paths).for_each(|(changes, path)| changes.extend(path));
        changes
    }

    pub(super) fn ranked<T: Ordered + Default>(
        &self,
        fold: &Fold,
        lanes: &[T],
        starts: &[Multiset<T>],
        out: &mut Vector,
        known: &mut Bitmap,
        of: impl Fn(Vec<T>) -> Vector,
    ) {
        let ranked = Ranked::new(self.known_relations(), lanes, &self.buffers.tests[fold.take], starts);
        if fold.function == Function::Distinct {
            *out = Vector::Integer(ranked.distinct(fold.scope.into()));
            return;
        }
        let share = f64::from_bits(fold.share);
        // Computing a rank reads the digits of the share, so the ranks for small counts are computed in advance.
        let ranks: Vec<i64> = (1..=64).map(|count| nearest_rank(share, count) as i64).collect();
        let rank = |count: i64| match ranks.get(count.wrapping_sub(1) as usize) {
            Some(rank) => *rank,
            None => nearest_rank(share, count.max(1) as u64) as i64,
        };
        let mut found = Vec::new();
        ranked.quantiles(fold.scope.into(), rank, &mut found, known);
        *out = of(found);
        if let Vector::Float(lanes) = out {
            lanes
                .iter_mut()
                .enumerate()
                .filter(|(row, _)| !known.get(*row))
                .for_each(|(_, lane)| *lane = f64::NAN);
        }
    }
}

/// An integer, or a truth value as 0 or 1.
pub(super) fn whole(value: &Value) -> Option<i128> {
    match value {
        Value::Integer(value) => Some(*value),
        Value::Boolean(value) => Some((*value).into()),
        Value::Float(_) | Value::Text(_) | Value::Line(_) => None,
    }
}
