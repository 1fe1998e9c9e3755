//! `gt eval`: what an evaluation sees in a position.
//!
//! ```text
//! position ──AnyGame::explain──▶ Explanation ──┬──▶ table   terms, player by player
//!                                              ├──▶ paint   maps of the board
//!                                              └──▶ json
//! ```

mod against;
mod aligned;
mod ending;
mod json;
mod maps;
mod moves;
mod paint;
mod table;

use std::io::Write;
use std::process::ExitCode;

use gt_games::explain::Explanation;
use gt_games::registry::{AnyGame, GameKind, Setup};

use super::format::Format;
use super::position::PositionArguments;
use crate::failure::{Failure, Outcome};
pub(super) use aligned::print_aligned;
use ending::told;
use maps::{check_maps, is_wanted};
use paint::Painter;

/// Show what an evaluation sees in a position: its terms for each player, and maps of the board
#[derive(clap::Args)]
#[command(
    after_help = "The terms add up to the value that a search starts from. Maps are in colours on a terminal; elsewhere a letter tells whose a square \
    is.\n\nExamples:\n  gt eval chess --moves 'e4 e5 Nf3'\n  gt eval amazons --board 6x6 --evaluation all --map territory\n  \
    gt eval connect-four --moves 'd d c' --moves-table\n  gt eval chess --moves e4 --against 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'\n  \
    gt eval chinese-checkers --players 3 --format json"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    /// The evaluation, or `all`; the game's first unless another is named
    #[arg(long, visible_alias = "eval", value_name = "E")]
    evaluation: Option<String>,
    /// A map to draw, `all` or `none`; several after commas
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', default_value = "all")]
    map: Vec<String>,
    /// Instead of the terms: the value after every legal move, the best for the mover first
    #[arg(long, conflicts_with_all = ["against", "map"])]
    moves_table: bool,
    /// Instead of the maps: how the terms differ from those of this position
    #[arg(long, value_name = "TEXT", conflicts_with = "map")]
    against: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let game = arguments.position.open()?;
    let names = evaluations(game.kind(), arguments.evaluation.as_deref());
    let explanations: Vec<Explanation> =
        names.into_iter().map(|name| game.explain(name)).collect::<Result<_, _>>()?;
    check_maps(&arguments.map, &explanations)?;
    match (arguments.format, &arguments.against) {
        (_, Some(text)) => {
            let other = game.kind().open(&Setup::position(text))?;
            against::print(arguments.format, [&*game, &*other], &explanations, out)?;
        }
        (format, None) if arguments.moves_table => moves::print(format, &*game, &explanations, out)?,
        (Format::Json, None) => writeln!(out, "{}", json::position(&*game, &explanations, &arguments.map))?,
        (Format::Text, None) => text(arguments, &*game, &explanations, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn text(
    arguments: &Arguments,
    game: &dyn AnyGame,
    explanations: &[Explanation],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    write!(out, "{}", drawing(game))?;
    if let Some(outcome) = game.outcome() {
        writeln!(
            out,
            "the game is over, {}; a search takes that, not the value below",
            told(game.kind(), outcome)
        )?;
    }
    let painter = Painter::for_output();
    for explanation in explanations {
        writeln!(out)?;
        table::print(game, explanation, out)?;
        let wanted = explanation.breakdown.maps.iter().filter(|map| is_wanted(&arguments.map, map.name));
        painter.print(game, &wanted.collect::<Vec<_>>(), out)?;
    }
    Ok(())
}

/// The board as the game draws it; nobody is to move when it is over.
fn drawing(game: &dyn AnyGame) -> String {
    let drawing = game.draw();
    let is_shown = |line: &&str| game.outcome().is_none() || !line.ends_with(" to move\n");
    drawing.split_inclusive('\n').filter(is_shown).collect()
}

/// The names of the evaluations that are asked for.
fn evaluations(kind: GameKind, asked: Option<&str>) -> Vec<Option<&str>> {
    match asked {
        Some("all") => kind.evaluations().iter().map(|evaluation| Some(evaluation.name)).collect(),
        one => vec![one],
    }
}
