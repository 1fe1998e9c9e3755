//! The least, the largest, the first and the last over relatives.

use super::Scanner;
use super::ranked::whole;
use super::totals::zero_unless;
use crate::accumulator::{Accumulator, Contribution};
use crate::engine::bits::Bitmap;
use crate::engine::folds::{
    self, GreatestFloat, GreatestInteger, LeastFloat, LeastInteger, NOBODY, Pick, Rule,
};
use crate::engine::scan::graph::Fold;
use crate::engine::vector::{Vector, gather, gather_bits};
use crate::value::Value;
use crate::vocabulary::Function;

impl Scanner<'_> {
    /// Whether a plain number can hold a minimum or maximum.
    pub(super) fn is_plain_extreme(&self, fold: &Fold) -> bool {
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
    pub(super) fn extremes(&self, fold: &Fold, out: &mut Vector, known: &mut Bitmap) {
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

    /// The first or second argument at the node that an aggregate picks.
    pub(super) fn best<R>(&self, fold: &Fold, out: &mut Vector, known: &mut Bitmap)
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
}

/// Rows and starts in one vector, with one dictionary of texts; `None` if there are no starts.
pub(super) fn joined(vector: &Vector, starts: &[Option<Value>]) -> Option<Vector> {
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
