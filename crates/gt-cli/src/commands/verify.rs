//! `gt verify`: is a log sound, to the last byte?

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use gt_log::Log;
use gt_report::counted;

use super::files::limits;
use crate::failure::Outcome;
use crate::printable;
use crate::progress::Progress;

/// Check logs: every checksum, every subtree, the preorder numbers, the index
#[derive(clap::Args)]
#[command(
    after_help = "Exit code 0 when all logs are sound, 1 when one is not.\n\nExample:\n  gt verify run/*.gtf"
)]
pub(crate) struct Arguments {
    /// The logs
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let limits = limits()?;
    let mut code = ExitCode::SUCCESS;
    for path in &arguments.logs {
        let verified = Log::open_with(path, limits).and_then(|log| {
            let nodes = log.trees().map(|tree| tree.nodes()).sum();
            let progress = Progress::new("verifying", Some(nodes));
            log.verify(|done| progress.set(done))
        });
        match verified {
            Err(error) => {
                writeln!(out, "{}: {}", printable::path(path), printable::line(&error.to_string()))?;
                code = ExitCode::from(1);
            }
            Ok(trees) => {
                let sum = |count: fn(&gt_log::Verified) -> u64| trees.iter().map(count).sum::<u64>();
                write!(
                    out,
                    "{}: sound: {}, {}, {}, {}",
                    printable::path(path),
                    counted(trees.len() as u64, "tree"),
                    counted(sum(|tree| tree.nodes), "node"),
                    counted(sum(|tree| tree.blocks as u64), "block"),
                    counted(sum(|tree| tree.columns as u64), "column"),
                )?;
                let unfinished = sum(|tree| tree.unfinished);
                if unfinished > 0 {
                    write!(out, "; {} marked unfinished", counted(unfinished, "node"))?;
                }
                writeln!(out)?;
            }
        }
    }
    Ok(code)
}
