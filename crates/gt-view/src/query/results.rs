//! What a run found: sets of nodes, and tables.

use std::cmp::Reverse;

use gt_log::Kind;
use gt_query::engine::NodeSet;
use gt_query::ir::Structure;
use gt_query::ir::{Field, Outcome};
use gt_query::{Answer as Found, RunError, Type, Value};
use serde::Serialize;

use super::plan::{Plan, Planned, ROWS_MAX};
use crate::calls::Subject;
use crate::error::Answer;
use crate::nodes::Located;
use crate::values::{self, Scalar};

/// The answer of one query.
pub(crate) struct ResultSet {
    pub(crate) name: Option<String>,
    /// The query on one line.
    pub(crate) text: String,
    pub(crate) kind: ResultKind,
    pub(crate) content: Content,
    /// The nodes behind it, where it has any.
    pub(crate) matches: Option<NodeSet>,
    /// Whether there are more rows than are kept.
    pub(crate) truncated: bool,
    /// For each column of rows the attribute whose aliases name its values.
    pub(crate) names: Vec<Option<usize>>,
}

/// What kind of answer a query gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum ResultKind {
    /// Nodes.
    Nodes,
    /// A row of columns for each node.
    Rows,
    /// A row of columns for each group of nodes.
    Groups,
    /// The number of nodes.
    Count,
    /// An aggregate over the nodes.
    Value,
}

impl ResultKind {
    pub(crate) const fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Count => Self::Count,
            Outcome::Aggregate(_) => Self::Value,
            Outcome::Nodes(_) => Self::Nodes,
            Outcome::Rows { .. } => Self::Rows,
            Outcome::Groups { .. } => Self::Groups,
        }
    }
}

/// The content of a result.
pub(crate) enum Content {
    /// A row for each match, read from the log when it is shown.
    Nodes,
    /// A row for each of these nodes, in this order.
    Ordered(Vec<u64>),
    /// Rows as they were answered, and their nodes.
    Rows { columns: Vec<(String, Type)>, rows: Vec<Vec<Option<Value>>>, nodes: Option<Vec<u64>> },
    /// No answer, for this reason.
    Failed(String),
}

impl ResultSet {
    /// Puts a query's answer and its matches together.
    pub(crate) fn new(
        plan: &Plan,
        index: usize,
        answer: Result<Found, RunError>,
        all: Option<NodeSet>,
        nodes: u64,
    ) -> Self {
        let query = &plan.program.queries[index];
        let kind = ResultKind::of(&query.outcome);
        let is_set = plan.queries[index].matches == Some(index);
        let (content, truncated) = match answer {
            Err(error) => (Content::Failed(error.to_string()), false),
            Ok(_) if is_set => (Content::Nodes, false),
            Ok(found) => content(found, plan, index),
        };
        let own = match &content {
            Content::Ordered(ids) | Content::Rows { nodes: Some(ids), .. } => Some(NodeSet::of(nodes, ids)),
            _ => None,
        };
        let names = match &query.outcome {
            Outcome::Rows { columns, .. } | Outcome::Groups { columns, .. } => {
                columns.iter().map(|column| column.names).collect()
            }
            Outcome::Count | Outcome::Aggregate(_) | Outcome::Nodes(_) => Vec::new(),
        };
        let (name, text) = (query.name.clone(), query.text.clone());
        Self { name, text, kind, content, matches: all.or(own), truncated, names }
    }

    /// What a result file of a tree with so many nodes holds.
    pub(super) fn of_file(
        text: String,
        kind: ResultKind,
        content: Content,
        ids: Option<&[u64]>,
        nodes: u64,
    ) -> Self {
        let matches = ids.map(|ids| NodeSet::of(nodes, ids));
        Self { name: None, text, kind, content, matches, truncated: false, names: Vec::new() }
    }

    /// How many rows there are.
    pub(crate) fn count(&self) -> u64 {
        match &self.content {
            Content::Nodes => self.matches.as_ref().map_or(0, NodeSet::count),
            Content::Ordered(ids) => ids.len() as u64,
            Content::Rows { rows, .. } => rows.len() as u64,
            Content::Failed(_) => 0,
        }
    }

    /// About how much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        let matches = self.matches.as_ref().map_or(0, NodeSet::bytes);
        let content = match &self.content {
            Content::Nodes | Content::Failed(_) => 0,
            Content::Ordered(ids) => 8 * ids.len(),
            Content::Rows { columns, rows, .. } => {
                rows.len() * (columns.len() * size_of::<Option<Value>>() + 48)
            }
        };
        matches + content
    }
}

