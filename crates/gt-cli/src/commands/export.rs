//! `gt export`: a log becomes a table, or a part of a tree a graph.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use gt_convert::{DotOptions, ErrorKind, Format, MoveTexts, Selection};
use gt_log::Log;
use gt_report::{NameMoves, counted, grouped};

use super::files::{new_file, open, turning};
use super::import::format;
use super::trees::{self, Condition, TreeChoice};
use crate::failure::{Failure, Outcome};
use crate::moves::{Moves, TreeMoves, tell_unknown_position};
use crate::printable;
use crate::progress::Progress;

/// Write a log as Parquet, CSV or JSON Lines, or a part of a tree as a Graphviz graph
#[derive(clap::Args)]
#[command(
    after_help = "A table has a row for each node: node_id, parent_id, ply, size, last_move and the attributes. `gt import` \
    makes the same log of it.\n\nExamples:\n  gt export tree.gtf -o nodes.parquet\n  \
    gt export run.gtf --tree 7 -o last.csv\n  gt export tree.gtf -o top.dot --depth 3 --attribute best --attribute type"
)]
pub(crate) struct Arguments {
    /// The log
    log: PathBuf,
    /// The file to write: .parquet, .csv, .jsonl or .dot
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Only this tree: a number from 0, `last`, `largest`, -1 for the last, or `depth=9`; may be repeated
    #[arg(long = "tree", value_name = "TREE", allow_hyphen_values = true, value_parser = TreeChoice::read)]
    trees: Vec<TreeChoice>,
    /// Only trees whose metadata say so: `nominal_depth >= 8`
    #[arg(long = "where", value_name = "CONDITION", value_parser = Condition::read)]
    condition: Option<Condition>,
    /// The table's format, where the file's name does not tell it: parquet, csv or jsonl
    #[arg(long, value_parser = format)]
    format: Option<Format>,
    /// For a graph: the node at the top
    #[arg(long, value_name = "ID", default_value_t = 0)]
    node: u64,
    /// For a graph: how many levels below it
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// For a graph: how many nodes at most
    #[arg(long, value_name = "N", default_value_t = 1000)]
    limit: usize,
    /// For a graph: an attribute to write at the nodes (default: all); may be repeated
    #[arg(long = "attribute", value_name = "NAME")]
    attributes: Vec<String>,
    /// For a graph: how to write moves
    #[arg(long, value_enum, default_value_t = Moves::Text)]
    moves: Moves,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let log = open(&arguments.log)?;
    let is_graph =
        arguments.output.extension().is_some_and(|extension| extension == "dot" || extension == "gv");
    if is_graph && arguments.format.is_none() {
        graph(arguments, &log, out)?;
    } else {
        table(arguments, &log, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn table(arguments: &Arguments, log: &Log, out: &mut dyn Write) -> Result<(), Failure> {
    let target = &arguments.output;
    let selection = if arguments.trees.is_empty() && arguments.condition.is_none() {
        Selection::All
    } else {
        let trees = trees::several(log, &arguments.log, &arguments.trees, arguments.condition.as_ref())?;
        Selection::Trees(trees.iter().map(|tree| tree.number()).collect())
    };
    let format = arguments.format.map_or_else(|| Format::of_path(target), Ok);
    let format = format.map_err(|error| Failure::new(error.to_string()))?;
    let bar = Progress::new("exporting", Some(log.trees().map(|tree| tree.nodes()).sum()));
    let mut step = |progress: gt_convert::Progress| {
        bar.set(progress.done);
        ControlFlow::Continue(())
    };
    let report = new_file(target, &[&arguments.log], |mut file| {
        gt_convert::export_to(log, &selection, format, &mut file, &mut step)
            .map_err(|error| turned(arguments, error))
    });
    drop(bar);
    let report = report?;
    let bytes = std::fs::metadata(target).map_or(0, |file| file.len());
    let (trees, nodes) = (counted(report.trees as u64, "tree"), counted(report.nodes, "node"));
    writeln!(out, "{}: {trees}, {nodes}, {} bytes", printable::path(target), grouped(bytes))?;
    Ok(())
}

/// What went wrong: in the log that is read, in the file that is written, or in what was asked for.
fn turned(arguments: &Arguments, error: gt_convert::Error) -> Failure {
    match *error.kind {
        ErrorKind::Io(error) => Failure::about(&arguments.output, error),
        ErrorKind::Log(error) => turning(&arguments.log, &arguments.output, &error),
        _ => Failure::new(error.to_string()),
    }
}

fn graph(arguments: &Arguments, log: &Log, out: &mut dyn Write) -> Result<(), Failure> {
    let tree = trees::chosen(log, &arguments.log, arguments.trees.first())?;
    tell_unknown_position(arguments.moves, &arguments.log, log, tree);
    let mut line = Line { names: TreeMoves::new(log, tree, arguments.moves), moves: Vec::new() };
    let options = DotOptions {
        tree: tree.number(),
        root: arguments.node,
        depth_max: arguments.depth,
        nodes_max: arguments.limit,
        attributes: (!arguments.attributes.is_empty()).then_some(&arguments.attributes),
    };
    let target = &arguments.output;
    let report = new_file(target, &[&arguments.log], |mut file| {
        gt_convert::export_dot(log, &options, Some(&mut line), &mut file, &mut gt_convert::unwatched)
            .map_err(|error| turned(arguments, error))
    })?;
    write!(out, "{}: {}", printable::path(target), counted(report.nodes, "node"))?;
    if report.nodes_hidden > 0 {
        write!(out, ", {} more below them", grouped(report.nodes_hidden))?;
    }
    writeln!(out)?;
    Ok(())
}

/// The moves along a line from the tree's root.
struct Line<'a> {
    names: TreeMoves<'a>,
    moves: Vec<i64>,
}

impl MoveTexts for Line<'_> {
    fn enter(&mut self, last_move: i64) -> String {
        let text = self.names.name(&self.moves, last_move);
        self.moves.push(last_move);
        text.unwrap_or_else(|| last_move.to_string())
    }

    fn leave(&mut self) {
        self.moves.pop();
    }
}
