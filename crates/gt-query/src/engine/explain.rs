//! The plan of a program in plain words.

use std::fmt::Write as _;

use gt_log::Tree;

use super::collect::MatchDetail;
use super::plan::{Plan, Task};
use super::run::first::enough;
use super::scan::Scan;
use crate::ir::{AggregateId, Program, Scope};

/// Describes how a program would be answered on a tree: what is read, what is computed and how, in how many passes.
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
    let wanted: Vec<MatchDetail> =
        (0..program.queries.len()).map(|query| MatchDetail::of(program, query, false)).collect();
    let mut text = String::new();
    for (number, query) in program.queries.iter().enumerate() {
        let name = query.name.clone().unwrap_or_else(|| (number + 1).to_string());
        let _ = writeln!(text, "query {name}: {}", query.text.replace('\n', " "));
        let plan = Plan::new(program, &[number], &[]);
        let scan = Scan::of(program, tree, &plan, &wanted, false);
        // A query that each row answers alone takes no more than a pass.
        let is_alone = scan.settles_itself(number);
        let survey = match plan.survey_first && !is_alone {
            true => ", after a survey of the nodes that cross blocks",
            false => "",
        };
        let passes = match plan.passes.len() {
            2.. if !is_alone => format!("{} passes", plan.passes.len()),
            _ => "one pass".to_owned(),
        };
        let _ = writeln!(text, "  scans of whole columns in {passes}{survey}");
        if plan.passes.len() > 1 && !is_alone {
            steps(program, number, &plan, &mut text);
        }
        let described = scan.describe(number, tree.schema());
        for (place, fold) in described.folds.iter().enumerate() {
            let _ = writeln!(text, "  #{} is {fold}", place + 1);
        }
        let _ = writeln!(text, "  matches where {}", described.test);
        let _ = writeln!(text, "  gives {}", gives(wanted[number]));
        if enough(program, &scan).is_some() {
            text +=
                "  ends with the first blocks that have enough of them, if a sixteenth of all is enough\n";
        }
    }
    text
}

/// The pass in which each aggregate and column of a query becomes known.
fn steps(program: &Program, query: usize, plan: &Plan, text: &mut String) {
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
    let over = match aggregate.scope {
        Scope::Child => "the children, folded at each node",
        Scope::Before => "the siblings before, folded along them",
        Scope::After => "the siblings after, folded along them",
        Scope::Subtree => "the descendants, folded upward",
        Scope::Path => "the ancestors, folded downward",
        Scope::Tree => "the whole tree, gathered in a pass of its own",
        Scope::Twin(_) => "the twins, gathered by their keys in a pass of its own",
        Scope::Matches => "the matches",
    };
    format!("{} over {over}", aggregate.function.spelling())
}

const fn gives(wanted: MatchDetail) -> &'static str {
    match wanted {
        MatchDetail::Number => "their number",
        MatchDetail::Nodes => "their node_ids",
        MatchDetail::Values => "what is selected of them",
    }
}
