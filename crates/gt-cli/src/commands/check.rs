//! `gt check`: a suite of expectations, held against searches.

mod moves;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use gt_check::{Pack, Report, RunOptions, Suite};

use super::files;
use super::names::OtherNames;
use crate::failure::{Failure, Outcome};
use crate::moves::Moves;
use crate::printable;
use crate::progress::Progress;
use crate::signals::{self, Stop};
use crate::tell::tell_lines;
use moves::GameMoves;

/// Hold searches against a suite of expectations: queries, and what their numbers must be
#[derive(clap::Args)]
#[command(
    override_usage = "gt check [OPTIONS] SUITE.toml\n       gt check --pack NAME LOG...\n       gt check --pack NAME --print",
    after_help = "A suite names logs, or positions and an engine that searches them, and checks: GTQL queries with what is expected of \
    their numbers. Exit code 0: all hold; 1: something does not, or an engine failed; 2: the suite is wrong.\n\nA suite:\n  \
    [[log]]\n  file = \"run.gtf\"\n  [[check]]\n  name = \"no empty windows\"\n  query = \"node: alpha >= beta\"\n  expect = \"= 0\"\n\nExamples:\n  \
    gt check suite.toml\n  gt check suite.toml --bless\n  gt check suite.toml --only 'quiescence*' --jobs 2 --keep logs\n  \
    gt check suite.toml --junit report.xml --json report.json\n  gt check --pack alpha-beta run.gtf\n  gt check --pack alpha-beta mine.gtf --map best=value,type=nodeType\n  gt check --pack alpha-beta --print"
)]
pub(crate) struct Arguments {
    /// The suite; with `--pack`, logs
    #[arg(value_name = "SUITE", required_unless_present = "print")]
    paths: Vec<PathBuf>,
    /// Hold logs against a ready pack of checks (alpha-beta), without a suite
    #[arg(long, value_name = "NAME")]
    pack: Option<String>,
    /// Print the pack, and check nothing
    #[arg(long, requires = "pack", conflicts_with = "paths")]
    print: bool,
    /// Write the numbers of this run as the baseline that later runs are compared with
    #[arg(long, conflicts_with = "pack")]
    bless: bool,
    /// Only checks, logs and positions whose names contain this (or match it, where it has a `*`); may be repeated
    #[arg(long, value_name = "PATTERN")]
    only: Vec<String>,
    /// How many positions are searched at once; 0 for as many as there are processors
    #[arg(long, value_name = "N", default_value_t = 0)]
    jobs: usize,
    /// Keep the logs of the searches in this folder, which must be new or empty
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    #[command(flatten)]
    names: OtherNames,
    /// How to print moves
    #[arg(long, value_enum, default_value_t = Moves::Text)]
    moves: Moves,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write a report in JUnit's XML too
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a report in JSON too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// A line for each check, and where to look if it fails
    Text,
    /// One object
    Json,
    /// JUnit's XML
    Junit,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let pack = arguments.pack.as_deref().map(Pack::named).transpose().map_err(Failure::new)?;
    let suite = match (pack, arguments.paths.as_slice()) {
        (Some(pack), _) if arguments.print => {
            out.write_all(pack.text().as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        (Some(pack), logs) => Suite::of_pack(pack, logs),
        (None, [path]) => Suite::read(path).map_err(|error| Failure::new(error.to_string()))?,
        (None, _) => return Err(Failure::new("one suite at a time; logs are for `--pack NAME`")),
    };
    let (stop, _reacting) = Stop::at_signal();
    let report = check(arguments, &suite, &stop)?;
    deliver(arguments, &report, out)?;
    report.errors().for_each(|error| tell_lines(&error));
    Ok(ExitCode::from(stop.exit_code().unwrap_or_else(|| report.exit_code())))
}

fn check(arguments: &Arguments, suite: &Suite, stop: &Stop) -> Result<Report, Failure> {
    let own = std::env::current_exe()
        .map_err(|error| Failure::new(format!("the program does not know its own place: {error}")))?;
    let progress = Progress::new("checking", Some(1));
    let options = RunOptions {
        own: &own,
        own_version: concat!("gt ", env!("CARGO_PKG_VERSION")),
        jobs: arguments.jobs,
        only: &arguments.only,
        keep: arguments.keep.as_deref(),
        bless: arguments.bless,
        limits: files::limits()?,
        other_names: arguments.names.pairs(),
        stop: &stop.flag(),
        start: &|command| signals::deliverable(|| command.spawn()),
        moves: &GameMoves { moves: arguments.moves },
        progress: &|done, total| progress.set_of(done as u64, total as u64),
    };
    gt_check::run(suite, &options).map_err(|error| Failure::new(error.to_string()))
}

/// Prints the report, and writes those that were asked for beside it.
fn deliver(arguments: &Arguments, report: &Report, out: &mut dyn Write) -> Result<(), Failure> {
    let json = || printable::json(&format!("{:#}\n", report.json())).into_owned();
    let printed = match arguments.format {
        Format::Text => printable::lines(&report.text()).into_owned(),
        Format::Json => json(),
        Format::Junit => report.junit(),
    };
    out.write_all(printed.as_bytes())?;
    let inputs: Vec<&std::path::Path> = arguments.paths.iter().map(PathBuf::as_path).collect();
    if let Some(target) = &arguments.junit {
        files::new_text(target, &inputs, &report.junit())?;
    }
    if let Some(target) = &arguments.json {
        files::new_text(target, &inputs, &json())?;
    }
    Ok(())
}
