//! `gt games --complexity`: what is written about the size of games beside what random games measure.

use std::io::Write;
use std::process::ExitCode;

use gt_games::complexity::{Measured, PLIES_MAX, Published, measure, published};
use gt_games::registry::{GameKind, Setup};
use serde_json::json;

use super::Arguments;
use crate::commands::Outcome;
use crate::commands::search::{ChosenGame, Format};
use crate::failure::Failure;

/// A game with what is known of its size.
struct Row {
    kind: GameKind,
    published: &'static [Published],
    measured: Measured,
}

pub(super) fn run(arguments: &Arguments, game: Option<&ChosenGame>, out: &mut dyn Write) -> Outcome {
    if game.is_none() && (arguments.board.is_some() || arguments.players.is_some()) {
        return Err(Failure::new(
            "`--board` and `--players` are for one game: name it, as in `--complexity amazons`",
        ));
    }
    let games: Vec<ChosenGame> = match game {
        Some(game) => vec![game.clone()],
        // A tree is whatever somebody wrote.
        None => {
            GameKind::ALL.into_iter().filter(|&kind| kind != GameKind::Tree).map(ChosenGame::from).collect()
        }
    };
    let mut rows = Vec::new();
    for game in games {
        let setup =
            Setup { position: game.position(), board: arguments.board.clone(), players: arguments.players };
        let measured = measure(game.kind, &setup, arguments.playouts, arguments.seed);
        let measured = measured.map_err(|error| Failure::new(error.to_string()))?;
        let is_usual = arguments.board.is_none() && arguments.players.is_none();
        let published = if is_usual { published(game.kind) } else { &[] };
        rows.push(Row { kind: game.kind, published, measured });
    }
    match arguments.format {
        Format::Text => text(arguments, &rows, out)?,
        Format::Json => json(arguments, &rows, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn text(arguments: &Arguments, rows: &[Row], out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "{:<18} {:>9} {:>8} {:>9} {:>10}", "", "branching", "plies", "positions", "game tree")?;
    for row in rows {
        writeln!(out, "{}", row.kind)?;
        for said in row.published {
            let author = said.source.split(',').next().unwrap_or(said.source);
            let number =
                |number: Option<f64>| number.map_or_else(String::new, |number| format!("{number:.0}"));
            writeln!(
                out,
                "{}",
                format!(
                    "  {author:<16} {:>9} {:>8} {:>9} {:>10}",
                    number(said.branching),
                    number(said.length),
                    power(said.states_log10),
                    power(said.tree_log10)
                )
                .trim_end()
            )?;
        }
        let Measured { branching, length, tree_log10, finished, playouts, .. } = row.measured;
        writeln!(
            out,
            "  {:<16} {branching:>9.1} {length:>8.1} {:>9} {:>10}",
            "random games",
            "",
            power(Some(tree_log10))
        )?;
        if finished < playouts {
            writeln!(
                out,
                "  {} of the {playouts} games were broken off after {PLIES_MAX} plies",
                playouts - finished
            )?;
        }
    }
    writeln!(
        out,
        "\n{} random games each, seed {}; the game tree is branching ^ plies",
        arguments.playouts, arguments.seed
    )?;
    Ok(())
}

/// A power of ten.
fn power(log10: Option<f64>) -> String {
    log10.map_or_else(String::new, |log10| format!("10^{log10:.0}"))
}

fn json(arguments: &Arguments, rows: &[Row], out: &mut dyn Write) -> Result<(), Failure> {
    let said = |said: &Published| {
        json!({
            "source": said.source, "branching": said.branching, "length": said.length,
            "states_log10": said.states_log10, "tree_log10": said.tree_log10,
        })
    };
    let row = |row: &Row| {
        let Measured { playouts, finished, branching, length, length_min, length_max, tree_log10 } =
            row.measured;
        json!({
            "game": row.kind.name(),
            "published": row.published.iter().map(said).collect::<Vec<_>>(),
            "measured": {
                "playouts": playouts, "finished": finished, "branching": branching, "length": length,
                "length_min": length_min, "length_max": length_max, "tree_log10": tree_log10,
            },
        })
    };
    let object = json!({ "seed": arguments.seed, "games": rows.iter().map(row).collect::<Vec<_>>() });
    writeln!(out, "{object:#}")?;
    Ok(())
}
