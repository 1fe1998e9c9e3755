//! What scans make of matches: rows and groups, where integers, truth values and bounds that scans compute are enough.

use super::{Compiler, Place};
use crate::engine::collect::Wanted;
use crate::engine::scan::graph::{Cell, Fold, MatchOutput, Part, Quantity, Scalar};
use crate::ir::{AggregateId, Anchor, Arrangement, Expr, Field, Operand, Outcome, Step};
use crate::vocabulary::{Function, Structure};

impl Compiler<'_> {
    /// What is made of the matches of a query; none where scans cannot.
    pub(super) fn output(&mut self, query: usize, wanted: &Wanted<'_>) -> Option<MatchOutput> {
        let Wanted::Values(leaves) = wanted else { return Some(MatchOutput::Plain) };
        match &self.program.queries[query].outcome {
            Outcome::Count => Some(MatchOutput::Plain),
            Outcome::Aggregate(id) => self.groups(&[], &[*id]),
            outcome @ Outcome::Groups { keys, .. } => self.groups(keys, &outcome.aggregates()),
            Outcome::Nodes(arrangement) | Outcome::Rows { arrangement, .. } => {
                let cells = leaves.iter().map(|leaf| self.cell(leaf)).collect::<Option<_>>()?;
                let order = self.order(arrangement);
                Some(MatchOutput::Rows { cells, order, limit: arrangement.limit.unwrap_or(usize::MAX) })
            }
        }
    }

    fn groups(&mut self, keys: &[Expr], aggregates: &[AggregateId]) -> Option<MatchOutput> {
        let keys = keys.iter().map(|key| self.scalar(key)).collect::<Option<_>>()?;
        let folds = aggregates.iter().map(|id| self.fold(*id)).collect::<Option<_>>()?;
        Some(MatchOutput::Groups { keys, folds })
    }

    /// A value of the node: an integer, a truth value or a bound.
    fn scalar(&mut self, expr: &Expr) -> Option<Scalar> {
        if let Some(quantity) = self.number(expr, Place::Node) {
            return Some(Scalar::Number(quantity));
        }
        if let Some(bound) = self.bound_scalar(expr, Place::Node) {
            return Some(bound);
        }
        let yes = self.test(expr, Place::Node, true)?;
        let known = self.known(expr, Place::Node)?;
        Some(Scalar::Truth { yes, known: self.unless_always(known) })
    }

    fn fold(&mut self, id: AggregateId) -> Option<Fold> {
        let aggregate = &self.program.aggregates[id.0];
        let filter = self.test(&aggregate.filter, Place::Node, true)?;
        Some(match aggregate.function {
            Function::Count | Function::Any | Function::All => {
                Fold { filter, argument: Part::Test(self.test(&aggregate.argument, Place::Node, true)?) }
            }
            Function::Sum | Function::Min | Function::Max | Function::Avg => {
                let argument = self.number(&aggregate.argument, Place::Node)?;
                let filter = self.where_known([argument], filter);
                Fold { filter, argument: Part::Number(argument.number) }
            }
            _ => return None,
        })
    }

    fn order(&mut self, arrangement: &Arrangement) -> Option<Vec<(Quantity, bool)>> {
        let keys = arrangement.order.iter();
        keys.map(|key| Some((self.number(&key.expr, Place::Node)?, key.descending))).collect()
    }

    fn cell(&mut self, leaf: &Expr) -> Option<Cell> {
        if let Expr::Read(Operand { anchor: Anchor::Node, step: Step::Here, field }) = leaf {
            match *field {
                Field::NodeId => return Some(Cell::NodeId),
                Field::Structure(Structure::Parent) => return Some(Cell::Parent),
                Field::Attribute(attribute) => return Some(Cell::Attribute(attribute)),
                _ => {}
            }
        }
        self.scalar(leaf).map(Cell::Scalar)
    }
}
