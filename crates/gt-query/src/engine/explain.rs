//! The plan of a program in plain words.

use std::fmt::Write as _;

use gt_log::Tree;

use super::collect::Wanted;
use super::plan::{Plan, Task};
use super::scan::Scan;
use crate::ir::{AggregateId, Program, Scope};

/// Says how a program would be answered on a tree: what is read, what is computed and how, in how many passes.
///
/// ```
/// use gt_log::{Artificial, Log, LogWriter, Options, Shape};
/// use gt_query::{Environment, compile, engine};
///
/// let writer = LogWriter::to_memory(Artificial::header()?)?;
/// Artificial { shape: Shape::Full, depth: 3, branching: 3, seed: 1 }.write(&writer, Options::default(), |_| {})?;
/// let log = Log::from_bytes(writer.into_memory()?)?;
/// let program = compile("subtree: count(best = 0) > 2", &Environment::new(log.schema())).unwrap();
/// let plan = engine::explain(&program, log.tree(0)?);
/// assert!(plan.contains("the difference of two ranks of the bitmap [best is 0]"), "{plan}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn explain(program: &Program, tree: Tree<'_>) -> String {
    let wanted: Vec<Wanted<'_>> =
        (0..program.queries.len()).map(|query| Wanted::of(program, query, false)).collect();
    let scan = Scan::of(program, tree, &wanted);
    let mut text = String::new();
    for (number, query) in program.queries.iter().enumerate() {
        let name = query.name.clone().unwrap_or_else(|| (number + 1).to_string());
        let _ = writeln!(text, "query {name}: {}", query.text.replace('\n', " "));
        match scan.describe(number, tree.schema()) {
            Some(scanned) => {
                let survey =
                    if scan.survey_first { ", after a survey of the nodes that cross blocks" } else { "" };
                let _ =
                    writeln!(text, "  scans of whole columns in one pass{survey}\n  matches where {scanned}");
            }
            None => node_by_node(program, number, tree, &mut text),
        }
        let _ = writeln!(text, "  gives {}", gives(&wanted[number]));
    }
    text
}

fn node_by_node(program: &Program, query: usize, tree: Tree<'_>, text: &mut String) {
    let plan = Plan::new(program, &[query]);
    let passes = plan.passes.len();
    let _ = writeln!(
        text,
        "  node by node, in {passes} pass{} after a survey of the nodes that cross blocks",
        if passes == 1 { "" } else { "es" }
    );
    let attributes = tree.schema().attributes();
    let names = plan.attributes.iter().filter_map(|&place| attributes.get(place));
    let names: Vec<&str> = names.map(|attribute| attribute.name.as_str()).collect();
    let _ = writeln!(text, "  reads size{}{}", if names.is_empty() { "" } else { ", " }, names.join(", "));
    for task in &plan.tasks {
        let (what, pass) = match task {
            Task::Column(id) => (format!("let {}", program.columns[id.0].name), plan.columns[id.0].inner),
            Task::Aggregate(id) => (fold(program, *id), plan.aggregates[id.0].value.inner),
        };
        let _ = writeln!(text, "  pass {pass}: {what}");
    }
    let _ = writeln!(text, "  pass {}: matches", plan.queries[query].inner);
}

fn fold(program: &Program, id: AggregateId) -> String {
    let aggregate = &program.aggregates[id.0];
    let function = format!("{:?}", aggregate.function).to_lowercase();
    match aggregate.scope {
        Scope::Child => format!("{function} over the children, folded at each node"),
        Scope::Subtree => format!("{function} over the descendants, folded upward"),
        Scope::Path => format!("{function} over the ancestors, folded downward"),
        Scope::Before | Scope::After | Scope::Tree | Scope::Twin(_) => format!("{function} over other nodes"),
        Scope::Matches => format!("{function} over the matches"),
    }
}

const fn gives(wanted: &Wanted<'_>) -> &'static str {
    match wanted {
        Wanted::Number => "their number",
        Wanted::Nodes => "their node_ids",
        Wanted::Values(_) => "what is selected of them",
    }
}
