//! `gt query` on many logs: those of a pattern, or with `--errors` or `--combine`.
//!
//! ```text
//! 'logs/**/*.gtf' ──gt_fleet::Fleet──▶ rows with their log · errors ──Sheet──▶ one table
//! ```
//!
//! **Invariant:** a log that has no answer is a row that says why; it stops the run only with `--errors raise`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use gt_fleet::{Column, Fleet, Given, Part, Question, Unanswered};
use gt_query::{Type, Value};
use gt_report::{counted, grouped};

use super::arguments::{Arguments, Errors};
use super::columnar::failed;
use super::format::Format;
use super::printer::on_terminal;
use super::sheet::{Sheet, Title};
use super::source::QueryText;
use crate::commands::files::{limits, new_file};
use crate::commands::trees::TreeChoice;
use crate::failure::{Failure, Outcome};
use crate::moves::Moves;
use crate::printable;
use crate::progress::Progress;
use crate::signals::Stop;
use crate::tell::{tell, tell_lines};

/// Asks the query of all logs.
pub(super) fn run(
    arguments: &Arguments,
    paths: &[PathBuf],
    text: &QueryText,
    out: &mut dyn Write,
) -> Outcome {
    refuse(arguments)?;
    let given = |parameter: &super::parameter::Parameter| {
        let value = match &parameter.value {
            Value::Text(_) => Given::Value(parameter.value.clone()),
            _ => Given::Written(parameter.written.clone()),
        };
        (parameter.name.clone(), value)
    };
    let question = Question {
        name: text.name.clone(),
        text: text.text.clone(),
        parameters: arguments.parameters.iter().map(given).collect(),
        trees: tree_numbers(arguments)?,
    };
    let (stop, _reacting) = Stop::at_signal();
    let flag = stop.flag();
    let fleet = Fleet {
        threads: arguments.threads,
        memory: arguments.memory,
        limits: limits()?,
        raw_moves: arguments.raw && arguments.moves.is_none() || arguments.moves == Some(Moves::Number),
        in_words: !arguments.raw && matches!(arguments.format, Format::Table | Format::Csv),
        cancel: Some(&flag),
        ..Fleet::new(paths, &question)
    };
    let call = Call { arguments, fleet, paths };
    let outcome = match &arguments.output {
        None if arguments.format == Format::Arrow && on_terminal() => {
            Err(Failure::new("an Arrow stream is not for terminals: pipe it, or name a file with `-o FILE`"))
        }
        None => call.answer(Target::Out(out)),
        Some(file) => call.write_file(file, out),
    };
    match stop.exit_code() {
        Some(code) => {
            tell("the query was stopped");
            Ok(ExitCode::from(code))
        }
        None => outcome,
    }
}

/// The trees of each log that are asked.
fn tree_numbers(arguments: &Arguments) -> Result<Vec<usize>, Failure> {
    let number = |choice: &TreeChoice| match choice {
        TreeChoice::Number(number) => Ok(*number),
        TreeChoice::Last | TreeChoice::Largest | TreeChoice::FromEnd(_) | TreeChoice::Where(_) => {
            Err(Failure::new("the trees of many logs are named by their numbers: `--tree 0`"))
        }
    };
    arguments.trees.iter().map(number).collect()
}

/// Refuses what is only for logs that are asked one by one.
fn refuse(arguments: &Arguments) -> Result<(), Failure> {
    let given = [
        (arguments.within.is_some(), "--within"),
        (arguments.expect.is_some(), "--expect"),
        (arguments.explain, "--explain"),
        (arguments.count, "--count"),
        (arguments.condition.is_some(), "--where"),
        (!arguments.names.is_empty(), "--map"),
        (arguments.moves == Some(Moves::San), "--moves san"),
    ];
    if let Some((_, option)) = given.iter().find(|(is_given, _)| *is_given) {
        return Err(Failure::new(format!(
            "`{option}` is for logs that are named one by one, without a pattern, `--errors` and `--combine`"
        )));
    }
    match (arguments.format, &arguments.output) {
        (Format::Gti | Format::Ids, _) => Err(Failure::new(
            "many logs are answered with one table; `--format table`, json, csv, parquet or arrow print that",
        )),
        (Format::Parquet, None) => {
            Err(Failure::new("`--format parquet` writes a file: name it with `-o FILE`"))
        }
        (Format::Table | Format::Json | Format::Csv | Format::Parquet | Format::Arrow, _) => Ok(()),
    }
}

enum Target<'o> {
    Out(&'o mut dyn Write),
    File(&'o mut (dyn Write + Send)),
}

struct Call<'a> {
    arguments: &'a Arguments,
    fleet: Fleet<'a>,
    paths: &'a [PathBuf],
}

/// What is known at the end.
#[derive(Default)]
struct Tally {
    nodes: u64,
    failed: u64,
}

impl Tally {
    fn take(&mut self, part: &Part) {
        match &part.answers {
            Ok(answers) => self.nodes += answers.nodes,
            Err(_) => self.failed += 1,
        }
    }
}

