//! Counts and other folds over children and descendants, from the rows with children alone.

use super::Scanner;
use super::totals::{nan_unless, zero_unless};
use crate::engine::Failure;
use crate::engine::bits::Bitmap;
use crate::engine::folds::{
    Forest, GreatestFloat, GreatestInteger, LeastFloat, LeastInteger, Mean, State, Sum,
};
use crate::engine::scan::graph::{Fold, Lane, NumberId};
use crate::engine::scan::runs::Parent;
use crate::engine::vector::Vector;
use crate::ir::Scope;
use crate::vocabulary::Function;

impl Scanner<'_> {
    /// Computes sums, means and extremes of children and of subtrees; for other folds, computes nothing and returns
    /// `false`.
    pub(super) fn fold_upward(
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

    pub(super) fn child_count(&mut self, fold: &Fold, out: &mut Vec<i64>) -> Result<(), Failure> {
        /// The average number of children of nodes with children from which children are counted in runs.
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

    pub(super) fn subtree_count(&mut self, fold: &Fold, out: &mut Vec<i64>) -> Result<(), Failure> {
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
}

pub(super) fn zeros(out: &mut Vec<i64>, rows: usize) {
    out.clear();
    out.resize(rows, 0);
}
