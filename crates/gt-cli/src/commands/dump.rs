//! `gt dump`: a tree, or a part of one, as indented lines.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use gt_log::{Column, Walker, status};
use gt_report::{NodeNames, counted};

use super::Outcome;
use super::names::OtherNames;
use super::trees::{self, TreeChoice};
use crate::failure::Failure;
use crate::moves::{Moves, Position, line_text, node_names};
use crate::printable;

/// Print a tree as indented lines, with moves and attributes
#[derive(clap::Args)]
#[command(
    after_help = "Each line: node_id, move, nodes in its subtree, attributes; `?` stands for a value that is missing.\n\nExamples:\n  \
    gt dump tree.gtf --depth 2\n  gt dump tree.gtf --node 1234 --limit 50\n  gt dump run.gtf --tree 7"
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
    /// How to print moves
    #[arg(long, value_enum, default_value_t = Moves::Text)]
    moves: Moves,
    /// How many nodes to print; 0 for all
    #[arg(long, default_value_t = 1000, value_name = "N")]
    limit: u64,
}

/// Deeper lines are not indented further: a chain of a million nodes stays readable.
const INDENT_MAX: u64 = 40;

/// A node that is still to be printed.
struct Waiting<'a> {
    row: u64,
    node: u64,
    level: u64,
    /// Where its move is made.
    parent: Position<'a>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let about = |error| Failure::about(&arguments.log, error);
    let log = arguments.names.open(&arguments.log)?.log;
    let mut walker = Walker::new(trees::one(&log, &arguments.log, arguments.tree.as_ref())?);
    let start = walker.find(arguments.node).map_err(about)?;
    let mut names = node_names(&log, walker.tree()).filter(|_| arguments.moves != Moves::Number);
    let mut parent = Position::root(&log, walker.tree()).with_moves(arguments.moves);
    if let Some((_, before)) = start.line.split_last() {
        let (mut moves, _) = parent.play_all(&start.line);
        if let Some(names) = &mut names {
            let named = names.line(start.node).map_err(about)?;
            moves.iter_mut().zip(named).for_each(|(text, name)| *text = name.unwrap_or_else(|| text.clone()));
        }
        writeln!(out, "line: {}", printable::line(&line_text(&moves)))?;
        parent = parent.play_all(before).1;
    }
    let limit = if arguments.limit == 0 { u64::MAX } else { arguments.limit };
    let mut printed = 0;
    let mut waiting = vec![Waiting { row: start.row, node: start.node, level: 0, parent }];
    while let Some(next) = waiting.pop() {
        if printed == limit {
            let more = "there are more nodes: raise `--limit` (0 prints all), or start lower with `--node`";
            writeln!(out, "… {} printed; {more}", counted(printed, "node"))?;
            break;
        }
        let (text, position) = line_of(&mut walker, names.as_mut(), &next).map_err(about)?;
        writeln!(out, "{text}")?;
        printed += 1;
        if arguments.depth.is_none_or(|depth| next.level < depth) {
            push_children(&mut walker, &next, &position, limit - printed, &mut waiting).map_err(about)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The children wait in reverse, so that the first comes off first; those beyond the limit need not wait.
fn push_children<'a>(
    walker: &mut Walker<'_>,
    parent: &Waiting<'a>,
    position: &Position<'a>,
    limit: u64,
    waiting: &mut Vec<Waiting<'a>>,
) -> gt_log::Result<()> {
    let first = waiting.len();
    let mut node = parent.node + 1;
    for row in walker.children(parent.row)?.into_iter().take(limit.saturating_add(1).min(1 << 40) as usize) {
        waiting.push(Waiting { row, node, level: parent.level + 1, parent: position.clone() });
        node += walker.size(row)?;
    }
    waiting[first..].reverse();
    Ok(())
}

/// The line of a node, and the position there.
fn line_of<'a>(
    walker: &mut Walker<'_>,
    names: Option<&mut NodeNames<'_>>,
    at: &Waiting<'a>,
) -> gt_log::Result<(String, Position<'a>)> {
    let indent = "  ".repeat(at.level.min(INDENT_MAX) as usize);
    let deeper = if at.level > INDENT_MAX { format!("[+{}] ", at.level) } else { String::new() };
    let (played, position) = match at.node {
        0 => ("root".to_owned(), at.parent.clone()),
        _ => at.parent.play(walker.last_move(at.row)?),
    };
    let named = match names {
        Some(names) if at.node > 0 => names.at(at.row)?,
        _ => None,
    };
    let mv = named.unwrap_or(played);
    let mut text =
        format!("{indent}{deeper}{} {} size={}", at.node, printable::line(&mv), walker.size(at.row)?);
    for (position, attribute) in walker.tree().schema().attributes().iter().enumerate() {
        let value = walker.value(at.row, position)?.to_string();
        text += &format!(" {}={}", printable::line(&attribute.name), printable::line(&value));
    }
    let bits = walker.integer(at.row, Column::Status)?;
    if bits & i64::from(status::UNFINISHED) != 0 {
        text += " (unfinished)";
    }
    if bits & i64::from(status::LEFT_OUT) != 0 {
        text += &format!(" ({} left out)", counted(walker.integer(at.row, Column::LeftOut)? as u64, "node"));
    }
    Ok((text, position))
}
