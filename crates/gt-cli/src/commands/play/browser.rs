//! A game in the browser: the page of `gt view` with a board to play on.

use std::io::Write;
use std::path::{Path, PathBuf};

use gt_view::{Limits, PlayOptions, Server};
use tempfile::TempDir;

use super::{Arguments, opening};
use crate::commands::{Outcome, view};
use crate::failure::Failure;

/// How the page is served.
#[derive(clap::Args)]
pub(super) struct PageArguments {
    /// The port of the loopback address; 0 for any that is free (default: 7373, or any where that is taken)
    #[arg(long, value_name = "P", conflicts_with = "terminal")]
    port: Option<u16>,
    /// Do not open the page in the browser
    #[arg(long, conflicts_with = "terminal")]
    no_open: bool,
}

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
