//! `gt endgame probe`: what tables know of a position.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use gt_endgame::amazons::RegionValue;
use gt_endgame::{Probed, ProbedMove, ProbedProgress, Tables};
use gt_games::registry::{AnyGame, GameKind};
use gt_games::{Amazons, Notation};
use gt_search::{Ending, KnownEnding};
use serde_json::{Value, json};

use crate::commands::format::Format;
use crate::commands::position::StartArguments;
use crate::failure::{Failure, Outcome};
use crate::printable;

/// Show what tables know of a position: its value with best play, and that of every move
#[derive(clap::Args)]
#[command(
    after_help = "Captures and promotions lead to other endings: give a folder with their tables to see all values.\n\nExamples:\n  \
    gt endgame probe krk.gte --position '8/8/8/8/8/2k5/2r5/K7 w - -'\n  gt endgame probe tables --position '8/8/8/8/8/2k5/2r5/K7 w - -' --format json"
)]
pub(crate) struct Arguments {
    /// A table, or a folder with tables, Syzygy's included
    #[arg(value_name = "TABLE|DIR")]
    tables: PathBuf,
    /// The game; the one that the tables are of unless one is named
    #[arg(long)]
    game: Option<GameKind>,
    #[command(flatten)]
    start: StartArguments,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let sentence = |error: gt_endgame::Error| Failure::new(error.to_string());
    let tables = Tables::open(&arguments.tables).map_err(sentence)?;
    let kind = kind(arguments, &tables)?;
    let mut game = kind.open(&arguments.start.setup())?;
    for text in arguments.start.moves() {
        game.play(text)?;
    }
    let probed = tables.probe(&*game).map_err(sentence)?;
    let line = tables.line(&*game).map_err(sentence)?;
    let regions = regions(&tables, &*game).map_err(sentence)?;
    match arguments.format {
        Format::Json => {
            let mut object = object(&*game, &probed, &line);
            if kind == GameKind::Amazons {
                object["regions"] = regions.iter().map(region_object).collect::<Vec<_>>().into();
            }
            writeln!(out, "{}", printable::json(&format!("{object:#}")))?;
        }
        Format::Text => {
            text(&probed, &line, &regions, out)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn kind(arguments: &Arguments, tables: &Tables) -> Result<GameKind, Failure> {
    let of_tables = || GameKind::ALL.into_iter().filter(|&kind| tables.has(kind));
    match arguments.game {
        Some(kind) if of_tables().all(|known| known != kind) => {
            Err(Failure::about(&arguments.tables, format_args!("there is no table of {kind} here")))
        }
        Some(kind) => Ok(kind),
        None if of_tables().count() > 1 => {
            let sentence = "there are tables of several games here; say which with `--game`";
            Err(Failure::about(&arguments.tables, sentence))
        }
        None => Ok(of_tables().next().unwrap_or(GameKind::Chess)),
    }
}

/// An ending as people read it: in moves, as mates are counted.
fn ending_text(ending: Option<KnownEnding>) -> String {
    let moves = |plies: u16| match plies.div_ceil(2) {
        1 => "1 move".to_owned(),
        moves => format!("{moves} moves"),
    };
    let measured = |ending: Ending| match ending {
        Ending::Draw => "draw".to_owned(),
        Ending::Win { plies: 0 } => "won".to_owned(),
        Ending::Loss { plies: 0 } => "lost".to_owned(),
        Ending::Win { plies: 1 } => "win in 1 move (1 ply)".to_owned(),
        Ending::Win { plies } => format!("win in {} ({plies} plies)", moves(plies)),
        Ending::Loss { plies } => format!("loss in {} ({plies} plies)", moves(plies)),
    };
    match ending {
        None => "not known".to_owned(),
        Some(KnownEnding::Measured(ending)) => measured(ending),
        Some(KnownEnding::Win) => "win".to_owned(),
        Some(KnownEnding::Loss) => "loss".to_owned(),
    }
}

fn text(
    probed: &Probed,
    line: &[String],
    regions: &[RegionValue],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    writeln!(out, "value  {}", ending_text(probed.ending))?;
    if probed.ending.is_none() {
        writeln!(out, "       no table at hand knows its value")?;
    }
    if let Some(ProbedProgress { moves, plies }) = &probed.progress {
        let when = if *plies == 1 { "1 ply".to_owned() } else { format!("about {plies} plies") };
        writeln!(out, "way    {}: a capture, a pawn move or mate in {when}", moves.join(" "))?;
    }
    if !line.is_empty() {
        writeln!(out, "line   {}", line.join(" "))?;
    }
    for region in regions {
        let value = region.value.as_deref().unwrap_or("not known");
        writeln!(out, "region {}  {}  {value}", corner(region), region.region)?;
    }
    if !probed.moves.is_empty() {
        writeln!(out)?;
    }
    let width = probed.moves.iter().map(|mv| mv.text.len()).max().unwrap_or_default();
    for mv in &probed.moves {
        writeln!(out, "{:width$}  {}", mv.text, ending_text(mv.ending))?;
    }
    Ok(())
}

/// What is known of each region of a position of Amazons; nothing in another game.
fn regions(tables: &Tables, game: &dyn AnyGame) -> gt_endgame::Result<Vec<RegionValue>> {
    match game.kind() {
        GameKind::Amazons => tables.regions(&Amazons::parse_position(&game.position_text())?),
        GameKind::Chess
        | GameKind::ConnectFour
        | GameKind::TicTacToe
        | GameKind::ChineseCheckers
        | GameKind::Tree
        | GameKind::Thorns => Ok(Vec::new()),
    }
}

/// The lower left square of a region.
fn corner(region: &RegionValue) -> String {
    let (file, rank) = region.corner;
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

fn region_object(region: &RegionValue) -> Value {
    json!({
        "region": region.region,
        "corner": corner(region),
        "value": region.value,
        "white_wins_first": region.wins_first.map(|[white, _]| white),
        "black_wins_first": region.wins_first.map(|[_, black]| black),
    })
}

/// The value, and the distance in plies and in moves.
fn ending_object(ending: Option<KnownEnding>) -> Value {
    let decided =
        |value: &str, plies: u16| json!({ "value": value, "plies": plies, "moves": plies.div_ceil(2) });
    match ending {
        None => json!({ "value": null, "plies": null, "moves": null }),
        Some(KnownEnding::Measured(Ending::Draw)) => json!({ "value": "draw", "plies": null, "moves": null }),
        Some(KnownEnding::Measured(Ending::Win { plies })) => decided("win", plies),
        Some(KnownEnding::Measured(Ending::Loss { plies })) => decided("loss", plies),
        Some(KnownEnding::Win) => json!({ "value": "win", "plies": null, "moves": null }),
        Some(KnownEnding::Loss) => json!({ "value": "loss", "plies": null, "moves": null }),
    }
}

fn object(game: &dyn AnyGame, probed: &Probed, line: &[String]) -> Value {
    let mut object = ending_object(probed.ending);
    // The distance in moves, and the list of moves, would share a name.
    object["distance"] = object["moves"].take();
    let move_json = |mv: &ProbedMove| {
        let mut object = ending_object(mv.ending);
        object["distance"] = object["moves"].take();
        if let Some(map) = object.as_object_mut() {
            map.remove("moves");
        }
        object["move"] = mv.text.clone().into();
        object
    };
    object["game"] = game.kind().name().into();
    object["position"] = game.position_text().into();
    object["best"] = probed.best().map(|mv| mv.text.clone()).collect::<Vec<_>>().into();
    object["moves"] = probed.moves.iter().map(move_json).collect::<Vec<_>>().into();
    object["line"] = line.to_vec().into();
    if let Some(progress) = &probed.progress {
        object["progress"] = json!({ "moves": progress.moves, "plies": progress.plies });
    }
    object
}
