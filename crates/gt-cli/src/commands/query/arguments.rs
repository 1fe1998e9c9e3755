//! The command line of `gt query`.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;

use super::expect::Expectation;
use super::format::{Format, Moves};
use super::parameter::Parameter;
use crate::commands::names::OtherNames;
use crate::commands::trees::{Condition, TreeChoice};

/// Ask the trees of logs: nodes, counts and tables by queries in GTQL
#[derive(clap::Args)]
#[command(
    override_usage = "gt query [OPTIONS] LOG... 'QUERY'\n       gt query [OPTIONS] LOG... -f FILE",
    after_help = "All queries of a file are answered in one pass over each tree. A parameter `$x` is what `--param` says, \
    or else what the tree's or the log's metadata says (`$nominal_depth`). The count in JSON is the length of the list \
    (of all of it, also where `--limit` cuts it), or the number itself; beside a value, of how many nodes it is made.\n\nExamples:\n  \
    gt query tree.gtf 'node: type & PVNode; child: count([]type & PVNode) > 2'\n  \
    gt query run/*.gtf 'node: count(ply > $x + 5)' --param x=8\n  \
    gt query tree.gtf 'node: last_move = \"e2e4\" select @line, best order by best limit 10'\n  \
    gt query tree.gtf 'node: @ply = 2 select @line, best' --format csv --moves text\n  \
    gt query tree.gtf 'select node_id, best, type' --format parquet -o nodes.parquet\n  \
    gt query tree10.gtf -f queries.gtql --format gti -o results\n  \
    gt query tree10.gtf 'node: best > beta' --within results/tree10-1.gti\n  \
    gt query tree10.gtf 'node: count(alpha >= beta)' --expect '= 0'\n  \
    gt query 'logs/**/*.gtf' 'node: count(best >= beta)' --format csv\n  \
    gt query 'logs/**/*.gtf' 'group by @ply select @ply, count(*), avg(best)' --combine"
)]
pub(crate) struct Arguments {
    /// The logs, and last the query (with `-f` only logs)
    #[arg(required = true, value_name = "LOG... QUERY")]
    pub(super) positional: Vec<OsString>,
    /// Read the queries from a file; `-` is standard input
    #[arg(short, long, value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
    /// How to print moves (default: as numbers in json and csv, else as text)
    #[arg(long, value_enum)]
    pub(super) moves: Option<Moves>,
    /// Print numbers as they are: moves too, and in tables and csv values that have words: aliases, mates
    #[arg(long)]
    pub(super) raw: bool,
    #[command(flatten)]
    pub(super) names: OtherNames,
    /// Give `$NAME` a value; one in double quotes is a text (`--param 'k="12"'`); may be repeated
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = Parameter::read)]
    pub(super) parameters: Vec<Parameter>,
    /// Only this tree of each log: a number from 0, `last`, `largest`, -1 for the last, or `depth=9`; may be repeated
    #[arg(long = "tree", value_name = "TREE", allow_hyphen_values = true, value_parser = TreeChoice::read)]
    pub(super) trees: Vec<TreeChoice>,
    /// Only trees whose metadata say so: `nominal_depth >= 8`
    #[arg(long = "where", value_name = "CONDITION", value_parser = Condition::read)]
    pub(super) condition: Option<Condition>,
    /// Let only nodes of this result file (`.gti`) match; all that a query reads of others stays as it is
    #[arg(long, value_name = "FILE", conflicts_with = "explain")]
    pub(super) within: Option<PathBuf>,
    /// What becomes of logs without an answer (default: `row` where a LOG is a pattern, else `raise` for all logs at once)
    #[arg(long, value_enum)]
    pub(super) errors: Option<Errors>,
    /// One answer over all logs: their aggregates and groups joined
    #[arg(long)]
    pub(super) combine: bool,
    /// Exit with code 1 where the number of an answer (of a list, its length) is not so: `= N`, `!= N`, `< N`, `<= N`,
    /// `> N`, `>= N` or `A..B`
    #[arg(long, value_name = "TEST", value_parser = Expectation::read, conflicts_with = "explain")]
    pub(super) expect: Option<Expectation>,
    /// Print how many nodes or rows there are, and not these; refused where the answer is a value
    #[arg(long)]
    pub(super) count: bool,
    /// Print how the queries would be answered, and run nothing
    #[arg(long)]
    pub(super) explain: bool,
    /// Say on standard error what was read and how long each part took
    #[arg(long)]
    pub(super) stats: bool,
    /// How many threads work; 0 for as many as there are processors
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) threads: usize,
    /// What groups and ordered rows may take in memory, as in 512M or 4G
    #[arg(long, value_name = "SIZE", value_parser = gt_play::parse_size, default_value = "1G")]
    pub(super) memory: usize,
    /// How many nodes or rows of an answer to print, 0 for all (default: of a table on a terminal a screenful, else all)
    #[arg(long, value_name = "N")]
    pub(super) limit: Option<usize>,
    /// Write the answers into this file; for `--format gti`, the folder for its files
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

impl Arguments {
    /// Whether the answers go into files.
    pub(crate) fn writes_files(&self) -> bool {
        self.output.is_some()
    }

    /// How many nodes or rows of an answer are printed.
    pub(super) fn rows_max(&self) -> usize {
        /// Lines of a screen that are left for what stands around a table.
        const LINES_AROUND: usize = 4;
        const ROWS_MIN: usize = 20;
        match self.limit {
            Some(0) => usize::MAX,
            Some(rows) => rows,
            None if self.format != Format::Table || self.output.is_some() => usize::MAX,
            None if !std::io::stdout().is_terminal() => usize::MAX,
            None => {
                let lines =
                    terminal_size::terminal_size().map_or(ROWS_MIN, |(_, height)| usize::from(height.0));
                lines.saturating_sub(LINES_AROUND).max(ROWS_MIN)
            }
        }
    }
}

/// What becomes of logs that have no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Errors {
    /// A row says why; the exit code is 1
    Row,
    /// The first one ends the run; the exit code is 2
    Raise,
}
