//! The output of scans for matches: rows and groups.

use super::{Compiler, Place};
use crate::engine::collect::MatchDetail;
use crate::engine::scan::graph::{Errors, Gathered, MatchOutput, Scalar};
use crate::ir::{AggregateId, Expr, Outcome, ResultColumn};

impl Compiler<'_> {
    /// The output for the matches of a query.
    pub(super) fn output(&mut self, query: usize, wanted: &MatchDetail) -> MatchOutput {
        if *wanted != MatchDetail::Values {
            return MatchOutput::Plain;
        }
        match &self.program.queries[query].outcome {
            Outcome::Count => MatchOutput::Plain,
            Outcome::Aggregate(id) => self.groups(&[], &[*id]),
            outcome @ Outcome::Groups { keys, .. } => self.groups(keys, &outcome.aggregates()),
            outcome @ (Outcome::Nodes(_) | Outcome::Rows { .. }) => {
                let (columns, arrangement): (&[ResultColumn], _) = match outcome {
                    Outcome::Rows { columns, arrangement } => (columns, arrangement),
                    Outcome::Nodes(arrangement) => (&[], arrangement),
                    _ => return MatchOutput::Plain,
                };
                let cells = columns.iter().map(|column| self.scalar(&column.expr, Place::Node)).collect();
                let order = arrangement.order.iter();
                let order = order.map(|key| (self.scalar(&key.expr, Place::Node), key.descending)).collect();
                MatchOutput::Rows { cells, order, limit: arrangement.limit.unwrap_or(usize::MAX) }
            }
        }
    }

    fn groups(&mut self, keys: &[Expr], aggregates: &[AggregateId]) -> MatchOutput {
        let keys: Vec<Scalar> = keys.iter().map(|key| self.scalar(key, Place::Node)).collect();
        let folds: Vec<Gathered> = aggregates.iter().map(|id| self.gathered(*id)).collect();
        let tells_apart = |id: &AggregateId| self.program.aggregates[id.0].function.tells_nodes_apart();
        let of_values = !aggregates.iter().any(tells_apart);
        let column = self.compiled.one_column_of_groups(&keys, &folds).filter(|_| of_values);
        MatchOutput::Groups { keys, folds, column }
    }
}

impl Scalar {
    pub(in crate::engine::scan) const fn errors(&self) -> &Errors {
        match self {
            Self::Number(quantity) => &quantity.errors,
            Self::Truth(truth) => &truth.errors,
        }
    }
}
