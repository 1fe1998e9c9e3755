//! `gt endgame build`: a table of an ending.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gt_endgame::amazons::{self, Regions};
use gt_endgame::chess::{self, Built, Material};
use gt_endgame::connect_four;
use gt_games::{ConnectFour, Notation};
use gt_log::NewFile;
use gt_report::counted;
use gt_search::Game;

use super::info;
use crate::commands::files::{Force, new_log};
use crate::commands::format::Format;
use crate::failure::{Failure, Outcome};
use crate::tell::tell_line;

/// Build a table of an ending: the value of every position with best play
#[derive(clap::Args)]
#[command(
    after_help = "KRK, KBNK, KQKR, KPKP: an ending of chess with three or four pieces, the stronger side first; those that captures and promotions lead to are \
    solved on the way, and written too where `-o` is a folder.\n\
    amazons:3x3, amazons:4x4:2, amazons:3x3:1-1: the regions of Amazons that fit into a box, with one amazon, two of one player, one of each.\n\
    connect-four: all positions that can come up from the one that `--position` and `--moves` give.\n\nExamples:\n  gt endgame build KRK -o krk.gte\n  \
    gt endgame build KRKP -o tables\n  gt endgame build amazons:4x3 -o regions.gte\n  \
    gt endgame build connect-four --moves 'd d d d d d c c c c c c e e e e e e' -o late.gte"
)]
pub(crate) struct Arguments {
    /// The ending: pieces of chess as in KRK, amazons:REGIONS, or connect-four
    ending: String,
    /// The table to write; of chess also a folder for it and for all tables it leads to
    #[arg(short, long, value_name = "FILE|DIR")]
    output: PathBuf,
    /// Where a table of connect four begins; the start of the game unless a position is given
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Moves to play first (connect four)
    #[arg(long, value_name = "'M1 M2 …'", default_value = "")]
    moves: String,
    #[command(flatten)]
    force: Force,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// What to build.
enum Ending {
    Chess(Material),
    Regions(Regions),
    ConnectFour(ConnectFour),
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let written = match ending(arguments)? {
        Ending::Chess(material) => build_chess(arguments, material)?,
        Ending::Regions(regions) => {
            arguments.force.check(&arguments.output)?;
            let solved = amazons::build(regions);
            write(arguments, &arguments.output, |file| solved.write(file))?
        }
        Ending::ConnectFour(start) => {
            arguments.force.check(&arguments.output)?;
            let reached = connect_four::build(&start, connect_four::POSITIONS_MAX).map_err(sentence)?;
            write(arguments, &arguments.output, |file| reached.write(file))?
        }
    };
    info::print(&written, arguments.format, out)?;
    Ok(ExitCode::SUCCESS)
}

fn sentence(error: gt_endgame::Error) -> Failure {
    Failure::new(error.to_string())
}

fn ending(arguments: &Arguments) -> Result<Ending, Failure> {
    let text = arguments.ending.as_str();
    let has_start = arguments.position.is_some() || !arguments.moves.is_empty();
    if text != ConnectFour::NAME && has_start {
        return Err(Failure::new("`--position` and `--moves` are for tables of connect-four"));
    }
    if text == ConnectFour::NAME {
        return Ok(Ending::ConnectFour(start(arguments)?));
    }
    if let Some(regions) = text.strip_prefix("amazons:") {
        return Ok(Ending::Regions(regions.parse().map_err(sentence)?));
    }
    Ok(Ending::Chess(text.parse().map_err(sentence)?))
}

fn start(arguments: &Arguments) -> Result<ConnectFour, Failure> {
    let position = arguments.position.as_deref().map(ConnectFour::parse_position);
    let mut game = position.transpose()?.unwrap_or_default();
    for text in arguments.moves.split_whitespace() {
        let mv = game.parse_move(text)?;
        game.make(mv);
    }
    Ok(game)
}

/// Solves an ending of chess, and writes what is wanted of it; where it was written.
fn build_chess(arguments: &Arguments, material: Material) -> Result<PathBuf, Failure> {
    let is_folder = arguments.output.is_dir();
    let path = |material: Material| match is_folder {
        true => arguments.output.join(file_name(material)),
        false => arguments.output.clone(),
    };
    arguments.force.check(&path(material))?;
    let mut written = Ok(path(material));
    chess::build(material, |built| {
        tell_line(progress(built));
        let target = path(built.solved.material());
        // Into a folder goes everything that is not there yet.
        let is_wanted = built.solved.material() == material || (is_folder && !target.exists());
        if is_wanted && written.is_ok() {
            written = write(arguments, &target, |file| built.solved.write(file).map(drop));
        }
    })
    .map_err(sentence)?;
    written
}

fn progress(built: &Built<'_>) -> String {
    format!(
        "{:<5}  {:>22}  {:>8.3} s",
        built.solved.material().to_string(),
        counted(built.positions, "position"),
        built.elapsed.as_secs_f64()
    )
}

fn file_name(material: Material) -> String {
    format!("{}.{}", material.to_string().to_lowercase(), gt_endgame::EXTENSION)
}

fn write(
    arguments: &Arguments,
    target: &Path,
    content: impl FnOnce(&mut dyn Write) -> gt_endgame::Result<()>,
) -> Result<PathBuf, Failure> {
    let about = |error: &dyn std::fmt::Display| Failure::about(target, error);
    new_log(target, arguments.force, &[], |new: &NewFile| {
        let mut file = BufWriter::new(new.create().map_err(|error| about(&error))?);
        content(&mut file).map_err(|error| about(&error))?;
        file.flush().map_err(|error| about(&error))
    })?;
    Ok(target.to_owned())
}
