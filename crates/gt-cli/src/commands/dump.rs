//! `gt dump`: a tree, or a part of one, as indented lines.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use gt_log::{Column, Log, Tree, Value, Walker, status};
use gt_report::{NodeNames, counted};

use super::names::OtherNames;
use super::trees::{self, TreeChoice};
use crate::failure::{Failure, Outcome};
use crate::moves::{Moves, TreeMoves, line_text, node_names, tell_unknown_position};
use crate::printable;
use crate::values::ValueWords;

/// Print a tree as indented lines, with moves and attributes
#[derive(clap::Args)]
#[command(
    after_help = "Each line: node_id, move, nodes in its subtree, attributes; `?` stands for a value that is missing. Values \
    are shown by their aliases, and decided ones as mates, as `gt query` shows them.\n\nExamples:\n  \
    gt dump tree.gtf --depth 2\n  gt dump tree.gtf --node 1234 --limit 50\n  gt dump run.gtf --tree 7 --moves san"
)]
pub(crate) struct Arguments {
    /// The log
    log: PathBuf,
    /// Which tree: a number from 0, `last`, `largest`, -1 for the last, or `depth=9` (default: the largest)
    #[arg(long, value_name = "TREE", allow_hyphen_values = true, value_parser = TreeChoice::read)]
    tree: Option<TreeChoice>,
    /// The node to start at
    #[arg(long, default_value_t = 0, value_name = "ID")]
    node: u64,
    /// How many levels below it to print
    #[arg(long, value_name = "D")]
    depth: Option<u64>,
    #[command(flatten)]
    names: OtherNames,
    /// How to print moves (default: as text)
    #[arg(long, value_enum)]
    moves: Option<Moves>,
    /// Print numbers as they are: moves too, and values that have words: aliases, mates
    #[arg(long)]
    raw: bool,
    /// How many nodes to print; 0 for all
    #[arg(long, default_value_t = 1000, value_name = "N")]
    limit: u64,
}

/// Deeper lines are not indented further: a chain of a million nodes stays readable.
const INDENT_MAX: u64 = 40;

/// A node that is still to be printed.
struct Waiting {
    row: u64,
    node: u64,
    level: u64,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let about = |error| Failure::about(&arguments.log, error);
    let log = arguments.names.open(&arguments.log)?.log;
    let tree = trees::chosen(&log, &arguments.log, arguments.tree.as_ref())?;
    let mut walker = Walker::new(tree);
    let start = walker.find(arguments.node).map_err(about)?;
    let moves = arguments.moves.unwrap_or(if arguments.raw { Moves::Number } else { Moves::Text });
    tell_unknown_position(moves, &arguments.log, &log, tree);
    let mut words = Words::new(&log, tree, moves, arguments.raw);
    if !start.line.is_empty() {
        let line = words.moves.line(&start.line, start.node);
        writeln!(out, "line: {}", printable::line(&line_text(&line)))?;
    }
    let plies = start.line.len() as u64;
    let mut line = start.line;
    let limit = if arguments.limit == 0 { u64::MAX } else { arguments.limit };
    let mut printed = 0;
    let mut waiting = vec![Waiting { row: start.row, node: start.node, level: 0 }];
    while let Some(next) = waiting.pop() {
        if printed == limit {
            let more = "there are more nodes: raise `--limit` (0 prints all), or start lower with `--node`";
            writeln!(out, "… {} printed; {more}", counted(printed, "node"))?;
            break;
        }
        // Nodes come in preorder: the line to a node's parent is the beginning of the one before.
        line.truncate((plies + next.level).saturating_sub(1) as usize);
        writeln!(out, "{}", line_of(&mut walker, &mut words, &next, &mut line).map_err(about)?)?;
        printed += 1;
        if arguments.depth.is_none_or(|depth| next.level < depth) {
            push_children(&mut walker, &next, limit - printed, &mut waiting).map_err(about)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The children wait in reverse, so that the first comes off first; those beyond the limit need not wait.
fn push_children(
    walker: &mut Walker<'_>,
    parent: &Waiting,
    limit: u64,
    waiting: &mut Vec<Waiting>,
) -> gt_log::Result<()> {
    let first = waiting.len();
    let mut node = parent.node + 1;
    for row in walker.children(parent.row)?.into_iter().take(limit.saturating_add(1).min(1 << 40) as usize) {
        waiting.push(Waiting { row, node, level: parent.level + 1 });
        node += walker.size(row)?;
    }
    waiting[first..].reverse();
    Ok(())
}

/// What is printed of a node; `line` leads to its parent, and then to the node.
fn line_of(
    walker: &mut Walker<'_>,
    words: &mut Words<'_>,
    at: &Waiting,
    line: &mut Vec<i64>,
) -> gt_log::Result<String> {
    let indent = "  ".repeat(at.level.min(INDENT_MAX) as usize);
    let deeper = if at.level > INDENT_MAX { format!("[+{}] ", at.level) } else { String::new() };
    let mv = match at.node {
        0 => "root".to_owned(),
        _ => {
            let last_move = walker.last_move(at.row)?;
            let name = words.name(at.row, line, last_move)?;
            line.push(last_move);
            name
        }
    };
    let mut text =
        format!("{indent}{deeper}{} {} size={}", at.node, printable::line(&mv), walker.size(at.row)?);
    for (position, attribute) in walker.tree().schema().attributes().iter().enumerate() {
        let value = words.value(position, &walker.value(at.row, position)?, line.len() as u64);
        text += &format!(" {}={}", printable::line(&attribute.name), printable::line(&value));
    }
    let bits = walker.integer(at.row, Column::Status)?;
    if bits & i64::from(status::UNFINISHED) != 0 {
        text += " (unfinished)";
    }
    if bits & i64::from(status::LEFT_OUT) != 0 {
        text += &format!(" ({} left out)", counted(walker.integer(at.row, Column::LeftOut)? as u64, "node"));
    }
    Ok(text)
}

/// The words of a log, where they are asked for.
struct Words<'a> {
    moves: TreeMoves<'a>,
    /// What nodes call their moves.
    names: Option<NodeNames<'a>>,
    /// The words of values; nothing where these are printed as numbers.
    values: Option<ValueWords<'a>>,
}

impl<'a> Words<'a> {
    fn new(log: &'a Log, tree: Tree<'a>, moves: Moves, raw: bool) -> Self {
        Self {
            moves: TreeMoves::new(log, tree, moves),
            names: node_names(log, tree).filter(|_| moves != Moves::Number),
            values: (!raw).then(|| ValueWords::new(log, tree)),
        }
    }

    /// The name of the move to a row's node, or its number.
    fn name(&mut self, row: u64, before: &[i64], last_move: i64) -> gt_log::Result<String> {
        let named = match &mut self.names {
            Some(names) => names.at(row)?,
            None => None,
        };
        let name = named.or_else(|| self.moves.text(before, last_move));
        Ok(name.unwrap_or_else(|| last_move.to_string()))
    }

    /// The value of an attribute at a node of this ply: a mate, its alias, or as it is.
    fn value(&self, attribute: usize, value: &Value, ply: u64) -> String {
        let words = self.values.as_ref().and_then(|words| words.of(attribute, value, ply));
        words.unwrap_or_else(|| value.to_string())
    }
}
