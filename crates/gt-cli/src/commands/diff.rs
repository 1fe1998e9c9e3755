//! `gt diff`: two trees compared.
//!
//! ```text
//! A, B ──Pair──▶ two trees ──gt-diff──▶ Diff ─┬─ Summary ──▶ text, JSON, HTML
//!                                             ├─ merged tree ──▶ a log with `-o x.gtf`
//!                                             └─ merged tree ──▶ answers of a query
//! ```

mod ask;
mod inputs;
mod names;
mod report;
pub(crate) mod viewed;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gt_diff::{Diff, Options};
use gt_log::{LogWriter, NewFile};
use gt_report::{counted, document};

use super::Outcome;
use super::files::{Force, new_log, new_text};
use super::profile::style;
use super::query::format::Format as AnswerFormat;
use super::query::parameter::Parameter;
use super::trees::TreeChoice;
use crate::failure::Failure;
use crate::moves::{Moves, tell_unknown_position};
use crate::printable;
use crate::tell::tell;
use inputs::{Inputs, Opened};

/// Compare two trees: what is in one only, what differs, where it starts and why
#[derive(clap::Args)]
#[command(
    override_usage = "gt diff [OPTIONS] A B ['QUERY']\n       gt diff [OPTIONS] LOG --tree-a K --tree-b K ['QUERY']",
    after_help = "Nodes are matched by the line of moves from the root. The exit code is 0 where the trees are the same, 1 where they \
    differ, 2 where they cannot be compared. A query is asked of the merged tree: a node has A's attributes, B's as \
    `other.NAME`, and `only_a`, `only_b`, `matched`, `changed`, `cause`.\n\nExamples:\n  \
    gt diff old.gtf new.gtf\n  gt diff run.gtf --tree-a 3 --tree-b 4 --ignore depth\n  \
    gt diff old.gtf new.gtf --format html -o diff.html\n  gt diff old.gtf new.gtf -o merged.gtf\n  \
    gt diff old.gtf new.gtf 'node: matched and best != other.best select @line, best, other.best limit 10'"
)]
pub(crate) struct Arguments {
    /// The two logs, or one with two of its trees; then a query of both, if any
    #[arg(required = true, value_name = "A B QUERY", num_args = 1..=3)]
    positional: Vec<OsString>,
    /// Which tree of both logs: a number from 0, `last`, `largest`, or -1 for the last (default: the last complete one)
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = TreeChoice::read)]
    tree: Option<TreeChoice>,
    /// Which tree of A
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = TreeChoice::read)]
    tree_a: Option<TreeChoice>,
    /// Which tree of B
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = TreeChoice::read)]
    tree_b: Option<TreeChoice>,
    /// Attributes that are not compared
    #[arg(long, value_name = "ATTR", value_delimiter = ',')]
    ignore: Vec<String>,
    /// The only attributes that are compared
    #[arg(long, value_name = "ATTR", value_delimiter = ',')]
    only: Vec<String>,
    /// An attribute that names positions: nodes in one tree only are also matched by it
    #[arg(long, value_name = "ATTR")]
    key: Option<String>,
    /// How to print moves (default: as text; in a query's json and csv as numbers)
    #[arg(long, value_enum)]
    moves: Option<Moves>,
    /// How to write it (default: text; with a query, table; with `-o x.gtf`, gtf)
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Give `$NAME` of the query a value; may be repeated
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = Parameter::read)]
    parameters: Vec<Parameter>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// How many threads work; 0 for as many as there are processors
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Words and tables for a terminal
    Text,
    /// One object with all numbers; with a query, its answers
    Json,
    /// One page that needs nothing else
    Html,
    /// The merged tree as a log, in the file given by `-o`
    Gtf,
    /// A query's answers in aligned columns
    Table,
    /// A query's answers as comma-separated values
    Csv,
    /// The node_ids of a query's nodes in the merged tree
    Ids,
}

impl Arguments {
    /// Whether the result goes into a file.
    pub(crate) fn writes_files(&self) -> bool {
        self.output.is_some()
    }
}

