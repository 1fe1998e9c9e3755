//! `gt games`: what there is to play and to search with, and how large the games are.

mod complexity;

use std::io::Write;
use std::process::ExitCode;

use gt_games::registry::GameKind;
use gt_play::Algorithm;

use super::Outcome;
use super::search::{ChosenGame, Format};
use crate::failure::Failure;

/// List the games, their evaluations, and the search algorithms
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gt games\n  gt games --complexity\n  gt games --complexity amazons --board 6x6 --playouts 1000 --format json"
)]
pub(crate) struct Arguments {
    /// How large the games are, or the one that is named: what documents say, and what random games measure
    #[arg(long, value_name = "GAME", num_args = 0..=1)]
    complexity: Option<Option<ChosenGame>>,
    /// How many random games are played of each
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000), requires = "complexity")]
    playouts: u32,
    /// The same seed plays the same random games
    #[arg(long, value_name = "S", default_value_t = 1, requires = "complexity")]
    seed: u64,
    /// The board's size, for a game with several: 6x6
    #[arg(long, value_name = "WxH", requires = "complexity")]
    board: Option<String>,
    /// How many players, for a game with several numbers
    #[arg(long, value_name = "N", requires = "complexity")]
    players: Option<usize>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    match (&arguments.complexity, arguments.format) {
        (Some(game), _) => complexity::run(arguments, game.as_ref(), out),
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
