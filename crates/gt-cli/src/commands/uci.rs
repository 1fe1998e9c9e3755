//! `gt uci`: an engine for programs that play.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use gt_games::registry::Setup;
use gt_play::{Algorithm, EngineOptions, protocol};

use super::chosen_game::ChosenGame;
use super::search::algorithms;
use crate::failure::{Failure, Outcome};

/// Be an engine on standard input and output: UCI for chess, its sister for the other games
#[derive(clap::Args)]
#[command(
    after_help = "A chess program runs `gt uci` as an engine. What can be set (Hash, Threads, MultiPV, LogFile …) is told in answer to `uci`. \
    The manual's chapter on playing has the lines of the other games.\n\nExamples:\n  gt uci\n  gt uci --book openings.bin\n  gt uci amazons --board 8x8\n  \
    printf 'position startpos moves e2e4\\ngo movetime 500\\n' | gt uci"
)]
pub(crate) struct Arguments {
    /// The game
    #[arg(default_value = "chess")]
    game: ChosenGame,
    /// The board's size, for games with several: 6x6
    #[arg(long, value_name = "WxH")]
    board: Option<String>,
    /// How many players, for games with several numbers
    #[arg(long, value_name = "N")]
    players: Option<usize>,
    /// The algorithm; the one that fits the game unless another is named
    #[arg(long, value_parser = algorithms())]
    algorithm: Option<Algorithm>,
    /// The evaluation; the one that plays best unless another is named
    #[arg(long = "eval", value_name = "E")]
    evaluation: Option<String>,
    /// Ideas that the search does without, with commas between them; also set by the option Without
    #[arg(long, value_name = "IDEA,…", default_value = "", hide_default_value = true)]
    without: String,
    /// An opening book to play from; also set by the options OwnBook and BookFile
    #[arg(long, value_name = "BOOK")]
    book: Option<PathBuf>,
    /// A table of endgames or a folder with some, for the search to ask; also set by the option EndgamePath
    #[arg(long, value_name = "TABLE|DIR")]
    endgames: Option<PathBuf>,
    /// What random choices (of the book, of uct) follow from; another number each time unless one is given
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

pub(crate) fn run(arguments: &Arguments, _: &mut dyn Write) -> Outcome {
    let position = arguments.game.position();
    let setup = Setup { position, board: arguments.board.clone(), players: arguments.players };
    let without = gt_search::Idea::parse_list(&arguments.without).map_err(Failure::new)?;
    let options = EngineOptions {
        without,
        algorithm: arguments.algorithm,
        evaluation: arguments.evaluation.clone(),
        book: arguments.book.clone(),
        endgames: arguments.endgames.clone(),
        seed: arguments.seed.unwrap_or_else(|| fastrand::u64(..)),
        ..EngineOptions::default()
    };
    protocol::run(arguments.game.kind, &setup, options, io::stdin().lock(), io::stdout())
        .map_err(|error| Failure::new(error.to_string()))?;
    Ok(ExitCode::SUCCESS)
}
