//! `gt compact`: the same log, smaller.

use gt_report::grouped;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use super::files::{Force, new_log, open, turning};
use crate::failure::{Failure, Outcome};
use crate::printable;
use crate::progress::Progress;

/// Write a log anew with a general compressor over its columns: smaller, and read by every command
#[derive(clap::Args)]
#[command(after_help = "Example:\n  gt compact tree.gtf -o small.gtf")]
pub(crate) struct Arguments {
    /// The log
    log: PathBuf,
    /// The smaller log to write
    #[arg(short, long, value_name = "SMALL")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    /// zstd's level: higher is smaller and slower to write
    #[arg(long, default_value_t = gt_log::COMPACT_LEVEL, value_parser = clap::value_parser!(i32).range(1..=19))]
    level: i32,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let log = open(&arguments.log)?;
    let nodes: u64 = log.trees().map(|tree| tree.nodes()).sum();
    let report = new_log(&arguments.output, arguments.force, &[&arguments.log], |new| {
        let progress = Progress::new("compacting", Some(nodes));
        let file = new.create().map_err(|error| Failure::about(&arguments.output, error))?;
        let compacted = gt_log::compact(&log, file, arguments.level, |done| progress.set(done));
        compacted.map_err(|error| turning(&arguments.log, &arguments.output, &error))
    })?;
    writeln!(
        out,
        "{}: {} bytes, {:.2} bytes/node, {:.0}% of {}",
        printable::path(&arguments.output),
        grouped(report.bytes_after),
        report.bytes_after as f64 / nodes.max(1) as f64,
        100.0 * report.bytes_after as f64 / report.bytes_before.max(1) as f64,
        grouped(report.bytes_before)
    )?;
    Ok(ExitCode::SUCCESS)
}
