//! `gt import`: a table of nodes becomes a log.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use gt_convert::{ErrorKind, Format, ImportOptions, ImportReport, Stage};
use gt_log::Error;
use gt_report::{counted, grouped};

use super::files::{Force, refuse_inputs, refused};
use crate::failure::{Failure, Outcome};
use crate::printable;
use crate::progress::Progress;

/// Make a log of a Parquet, CSV or JSON Lines file with a row for each node
#[derive(clap::Args)]
#[command(
    after_help = "Columns: node_id and parent_id (-1 or empty for the root), last_move if there is one; `tree` keeps \
    several trees apart; all others become attributes. Rows may come in any order.\n\nExamples:\n  \
    gt import nodes.parquet -o tree.gtf --game chess --alias PVNode=1 --alias CutNode=2\n  \
    gt import nodes.csv -o tree.gtf --meta engine=Mine --meta depth=8 --rename count=visits"
)]
pub(crate) struct Arguments {
    /// The table
    file: PathBuf,
    /// The log to write
    #[arg(short, long, value_name = "LOG")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    /// A name for a number, for use in queries; may be repeated
    #[arg(long = "alias", value_name = "NAME=INT", value_parser = alias)]
    aliases: Vec<(String, i64)>,
    /// An entry of the log's metadata; may be repeated
    #[arg(long = "meta", value_name = "KEY=VALUE", value_parser = pair)]
    metadata: Vec<(String, String)>,
    /// The game's name
    #[arg(long)]
    game: Option<String>,
    /// Another name for a column; may be repeated
    #[arg(long = "rename", value_name = "COLUMN=NAME", value_parser = pair)]
    renames: Vec<(String, String)>,
    /// A column to leave out; may be repeated
    #[arg(long = "omit", value_name = "COLUMN")]
    omit: Vec<String>,
    /// The file's format, where its name does not tell it: parquet, csv or jsonl
    #[arg(long, value_parser = format)]
    format: Option<Format>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let options = ImportOptions {
        existing: arguments.force.existing(),
        game: arguments.game.clone(),
        aliases: arguments.aliases.clone(),
        metadata: arguments.metadata.iter().cloned().collect(),
        renames: arguments.renames.clone(),
        omit: arguments.omit.clone(),
        ..ImportOptions::default()
    };
    let report = import(arguments, &options)?;
    let bytes = std::fs::metadata(&arguments.output).map_or(0, |file| file.len());
    writeln!(
        out,
        "{}: {}, {}, {} bytes ({:.2} bytes/node)",
        printable::path(&arguments.output),
        counted(report.trees, "tree"),
        counted(report.nodes, "node"),
        grouped(bytes),
        bytes as f64 / report.nodes.max(1) as f64
    )?;
    if report.renumbered {
        writeln!(out, "the nodes were renumbered: node_id is the preorder number from 0")?;
    }
    for attribute in &report.attributes_lost {
        writeln!(out, "unfinished nodes lost their values of `{}`", printable::line(attribute))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn import(arguments: &Arguments, options: &ImportOptions) -> Result<ImportReport, Failure> {
    let Arguments { file, output, format, .. } = arguments;
    refuse_inputs(output, &[file])?;
    let mut bar: Option<(Stage, Progress)> = None;
    let imported = gt_convert::import(file, *format, options, output, &mut |progress| {
        if bar.as_ref().is_none_or(|(stage, _)| *stage != progress.stage) {
            let total = (progress.total > 0).then_some(progress.total);
            bar = Some((progress.stage, Progress::new("importing", total)));
        }
        if let Some((_, bar)) = &bar {
            bar.set(progress.done);
        }
        ControlFlow::Continue(())
    });
    imported.map_err(|error| match &*error.kind {
        // The table is read, the log is written.
        ErrorKind::Log(
            refusal @ (Error::Io(_)
            | Error::Exists { .. }
            | Error::WriteProtected { .. }
            | Error::BeingWritten { .. }),
        ) => refused(output, refusal),
        _ => Failure::new(error.to_string()),
    })
}

/// `KEY=VALUE`.
pub(crate) fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("it is not of the form KEY=VALUE".to_owned()),
    }
}

fn alias(text: &str) -> Result<(String, i64), String> {
    let (name, value) = pair(text).map_err(|_| "it is not of the form NAME=INT".to_owned())?;
    let value = value.parse().map_err(|_| format!("`{value}` is not a whole number of 64 bits"))?;
    Ok((name, value))
}

/// A format by name.
pub(crate) fn format(text: &str) -> Result<Format, String> {
    Format::named(text).ok_or_else(|| "the formats are parquet, csv and jsonl".to_owned())
}
