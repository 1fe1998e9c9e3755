//! `gt endgame verify`: a table held against its checksums, its counts and the rules.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use gt_endgame::Tables;
use gt_report::{counted, grouped};

use super::info::open;
use crate::failure::{Failure, Outcome};
use crate::printable;
use crate::tell::tell;

/// Check a table: its checksums, its counts, and in chess that values follow from those of the moves
#[derive(clap::Args)]
#[command(
    after_help = "The values of captures and promotions come from the other tables of the same folder; where they are missing, such positions are passed \
    over. The exit code is 1 where something is wrong.\n\nExamples:\n  gt endgame verify krk.gte\n  gt endgame verify --positions 100000 tables/kqkr.gte"
)]
pub(crate) struct Arguments {
    /// The table
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    /// How many positions are held against their moves, evenly spread
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    positions: u64,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let path = &arguments.table;
    let table = open(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let others = Tables::open_readable(folder.unwrap_or(std::path::Path::new(".")))
        .map_err(|error| Failure::new(error.to_string()))?;
    match table.verify(others, arguments.positions) {
        Ok(checked) => {
            if checked.looked_at == 0 {
                writeln!(out, "{}: sound", printable::path(path))?;
                return Ok(ExitCode::SUCCESS);
            }
            let looked_at = counted(checked.looked_at, "position");
            let rest = match checked.looked_at - checked.follow {
                0 => String::new(),
                rest => format!("; {} lead to endings without a table here", grouped(rest)),
            };
            let path = printable::path(path);
            let follow = grouped(checked.follow);
            writeln!(
                out,
                "{path}: sound; of {looked_at} held against their moves {follow} follow from them{rest}"
            )?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            tell(format_args!("{}: {error}", printable::path(path)));
            Ok(ExitCode::FAILURE)
        }
    }
}
