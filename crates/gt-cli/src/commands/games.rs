//! `gt games`: what there is to play and to search with.

use std::io::Write;
use std::process::ExitCode;

use gt_games::registry::GameKind;
use gt_play::Algorithm;

use super::Outcome;

/// List the games, their evaluations, and the search algorithms
#[derive(clap::Args)]
#[command(after_help = "Example:\n  gt games")]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments, out: &mut dyn Write) -> Outcome {
    for game in GameKind::ALL {
        let players: Vec<String> = game.player_counts().iter().map(usize::to_string).collect();
        writeln!(out, "{} ({} players): {}", game.name(), players.join(", "), game.description())?;
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
