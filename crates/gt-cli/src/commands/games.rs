//! `gt games`: what there is to play and to search with, and how large the games are.

mod complexity;

use std::io::Write;
use std::process::ExitCode;

use gt_games::registry::GameKind;
use gt_play::Algorithm;

use super::format::Format;
use crate::failure::{Failure, Outcome};

/// List the games, their evaluations, and the search algorithms
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gt games\n  gt games --complexity\n  gt games --complexity amazons --board 6x6 --playouts 1000 --format json"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    size: complexity::SizeArguments,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    match (arguments.size.game(), arguments.format) {
        (Some(game), format) => complexity::run(&arguments.size, game, format, out),
        (None, Format::Text) => list(out),
        (None, Format::Json) => Err(Failure::new("`--format json` is for `--complexity`")),
    }
}

fn list(out: &mut dyn Write) -> Outcome {
    for game in GameKind::ALL {
        let players = game.player_counts();
        let players = match *players {
            [first, .., last] if players.len() > 4 => format!("{first} to {last}"),
            _ => players.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
        };
        writeln!(out, "{} ({players} players): {}", game.name(), game.description())?;
        for evaluation in game.evaluations() {
            writeln!(out, "    --eval {:<20} {}", evaluation.name, evaluation.description)?;
        }
    }
    writeln!(out, "\nalgorithms")?;
    for algorithm in Algorithm::ALL {
        writeln!(out, "    --algorithm {:<15} {}", algorithm.name(), algorithm.description())?;
    }
    Ok(ExitCode::SUCCESS)
}
