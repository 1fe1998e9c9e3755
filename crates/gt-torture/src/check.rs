//! Asks every reader the same questions about a log, and compares the answers with plain lists of its nodes.

use std::sync::Arc;

use gt_convert::{Format, Selection};
use gt_log::{Column, Log, Tree, Walker, status};
use gt_query::engine::{self, Finding};
use gt_query::live::{self, Live};
use gt_query::plain_tree::{PlainTree, Visit};
use gt_query::{Answer, Environment, ErrorKind, Program, RunError, compile, reference};

use crate::model::{Expected, Node, plain};
use crate::random;
use crate::session::kinds;

/// Questions for every tree: each kind of scope, relative, structure and result.
pub const QUESTIONS: &str = "
node: *

node: not best > 0

node: count(best > 0)

node: @ply = 2

node: @unfinished

node: [^]best = best

node: [<]best < [>]best or @index = 3

node: @height = 1 and @children > 1

node: flag and label = \"a\"

child: count([]best > best) > 0

subtree: count(type & PVNode) > 1

subtree: max(best) > 3

path: count(best = 1) = 1

let q = subtree: sum(best)
node: q > 3

node: * group by @ply select @ply, count(*), avg(best), min(ratio), max(label)

node: * select node_id, @parent, @line, best order by best desc limit 7

node: sum(@size)

node: max(@total)
";

/// The size up to which trees are also asked random questions: the reference is slow.
const NODES_MAX_FOR_RANDOM: usize = 300;

/// The numbers of checks made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// The number of trees checked.
    pub trees: u64,
    /// The number of queries answered by engine and reference.
    pub queries: u64,
}

/// How much is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thoroughness {
    /// The readers, the engine, and recovery.
    Quick,
    /// Also the live evaluator, other numbers of threads, the profile and tables.
    Full,
}

/// Compares the log of a session with what it must contain; `questions` are query files beside [`QUESTIONS`].
///
/// # Errors
/// Returns the difference.
pub fn session(
    bytes: &[u8],
    expected: &Expected,
    questions: &[String],
    thoroughness: Thoroughness,
) -> Result<Asked, String> {
    let log = Log::from_bytes(bytes.to_vec()).map_err(|error| format!("the log does not open: {error}"))?;
    if expected.whole {
        log.verify(|_| {}).map_err(|error| format!("the log does not verify: {error}"))?;
    }
    same("trees", log.tree_count(), expected.trees.len())?;
    let named: Vec<i64> = log.move_names().iter().map(|(number, _)| *number).collect();
    same("named moves", &named, &expected.named)?;
    let mut asked = Asked::default();
    for (tree, nodes) in log.trees().zip(&expected.trees) {
        let place = |what: String| format!("tree {}: {what}", tree.number());
        one_tree(tree, nodes, questions, thoroughness, &mut asked).map_err(place)?;
    }
    recovered(&log, expected).map_err(|what| format!("after recovery: {what}"))?;
    if thoroughness == Thoroughness::Quick {
        return Ok(asked);
    }
    profiled(&log, expected, &mut asked).map_err(|what| format!("in the profile: {what}"))?;
    for format in [Format::Csv, Format::JsonLines, Format::Parquet] {
        exported(&log, expected, format).map_err(|what| format!("after {format:?} and back: {what}"))?;
    }
    Ok(asked)
}

/// Checks that a log survives an export and import unchanged.
fn exported(log: &Log, expected: &Expected, format: Format) -> Result<(), String> {
    if expected.trees.is_empty() {
        return Ok(());
    }
    let mut table = Vec::new();
    gt_convert::export_to(log, &Selection::All, format, &mut table, &mut gt_convert::unwatched)
        .map_err(|error| error.to_string())?;
    let back = gt_convert::import_bytes(&table, format).map_err(|error| error.to_string())?;
    let back = Log::from_bytes(back).map_err(|error| error.to_string())?;
    same("trees", back.tree_count(), expected.trees.len())?;
    same("aliases", back.schema().aliases(), log.schema().aliases())?;
    for (tree, nodes) in back.trees().zip(&expected.trees) {
        same_nodes(&read_nodes(tree)?, nodes)?;
    }
    Ok(())
}

