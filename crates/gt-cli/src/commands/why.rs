//! `gt why`: a line of moves explained.
//!
//! The explanation and its words are gt-why's; this opens the log, reads the moves of the line and names those of the answer.

mod line;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use gt_report::document;
use gt_why::{TreeChoice, explain};

use super::names::OtherNames;
use super::profile::{name_of, style};
use super::trees;
use crate::failure::{Failure, Outcome};
use crate::moves::{Moves, TreeMoves, tell_unknown_position};
use crate::printable;

/// Explain why a move or a line of moves was played, or why not
#[derive(clap::Args)]
#[command(
    after_help = "Along the line, ply by ply: its place in the order of moves, depth, window, value, what ended the node and the best \
    reply; then one sentence on why it was played or not, and the line in the search's other iterations. Without a line, the move \
    that was played is explained.\n\nExamples:\n  gt why run.gtf\n  gt why run.gtf 'e5f3 g2f3'\n  gt why run.gtf 'Nf3+' --tree 5\n  \
    gt why run.gtf 'e5f3' --format json\n  gt why run.gtf --moves san"
)]
pub(crate) struct Arguments {
    /// The log
    log: PathBuf,
    /// Moves from the root, in the game's notation; where the game is not known, by the log's names or as numbers
    #[arg(value_name = "MOVES")]
    line: Option<String>,
    /// Which tree: a number from 0, `last`, `largest`, -1 for the last, or `depth=9` (default: that of the last iteration that was
    /// completed)
    #[arg(long, value_name = "TREE", allow_hyphen_values = true, value_parser = trees::TreeChoice::read)]
    tree: Option<trees::TreeChoice>,
    #[command(flatten)]
    names: OtherNames,
    /// How to print moves
    #[arg(long, value_enum, default_value_t = Moves::Text)]
    moves: Moves,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Words and tables
    Text,
    /// One object
    Json,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let path = &arguments.log;
    let source = arguments.names.open(path)?;
    let about = |error: gt_why::Error| Failure::about(path, error);
    let choice = match &arguments.tree {
        Some(choice) => TreeChoice::Number(choice.of(&source.log, path)?.number()),
        None => TreeChoice::LastComplete,
    };
    let tree = gt_why::tree(&source.log, choice).map_err(about)?;
    tell_unknown_position(arguments.moves, path, &source.log, tree);
    let numbers = match &arguments.line {
        // Which position the moves are made in, the tree says.
        Some(text) => line::numbers(&source, tree, text)?,
        None => Vec::new(),
    };
    let choice = TreeChoice::Number(tree.number());
    let explanation = explain(&source.log, choice, &numbers).map_err(about)?;
    let names = TreeMoves::new(&source.log, tree, arguments.moves);
    match arguments.format {
        Format::Text => {
            let document = printable::document(explanation.document(&name_of(path), &names));
            write!(out, "{}", document::text(&document, style(true)))?;
        }
        Format::Json => {
            let json = serde_json::to_string_pretty(&explanation.with_names(&names));
            let json = json.map_err(|error| Failure::about(path, error))?;
            writeln!(out, "{}", printable::json(&json))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
