//! `gt perft`: how many sequences of moves there are.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use gt_report::grouped;
use serde_json::json;

use super::format::Format;
use super::position::PositionArguments;
use crate::failure::Outcome;

/// Count the sequences of moves from a position
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gt perft chess --depth 5\n  gt perft amazons --board 6x6 --depth 2 --divide"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    /// How many moves deep
    #[arg(long, value_name = "D")]
    depth: u32,
    /// Also the count below each first move
    #[arg(long)]
    divide: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let position = &arguments.position;
    let game = position.open()?;
    let start = Instant::now();
    let below = if arguments.depth == 0 { Vec::new() } else { game.perft(arguments.depth) };
    let seconds = start.elapsed().as_secs_f64();
    let total: u64 = if arguments.depth == 0 { 1 } else { below.iter().map(|(_, count)| count).sum() };
    if arguments.format == Format::Json {
        let divide: serde_json::Map<_, _> =
            below.iter().map(|(mv, count)| (mv.text.clone(), json!(count))).collect();
        let mut object = json!({
            "game": position.game().name(), "depth": arguments.depth, "count": total, "seconds": seconds,
        });
        if arguments.divide {
            object["divide"] = divide.into();
        }
        writeln!(out, "{object}")?;
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.divide {
        for (mv, count) in &below {
            writeln!(out, "{}  {}", mv.text, grouped(*count))?;
        }
    }
    let rate = total as f64 / seconds.max(1e-9) / 1e6;
    writeln!(out, "perft {}: {} ({seconds:.3} s, {rate:.1} M/s)", arguments.depth, grouped(total))?;
    Ok(ExitCode::SUCCESS)
}