/// Checks that the figures of the profile are those that the reference computes on the plain trees.
fn profiled(log: &Log, expected: &Expected, asked: &mut Asked) -> Result<(), String> {
    let figures = gt_report::profile::figures_of(log).map_err(|error| error.to_string())?;
    let text = gt_report::profile::query_file(&figures.figures);
    for (tree, nodes) in log.trees().zip(&expected.trees) {
        if nodes.len() <= NODES_MAX_FOR_RANDOM {
            agree(tree, &plain(tree.schema(), nodes), &text, Thoroughness::Full, asked)?;
        }
    }
    Ok(())
}

/// Compares a tree with the nodes that it must have.
///
/// # Errors
/// Returns the difference.
pub fn one_tree(
    tree: Tree<'_>,
    nodes: &[Node],
    questions: &[String],
    thoroughness: Thoroughness,
    asked: &mut Asked,
) -> Result<(), String> {
    let verified = tree.verify(|_| {}).map_err(|error| format!("it does not verify: {error}"))?;
    same("nodes", verified.nodes, nodes.len() as u64)?;
    let unfinished = nodes.iter().filter(|node| node.unfinished).count() as u64;
    same("unfinished nodes", verified.unfinished, unfinished)?;
    same_nodes(&read_nodes(tree)?, nodes)?;
    walked(tree, nodes)?;
    asked.trees += 1;
    let plain = plain(tree.schema(), nodes);
    agree(tree, &plain, QUESTIONS, thoroughness, asked)?;
    if nodes.len() <= NODES_MAX_FOR_RANDOM {
        for text in questions {
            agree(tree, &plain, text, thoroughness, asked)?;
        }
    }
    Ok(())
}

/// Returns the nodes of a tree in the order of their numbers.
///
/// # Errors
/// Returns an error if the log cannot be read.
pub fn read_nodes(tree: Tree<'_>) -> Result<Vec<Node>, String> {
    let mut columns = vec![Column::LastMove, Column::Status, Column::LeftOut];
    columns.extend((0..tree.schema().attributes().len()).map(Column::Attribute));
    let kinds: Vec<gt_log::Kind> =
        tree.schema().attributes().iter().map(|attribute| attribute.kind).collect();
    let mut nodes = Vec::new();
    let read = tree.preorder(&columns, |batch| {
        for place in 0..batch.len() {
            let status = batch.cells[1].integers[place];
            nodes.push(Node {
                parent: usize::try_from(batch.parents[place]).ok(),
                last_move: batch.cells[0].integers[place],
                unfinished: status & i64::from(status::UNFINISHED) != 0,
                left_out: batch.cells[2].integers[place] as u64,
                values: kinds
                    .iter()
                    .zip(&batch.cells[3..])
                    .map(|(kind, cells)| cells.value(*kind, place))
                    .collect(),
            });
        }
        Ok::<(), gt_log::Error>(())
    });
    read.map_err(|error| format!("its nodes cannot be read: {error}"))?;
    Ok(nodes)
}

fn same_nodes(found: &[Node], expected: &[Node]) -> Result<(), String> {
    same("nodes read", found.len(), expected.len())?;
    for (number, (found, expected)) in found.iter().zip(expected).enumerate() {
        let shown = |node: &Node| {
            let Node { parent, last_move, values, unfinished, left_out } = node;
            format!(
                "below {parent:?}, move {last_move}, {values:?}, unfinished {unfinished}, left out {left_out}"
            )
        };
        same(&format!("node {number}"), shown(found), shown(expected))?;
    }
    Ok(())
}

/// Checks single nodes: found by number, with their lines and values.
fn walked(tree: Tree<'_>, nodes: &[Node]) -> Result<(), String> {
    let mut walker = Walker::new(tree);
    let step = nodes.len().div_ceil(40).max(1);
    for (number, node) in nodes.iter().enumerate().step_by(step) {
        let found = walker.find(number as u64).map_err(|error| format!("node {number}: {error}"))?;
        let mut line = Vec::new();
        let mut at = number;
        while let Some(parent) = nodes[at].parent {
            line.insert(0, nodes[at].last_move);
            at = parent;
        }
        same(&format!("the line to node {number}"), &found.line, &line)?;
        for (attribute, (kind, expected)) in kinds().iter().zip(&node.values).enumerate() {
            let value =
                walker.value(found.row, attribute).map_err(|error| format!("node {number}: {error}"))?;
            let what = format!("attribute {attribute} ({kind}) of node {number}");
            same(&what, format!("{value:?}"), format!("{expected:?}"))?;
        }
    }
    Ok(())
}

