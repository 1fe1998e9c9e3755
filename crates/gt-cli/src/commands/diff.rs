//! `gt diff`: two trees compared.
//!
//! ```text
//! A, B ──Pair──▶ two trees ──gt-diff──▶ Diff ─┬─ Summary ──▶ text, JSON, HTML
//!                                             ├─ merged tree ──▶ a log with `-o x.gtf`
//!                                             └─ merged tree ──▶ answers of a query
//! ```

mod arguments;
mod ask;
mod inputs;
mod names;
mod report;
pub(crate) mod viewed;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use gt_diff::{Diff, Options};
use gt_log::{LogWriter, NewFile};
use gt_report::{counted, document};

use super::files::{new_log, new_text};
use super::profile::style;
use super::query::format::Format as AnswerFormat;
use crate::failure::{Failure, Outcome};
use crate::moves::{Moves, tell_unknown_position};
use crate::printable;
use crate::tell::tell;
pub(crate) use arguments::Arguments;
use arguments::Format;
use inputs::{Inputs, Opened};

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
