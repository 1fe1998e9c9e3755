//! A text of queries, bound to a handle's attributes, and the parts of the answers that are kept.

use std::sync::Arc;

use gt_log::{Metadata, Schema};
use gt_query::ir::{Anchor, Arrangement, Expr, Field, Operand, Outcome, Query, ResultColumn, Step};
use gt_query::live::Live;
use gt_query::{Environment, Program, Type, compile, render_all};

use crate::boundary::Fault;

/// The stand-in for a file name in messages.
pub(super) const SOURCE: &str = "gtl_attachQuery";

/// The names that a query can use in addition to the attributes: the metadata of the tree and of the log.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) tree: &'a Metadata,
    pub(crate) log: &'a Metadata,
}

pub(super) struct Bound {
    pub(super) program: Arc<Program>,
    pub(super) keeps: Vec<Keep>,
}

/// What is kept of a query's matches in addition to their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// Nothing: the query only counts.
    Number,
    /// The node_ids.
    Nodes,
    /// The node_ids after `order by` and `limit`, in that order: known at the end.
    Arranged,
    /// The rows of `select`, with the node_id before the requested columns: known at the end.
    Rows,
    /// A value or a table of groups: known at the end.
    Gathered,
}

impl Bound {
    /// Binds a text; the value of `$name` comes from the tree's metadata, or else `fallback`, or else the log's.
    pub(super) fn new(
        text: &str,
        surroundings: Surroundings<'_>,
        fallback: &Metadata,
    ) -> Result<Self, Fault> {
        let entries = surroundings.tree.iter().chain(fallback.iter()).chain(surroundings.log.iter());
        let environment = entries.fold(Environment::new(surroundings.schema), |environment, (key, value)| {
            environment.with_metadata(key, value)
        });
        let mut program = compile(text, &environment)
            .map_err(|errors| Fault::query(render_all(&errors, SOURCE, text).trim_end()))?;
        if program.queries.is_empty() {
            return Err(Fault::query("the text that was attached holds no query; `node: best > 0` is one"));
        }
        let keeps = program.queries.iter_mut().map(keep).collect();
        let program = Arc::new(program);
        // Rejects immediately what cannot be answered during a search.
        Live::new(Arc::clone(&program)).map_err(|error| Fault::query(format!("{SOURCE}: {error}")))?;
        Ok(Self { program, keeps })
    }

    /// Marks the attributes that are read.
    pub(super) fn mark_read(&self, is_read: &mut [bool]) {
        for expr in self.program.each() {
            expr.leaves(&mut |leaf| {
                if let Expr::Read(operand) = leaf
                    && let Field::Attribute(place) = operand.field
                    && let Some(is_read) = is_read.get_mut(place)
                {
                    *is_read = true;
                }
            });
        }
    }
}

/// Decides what is kept, and asks the evaluator for no more than that, because the rest is collected here. Rows get their node_id before
/// the requested columns.
fn keep(query: &mut Query) -> Keep {
    match &mut query.outcome {
        Outcome::Count => Keep::Number,
        Outcome::Aggregate(_) | Outcome::Groups { .. } => Keep::Gathered,
        Outcome::Rows { columns, .. } => {
            columns.insert(0, node_id());
            Keep::Rows
        }
        Outcome::Nodes(Arrangement { order, limit }) if order.is_empty() && limit.is_none() => {
            query.outcome = Outcome::Count;
            Keep::Nodes
        }
        Outcome::Nodes(_) => Keep::Arranged,
    }
}

fn node_id() -> ResultColumn {
    let operand = Operand { anchor: Anchor::Node, step: Step::Here, field: Field::NodeId };
    ResultColumn {
        heading: "node_id".to_owned(),
        expr: Expr::Read(operand),
        value_type: Type::Integer,
        names: None,
    }
}
