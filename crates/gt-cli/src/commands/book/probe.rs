//! `gt book probe`: the moves that a book has for a position.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use gt_book::BookMove;
use gt_games::registry::AnyGame;
use serde_json::json;

use super::info::open;
use crate::commands::format::Format;
use crate::commands::position::StartArguments;
use crate::failure::{Failure, Outcome};
use crate::printable;

/// Show the moves that a book has for a position, with their weights
#[derive(clap::Args)]
#[command(
    after_help = "The game is the book's own; a book in Polyglot's format is of chess.\n\nExamples:\n  gt book probe openings.bin\n  \
    gt book probe openings.bin --moves 'e2e4 c7c5'\n  gt book probe amazons.gtb --board 6x6 --format json"
)]
pub(crate) struct Arguments {
    /// The book
    book: PathBuf,
    #[command(flatten)]
    start: StartArguments,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let book = open(&arguments.book)?;
    let mut game = book.kind().open(&arguments.start.setup())?;
    for text in arguments.start.moves() {
        game.play(text)?;
    }
    let moves = book.moves(&*game).map_err(|error| Failure::about(&arguments.book, error))?;
    match arguments.format {
        Format::Json => {
            let object = object(&*game, &moves);
            writeln!(out, "{}", printable::json(&format!("{object:#}")))?;
        }
        Format::Text => print(&moves, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn print(moves: &[BookMove], out: &mut dyn Write) -> std::io::Result<()> {
    if moves.is_empty() {
        return writeln!(out, "the book has no move for this position");
    }
    let width = moves.iter().map(|mv| mv.text.len()).max().unwrap_or(0).max(4);
    let has_games = moves.iter().any(|mv| mv.tally.is_some());
    let more = if has_games { "   games     won   drawn" } else { "" };
    writeln!(out, "{:width$}  weight  chance{more}", "move")?;
    for mv in moves {
        write!(out, "{:width$}  {:>6}  {:>5.1}%", mv.text, mv.weight, 100.0 * mv.chance)?;
        match mv.tally {
            Some(tally) => writeln!(out, "  {:>6}  {:>6}  {:>6}", tally.games, tally.wins, tally.draws)?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}

fn object(game: &dyn AnyGame, moves: &[BookMove]) -> serde_json::Value {
    let move_json = |mv: &BookMove| {
        json!({
            "move": mv.text,
            "weight": mv.weight,
            "chance": mv.chance,
            "alike": mv.alike,
            "games": mv.tally.map(|tally| tally.games),
            "wins": mv.tally.map(|tally| tally.wins),
            "draws": mv.tally.map(|tally| tally.draws),
        })
    };
    json!({
        "game": game.kind().name(),
        "position": game.position_text(),
        "moves": moves.iter().map(move_json).collect::<Vec<_>>(),
    })
}
