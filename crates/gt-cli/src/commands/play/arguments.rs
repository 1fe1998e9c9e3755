//! The command line of `gt play`.

use std::path::PathBuf;
use std::time::Duration;

use gt_play::Level;
use gt_play::live::TimeControl;

use crate::commands::position::PositionArguments;

/// Play a game against programs or other persons
#[derive(clap::Args)]
#[command(
    after_help = "A seat is `person`, `person=NAME`, `program` (the engine that fits the game best) or an algorithm of `gt games`; after commas \
    a program takes level=1…10, time=2s, nodes=N, depth=N, eval=E, threads=N, hash=MiB, seed=N, book=FILE, endgames=DIR, name=NAME, ponder. Without --seat, a person plays \
    against programs and moves first; seats that are not named are programs.\n\nThe page in the browser is served on the loopback address only, until Ctrl-C; \
    the logs of its searches go at the end unless --logs names a folder. In the terminal, `help` lists the commands; Ctrl-C while a program thinks makes it move at once. Lines \
    can also come from a pipe.\n\nExamples:\n  gt play chess\n  gt play amazons --board 8x8 --seat program,level=5 --seat person\n  gt play chess --terminal\n  gt play chess --terminal --seat program,level=3 --seat person --clock 5+3\n  \
    gt play chinese-checkers --terminal --players 3 --logs searches\n  printf 'd\\nundo\\nc\\n' | gt play connect-four --terminal --time 100ms"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(super) position: PositionArguments,
    /// Play in this terminal
    #[arg(long)]
    pub(super) terminal: bool,
    /// Who plays, once for each player in their order
    #[arg(long = "seat", value_name = "WHO")]
    pub(super) seats: Vec<String>,
    /// A clock for everybody: minutes+seconds for each move, as in 5+3; 40/90+30 for 40 moves
    #[arg(long, value_name = "M+S")]
    pub(super) clock: Option<TimeControl>,
    /// How long programs think about a move, without a clock 1 s: 2s, 500ms
    #[arg(long, value_name = "T", value_parser = gt_play::parse_time)]
    pub(super) time: Option<Duration>,
    /// How strong programs play, from 1 to 10
    #[arg(long, value_name = "N")]
    pub(super) level: Option<Level>,
    /// Go on with the first game of this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves"])]
    pub(super) load: Option<PathBuf>,
    /// Log the programs' searches into this folder, a file for each move
    #[arg(long, value_name = "DIR")]
    pub(super) logs: Option<PathBuf>,
    /// What programs draw their choices from; another number every time unless one is given
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
    #[command(flatten)]
    pub(super) page: PageArguments,
}

/// How the page is served.
#[derive(clap::Args)]
pub(super) struct PageArguments {
    /// The port of the loopback address; 0 for any that is free (default: 7373, or any where that is taken)
    #[arg(long, value_name = "P", conflicts_with = "terminal")]
    pub(super) port: Option<u16>,
    /// Do not open the page in the browser
    #[arg(long, conflicts_with = "terminal")]
    pub(super) no_open: bool,
}
