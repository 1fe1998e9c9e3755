//! Aggregates over relatives, for every row.
//!
//! ```text
//! take, argument ──▶ a state of every row ──fold──▶ the states of its relatives ──▶ its value, and whether it is known
//!                    a state of every segment's crossing parent, or of its path ──┘
//! ```
//!
//! The state depends on the function and on how large sums can become; if no fast one is large enough, an
//! [`Accumulator`] is used.

use super::Scanner;
use crate::accumulator::{Accumulator, Contribution};
use crate::engine::Failure;
use crate::engine::bits::Bitmap;
use crate::engine::crossing::JointId;
use crate::engine::folds::{
    self, Difference, First, FixedPoint, Forest, Greatest, GreatestFloat, GreatestInteger, Last, Least,
    LeastFloat, LeastInteger, LongMoments, Mean, Moments, Multiset, NOBODY, Ordered, PairMoments, Pairs,
    Pick, Ranked, Rule, State, Sum, fold_sums,
};
use crate::engine::scan::graph::{Fold, Lane, Number, NumberId, Part, Scalar, Test};
use crate::engine::scan::runs::Parent;
use crate::engine::vector::{Vector, gather, gather_bits};
use crate::exact_sum::ExactSum;
use crate::ir::{AggregateId, Scope};
use crate::quantile::nearest_rank;
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
    pub(super) fn fold(&mut self, id: NumberId, fold: &Fold, out: &mut Vector) -> Result<(), Failure> {
        if fold.of_pairs {
            return self.fold_of_pairs(id, fold, out);
        }
        self.test(fold.take)?;
        if fold.function == Function::Count {
            match fold.scope {
                Scope::Child => return self.child_count(fold, out.integers_mut()),
                Scope::Subtree => return self.subtree_count(fold, out.integers_mut()),
                Scope::Path => {
                    self.path_count(fold)?;
                    self.buffers.sums.numbers_into(self.rows(), out.integers_mut());
                    return Ok(());
                }
                _ => {}
            }
        }
        for number in [fold.argument, fold.second].into_iter().flatten() {
            self.number(number)?;
        }
        fold.second_known.map_or(Ok(()), |known| self.test(known))?;
        let mut known = std::mem::take(&mut self.buffers.has_value[id]);
        if !self.fold_upward(id, fold, out, &mut known)? {
            self.relations()?;
            self.fold_values(id, fold, out, &mut known);
            if matches!(fold.scope, Scope::Before | Scope::After) {
                self.patch_tops(id, fold, out, &mut known)?;
            }
        }
        self.buffers.has_value[id] = known;
        Ok(())
    }

    /// Sums, means and extremes of children and of subtrees; returns `false`, and computes nothing, for others.
    fn fold_upward(
        &mut self,
        id: NumberId,
        fold: &Fold,
        out: &mut Vector,
        known: &mut Bitmap,
    ) -> Result<bool, Failure> {
        if !matches!(fold.scope, Scope::Child | Scope::Subtree) {
            return Ok(false);
        }
        let plain = self.is_plain_extreme(fold);
        let nodes = u64::BITS - self.shape.tree.nodes().leading_zeros();
        let is_narrow = self.bits_of(fold.argument).is_some_and(|bits| bits + nodes < 62);
        self.shape.sizes()?;
        let (rows, take) = (self.rows(), &self.buffers.tests[fold.take]);
        let all = self.holds_always(fold.take);
        let segments = self.shape.regions.segments.iter();
        let forest = Forest {
            sizes: self.shape.known_sizes(),
            branches: self.shape.known_branches(),
            segments: segments.map(|region| region.first_start..region.last_row + 1).collect(),
        };
        // `$of` makes the state of a taken row, `$value` that of a state and whether it is known; `$none` is the value
        // of a row without children.
        macro_rules! folded {
            ($state:ty, $of:expr, $out:expr, $none:expr, $value:expr) => {{
                let (of, value, out) = ($of, $value, $out);
                let own = |row: usize| if take.get(row) { of(row) } else { <$state>::default() };
                let leaves = |rows: std::ops::Range<usize>| match all {
                    true => rows.map(of).fold(<$state>::default(), State::join),
                    false => rows.map(own).fold(<$state>::default(), State::join),
                };
                let (none, is_known) = $none;
                out.clear();
                out.resize(rows, none);
                known.fill(rows, is_known);
                forest.fold(fold.scope == Scope::Subtree, own, leaves, |row, state: &$state| {
                    let (value, is_known) = value(state);
                    out[row] = value;
                    known.set(row, is_known);
                })
            }};
        }
        let is_least = fold.function == Function::Min;
        let done = match (fold.function, self.argument(fold)) {
            (Function::Sum, Vector::Integer(lanes)) if self.compiled.lanes[id] == Lane::Integer => {
                let of = |row: usize| Sum { sum: lanes[row] };
                folded!(Sum<i64>, of, out.integers_mut(), (0, true), |state: &Sum<i64>| (state.sum, true))
            }
            (Function::Avg, Vector::Integer(lanes)) if is_narrow => {
                let of = |row: usize| Mean { count: 1, sum: lanes[row] };
                let value = |state: &Mean<i64>| nan_unless(state.value());
                folded!(Mean<i64>, of, out.floats_mut(), (f64::NAN, false), value)
            }
            (Function::Min | Function::Max, Vector::Integer(lanes)) if plain && is_least => {
                let of = |row: usize| LeastInteger(lanes[row]);
                let value = |state: &LeastInteger| zero_unless(state.0, state.0 != i64::MAX);
                folded!(LeastInteger, of, out.integers_mut(), (0, false), value)
            }
            (Function::Min | Function::Max, Vector::Integer(lanes)) if plain => {
                let of = |row: usize| GreatestInteger(lanes[row]);
                let value = |state: &GreatestInteger| zero_unless(state.0, state.0 != i64::MIN);
                folded!(GreatestInteger, of, out.integers_mut(), (0, false), value)
            }
            (Function::Min | Function::Max, Vector::Float(lanes)) if is_least => {
                let of = |row: usize| LeastFloat(lanes[row]);
                let value = |state: &LeastFloat| (state.0, !state.0.is_nan());
                folded!(LeastFloat, of, out.floats_mut(), (f64::NAN, false), value)
            }
            (Function::Min | Function::Max, Vector::Float(lanes)) => {
                let of = |row: usize| GreatestFloat(lanes[row]);
                let value = |state: &GreatestFloat| (state.0, !state.0.is_nan());
                folded!(GreatestFloat, of, out.floats_mut(), (f64::NAN, false), value)
            }
            _ => return Ok(false),
        };
        done.map(|()| true).map_err(|row| self.damaged(row))
    }

    fn child_count(&mut self, fold: &Fold, out: &mut Vec<i64>) -> Result<(), Failure> {
        /// The number of children of a node with some, on average, from which on they are counted in runs.
        const MANY: u64 = 4;
        self.shape.sizes()?;
        if self.relations.is_some() || self.shape.known_branches().count() * MANY > self.rows() as u64 {
            self.relations()?;
            self.known_relations().count_children(&self.buffers.tests[fold.take], out);
            return Ok(());
        }
        zeros(out, self.rows());
        let bitmap = &self.buffers.tests[fold.take];
        self.shape.each_run(|parent, _, range| {
            if let Parent::Row(row) = parent {
                out[row] += match range.len() {
                    1 => i64::from(bitmap.get(range.start)),
                    _ => bitmap.count_in(range) as i64,
                };
            }
        });
        Ok(())
    }

    fn subtree_count(&mut self, fold: &Fold, out: &mut Vec<i64>) -> Result<(), Failure> {
        self.rank(fold.take);
        self.shape.sizes()?;
        zeros(out, self.rows());
        let (bitmap, ranks, shape) =
            (&self.buffers.tests[fold.take], &self.buffers.ranks[fold.take], &self.shape);
        shape.known_branches().each(|row| {
            let start = (row + 1).saturating_sub(shape.size(row));
            out[row] = i64::from(ranks.rank(bitmap, row)) - i64::from(ranks.rank(bitmap, start));
        });
        Ok(())
    }

    /// The aggregate of the path down to each segment's crossing parent, inclusive.
    fn starts(&self, fold: &Fold) -> Vec<Option<&Accumulator>> {
        let (Scope::Path, Some(id)) = (fold.scope, fold.id) else { return Vec::new() };
        let details = self.elsewhere.details;
        let gathered = |parent: JointId| details.get(parent).and_then(|detail| detail.gathered.get(id.0));
        self.shape.regions.segments.iter().map(|region| region.parent.and_then(gathered)).collect()
    }

    fn fold_values(&self, id: NumberId, fold: &Fold, out: &mut Vector, known: &mut Bitmap) {
        let take = &self.buffers.tests[fold.take];
        match fold.function {
            Function::Count | Function::Any | Function::All => {
                let starts = self.starts_of(fold, |start| Sum { sum: start.count(fold.overflow) });
                let folded = fold_sums(
                    self.known_relations(),
                    fold.scope.into(),
                    |row| Sum { sum: i64::from(take.get(row)) },
                    &starts,
                );
                folded.read(out.integers_mut(), known, |state| (state.sum, true));
            }
            Function::Sum | Function::Avg | Function::Stddev | Function::Corr => {
                self.sums(id, fold, out, known)
            }
            Function::Min | Function::Max if self.is_plain_extreme(fold) => self.extremes(fold, out, known),
            Function::Min | Function::ArgMin => self.best::<Least>(fold, out, known),
            Function::Max | Function::ArgMax => self.best::<Greatest>(fold, out, known),
            Function::First => self.best::<First>(fold, out, known),
            Function::Last => self.best::<Last>(fold, out, known),
            Function::Median | Function::Quantile | Function::Distinct => match self.argument(fold) {
                Vector::Integer(lanes) => {
                    let starts =
                        self.changes(fold, |value| whole(value).and_then(|value| value.try_into().ok()));
                    self.ranked(fold, lanes, &starts, out, known, Vector::Integer);
                }
                Vector::Wide(lanes) => {
                    self.ranked(fold, lanes, &self.changes(fold, whole), out, known, Vector::Wide);
                }
                Vector::Float(lanes) => {
                    self.ranked(fold, lanes, &self.changes(fold, Value::as_float), out, known, Vector::Float);
                }
                Vector::Text(_) if fold.scope == Scope::Path => self.gather_all(id, fold, out, known),
                Vector::Text(texts) => {
                    let codes: Vec<i64> = texts.codes().iter().map(|code| i64::from(*code)).collect();
                    self.ranked(fold, &codes, &[], out, known, |found| Vector::Text(texts.with_codes(found)));
                }
            },
        }
    }

    fn argument(&self, fold: &Fold) -> &Vector {
        &self.buffers.numbers[fold.argument.unwrap_or_default()]
    }

    fn starts_of<S: Default>(&self, fold: &Fold, of: impl Fn(&Accumulator) -> S) -> Vec<S> {
        self.starts(fold).into_iter().map(|start| start.map_or_else(S::default, &of)).collect()
    }

    /// The size of an argument's integers, in bits; `None` if it has floats or no bounds.
    fn bits_of(&self, number: Option<NumberId>) -> Option<u32> {
        let number = number?;
        let (low, high) = self.compiled.bounds[number];
        let most = low.unsigned_abs().max(high.unsigned_abs());
        (self.compiled.lanes[number] == Lane::Integer).then(|| u64::BITS - most.leading_zeros())
    }

    fn sums(&self, id: NumberId, fold: &Fold, out: &mut Vector, known: &mut Bitmap) {
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

    /// Whether a minimum or maximum can be kept as that number alone.
    fn is_plain_extreme(&self, fold: &Fold) -> bool {
        match self.argument(fold) {
            Vector::Float(_) => true,
            Vector::Integer(_) => {
                let (low, high) = self.compiled.bounds[fold.argument.unwrap_or_default()];
                low > i64::MIN && high < i64::MAX
            }
            Vector::Wide(_) | Vector::Text(_) => false,
        }
    }

    /// The minimum or maximum.
    fn extremes(&self, fold: &Fold, out: &mut Vector, known: &mut Bitmap) {
        let take = &self.buffers.tests[fold.take];
        let best = |start: &Accumulator| start.best().and_then(|start| start.value.clone());
        let integer = |value: Value| whole(&value).and_then(|value| i64::try_from(value).ok());
        macro_rules! folded {
            ($state:ident, $lanes:expr, $of:expr, $out:expr, $value:expr) => {{
                let start =
                    |start: &Accumulator| best(start).and_then($of).map_or_else($state::default, $state);
                let starts = self.starts_of(fold, start);
                let own = |row: usize| if take.get(row) { $state($lanes[row]) } else { $state::default() };
                let folded = folds::fold(self.known_relations(), fold.scope.into(), own, &starts);
                folded.read($out, known, $value);
            }};
        }
        let float = |value: Value| value.as_float();
        let is_least = fold.function == Function::Min;
        match self.argument(fold) {
            Vector::Integer(lanes) if is_least => {
                folded!(LeastInteger, lanes, integer, out.integers_mut(), |state: &LeastInteger| {
                    zero_unless(state.0, state.0 != i64::MAX)
                });
            }
            Vector::Integer(lanes) => {
                folded!(GreatestInteger, lanes, integer, out.integers_mut(), |state: &GreatestInteger| {
                    zero_unless(state.0, state.0 != i64::MIN)
                });
            }
            Vector::Float(lanes) if is_least => {
                folded!(LeastFloat, lanes, float, out.floats_mut(), |state: &LeastFloat| {
                    (state.0, !state.0.is_nan())
                });
            }
            Vector::Float(lanes) => {
                folded!(GreatestFloat, lanes, float, out.floats_mut(), |state: &GreatestFloat| {
                    (state.0, !state.0.is_nan())
                });
            }
            Vector::Wide(_) | Vector::Text(_) => unreachable!("they are picked by their nodes"),
        }
    }

    /// The argument (or the second one) at the node that an aggregate picks.
    fn best<R>(&self, fold: &Fold, out: &mut Vector, known: &mut Bitmap)
    where
        R: Rule<i64> + Rule<i128> + Rule<f64> + Rule<u32>,
    {
        let (take, rows) = (&self.buffers.tests[fold.take], self.rows());
        let argument = self.argument(fold);
        let picked: Vec<Option<Contribution>> =
            self.starts(fold).into_iter().map(|start| start.and_then(Accumulator::best).cloned()).collect();
        let keys: Vec<Option<Value>> =
            picked.iter().map(|start| start.as_ref().and_then(|start| start.value.clone())).collect();
        let joined = joined(argument, &keys);
        let keys_of = joined.as_ref().unwrap_or(argument);
        let is_some = |segment: usize| picked[segment].is_some();
        macro_rules! picked_indexes {
            ($lanes:expr) => {{
                let lanes = $lanes;
                let start = |segment: usize| {
                    Pick::<R, _, u32>::of(lanes[rows + segment], (rows + segment) as u32, is_some(segment))
                };
                let starts: Vec<_> = (0..picked.len()).map(start).collect();
                let own = |row: usize| Pick::<R, _, u32>::of(lanes[row], row as u32, take.get(row));
                let folded = folds::fold(self.known_relations(), fold.scope.into(), own, &starts);
                let index = |state: &Pick<R, _, u32>| if state.is_some { state.carried } else { NOBODY };
                folded.rows.iter().map(index).collect::<Vec<u32>>()
            }};
        }
        let indexes = match keys_of {
            Vector::Integer(lanes) => picked_indexes!(lanes),
            Vector::Wide(lanes) => picked_indexes!(lanes),
            Vector::Float(lanes) => picked_indexes!(lanes),
            Vector::Text(texts) => picked_indexes!(texts.codes()),
        };
        let is_second = matches!(fold.function, Function::ArgMin | Function::ArgMax);
        let shown = |start: &Option<Contribution>| {
            let start = start.as_ref()?;
            if is_second { start.second.clone() } else { start.value.clone() }
        };
        let shown: Vec<Option<Value>> = picked.iter().map(shown).collect();
        let source =
            fold.second.filter(|_| is_second).map_or(argument, |second| &self.buffers.numbers[second]);
        let mut ghosts = Vector::default();
        ghosts.set_values(source.kind(), &shown);
        gather(&indexes, source, &ghosts, out);
        match fold.second_known.filter(|_| is_second) {
            Some(second_known) => {
                let bits: Vec<u8> = shown.iter().map(|shown| u8::from(shown.is_some())).collect();
                let mut of_starts = Bitmap::default();
                of_starts.pack(&bits, |bit| bit);
                gather_bits(&indexes, &self.buffers.tests[second_known], &of_starts, known);
                if let Vector::Float(lanes) = out {
                    let unknown = lanes.iter_mut().enumerate().filter(|(row, _)| !known.get(*row));
                    unknown.for_each(|(_, lane)| *lane = f64::NAN);
                }
            }
            None => known.pack(&indexes, |index| u8::from(index != NOBODY)),
        }
    }

    /// For each segment the changes from the values on the path of the one before it to those on its own.
    fn changes<T: Ordered>(&self, fold: &Fold, of: impl Fn(&Value) -> Option<T>) -> Vec<Multiset<T>> {
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

    fn ranked<T: Ordered + Default>(
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
        // A share's rank is computed from its digits, so it is precomputed for small numbers.
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

    /// Any aggregate, with general states.
    fn gather_all(&self, number: NumberId, fold_of: &Fold, out: &mut Vector, known: &mut Bitmap) {
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
    fn read_states(
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
    fn contribution(&self, fold: &Fold, row: usize, node_id: u64) -> Contribution {
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
    fn patch_tops(
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
            let Some(first) = details.segments(block).get(place).and_then(|segment| segment.first) else {
                continue;
            };
            for (joint, row) in (first..).zip(region.tops(|row| sizes[row].into())) {
                let value = details.get(joint).and_then(|detail| detail.aggregates.get(aggregate.0));
                let value = self.patch_of(fold, aggregate, value.unwrap_or(&Ok(None)));
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

    /// The value of an aggregate in terms of the fold that it is made of.
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

    /// An aggregate over siblings that reads both, pair by pair.
    fn fold_of_pairs(&mut self, id: NumberId, fold: &Fold, out: &mut Vector) -> Result<(), Failure> {
        self.relations()?;
        self.load_for_pairs(fold)?;
        let ghosts = self.sibling_ghosts(fold.scope);
        let mut pairs = Pairs::new(self.known_relations(), fold.scope == Scope::Before, &ghosts);
        let rows = self.rows();
        let mut counts = vec![0_i64; rows];
        let mut states: Vec<Option<Accumulator>> =
            vec![None; if fold.function == Function::Count { 0 } else { rows }];
        let needs_ids =
            matches!(fold.function, Function::First | Function::Last | Function::ArgMin | Function::ArgMax);
        let ids = if needs_ids { self.ids_of(&(0..rows as u32).collect::<Vec<_>>())? } else { Vec::new() };
        let [mut nodes, mut siblings] = std::mem::take(&mut self.pairs);
        nodes.clear();
        siblings.clear();
        while pairs.next_batch(&mut nodes, &mut siblings) {
            self.pairs = [nodes, siblings];
            self.forget_pairs();
            self.test(fold.take)?;
            for number in [fold.argument, fold.second].into_iter().flatten() {
                self.operand(number)?;
            }
            fold.second_known.map_or(Ok(()), |known| self.test(known))?;
            let take = &self.buffers.tests[fold.take];
            // A test that holds for all pairs, or for none, has no lane per pair.
            let all = self.holds_always(fold.take);
            let is_taken = |pair: usize| all || (self.compiled.test_of_pairs[fold.take] && take.get(pair));
            if fold.function == Function::Count {
                for (pair, &node) in self.pairs[0].iter().enumerate() {
                    counts[node as usize] += i64::from(is_taken(pair));
                }
                [nodes, siblings] = std::mem::take(&mut self.pairs);
                continue;
            }
            for (pair, &node) in self.pairs[0].iter().enumerate().filter(|(pair, _)| is_taken(*pair)) {
                let sibling = self.pairs[1][pair] as usize;
                let node_id = match ids.get(sibling) {
                    Some(id) => *id,
                    None => {
                        self.ghosts.get(sibling.wrapping_sub(rows)).map_or(0, |joint| self.ghost_id(*joint))
                    }
                };
                let contribution = self.contribution(fold, pair, node_id);
                if let Some(aggregate) = fold.id.map(|id| &self.program.aggregates[id.0]) {
                    states[node as usize]
                        .get_or_insert_with(|| Accumulator::new(aggregate))
                        .add(Ok(contribution));
                }
            }
            [nodes, siblings] = std::mem::take(&mut self.pairs);
        }
        self.pairs = [nodes, siblings];
        if fold.function == Function::Count {
            *out = Vector::Integer(counts);
        } else if let Some(aggregate) = fold.id {
            let mut known = std::mem::take(&mut self.buffers.has_value[id]);
            self.read_states(id, aggregate, states.into_iter(), out, &mut known);
            self.buffers.has_value[id] = known;
        }
        Ok(())
    }

    /// Computes the values that pairs read from rows: they may be made of pairs themselves, and only some
    /// pairs are loaded at a time.
    fn load_for_pairs(&mut self, fold: &Fold) -> Result<(), Failure> {
        let compiled = self.compiled;
        let roots = |visit: &mut dyn FnMut(Part)| Number::Fold(fold.clone()).each(visit);
        let mut needed = Vec::new();
        compiled.each_below(roots, &mut |part| match part {
            Part::Number(number) if compiled.number_of_pairs[number] => {
                if let Number::Of(_, inner, _) = compiled.numbers[number] {
                    needed.push(Part::Number(inner));
                }
            }
            Part::Test(test) if compiled.test_of_pairs[test] => {
                if let Test::Of(_, inner, ..) = compiled.tests[test] {
                    needed.push(Part::Test(inner));
                }
            }
            Part::Number(_) | Part::Test(_) => {}
        });
        needed.into_iter().try_for_each(|part| match part {
            Part::Number(number) => self.number(number),
            Part::Test(test) => self.test(test),
        })
    }

    fn ghost_id(&self, joint: JointId) -> u64 {
        self.elsewhere.details.joint(joint).node_id()
    }

    /// Drops the values of the previous pairs.
    fn forget_pairs(&mut self) {
        let (compiled, done) = (self.compiled, &mut self.buffers.done);
        let numbers = done.numbers.iter_mut().zip(&compiled.number_of_pairs);
        let tests = done.tests.iter_mut().zip(&compiled.test_of_pairs);
        numbers.chain(tests).for_each(|(done, of_pairs)| *done &= !of_pairs);
    }

    /// The siblings of each segment's nodes in other blocks, before or after them.
    fn sibling_ghosts(&mut self, scope: Scope) -> Vec<Vec<u32>> {
        let (block, details) = (self.shape.block, self.elsewhere.details);
        let segments = self.shape.regions.segments.clone();
        let mut ghosts = Vec::with_capacity(segments.len());
        for (place, region) in segments.iter().enumerate() {
            let first = details.segments(block).get(place).and_then(|segment| segment.first);
            let first = first.and_then(|first| details.get(first)).map(|first| first.index as usize);
            let children =
                region.parent.and_then(|parent| details.get(parent)).map(|parent| &parent.children[..]);
            let beside = match (first, children, scope) {
                (Some(first), Some(children), Scope::Before) => children.get(..first),
                (Some(first), Some(children), _) => children.get(first + region.count..),
                _ => None,
            };
            ghosts.push(beside.unwrap_or_default().iter().map(|joint| self.ghost(*joint)).collect());
        }
        ghosts
    }
}

/// Rows and starts in one vector, with one dictionary of texts; `None` if there are no starts.
fn joined(vector: &Vector, starts: &[Option<Value>]) -> Option<Vector> {
    if starts.is_empty() {
        return None;
    }
    let mut ghosts = Vector::default();
    ghosts.set_values(vector.kind(), starts);
    let indexes: Vec<u32> = (0..(vector.len() + starts.len()) as u32).collect();
    let mut out = Vector::default();
    gather(&indexes, vector, &ghosts, &mut out);
    Some(out)
}

fn wide_lane(vector: &Vector) -> impl Fn(usize) -> i128 + '_ {
    move |row| match vector {
        Vector::Integer(lanes) => lanes[row].into(),
        Vector::Wide(lanes) => lanes[row],
        Vector::Float(_) | Vector::Text(_) => 0,
    }
}

/// The value of an aggregate. A sum that overflows becomes one that does not fit in 64 bits: the overflow is detected
/// when the sum is narrowed. An overflow in another aggregate's argument is detected by the fold that counts these.
fn known_or_beyond(function: Function, value: crate::evaluate::Evaluated) -> Option<Value> {
    match value {
        Err(_) if function == Function::Sum => Some(Value::Integer(i128::from(i64::MAX) + 1)),
        value => value.ok().flatten(),
    }
}

/// An integer, or a truth value as one.
fn whole(value: &Value) -> Option<i128> {
    match value {
        Value::Integer(value) => Some(*value),
        Value::Boolean(value) => Some((*value).into()),
        Value::Float(_) | Value::Text(_) | Value::Line(_) => None,
    }
}

fn zero_unless(value: i64, is_known: bool) -> (i64, bool) {
    (if is_known { value } else { 0 }, is_known)
}

fn nan_unless((value, known): (f64, bool)) -> (f64, bool) {
    (if known { value + 0.0 } else { f64::NAN }, known)
}

impl From<Scope> for folds::Scope {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::Child => Self::Child,
            Scope::Before => Self::Before,
            Scope::After => Self::After,
            Scope::Path => Self::Path,
            Scope::Subtree | Scope::Tree | Scope::Twin(_) | Scope::Matches => Self::Subtree,
        }
    }
}

fn zeros(out: &mut Vec<i64>, rows: usize) {
    out.clear();
    out.resize(rows, 0);
}