/// What is to be made of the two trees.
enum Task {
    Text,
    Json,
    Html,
    Merged,
    Answer(AnswerFormat),
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let inputs = Inputs::of(arguments)?;
    let task = task(arguments, inputs.query.is_some())?;
    let opened = Opened::of(&inputs)?;
    let (a, b) = opened.sides(arguments)?;
    opened.notes(arguments, &a, &b).into_iter().for_each(tell);
    let options = Options {
        only: (!arguments.only.is_empty()).then(|| arguments.only.clone()),
        ignore: arguments.ignore.clone(),
        key: arguments.key.clone(),
        threads: arguments.threads,
    };
    if let Some(moves) = arguments.moves {
        let [path, _] = inputs.paths();
        tell_unknown_position(moves, path, a.log, a.tree);
    }
    let diff = Diff::of(a, b, &options).map_err(|error| inputs.blame(&error))?;
    match task {
        Task::Merged => merged(arguments, &inputs, &diff, out)?,
        Task::Answer(format) => return ask::answer(arguments, &inputs, &diff, format, out),
        Task::Text | Task::Json | Task::Html => {
            let moves = arguments.moves.unwrap_or(Moves::Text);
            let comparison = report::comparison(&diff, moves).map_err(|error| inputs.blame(&error))?;
            let text = match task {
                Task::Json => printable::json(&format!("{:#}\n", comparison.to_json())).into_owned(),
                Task::Html => document::html(&comparison.document()),
                _ => document::text(
                    &printable::document(comparison.document()),
                    style(arguments.output.is_none()),
                ),
            };
            match &arguments.output {
                None => out.write_all(text.as_bytes())?,
                Some(target) => new_text(target, &inputs.paths(), &text)?,
            }
        }
    }
    Ok(if diff.is_same() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn task(arguments: &Arguments, has_query: bool) -> Result<Task, Failure> {
    let names_log = |path: &Path| path.extension().is_some_and(|extension| extension == "gtf");
    let to_log = arguments.output.as_deref().is_some_and(names_log);
    let default = match has_query {
        true => Format::Table,
        false if to_log => Format::Gtf,
        false => Format::Text,
    };
    let format = arguments.format.unwrap_or(default);
    match (format, has_query) {
        (Format::Json, true) => Ok(Task::Answer(AnswerFormat::Json)),
        (Format::Table, true) => Ok(Task::Answer(AnswerFormat::Table)),
        (Format::Csv, true) => Ok(Task::Answer(AnswerFormat::Csv)),
        (Format::Ids, true) => Ok(Task::Answer(AnswerFormat::Ids)),
        (Format::Text, false) => Ok(Task::Text),
        (Format::Json, false) => Ok(Task::Json),
        (Format::Html, false) => Ok(Task::Html),
        (Format::Gtf, false) if arguments.output.is_some() => Ok(Task::Merged),
        (Format::Gtf, false) => Err(Failure::new("`--format gtf` writes a log: name it with `-o`")),
        (Format::Table | Format::Csv | Format::Ids, false) => {
            Err(Failure::new("table, csv and ids are formats of a query's answers, and there is no query"))
        }
        (Format::Text | Format::Html | Format::Gtf, true) => {
            Err(Failure::new("a query's answers are written as table, json, csv or ids"))
        }
    }
}

/// Writes the merged tree as a log.
fn merged(
    arguments: &Arguments,
    inputs: &Inputs,
    diff: &Diff<'_>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Some(target) = &arguments.output else { return Ok(()) };
    let write = |new: &NewFile| -> Result<u64, gt_diff::Error> {
        let log = LogWriter::to_writer(new.create().map_err(gt_log::Error::Io)?, diff.merged_header()?)?;
        let nodes = diff.write_merged(&log)?.nodes;
        log.finish()?;
        Ok(nodes)
    };
    let nodes = new_log(target, arguments.force, &inputs.paths(), |new| {
        write(new).map_err(|error| match error {
            gt_diff::Error::Log(gt_log::Error::Io(error)) => Failure::about(target, error),
            error => inputs.blame(&error),
        })
    })?;
    writeln!(out, "{}: {} of the merged tree", printable::path(target), counted(nodes, "node"))?;
    Ok(())
}
