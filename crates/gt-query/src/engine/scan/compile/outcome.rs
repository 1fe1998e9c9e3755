//! What scans make of matches: rows and groups, where integers and truth values that scans compute are enough.

use super::{Compiler, Place};
use crate::answer::matches_aggregates;
use crate::engine::collect::Wanted;
use crate::engine::scan::graph::{Cell, Fold, Key, Make, NumberId};
use crate::ir::{AggregateId, Anchor, Arrangement, Expr, Field, Operand, Outcome, Step};
use crate::value::Type;
use crate::vocabulary::{Function, Structure};

impl Compiler<'_> {
    /// What is made of the matches of a query; none where scans cannot.
    pub(super) fn make(&mut self, query: usize, wanted: &Wanted<'_>) -> Option<Make> {
        let Wanted::Values(leaves) = wanted else { return Some(Make::Plain) };
        match &self.program.queries[query].outcome {
            Outcome::Count => Some(Make::Plain),
            Outcome::Aggregate(id) => self.groups(&[], &[*id]),
            Outcome::Groups { keys, columns, arrangement } => {
                self.groups(keys, &matches_aggregates(columns, arrangement))
            }
            Outcome::Nodes(arrangement) | Outcome::Rows { arrangement, .. } => {
                let cells = leaves.iter().map(|leaf| self.cell(leaf)).collect::<Option<_>>()?;
                let order = self.order(arrangement);
                Some(Make::Rows { cells, order, limit: arrangement.limit.unwrap_or(usize::MAX) })
            }
        }
    }

    fn groups(&mut self, keys: &[Expr], aggregates: &[AggregateId]) -> Option<Make> {
        let keys = keys.iter().map(|key| self.key(key)).collect::<Option<_>>()?;
        let folds = aggregates.iter().map(|id| self.fold(*id)).collect::<Option<_>>()?;
        Some(Make::Groups { keys, folds })
    }

    /// An integer, or a truth value that is always known.
    fn key(&mut self, expr: &Expr) -> Option<Key> {
        if let Some(number) = self.number(expr, Place::Node) {
            return Some(Key::Number(number));
        }
        self.test(expr, Place::Node, false).map(Key::Test)
    }

    fn fold(&mut self, id: AggregateId) -> Option<Fold> {
        let aggregate = &self.program.aggregates[id.0];
        let filter = self.test(&aggregate.filter, Place::Node, true)?;
        let argument = match aggregate.function {
            Function::Count | Function::Any | Function::All => {
                Key::Test(self.test(&aggregate.argument, Place::Node, true)?)
            }
            Function::Sum | Function::Min | Function::Max | Function::Avg => {
                Key::Number(self.number(&aggregate.argument, Place::Node)?)
            }
        };
        Some(Fold { filter, argument })
    }

    fn order(&mut self, arrangement: &Arrangement) -> Option<Vec<(NumberId, bool)>> {
        let keys = arrangement.order.iter();
        keys.map(|key| Some((self.number(&key.expr, Place::Node)?, key.descending))).collect()
    }

    fn cell(&mut self, leaf: &Expr) -> Option<Cell> {
        match leaf {
            Expr::Read(Operand { anchor: Anchor::Node, step: Step::Here, field }) => match *field {
                Field::NodeId => Some(Cell::NodeId),
                Field::Structure(Structure::Line) => Some(Cell::Line),
                Field::Structure(Structure::Parent) => Some(Cell::Parent),
                Field::Attribute(attribute) => Some(Cell::Attribute(attribute)),
                Field::Column(id) if self.program.columns[id.0].value_type == Type::Boolean => {
                    self.test(leaf, Place::Node, false).map(Cell::Test)
                }
                _ => self.number(leaf, Place::Node).map(Cell::Number),
            },
            Expr::Aggregate(id) if self.program.aggregates[id.0].value_type == Type::Boolean => {
                self.test(leaf, Place::Node, false).map(Cell::Test)
            }
            Expr::Aggregate(_) => self.number(leaf, Place::Node).map(Cell::Number),
            _ => None,
        }
    }
}
