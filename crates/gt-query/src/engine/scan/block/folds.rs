//! Aggregates over relatives, for every row.
//!
//! ```text
//! take, argument ──▶ a state of every row ──fold──▶ the states of its relatives ──▶ its value, and whether it is known
//!                    a state of every segment's crossing parent, or of its path ──┘
//! ```
//!
//! The function and the possible size of sums determine the state; if no fast state is large enough, it is an
//! [`Accumulator`].

use super::Scanner;
use super::best::joined;
use super::ranked::whole;
use crate::accumulator::Accumulator;
use crate::engine::Failure;
use crate::engine::bits::Bitmap;
use crate::engine::crossing::JointId;
use crate::engine::folds::{self, First, Greatest, Last, Least, Sum, fold_sums};
use crate::engine::scan::graph::{Fold, NumberId};
use crate::engine::vector::Vector;
use crate::ir::Scope;
use crate::value::Value;
use crate::vocabulary::Function;

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

    /// The aggregate of the path down to each segment's crossing parent, inclusive.
    pub(super) fn starts(&self, fold: &Fold) -> Vec<Option<&Accumulator>> {
        let (Scope::Path, Some(id)) = (fold.scope, fold.id) else { return Vec::new() };
        let details = self.elsewhere.details;
        let gathered = |parent: JointId| details.folded(parent)?.gathered.get(id.0);
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
                argument @ Vector::Text(_) => {
                    // The texts on the paths to the segments have codes too.
                    let above = self.starts(fold).into_iter().flatten().flat_map(Accumulator::kept);
                    let above: Vec<Option<Value>> = above.map(|(value, _)| Some(value.clone())).collect();
                    let joined = joined(argument, &above);
                    let Vector::Text(texts) = joined.as_ref().unwrap_or(argument) else {
                        unreachable!("texts are joined with texts")
                    };
                    let of_rows = &texts.codes()[..self.rows()];
                    let codes: Vec<i64> = of_rows.iter().map(|code| i64::from(*code)).collect();
                    let starts = self.changes(fold, |value| texts.code(value));
                    self.ranked(fold, &codes, &starts, out, known, |found| {
                        Vector::Text(texts.with_codes(found))
                    });
                }
            },
        }
    }

    pub(super) fn argument(&self, fold: &Fold) -> &Vector {
        &self.buffers.numbers[fold.argument.unwrap_or_default()]
    }

    pub(super) fn starts_of<S: Default>(&self, fold: &Fold, of: impl Fn(&Accumulator) -> S) -> Vec<S> {
        self.starts(fold).into_iter().map(|start| start.map_or_else(S::default, &of)).collect()
    }
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
