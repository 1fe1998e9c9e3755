//! The thesis's queries, as printed, and how they are run.

use std::borrow::Cow;

use gt_log::{Schema, Tree};
use gt_query::{Environment, Program, Value, compile, render_all};
use gt_report::Table;

use crate::error::ErrorKind;

/// The queries of section 5.1, Q1 to Q8.
pub const EFFICIENCY: [&str; 8] = [
    "node:count(*)",
    "node:count(*); child:count(type=[]type)>0",
    "node:count(*); subtree:count(*)>300",
    "node:count(*); child:count(type=[]type)>0; subtree:count(*)>300",
    "node:count(best=0)",
    "node:count(best=0); child:count(type=[]type)>0",
    "node:count(best=0); subtree:count(*)>300",
    "node:count(best=0); child:count(type=[]type)>0; subtree:count(*)>300",
];

/// The queries of Table 5.3, Q1 to Q24; `$x` is the nominal depth of the search.
pub const CHESS: [&str; 24] = [
    "node:count(*)",
    "node:count(type & PVNode)",
    "node:count(type & CutNode)",
    "node:count(type & AllNode)",
    "node:type & QNode",
    "node:ply<=$x and not type & QNode",
    "node:ply>$x and not type & QNode",
    "node:ply>$x+5 and not type & QNode",
    "node:ply>$x+10 and not type & QNode",
    "node:ply>$x+20 and not type & QNode",
    "node:ply>$x+25 and not type & QNode",
    "node:ply>$x+30 and not type & QNode",
    "node:type & QRootNode subtree:count(*)>0",
    "node:type & QRootNode subtree:count(*)>50",
    "node:type & QRootNode subtree:count(*)>100",
    "node:type & QRootNode subtree:count(*)>150",
    "node:type & QRootNode subtree:count(*)>200",
    "node:type & QRootNode subtree:count(*)>250",
    "node:type & PVNode child:count([]type & PVNode)>2",
    "node:type & PVNode child:count([]type & PVNode)>5",
    "node:type & PVNode child:count([]type & PVNode)>7",
    "node:type & PVNode child:count([]type & PVNode)>8",
    "node:type & PVNode child:count([]type & PVNode)>9",
    "node:count(type & ResearchNode)",
];

/// The largest quiescence searches and the lines that lead to them.
pub(crate) const LARGEST_QUIESCENCE: &str =
    "node: type & QRootNode select @size, @line order by @size desc, node_id limit 4";

/// The other reading of Q24: the nodes that were entered again, and all below them.
pub const SEARCHED_AGAIN_BELOW: &str =
    "let above = path: count(type & ResearchNode)\nnode: count(type & ResearchNode or above > 0)";

/// Returns a file of queries named Q1, Q2 …
#[must_use]
pub fn file(queries: &[&str]) -> String {
    let named = |(place, query): (usize, &&str)| format!("[Q{}]\n{query}\n", place + 1);
    queries.iter().enumerate().map(named).collect::<Vec<_>>().join("\n")
}

/// The queries as a table.
pub(crate) fn table(queries: &[&str]) -> Table {
    let mut table = Table::new(["", "query"]);
    for (place, query) in queries.iter().enumerate() {
        table.row([format!("Q{}", place + 1), format!("`{query}`")]);
    }
    table
}

/// The names that the queries use, but for `ply`: a log that lacks it has the plies of its nodes all the same.
const NAMES: [&str; 7] = ["type", "PVNode", "CutNode", "AllNode", "QNode", "QRootNode", "ResearchNode"];

/// The names that the queries use and the log does not have.
pub(crate) fn missing_names(schema: &Schema) -> Vec<&'static str> {
    let is_missing = |name: &&str| schema.position(name).is_none() && schema.alias(name).is_none();
    NAMES.into_iter().filter(is_missing).collect()
}

/// Whether a query can be run on a log without these names.
pub(crate) fn needs_none_of(query: &str, missing: &[&str]) -> bool {
    !words(query).any(|word| missing.contains(&word))
}

fn words(query: &str) -> impl Iterator<Item = &str> {
    query.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
}

/// Binds queries to a tree, `$x` being its nominal depth.
pub(crate) fn bind(text: &str, tree: Tree<'_>, nominal_depth: u16) -> Result<Program, ErrorKind> {
    let environment =
        Environment::new(tree.schema()).with_parameter("x", Value::Integer(i128::from(nominal_depth)));
    let text = &*match tree.schema().position("ply") {
        Some(_) => Cow::Borrowed(text),
        None => Cow::Owned(text.replace("node:ply", "node:@ply")),
    };
    compile(text, &environment).map_err(|errors| ErrorKind::Query(render_all(&errors, "queries", text)))
}
