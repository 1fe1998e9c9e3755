//! A program as the viewer runs it: results that fit a page, and the nodes behind every result.
//!
//! ```text
//! asked                                 run as
//! node: A                               the same; node_ids stream into a set
//! node: count(A), group by …            the same, and beside it `node: A` for the marks
//! node: A select B                      select B, node_id   limit 50001; beside it `node: A` where no limit was asked
//! ```
//!
//! All of it is still one program, answered in one run.

use gt_query::Type;
use gt_query::ir::{Anchor, Arrangement, Expr, Field, Operand, Outcome, Program, Query, ResultColumn, Step};

/// Rows of a table that are kept.
pub(crate) const ROWS_MAX: usize = 50_000;

/// A program and where its answers are.
pub(crate) struct Plan {
    pub(crate) program: Program,
    pub(crate) queries: Vec<Planned>,
}

/// A query that was asked.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    /// The query in the program that finds all its matches, where it is not the answer itself that tells them.
    pub(crate) matches: Option<usize>,
    /// Whether the last column is the node_id, added here.
    pub(crate) has_node_column: bool,
}

impl Plan {
    pub(crate) fn new(mut program: Program) -> Self {
        let mut queries = Vec::new();
        let mut beside = Vec::new();
        let asked = program.queries.len();
        for (index, query) in program.queries.iter_mut().enumerate() {
            let all = Query { outcome: Outcome::Nodes(Arrangement::default()), ..query.clone() };
            let (needs_all, has_node_column) = arrange(&mut query.outcome);
            let matches = match &query.outcome {
                Outcome::Nodes(arrangement) if is_plain(arrangement) => Some(index),
                _ if needs_all => {
                    beside.push(all);
                    Some(asked + beside.len() - 1)
                }
                _ => None,
            };
            queries.push(Planned { matches, has_node_column });
        }
        program.queries.extend(beside);
        Self { program, queries }
    }
}

fn is_plain(arrangement: &Arrangement) -> bool {
    arrangement.order.is_empty() && arrangement.limit.is_none()
}

/// Limits a result; whether its matches must be found beside it, and whether a column for their node_ids was added.
fn arrange(outcome: &mut Outcome) -> (bool, bool) {
    match outcome {
        Outcome::Count => (true, false),
        Outcome::Aggregate(_) => (false, false),
        Outcome::Nodes(arrangement) if is_plain(arrangement) => (false, false),
        Outcome::Nodes(arrangement) => (limit(arrangement), false),
        Outcome::Rows { columns, arrangement } => {
            columns.push(ResultColumn {
                heading: "node_id".to_owned(),
                expr: here(Field::NodeId),
                value_type: Type::Integer,
                names: None,
            });
            (limit(arrangement), true)
        }
        Outcome::Groups { arrangement, .. } => {
            limit(arrangement);
            (true, false)
        }
    }
}

/// Keeps one row more than is shown, to know whether there are more; whether the limit is ours.
fn limit(arrangement: &mut Arrangement) -> bool {
    let asked = arrangement.limit;
    arrangement.limit = Some(asked.unwrap_or(usize::MAX).min(ROWS_MAX + 1));
    asked != arrangement.limit
}

/// A field of the node itself.
pub(crate) const fn here(field: Field) -> Expr {
    Expr::Read(Operand { anchor: Anchor::Node, step: Step::Here, field })
}