impl Call<'_> {
    fn write_file(&self, path: &Path, out: &mut dyn Write) -> Outcome {
        let mut inputs: Vec<&Path> = self.paths.iter().map(PathBuf::as_path).collect();
        inputs.extend(self.arguments.file.as_deref());
        let code = new_file(path, &inputs, |file| self.answer(Target::File(file)))?;
        let bytes = std::fs::metadata(path).map_or(0, |file| file.len());
        writeln!(out, "{}: {} bytes", printable::path(path), grouped(bytes))?;
        Ok(code)
    }

    fn answer(&self, target: Target<'_>) -> Outcome {
        let started = Instant::now();
        let tally = match self.arguments.combine {
            true => self.joined(target)?,
            false => self.listed(target)?,
        };
        if self.arguments.stats {
            let seconds = started.elapsed().as_secs_f64();
            let rate = tally.nodes as f64 / seconds.max(1e-9) / 1e6;
            let (logs, nodes) = (counted(self.paths.len() as u64, "log"), counted(tally.nodes, "node"));
            tell_lines(&format!("{logs}, {nodes}, {seconds:.6} s, {rate:.1} M nodes/s\n"));
        }
        if tally.failed > 0 {
            tell(format_args!("{} without an answer", counted(tally.failed, "log")));
            return Ok(ExitCode::FAILURE);
        }
        Ok(ExitCode::SUCCESS)
    }

    /// A row for each row of each log.
    fn listed(&self, target: Target<'_>) -> Result<Tally, Failure> {
        let mut columns = vec![named("log", Type::Text), named("tree", Type::Integer)];
        columns.extend(self.fleet.columns().map_err(|error| drawn(&error))?);
        columns.push(named("error", Type::Text));
        let mut sheet = self.sheet(&columns, target)?;
        let bar = Progress::new("logs", Some(self.paths.len() as u64));
        let (mut tally, mut done) = (Tally::default(), 0);
        let mut failure = None;
        let asked = self.fleet.ask(&mut |part| {
            tally.take(&part);
            done += 1;
            bar.set(done);
            match self.put(&part, columns.len(), &mut sheet) {
                Ok(()) => true,
                Err(error) => {
                    failure = Some(error);
                    false
                }
            }
        });
        drop(bar);
        if let Some(failure) = failure {
            return Err(failure);
        }
        asked.map_err(|error| drawn(&error))?;
        sheet.finish(self.arguments.rows_max())?;
        Ok(tally)
    }

    fn put(&self, part: &Part, width: usize, sheet: &mut Sheet<'_>) -> Result<(), Failure> {
        let log = Some(Value::text(&part.path.display().to_string()));
        match &part.answers {
            Err(error) if self.arguments.errors == Some(Errors::Raise) => {
                Err(Failure::about(&part.path, error))
            }
            Err(error) => {
                let mut row = vec![None; width];
                (row[0], row[width - 1]) = (log, Some(Value::text(&error.to_string())));
                sheet.row(row)
            }
            Ok(answers) => answers.trees.iter().try_for_each(|(tree, _, rows)| {
                rows.iter().try_for_each(|own| {
                    let mut row = vec![log.clone(), Some(Value::Integer(*tree as i128))];
                    row.extend(own.iter().cloned());
                    row.push(None);
                    sheet.row(row)
                })
            }),
        }
    }

    /// One answer over all logs.
    fn joined(&self, target: Target<'_>) -> Result<Tally, Failure> {
        let bar = Progress::new("logs", Some(self.paths.len() as u64));
        let (mut tally, mut done, mut first) = (Tally::default(), 0, None);
        let totals = self.fleet.join(&mut |part| {
            tally.take(part);
            done += 1;
            bar.set(done);
            if let Err(error) = &part.answers {
                first.get_or_insert_with(|| Failure::about(&part.path, error));
                if self.arguments.errors != Some(Errors::Raise) {
                    tell_lines(&format!("gt: {}: {error}\n", part.path.display()));
                }
            }
        });
        drop(bar);
        if let (Some(failure), Some(Errors::Raise)) = (first, self.arguments.errors) {
            return Err(failure);
        }
        let totals = totals.map_err(|error| drawn(&error))?;
        let totals = totals.map_err(|unjoinable| Failure::new(unjoinable.0))?;
        let mut sheet = self.sheet(&totals.columns, target)?;
        totals.rows.into_iter().try_for_each(|row| sheet.row(row))?;
        sheet.finish(self.arguments.rows_max())?;
        Ok(tally)
    }

    fn sheet<'o>(&self, columns: &[Column], target: Target<'o>) -> Result<Sheet<'o>, Failure> {
        let title = Title {
            columns: columns.to_vec(),
            on_terminal: self.arguments.output.is_none() && on_terminal(),
        };
        match (self.arguments.format, target) {
            (Format::Parquet, Target::File(file)) => Sheet::parquet(title, file),
            (Format::Arrow, Target::File(file)) => Sheet::arrow_file(title, file),
            (Format::Arrow, Target::Out(out)) => Sheet::arrow_stream(title, out),
            (Format::Json, Target::Out(out)) => Ok(Sheet::json(title, out)),
            (Format::Json, Target::File(file)) => Ok(Sheet::json(title, file)),
            (Format::Csv, Target::Out(out)) => Sheet::csv(title, out),
            (Format::Csv, Target::File(file)) => Sheet::csv(title, file),
            // The others were refused.
            (Format::Table | Format::Ids | Format::Gti | Format::Parquet, Target::Out(out)) => {
                Ok(Sheet::table(title, out))
            }
            (Format::Table | Format::Ids | Format::Gti, Target::File(file)) => Ok(Sheet::table(title, file)),
        }
        .map_err(|error: io::Error| failed(error.into()))
    }
}

fn named(heading: &str, value_type: Type) -> Column {
    Column { heading: heading.to_owned(), value_type, names: None, is_unsigned: false }
}

fn drawn(error: &Unanswered) -> Failure {
    Failure::new(match error {
        // It is drawn below the sentence that names the query.
        Unanswered::Query(text) if text.contains('\n') => {
            format!("the query fits none of the logs\n{}", text.trim_end())
        }
        other => other.to_string(),
    })
}
