//! `gt search`: a position searched, and logged if wanted.

mod chosen_game;
mod extra;
mod fault;
mod logged;
mod options;
mod proof;
mod questions;
mod report;
mod root_moves;
mod searched;
mod sketch;
mod task;
mod teller;
mod told_json;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use gt_games::registry::{AnyGame, GameKind, Setup};
use gt_play::Algorithm;
use gt_search::Limits;

use super::Outcome;
use super::files::Force;
use super::query::parameter::Parameter;
use crate::failure::Failure;
use crate::moves::Moves;
pub(crate) use chosen_game::ChosenGame;
use extra::Extra;

/// Search a position of one of the games, and log the search's tree
#[derive(clap::Args)]
#[command(
    group(clap::ArgGroup::new("watched").args(["log", "query"]).multiple(true)),
    after_help = "Without a limit the search goes to depth 6 (uct: 10,000 playouts; proof-number: until it is proven). `gt games` lists games, evaluations and \
    algorithms. Ctrl-C ends the search in order: it tells what it found, and its log is whole (exit code 130).\n\nExamples:\n  gt search tic-tac-toe --depth 9\n  gt search amazons --board 6x6 --eval mobility --depth 3\n  \
    gt search chess --position '4r1k1/3b1p2/5qp1/1BPpn2p/7n/r3P1N1/2Q1RPPP/1R3NK1 b - -' --depth 8 --log run.gtf\n  \
    gt search connect-four --depth 10 --log run.gtf --with key,table_depth\n  \
    gt search chinese-checkers --players 3 --algorithm max-n --depth 3 --root-moves\n  \
    gt search chess --depth 9 --multi-pv 3 --hash 256M\n  gt search chess --depth 10 --without lmr,null-move\n  \
    gt search tree:figure-8.txt --algorithm alpha-beta --show tree\n  \
    gt search chess --depth 7 --query 'node: reduction > 0 and best > alpha select reduction, depth'\n  \
    gt search connect-four --board 5x4 --algorithm proof-number"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    /// The algorithm; pvs (chess: strong; more than two players: paranoid) unless another is named
    #[arg(long, value_parser = algorithms())]
    algorithm: Option<Algorithm>,
    /// The evaluation; the game's first unless another is named
    #[arg(long = "eval", visible_alias = "evaluation", value_name = "E")]
    evaluation: Option<String>,
    /// How deep to search, in plies; 0 evaluates the position and searches nothing
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u16).range(0..=200))]
    depth: Option<u16>,
    /// The depth to begin with, instead of 1; a tree from a file is searched at its full depth at once
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u16).range(1..=200))]
    first_depth: Option<u16>,
    /// How many nodes to search at most
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// How long to search at most: 10, 10s, 500ms, 2m
    #[arg(long, value_name = "T", value_parser = gt_play::parse_time)]
    time: Option<Duration>,
    /// How many threads search (pvs and strong)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: u64,
    /// Find the N best moves, each with its value and line (pvs and strong)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    multi_pv: Option<u16>,
    /// Tell what was found for every move of the position: its value or a bound, nodes, line
    #[arg(long)]
    root_moves: bool,
    /// Follow noisy moves beyond the depth until the position is quiet (pvs; strong always does)
    #[arg(long)]
    quiescence: bool,
    /// The size of the transposition table (pvs and strong): 64M, 1G; a number alone counts MiB, 0 is none
    #[arg(long, value_name = "SIZE", value_parser = gt_play::parse_memory)]
    hash: Option<usize>,
    /// How much memory the tree may take (stored-tree, uct, uct-eval): 512M, 4G; a number alone counts MiB
    #[arg(long, value_name = "SIZE", value_parser = gt_play::parse_memory)]
    memory: Option<usize>,
    /// A table of endgames or a folder with some, for the search to ask (pvs and strong)
    #[arg(long, value_name = "TABLE|DIR")]
    endgames: Option<PathBuf>,
    /// The seed of uct and of sampling
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Ideas that the search does without, with commas between them: lmr, null-move … (pvs and strong)
    #[arg(long, value_name = "IDEA,…", default_value = "", hide_default_value = true)]
    without: String,
    /// Plant a fault in the search, to see whether a check finds it (pvs and strong); the log and the result say so
    #[arg(long, value_name = "NAME", value_parser = fault::parser(), hide_short_help = true)]
    fault: Option<gt_search::Fault>,
    /// Log the search here: a tree for each iteration and thread
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print the answers of GTQL queries, from a file or as they stand here, while the search runs (one thread); no log is needed
    #[arg(long, value_name = "FILE|TEXT")]
    query: Option<OsString>,
    /// How many matches of a query to print for each tree, 0 for all; the others are only counted
    #[arg(long, value_name = "N", default_value_t = 10, requires = "query")]
    query_limit: usize,
    /// How to print moves in the answers of `--query`
    #[arg(long, value_enum, default_value_t = Moves::Text, requires = "query")]
    query_moves: Moves,
    /// Give `$NAME` a value in `--query`; may be repeated
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = Parameter::read, requires = "query")]
    parameters: Vec<Parameter>,
    /// Log, or ask, more of every node: key (the position's hash), table_depth (the depth of the table's entry)
    #[arg(long, value_name = "ATTR,…", value_enum, value_delimiter = ',', requires = "watched")]
    with: Vec<Extra>,
    #[command(flatten)]
    force: Force,
    /// Also print the tree of the last depth, with values and the moves that were cut off (one thread)
    #[arg(long, value_enum, value_name = "WHAT")]
    show: Option<Show>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// What is shown beside the result.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Show {
    Tree,
}

