//! `gt games --complexity`: what is written about the size of games beside what random games measure.

use std::io::Write;
use std::process::ExitCode;

use gt_games::complexity::{Measured, PLIES_MAX, Published, measure, published};
use gt_games::registry::{GameKind, Setup};
use serde_json::json;

use crate::commands::chosen_game::ChosenGame;
use crate::commands::format::Format;
use crate::failure::{Failure, Outcome};

/// Of which games the size is asked for, and how it is measured.
#[derive(clap::Args)]
pub(super) struct SizeArguments {
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
}

impl SizeArguments {
    /// The game whose size is asked for, if any is: one, or all.
    pub(super) fn game(&self) -> Option<Option<&ChosenGame>> {
        self.complexity.as_ref().map(Option::as_ref)
    }
}

/// A game with what is known of its size.
struct Row {
    kind: GameKind,
    published: &'static [Published],
    measured: Measured,
}

pub(super) fn run(
    arguments: &SizeArguments,
    game: Option<&ChosenGame>,
    format: Format,
    out: &mut dyn Write,
) -> Outcome {
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
    match format {
        Format::Text => text(arguments, &rows, out)?,
        Format::Json => json(arguments, &rows, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn text(arguments: &SizeArguments, rows: &[Row], out: &mut dyn Write) -> Result<(), Failure> {
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

fn json(arguments: &SizeArguments, rows: &[Row], out: &mut dyn Write) -> Result<(), Failure> {
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
