//! `gt gen`: artificial trees.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use gt_log::{Artificial, DEPTH_MAX, LogWriter, NODES_MAX, NewFile, Options, Shape};
use gt_report::{counted, grouped};

use super::files::{Force, new_log};
use crate::failure::{Failure, Outcome};
use crate::printable;
use crate::progress::Progress;

/// Make an artificial tree: `best` random in 0..=9, `type` 1
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  gt gen --depth 5 --branching 10 -o tree9.gtf\n  \
    gt gen --shape chain --depth 999999 -o chain.gtf\n  gt gen --shape random --depth 12 --branching 2 --seed 7 -o r.gtf")]
pub(crate) struct Arguments {
    /// The greatest distance from the root
    #[arg(long, value_name = "D")]
    depth: usize,
    /// How many children a node has (of a random tree: on average)
    #[arg(long, default_value_t = 2, value_name = "B")]
    branching: u64,
    /// The same seed makes the same tree
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
    /// full: the same number of children everywhere; random: a random number; chain: one
    #[arg(long, value_enum, default_value_t = ShapeName::Full)]
    shape: ShapeName,
    /// The log to write
    #[arg(short, long, value_name = "LOG")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ShapeName {
    Full,
    Random,
    Chain,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let shape = match arguments.shape {
        ShapeName::Full => Shape::Full,
        ShapeName::Random => Shape::Random,
        ShapeName::Chain => Shape::Chain,
    };
    let Arguments { depth, branching, seed, .. } = *arguments;
    if depth >= DEPTH_MAX {
        return Err(Failure::new(format!(
            "`--depth {depth}` is too deep: the greatest is {}",
            DEPTH_MAX - 1
        )));
    }
    let artificial = Artificial { shape, depth, branching, seed };
    let expected = artificial.nodes();
    if shape != Shape::Random && expected.is_none_or(|nodes| nodes > NODES_MAX) {
        let most = grouped(NODES_MAX);
        return Err(Failure::new(format!(
            "`--depth {depth} --branching {branching}` makes more nodes than the {most} a tree can have"
        )));
    }
    let summary = new_log(&arguments.output, arguments.force, &[], |new| {
        let progress = Progress::new("generating", expected);
        write(&artificial, new, &progress).map_err(|error| Failure::about(&arguments.output, error))
    })?;
    writeln!(
        out,
        "{}: {}, {:.2} bytes/node",
        printable::path(&arguments.output),
        counted(summary.0, "node"),
        summary.1 as f64 / summary.0 as f64
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The nodes and bytes written.
fn write(artificial: &Artificial, new: &NewFile, progress: &Progress) -> gt_log::Result<(u64, u64)> {
    let log = LogWriter::to_writer(new.create()?, Artificial::header()?)?;
    let tree = artificial.write(&log, Options::default(), |done| progress.set(done))?;
    Ok((tree.nodes, log.finish()?))
}