fn content(found: Found, plan: &Plan, index: usize) -> (Content, bool) {
    let (planned, outcome): (&Planned, &Outcome) =
        (&plan.queries[index], &plan.program.queries[index].outcome);
    let single = |heading: &str, value: Option<Value>, value_type: Type| Content::Rows {
        columns: vec![(heading.to_owned(), value_type)],
        rows: vec![vec![value]],
        nodes: None,
    };
    match found {
        Found::Count(count) => (single("count", Some(Value::Integer(count.into())), Type::Integer), false),
        Found::Value(value) => {
            let value_type = match outcome {
                Outcome::Aggregate(id) => plan.program.aggregates[id.0].value_type,
                _ => value.as_ref().map_or(Type::Integer, Value::type_of),
            };
            (single("value", value, value_type), false)
        }
        Found::Nodes(mut ids) => {
            let truncated = ids.len() > ROWS_MAX;
            ids.truncate(ROWS_MAX);
            (Content::Ordered(ids), truncated)
        }
        Found::Rows { mut columns, mut rows } => {
            let truncated = rows.len() > ROWS_MAX;
            rows.truncate(ROWS_MAX);
            let nodes = planned.has_node_column.then(|| rows.iter_mut().map(taken_node).collect());
            if planned.has_node_column && matches!(outcome, Outcome::Rows { .. }) {
                columns.pop();
            }
            (Content::Rows { columns, rows, nodes }, truncated)
        }
    }
}

/// Takes the node_id off a row's end.
fn taken_node(row: &mut Vec<Option<Value>>) -> u64 {
    match row.pop() {
        Some(Some(Value::Integer(id))) => u64::try_from(id).unwrap_or(0),
        _ => 0,
    }
}

/// The columns of a set of nodes: names, types, and what they are in a query.
pub(crate) fn node_columns(subject: &Subject<'_>) -> Vec<(String, Type, Field)> {
    let structure = |structure: Structure| Field::Structure(structure);
    let mut columns = vec![
        ("node_id".to_owned(), Type::Integer, Field::NodeId),
        ("move".to_owned(), Type::Move, Field::LastMove),
        ("@ply".to_owned(), Type::Integer, structure(Structure::Ply)),
        ("@size".to_owned(), Type::Integer, structure(Structure::Size)),
    ];
    for (place, attribute) in subject.tree.schema().attributes().iter().enumerate() {
        columns.push((attribute.name.clone(), type_of(attribute.kind), Field::Attribute(place)));
    }
    columns
}

fn type_of(kind: Kind) -> Type {
    match kind {
        Kind::F32 | Kind::F64 => Type::Float,
        Kind::Bool => Type::Boolean,
        Kind::Text => Type::Text,
        _ => Type::Integer,
    }
}

pub(crate) const fn type_name(value_type: Type) -> &'static str {
    match value_type {
        Type::Integer | Type::Bits => "integer",
        Type::Float => "float",
        Type::Boolean => "boolean",
        Type::Text => "text",
        Type::Move => "move",
        Type::Line => "line",
    }
}

/// What `read` gives for each of some nodes, which are located in one walk over the tree.
pub(crate) fn each_node<'a, T>(
    subject: &mut Subject<'a>,
    ids: &[u64],
    mut read: impl FnMut(&mut Subject<'a>, &Located) -> Answer<T>,
) -> Answer<Vec<T>> {
    let mut falling: Vec<usize> = (0..ids.len()).collect();
    falling.sort_by_key(|&place| Reverse(ids[place]));
    let mut found: Vec<(usize, T)> = Vec::with_capacity(ids.len());
    let mut last = None;
    for place in falling {
        let located = subject.nodes.locate_from(last, ids[place])?;
        found.push((place, read(subject, &located)?));
        last = Some(located);
    }
    found.sort_by_key(|(place, _)| *place);
    Ok(found.into_iter().map(|(_, read)| read).collect())
}

/// The cells of nodes as [`node_columns`] names them; `cell` writes the values.
pub(crate) fn node_rows(
    subject: &mut Subject<'_>,
    ids: &[u64],
    cell: fn(&gt_log::Value) -> Scalar,
) -> Answer<Vec<Vec<Scalar>>> {
    each_node(subject, ids, |subject, located| {
        let (node, ply) = (located.node, located.ply());
        let text = subject.name_of(located)?;
        let number = |number: u64| values::integer(number.into());
        let mut cells = vec![number(node.id), Scalar::Text(text), number(ply), number(node.size)];
        for place in 0..subject.tree.schema().attributes().len() {
            cells.push(cell(&subject.nodes.value(node.row, place)?));
        }
        Ok(cells)
    })
}