/// Checks that the engine answers as the reference does.
fn agree(
    tree: Tree<'_>,
    plain: &PlainTree,
    text: &str,
    thoroughness: Thoroughness,
    asked: &mut Asked,
) -> Result<(), String> {
    let Some(program) = program(tree, text) else { return Ok(()) };
    let expected = reference::answer(&program, plain);
    let is_full = thoroughness == Thoroughness::Full;
    for &threads in if is_full { &[1, 2][..] } else { &[1] } {
        let options = engine::Options { threads, ..engine::Options::default() };
        let found = engine::run(&program, tree, &options).map_err(|error| format!("{text}: {error}"))?;
        for ((query, expected), found) in program.queries.iter().zip(&expected).zip(&found.answers) {
            match (expected, found) {
                (Ok(expected), Ok(found)) => same(&query.text, found, expected)?,
                // Which of several overflows is reported may differ.
                (expected, found) => same(&query.text, found.is_err(), expected.is_err())?,
            }
            asked.queries += 1;
        }
    }
    // Twins are only supported on logs.
    let live = if is_full && program.twins.is_empty() { live(&program, plain) } else { Vec::new() };
    for ((query, expected), found) in program.queries.iter().zip(&expected).zip(live) {
        if let (Ok(expected), Ok(found)) = (expected, found) {
            same(&format!("live: {}", query.text), &found, expected)?;
        }
    }
    one_by_one(tree, &program, &expected)
}

/// The answers of the live evaluator when the tree is searched.
fn live(program: &Program, tree: &PlainTree) -> Vec<Result<Answer, RunError>> {
    let mut live = Live::new(Arc::new(program.clone())).expect("no query asks for twins");
    for visit in tree.walk() {
        let told = match visit {
            Visit::Enter(node) => live.enter(tree.nodes()[node].last_move),
            Visit::Leave(node) => {
                let node = &tree.nodes()[node];
                let marks = live::Marks { unfinished: node.unfinished, left_out: node.left_out };
                live.leave_lacking(&node.values, marks)
            }
        };
        told.expect("the walk of a tree is a search");
    }
    live.finish().expect("the walk is whole")
}

/// Checks that matches read one by one are those read at once.
fn one_by_one<E>(tree: Tree<'_>, program: &Program, expected: &[Result<Answer, E>]) -> Result<(), String> {
    let found =
        engine::find(program, tree, &engine::Options::default()).map_err(|error| error.to_string())?;
    for ((query, found), expected) in program.queries.iter().zip(&found.found).zip(expected) {
        if let (Ok(Finding::Matches(matches)), Ok(Answer::Nodes(nodes))) = (found, expected) {
            let read: Result<Vec<u64>, _> = matches.iter(&engine::Options::default()).collect();
            same(&query.text, &read.map_err(|error| error.to_string())?, nodes)?;
        }
    }
    Ok(())
}

/// Compiles a query file; `None` if its constants overflow, which random ones may.
fn program(tree: Tree<'_>, text: &str) -> Option<Program> {
    let moves = random::moves();
    let environment = Environment::new(tree.schema()).with_moves(&moves);
    let environment = environment.with_parameter("x", gt_query::Value::Integer(2));
    match compile(text, &environment) {
        Ok(program) => Some(program),
        Err(errors) => {
            let of_constants =
                |kind: &ErrorKind| matches!(kind, ErrorKind::ConstantOverflow | ErrorKind::ConstantOrder);
            assert!(errors.iter().all(|error| of_constants(&error.kind)), "{text}: {errors:?}");
            None
        }
    }
}

/// Checks that a recovered log is whole, verifies, and has the same nodes.
fn recovered(log: &Log, expected: &Expected) -> Result<(), String> {
    let file = crate::run::Shared::default();
    gt_log::recover(log, file.clone(), |_| {}).map_err(|error| error.to_string())?;
    let log = Log::from_bytes(file.bytes()).map_err(|error| error.to_string())?;
    log.verify(|_| {}).map_err(|error| error.to_string())?;
    same("trees", log.tree_count(), expected.trees.len())?;
    for (tree, nodes) in log.trees().zip(&expected.trees) {
        same_nodes(&read_nodes(tree)?, nodes)?;
    }
    Ok(())
}

/// Checks that two values are equal.
///
/// # Errors
/// Returns both of them if they differ.
pub fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}:\n     found {found:?}\n  expected {expected:?}"))
}
