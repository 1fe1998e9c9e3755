//! The command line of `gt search`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use gt_play::Algorithm;

use super::extra::Extra;
use super::fault;
use crate::commands::files::Force;
use crate::commands::format::Format;
use crate::commands::position::PositionArguments;
use crate::commands::query::parameter::Parameter;
use crate::moves::Moves;

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
    pub(super) position: PositionArguments,
    /// The algorithm; pvs (chess: strong; more than two players: paranoid) unless another is named
    #[arg(long, value_parser = algorithms())]
    pub(super) algorithm: Option<Algorithm>,
    /// The evaluation; the game's first unless another is named
    #[arg(long = "eval", visible_alias = "evaluation", value_name = "E")]
    pub(super) evaluation: Option<String>,
    /// How deep to search, in plies; 0 evaluates the position and searches nothing
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u16).range(0..=200))]
    pub(super) depth: Option<u16>,
    /// The depth to begin with, instead of 1; a tree from a file is searched at its full depth at once
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u16).range(1..=200))]
    pub(super) first_depth: Option<u16>,
    /// How many nodes to search at most
    #[arg(long, value_name = "N")]
    pub(super) nodes: Option<u64>,
    /// How long to search at most: 10, 10s, 500ms, 2m
    #[arg(long, value_name = "T", value_parser = gt_play::parse_time)]
    pub(super) time: Option<Duration>,
    /// How many threads search (pvs and strong)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    pub(super) threads: u64,
    /// Find the N best moves, each with its value and line (pvs and strong)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) multi_pv: Option<u16>,
    /// Tell what was found for every move of the position: its value or a bound, nodes, line
    #[arg(long)]
    pub(super) root_moves: bool,
    /// Follow noisy moves beyond the depth until the position is quiet (pvs; strong always does)
    #[arg(long)]
    pub(super) quiescence: bool,
    /// The size of the transposition table (pvs and strong): 64M, 1G; a number alone counts MiB, 0 is none
    #[arg(long, value_name = "SIZE", value_parser = gt_play::parse_memory)]
    pub(super) hash: Option<usize>,
    /// How much memory the tree may take (stored-tree, uct, uct-eval): 512M, 4G; a number alone counts MiB
    #[arg(long, value_name = "SIZE", value_parser = gt_play::parse_memory)]
    pub(super) memory: Option<usize>,
    /// A table of endgames or a folder with some, for the search to ask (pvs and strong)
    #[arg(long, value_name = "TABLE|DIR")]
    pub(super) endgames: Option<PathBuf>,
    /// The seed of uct and of sampling
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Ideas that the search does without, with commas between them: lmr, null-move … (pvs and strong)
    #[arg(long, value_name = "IDEA,…", default_value = "", hide_default_value = true)]
    pub(super) without: String,
    /// Plant a fault in the search, to see whether a check finds it (pvs and strong); the log and the result say so
    #[arg(long, value_name = "NAME", value_parser = fault::parser(), hide_short_help = true)]
    pub(super) fault: Option<gt_search::Fault>,
    /// Log the search here: a tree for each iteration and thread
    #[arg(long, value_name = "FILE")]
    pub(super) log: Option<PathBuf>,
    /// Print the answers of GTQL queries, from a file or as they stand here, while the search runs (one thread); no log is needed
    #[arg(long, value_name = "FILE|TEXT")]
    pub(super) query: Option<OsString>,
    /// How many matches of a query to print for each tree, 0 for all; the others are only counted
    #[arg(long, value_name = "N", default_value_t = 10, requires = "query")]
    pub(super) query_limit: usize,
    /// How to print moves in the answers of `--query`
    #[arg(long, value_enum, default_value_t = Moves::Text, requires = "query")]
    pub(super) query_moves: Moves,
    /// Give `$NAME` a value in `--query`; may be repeated
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = Parameter::read, requires = "query")]
    pub(super) parameters: Vec<Parameter>,
    /// Log, or ask, more of every node: key (the position's hash), table_depth (the depth of the table's entry)
    #[arg(long, value_name = "ATTR,…", value_enum, value_delimiter = ',', requires = "watched")]
    pub(super) with: Vec<Extra>,
    #[command(flatten)]
    pub(super) force: Force,
    /// Also print the tree of the last depth, with values and the moves that were cut off (one thread)
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(super) show: Option<Show>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
}

/// What is shown beside the result.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Show {
    Tree,
}

/// Reads the name of an algorithm, and knows all names for the help.
pub(crate) fn algorithms() -> impl TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(Algorithm::ALL.map(Algorithm::name)).try_map(|name| name.parse())
}
