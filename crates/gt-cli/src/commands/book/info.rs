//! `gt book info`: what a book holds.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gt_book::{Book, BookInfo};
use gt_report::{counted, grouped};
use serde_json::json;

use crate::commands::format::Format;
use crate::failure::{Failure, Outcome};
use crate::printable;

/// Tell what a book holds: its game, its format, how many positions and moves
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gt book info openings.bin\n  gt book info --format json openings.bin amazons.gtb"
)]
pub(crate) struct Arguments {
    /// The books
    #[arg(required = true, value_name = "BOOK")]
    books: Vec<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let mut objects = Vec::new();
    for path in &arguments.books {
        let info = open(path)?.info();
        match arguments.format {
            Format::Text => writeln!(out, "{}", sentence(path, &info))?,
            Format::Json => objects.push(object(path, &info)),
        }
    }
    if arguments.format == Format::Json {
        writeln!(out, "{}", printable::json(&format!("{:#}", serde_json::Value::from(objects))))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Opens a book of whatever game it is of.
pub(super) fn open(path: &Path) -> Result<Book, Failure> {
    Book::open_any(path).map_err(|error| Failure::about(path, error))
}

/// One line about a book.
pub(super) fn sentence(path: &Path, info: &BookInfo) -> String {
    let version = info.version.map_or_else(String::new, |(major, minor)| format!(" {major}.{minor}"));
    let games = info.games.map_or_else(String::new, |games| format!("{}, ", counted(games, "game")));
    format!(
        "{}: {}, {}{version}, {games}{}, {}, {} bytes",
        printable::path(path),
        info.game,
        info.format,
        counted(info.positions, "position"),
        counted(info.moves, "move"),
        grouped(info.bytes)
    )
}

pub(super) fn object(path: &Path, info: &BookInfo) -> serde_json::Value {
    let BookInfo { game, format, version, positions, moves, games, bytes } = info;
    json!({
        "book": path.display().to_string(),
        "game": game.name(),
        "format": format.name(),
        "version": version.map(|(major, minor)| format!("{major}.{minor}")),
        "games": games,
        "positions": positions,
        "moves": moves,
        "bytes": bytes,
    })
}