/// Which position of which game.
#[derive(clap::Args)]
pub(crate) struct PositionArguments {
    /// The game; tree:FILE is a tree that was written into a file
    game: ChosenGame,
    #[command(flatten)]
    start: StartArguments,
}

/// Which position of a game that is known.
#[derive(clap::Args)]
pub(crate) struct StartArguments {
    /// The board's size, for games with several: 6x6
    #[arg(long, value_name = "WxH")]
    board: Option<String>,
    /// The position as text (chess: FEN); the start unless one is given
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// How many players, for games with several numbers
    #[arg(long, value_name = "N")]
    players: Option<usize>,
    /// Moves to play first, in the game's notation
    #[arg(long, value_name = "'M1 M2 …'", default_value = "")]
    moves: String,
}

impl StartArguments {
    pub(crate) fn setup(&self) -> Setup {
        Setup {
            position: self.position.clone().unwrap_or_default(),
            board: self.board.clone(),
            players: self.players,
        }
    }

    pub(crate) fn moves(&self) -> Vec<&str> {
        self.moves.split_whitespace().collect()
    }
}

impl PositionArguments {
    pub(crate) fn game(&self) -> GameKind {
        self.game.kind
    }

    pub(crate) fn setup(&self) -> Result<Setup, Failure> {
        let position = self.game.position_or(self.start.position.as_ref())?;
        Ok(Setup { position, ..self.start.setup() })
    }

    pub(crate) fn moves(&self) -> Vec<&str> {
        self.start.moves()
    }

    /// The position after the moves.
    pub(crate) fn open(&self) -> Result<Box<dyn AnyGame>, Failure> {
        let setup = self.setup()?;
        let open = || {
            let mut game = self.game.kind.open(&setup)?;
            self.moves().iter().try_for_each(|text| game.play(text))?;
            Ok(game)
        };
        open().map_err(|error: gt_games::NotationError| Failure::new(error.to_string()))
    }

    /// The position after the moves, as a setup of its own.
    pub(crate) fn after_moves(&self) -> Result<Setup, Failure> {
        if self.moves().is_empty() {
            return self.setup();
        }
        Ok(Setup::position(&self.open()?.position_text()))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

/// Reads the name of an algorithm, and knows all names for the help.
pub(super) fn algorithms() -> impl TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(Algorithm::ALL.map(Algorithm::name)).try_map(|name| name.parse())
}

/// How deep a search goes when nothing limits it.
const DEPTH_DEFAULT: u16 = 6;
/// How many games uct plays when nothing limits it.
const PLAYOUTS_DEFAULT: u64 = 10_000;

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let position = &arguments.position;
    let task = task::SearchTask { arguments, limits: limits(arguments), out };
    let evaluation = arguments.evaluation.as_deref();
    position
        .game
        .kind
        .run(&position.setup()?, &position.moves(), evaluation, task)
        .map_err(|error| Failure::new(error.to_string()))?
}

fn limits(arguments: &Arguments) -> Limits {
    let unlimited = arguments.depth.is_none() && arguments.nodes.is_none() && arguments.time.is_none();
    let simulates = arguments.algorithm.is_some_and(Algorithm::simulates);
    let goes_by_depth = !simulates && arguments.algorithm != Some(Algorithm::ProofNumber);
    let mut limits = Limits::default();
    if let Some(depth) = arguments.depth.or((unlimited && goes_by_depth).then_some(DEPTH_DEFAULT)) {
        limits.depth_max = depth;
    }
    limits.depth_first = arguments.first_depth.unwrap_or(limits.depth_first);
    limits.nodes_max =
        arguments.nodes.unwrap_or(if unlimited && simulates { PLAYOUTS_DEFAULT } else { u64::MAX });
    limits.time_max = arguments.time;
    limits
}
