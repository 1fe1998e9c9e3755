//! Sums, means and moments over relatives, in the smallest state that holds them.

use super::Scanner;
use crate::accumulator::Accumulator;
use crate::engine::bits::Bitmap;
use crate::engine::folds::{
    self, Difference, FixedPoint, LongMoments, Mean, Moments, PairMoments, Sum, fold_sums,
};
use crate::engine::scan::graph::{Fold, Lane, NumberId};
use crate::engine::vector::Vector;
use crate::exact_sum::ExactSum;
use crate::ir::Scope;
use crate::vocabulary::Function;

impl Scanner<'_> {
    pub(super) fn sums(&self, id: NumberId, fold: &Fold, out: &mut Vector, known: &mut Bitmap) {
        let take = &self.buffers.tests[fold.take];
        let nodes = u64::BITS - self.shape.tree.nodes().leading_zeros();
        let (bits, second_bits) = (self.bits_of(fold.argument), self.bits_of(fold.second));
        match (fold.function, self.argument(fold), fold.second.map(|second| &self.buffers.numbers[second])) {
            (Function::Sum, Vector::Integer(lanes), _) if self.compiled.lanes[id] == Lane::Integer => {
                let starts = self.starts_of(fold, |start| Sum { sum: start.sum() as i64 });
                let folded = self.summed(fold, |row| Sum::of(lanes[row], take.get(row)), &starts);
                folded.read(out.integers_mut(), known, |state| (state.sum, true));
            }
            (Function::Sum, Vector::Integer(_) | Vector::Wide(_), _) => {
                let starts = self.starts_of(fold, |start| Sum { sum: start.sum() });
                let lane = wide_lane(self.argument(fold));
                let folded = self.summed(fold, |row| Sum::of(lane(row), take.get(row)), &starts);
                folded.read(out.wides_mut(), known, |state| (state.sum, true));
            }
            (Function::Avg, Vector::Integer(lanes), _) if bits.is_some_and(|bits| bits + nodes < 62) => {
                let starts = self.starts_of(fold, |start| {
                    let (sum, count) = start.mean_sums();
                    Mean { count, sum: sum as i64 }
                });
                let folded = self.summed(fold, |row| Mean::of(lanes[row], take.get(row)), &starts);
                folded.read(out.floats_mut(), known, |state| nan_unless(state.value()));
            }
            (Function::Avg, Vector::Integer(_) | Vector::Wide(_), _) => {
                let starts = self.starts_of(fold, |start| {
                    let (sum, count) = start.mean_sums();
                    Mean { count, sum }
                });
                let lane = wide_lane(self.argument(fold));
                let folded = self.summed(fold, |row| Mean::of(lane(row), take.get(row)), &starts);
                folded.read(out.floats_mut(), known, |state| nan_unless(state.value()));
            }
            (Function::Stddev, Vector::Integer(lanes), _)
                if bits.is_some_and(|bits| 2 * (bits + nodes) < 126) =>
            {
                let starts = self.starts_of(fold, |start| {
                    let integers = start.moments().and_then(|moments| moments.integers());
                    let (count, sum, squares) = integers.unwrap_or_default();
                    Moments { count: count as i64, sum, squares }
                });
                let own = |row: usize| Moments::of(i128::from(lanes[row]), take.get(row));
                let folded = self.summed(fold, own, &starts);
                folded.read(out.floats_mut(), known, |state| nan_unless(state.deviation()));
            }
            (Function::Stddev, Vector::Float(lanes), _) if fold.scope != Scope::Path => {
                let fixed = FixedPoint::<i128>::of(lanes, take, &[]);
                let Some(fixed) = fixed.filter(|fixed| fixed.bits <= LongMoments::BITS) else {
                    return self.gather_all(id, fold, out, known);
                };
                let own = |row: usize| {
                    let taken = take.get(row);
                    LongMoments::of(fixed.whole(if taken { lanes[row] } else { 0.0 }), taken)
                };
                let (folded, unit) = (self.summed(fold, own, &[]), fixed.unit());
                folded.read(out.floats_mut(), known, |state| nan_unless(state.deviation(unit)));
            }
            (Function::Corr, Vector::Integer(x), Some(Vector::Integer(y)))
                if fold.scope != Scope::Path
                    && bits.max(second_bits).is_some_and(|bits| 2 * (bits + nodes) < 126)
                    && bits.is_some()
                    && second_bits.is_some() =>
            {
                let own = |row: usize| PairMoments::of(i128::from(x[row]), i128::from(y[row]), take.get(row));
                let folded = self.summed(fold, own, &[]);
                folded.read(out.floats_mut(), known, |state| nan_unless(state.correlation()));
            }
            (Function::Sum | Function::Avg, Vector::Float(lanes), _) => {
                let starts: Vec<ExactSum> = self.starts_of(fold, Accumulator::float_sum);
                match FixedPoint::<i128>::of(lanes, take, &starts) {
                    Some(fixed) => self.fixed_sums(fold, lanes, &fixed, out, known),
                    None => self.gather_all(id, fold, out, known),
                }
            }
            _ => self.gather_all(id, fold, out, known),
        }
    }

    fn summed<S: Difference>(&self, fold: &Fold, own: impl Fn(usize) -> S, starts: &[S]) -> folds::Folded<S> {
        fold_sums(self.known_relations(), fold.scope.into(), own, starts)
    }

    fn fixed_sums(
        &self,
        fold: &Fold,
        lanes: &[f64],
        fixed: &FixedPoint<i128>,
        out: &mut Vector,
        known: &mut Bitmap,
    ) {
        let take = &self.buffers.tests[fold.take];
        let counts = self.starts_of(fold, |start| start.mean_sums().1);
        let start = |(place, count): (usize, &i64)| Mean { count: *count, sum: fixed.starts[place] };
        let starts: Vec<Mean<i128>> = counts.iter().enumerate().map(start).collect();
        let folded = self.summed(
            fold,
            |row| Mean::of(fixed.whole(if take.get(row) { lanes[row] } else { 0.0 }), take.get(row)),
            &starts,
        );
        let is_sum = fold.function == Function::Sum;
        folded.read(out.floats_mut(), known, |state| {
            if is_sum {
                (fixed.sum(state.sum) + 0.0, true)
            } else {
                nan_unless(fixed.mean(state.sum, state.count))
            }
        });
    }

    /// The size of an argument's integers, in bits; `None` if it has floats or no bounds.
    pub(super) fn bits_of(&self, number: Option<NumberId>) -> Option<u32> {
        let number = number?;
        let (low, high) = self.compiled.bounds[number];
        let most = low.unsigned_abs().max(high.unsigned_abs());
        (self.compiled.lanes[number] == Lane::Integer).then(|| u64::BITS - most.leading_zeros())
    }
}

fn wide_lane(vector: &Vector) -> impl Fn(usize) -> i128 + '_ {
    move |row| match vector {
        Vector::Integer(lanes) => lanes[row].into(),
        Vector::Wide(lanes) => lanes[row],
        Vector::Float(_) | Vector::Text(_) => 0,
    }
}

pub(super) fn zero_unless(value: i64, is_known: bool) -> (i64, bool) {
    (if is_known { value } else { 0 }, is_known)
}

pub(super) fn nan_unless((value, known): (f64, bool)) -> (f64, bool) {
    (if known { value + 0.0 } else { f64::NAN }, known)
}
