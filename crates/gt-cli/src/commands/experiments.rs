//! `gt experiments`: the experiments of the thesis, run again.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use gt_experiments::{ErrorKind, Measured, Results, Searched, Settings};
use gt_report::{counted, grouped};

use super::files::{Force, refused};
use super::names::OtherNames;
use crate::failure::{Failure, Outcome};
use crate::printable;
use crate::tell::tell_line;

/// Run the experiments of the thesis again: query times on artificial trees, and queries on chess searches
#[derive(clap::Args)]
#[command(
    after_help = "Writes report.html, report.md with its pictures, the queries, and a log for each chess position. In full it \
    takes a few minutes, and up to 300 MB in DIR while it runs.\n\nExamples:\n  gt experiments -o experiments\n  \
    gt experiments --quick\n  gt experiments --only chess --time-per-position 2m -o chess-experiments\n  gt experiments --logs fruit -o fruit-report"
)]
pub(crate) struct Arguments {
    /// Run one part only
    #[arg(long, value_enum)]
    only: Option<Part>,
    /// Small trees and short searches: seconds instead of minutes
    #[arg(long)]
    quick: bool,
    /// How long to search a position at most, until its solution is found: 60, 90s, 2m
    #[arg(long, value_name = "S", default_value = "60", value_parser = positive_duration)]
    time_per_position: Duration,
    /// Search nothing: ask the logs in this folder (any engine's, of positions 15 to 23) what the thesis asks in section 5.2
    #[arg(long, value_name = "DIR", conflicts_with_all = ["only", "quick", "time_per_position", "force"])]
    logs: Option<PathBuf>,
    #[command(flatten)]
    names: OtherNames,
    /// The folder to write to
    #[arg(short, long, value_name = "DIR", default_value = "gt-experiments")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    Efficiency,
    Chess,
}

fn positive_duration(text: &str) -> Result<Duration, String> {
    let time = gt_play::parse_time(text)?;
    if time.is_zero() {
        Err("a search needs some time; it is written 60, 90s or 2m".to_owned())
    } else {
        Ok(time)
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    if let Some(logs) = &arguments.logs {
        let results =
            gt_experiments::on_logs(logs, arguments.names.pairs(), &arguments.output, &mut |words| {
                tell_line(words);
            })
            .map_err(failure)?;
        print(&results, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    if !arguments.names.is_empty() {
        return Err(Failure::new("`--map` gives names to the logs that `--logs` reads: give both"));
    }
    let settings = Settings {
        efficiency: arguments.only != Some(Part::Chess),
        chess: arguments.only != Some(Part::Efficiency),
        quick: arguments.quick,
        time_per_position: arguments.time_per_position,
        existing: arguments.force.existing(),
    };
    let results =
        gt_experiments::run(&settings, &arguments.output, &mut |words| tell_line(words)).map_err(failure)?;
    print(&results, out)?;
    Ok(ExitCode::SUCCESS)
}

fn failure(error: gt_experiments::Error) -> Failure {
    match &error.kind {
        ErrorKind::Log(refusal) => refused(&error.path, refusal),
        _ => Failure::new(error.to_string()),
    }
}

fn print(results: &Results, out: &mut dyn Write) -> std::io::Result<()> {
    if !results.measured.is_empty() {
        writeln!(out, "artificial trees, eight queries each, one core:")?;
        results.measured.iter().try_for_each(|measured| print_tree(measured, out))?;
    }
    if !results.searched.is_empty() {
        let ended = results.searched.iter().filter_map(|searched| searched.outcome.as_ref());
        let solved = ended.clone().filter(|ended| ended.is_solved).count();
        match ended.count() {
            0 => writeln!(out, "chess, {} in the logs:", counted(results.searched.len() as u64, "position"))?,
            all => writeln!(out, "chess, {solved} of {all} positions solved:")?,
        }
        results.searched.iter().try_for_each(|searched| print_position(searched, out))?;
    }
    for report in &results.reports {
        writeln!(out, "wrote {}", printable::path(report))?;
    }
    Ok(())
}

fn print_tree(measured: &Measured, out: &mut dyn Write) -> std::io::Result<()> {
    let slowest = measured.seconds.iter().fold(0_f64, |most, &seconds| most.max(seconds));
    writeln!(
        out,
        "  Tree {}  {:>10} nodes  slowest query {:>9.2} ms  {:>5.0} M nodes/s",
        measured.tree.number,
        grouped(measured.nodes),
        slowest * 1e3,
        measured.nodes as f64 / slowest / 1e6
    )
}

fn print_position(searched: &Searched, out: &mut dyn Write) -> std::io::Result<()> {
    let number = searched.position.number;
    let Some(ended) = &searched.outcome else {
        let thesis = gt_experiments::thesis::search_of(number).map_or(0, |thesis| thesis.nodes);
        return writeln!(
            out,
            "  {number}  depth {}, {} nodes (the thesis: {})",
            searched.depth,
            grouped(searched.nodes),
            grouped(thesis)
        );
    };
    let verdict = if ended.is_solved {
        format!("{} at depth {}", ended.best_move, searched.depth)
    } else {
        format!(
            "not solved by depth {} ({} instead of {})",
            searched.depth, ended.best_move, searched.position.solution_text
        )
    };
    writeln!(out, "  {number}  {verdict}, {} nodes, {:.2} s", grouped(ended.nodes_total), ended.seconds)
}
