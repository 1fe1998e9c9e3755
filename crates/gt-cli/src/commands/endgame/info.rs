//! `gt endgame info`: what a table holds.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gt_endgame::Table;
use gt_endgame::amazons::AmazonsTable;
use gt_endgame::chess::{ChessTable, Counts, Side};
use gt_endgame::connect_four::ConnectFourTable;
use gt_report::grouped;
use serde_json::{Value, json};

use crate::commands::format::Format;
use crate::failure::{Failure, Outcome};
use crate::printable;

/// Tell what a table holds: its ending, how many positions are won, drawn and lost, the longest mate
#[derive(clap::Args)]
#[command(
    after_help = "The checksums of all blocks are checked; where one differs, the exit code is 1.\n\nExamples:\n  gt endgame info krk.gte\n  gt endgame info krk.gte --format json"
)]
pub(crate) struct Arguments {
    /// The table
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let is_sound = print(&arguments.table, arguments.format, out)?;
    Ok(if is_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Opens a table.
pub(super) fn open(path: &Path) -> Result<Table, Failure> {
    Table::open(path).map_err(|error| Failure::about(path, error))
}

/// Prints what a table holds; whether all its checksums are right.
pub(super) fn print(path: &Path, format: Format, out: &mut dyn Write) -> Result<bool, Failure> {
    let table = open(path)?;
    let checked = table.check_blocks();
    let checksum = checked.as_ref().map_or_else(ToString::to_string, |()| "ok".to_owned());
    match format {
        Format::Json => {
            let object = object(path, &table, &checksum);
            writeln!(out, "{}", printable::json(&format!("{object:#}")))?;
        }
        Format::Text => text(path, &table, &checksum, out)?,
    }
    Ok(checked.is_ok())
}

fn text(path: &Path, table: &Table, checksum: &str, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "table              {}", printable::path(path))?;
    match table {
        Table::Chess(table) => chess_text(table, out)?,
        Table::Amazons(table) => amazons_text(table, out)?,
        Table::ConnectFour(table) => connect_four_text(table, out)?,
    }
    let file = table.file();
    let (major, minor) = file.version;
    writeln!(
        out,
        "file               {} bytes, {} blocks, version {major}.{minor}, checksums {checksum}",
        grouped(file.bytes),
        grouped(file.blocks)
    )?;
    Ok(())
}

fn chess_text(table: &ChessTable, out: &mut dyn Write) -> Result<(), Failure> {
    let summary = table.summary();
    writeln!(out, "ending             {} of chess, values in plies to mate", table.material())?;
    writeln!(
        out,
        "positions          {}, on the whole board {}",
        grouped(summary.positions()),
        grouped(summary.boards())
    )?;
    for (name, side) in ["white", "black"].into_iter().zip(&summary.sides) {
        let Counts { wins, draws, losses } = side.positions;
        let (wins, draws, losses) = (grouped(wins), grouped(draws), grouped(losses));
        writeln!(out, "{name} to move      won {wins}, drawn {draws}, lost {losses}")?;
    }
    for (name, side) in ["white", "black"].into_iter().zip(&summary.sides) {
        if let (Some(moves), Some(position)) = (side.longest_mate, &side.longest_position) {
            writeln!(out, "longest by {name}   mate in {moves}: {position}")?;
        }
    }
    Ok(())
}

fn amazons_text(table: &AmazonsTable, out: &mut dyn Write) -> Result<(), Failure> {
    let regions = table.regions();
    let (width, height, [one, other]) = (regions.width, regions.height, regions.amazons);
    writeln!(
        out,
        "regions            of Amazons in a box of {width}x{height}, at most {one} and {other} amazons"
    )?;
    writeln!(
        out,
        "positions          {}, with {} different values",
        grouped(table.positions()),
        grouped(table.values())
    )?;
    if let Some((moves, region)) = table.longest() {
        writeln!(out, "most moves         {moves}: {region}")?;
    }
    Ok(())
}

fn connect_four_text(table: &ConnectFourTable, out: &mut dyn Write) -> Result<(), Failure> {
    let summary = &table.summary;
    writeln!(out, "ending             of connect-four, all that follows {}", summary.position)?;
    writeln!(out, "positions          {}", grouped(summary.positions))?;
    let (wins, draws, losses) = (grouped(summary.wins), grouped(summary.draws), grouped(summary.losses));
    writeln!(out, "player to move     won {wins}, drawn {draws}, lost {losses}")?;
    Ok(())
}

fn amazons_object(table: &AmazonsTable) -> Value {
    let regions = table.regions();
    json!({
        "game": "amazons",
        "regions": regions.to_string(),
        "positions": table.positions(),
        "values": table.values(),
        "most_moves": table.longest().map(|(moves, _)| moves),
        "most_moves_region": table.longest().map(|(_, region)| region),
    })
}

fn connect_four_object(table: &ConnectFourTable) -> Value {
    let summary = &table.summary;
    json!({
        "game": "connect-four",
        "position": summary.position,
        "discs": summary.discs,
        "positions": summary.positions,
        "wins": summary.wins,
        "draws": summary.draws,
        "losses": summary.losses,
    })
}

fn object(path: &Path, table: &Table, checksum: &str) -> Value {
    let mut object = match table {
        Table::Chess(table) => chess_object(table),
        Table::Amazons(table) => amazons_object(table),
        Table::ConnectFour(table) => connect_four_object(table),
    };
    let file = table.file();
    let (major, minor) = file.version;
    object["table"] = path.display().to_string().into();
    object["version"] = format!("{major}.{minor}").into();
    object["bytes"] = file.bytes.into();
    object["blocks"] = file.blocks.into();
    object["checksum"] = checksum.into();
    object
}

fn chess_object(table: &ChessTable) -> Value {
    let summary = table.summary();
    let counts = |counts: Counts| {
        let Counts { wins, draws, losses } = counts;
        json!({ "wins": wins, "draws": draws, "losses": losses })
    };
    let side = |side: &Side| {
        let mut object = counts(side.positions);
        object["longest_mate"] = side.longest_mate.into();
        object["longest_position"] = side.longest_position.clone().into();
        object["whole_board"] = counts(side.boards);
        object
    };
    let [white, black] = &summary.sides;
    let longest = summary.sides.iter().find(|side| side.longest_mate == summary.longest_mate);
    let sum = |count: fn(Counts) -> u64| count(white.positions) + count(black.positions);
    json!({
        "game": "chess",
        "material": table.material().to_string(),
        "positions": summary.positions(),
        "positions_whole_board": summary.boards(),
        "wins": sum(|counts| counts.wins),
        "draws": sum(|counts| counts.draws),
        "losses": sum(|counts| counts.losses),
        "longest_mate": summary.longest_mate,
        "longest_plies": summary.longest_plies,
        "longest_position": longest.and_then(|side| side.longest_position.clone()),
        "white_to_move": side(white),
        "black_to_move": side(black),
    })
}
