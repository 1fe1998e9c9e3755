//! A game in the browser: the page of `gt view` with a board to play on.

use std::io::Write;
use std::path::{Path, PathBuf};

use gt_view::{Limits, PlayOptions, Server};
use tempfile::TempDir;

use super::arguments::Arguments;
use super::opening;
use crate::commands::view;
use crate::failure::{Failure, Outcome};

/// Serves the page until Ctrl-C.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let page = &arguments.page;
    // The server is gone, and with it every log it writes, before the folder goes.
    let logs = GameLogs::new(arguments.logs.as_deref())?;
    let live = opening::options(Some(&logs.folder));
    let game = opening::open(arguments, live.clone())?;
    let options = PlayOptions { live, has_scratch_logs: logs.scratch.is_some() };
    let usual = [view::PORT, 0];
    let ports = page.port.as_ref().map_or(&usual[..], std::slice::from_ref);
    let server = Server::play(game, options, ports, Limits::default())
        .map_err(|error| Failure::new(error.to_string()))?;
    view::serve(&server, !page.no_open, out)
}

/// Where the programs' searches are logged: in the folder that was asked for, or in one that goes at the end.
struct GameLogs {
    folder: PathBuf,
    scratch: Option<TempDir>,
}

impl GameLogs {
    fn new(asked: Option<&Path>) -> Result<Self, Failure> {
        if let Some(folder) = asked {
            return Ok(Self { folder: folder.to_owned(), scratch: None });
        }
        let scratch = tempfile::Builder::new().prefix("gt-play-").tempdir();
        let scratch = scratch.map_err(|error| Failure::about(&std::env::temp_dir(), error))?;
        // The folder inside of it goes with every new game.
        Ok(Self { folder: scratch.path().join("logs"), scratch: Some(scratch) })
    }
}
