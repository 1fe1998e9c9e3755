//! `gt recover`: what can be saved of a broken log, as a sound one.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use gt_report::{counted, grouped, missing_text};

use super::files::{Force, new_log, open_as_is, turning};
use crate::failure::{Failure, Outcome};
use crate::printable;
use crate::progress::Progress;

/// Save what can be read of a log that was cut off or damaged, as a sound log
#[derive(clap::Args)]
#[command(
    after_help = "Nodes that were open where the log breaks off are completed and marked unfinished.\n\n\
    Example:\n  gt recover crashed.gtf -o good.gtf"
)]
pub(crate) struct Arguments {
    /// The broken log
    broken: PathBuf,
    /// The sound log to write
    #[arg(short, long, value_name = "GOOD")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let path = &arguments.broken;
    let log = open_as_is(path)?;
    let condition =
        missing_text(log.condition()).unwrap_or_else(|| "this log was closed properly".to_owned());
    writeln!(out, "{}: {condition}", printable::path(path))?;
    let nodes = log.trees().map(|tree| tree.nodes()).sum();
    let target = &arguments.output;
    let report = new_log(target, arguments.force, &[path], |new| {
        let progress = Progress::new("recovering", Some(nodes));
        let file = new.create().map_err(|error| Failure::about(target, error))?;
        gt_log::recover(&log, file, |done| progress.set(done)).map_err(|error| turning(path, target, &error))
    })?;
    for (number, tree) in report.trees.iter().enumerate() {
        write!(out, "tree {number}: {} saved", counted(tree.nodes, "node"))?;
        if tree.nodes_completed > 0 {
            write!(out, ", {} of them open at the end and marked unfinished", grouped(tree.nodes_completed))?;
        }
        if tree.nodes_lost > 0 {
            write!(out, ", {} lost", grouped(tree.nodes_lost))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "{}: {} bytes", printable::path(target), grouped(report.bytes_after))?;
    Ok(ExitCode::SUCCESS)
}
