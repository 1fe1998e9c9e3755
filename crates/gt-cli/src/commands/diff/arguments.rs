//! The command line of `gt diff`.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::commands::files::Force;
use crate::commands::query::parameter::Parameter;
use crate::commands::trees::TreeChoice;
use crate::moves::Moves;

/// Compare two trees: what is in one only, what differs, where it starts and why
#[derive(clap::Args)]
#[command(
    override_usage = "gt diff [OPTIONS] A B ['QUERY']\n       gt diff [OPTIONS] LOG --tree-a K --tree-b K ['QUERY']",
    after_help = "Nodes are matched by the line of moves from the root. The exit code is 0 where the trees are the same, 1 where they \
    differ, 2 where they cannot be compared. A query is asked of the merged tree: a node has A's attributes, B's as \
    `other.NAME`, and `only_a`, `only_b`, `matched`, `changed`, `cause`.\n\nExamples:\n  \
    gt diff old.gtf new.gtf\n  gt diff run.gtf --tree-a 3 --tree-b 4 --ignore depth\n  \
    gt diff old.gtf new.gtf --format html -o diff.html\n  gt diff old.gtf new.gtf -o merged.gtf\n  \
    gt diff old.gtf new.gtf 'node: matched and best != other.best select @line, best, other.best limit 10'"
)]
pub(crate) struct Arguments {
    /// The two logs, or one with two of its trees; then a query of both, if any
    #[arg(required = true, value_name = "A B QUERY", num_args = 1..=3)]
    pub(super) positional: Vec<OsString>,
    /// Which tree of both logs: a number from 0, `last`, `largest`, or -1 for the last (default: the last complete one)
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = TreeChoice::read)]
    pub(super) tree: Option<TreeChoice>,
    /// Which tree of A
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = TreeChoice::read)]
    pub(super) tree_a: Option<TreeChoice>,
    /// Which tree of B
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = TreeChoice::read)]
    pub(super) tree_b: Option<TreeChoice>,
    /// Attributes that are not compared
    #[arg(long, value_name = "ATTR", value_delimiter = ',')]
    pub(super) ignore: Vec<String>,
    /// The only attributes that are compared
    #[arg(long, value_name = "ATTR", value_delimiter = ',')]
    pub(super) only: Vec<String>,
    /// An attribute that names positions: nodes in one tree only are also matched by it
    #[arg(long, value_name = "ATTR")]
    pub(super) key: Option<String>,
    /// How to print moves (default: as text; in a query's json and csv as numbers)
    #[arg(long, value_enum)]
    pub(super) moves: Option<Moves>,
    /// How to write it (default: text; with a query, table; with `-o x.gtf`, gtf)
    #[arg(long, value_enum)]
    pub(super) format: Option<Format>,
    /// Give `$NAME` of the query a value; may be repeated
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = Parameter::read)]
    pub(super) parameters: Vec<Parameter>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) force: Force,
    /// How many threads work; 0 for as many as there are processors
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) threads: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Words and tables for a terminal
    Text,
    /// One object with all numbers; with a query, its answers
    Json,
    /// One page that needs nothing else
    Html,
    /// The merged tree as a log, in the file given by `-o`
    Gtf,
    /// A query's answers in aligned columns
    Table,
    /// A query's answers as comma-separated values
    Csv,
    /// The node_ids of a query's nodes in the merged tree
    Ids,
}

impl Arguments {
    /// Whether the result goes into a file.
    pub(crate) fn writes_files(&self) -> bool {
        self.output.is_some()
    }
}
