//! `gt profile`: where the nodes of a search went.
//!
//! The figures, their queries and their words are gt-report's; this opens the log, names its moves and writes the result.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gt_log::{Log, Tree};
use gt_query::engine::Options;
use gt_report::document;
use gt_report::plot::Style;
use gt_report::profile::{Profile, figures_of, query_file, searches};
use gt_report::{NameMoves, counted};

use super::files;
use super::names::OtherNames;
use super::picture::blocks::illustrated;
use super::trees::{self, TreeChoice};
use crate::failure::{Failure, Outcome};
use crate::moves::{Moves, TreeMoves, tell_unknown_position};
use crate::printable;

/// Show where the nodes of a search went: by ply, type and cause, with the heaviest lines
#[derive(clap::Args)]
#[command(
    after_help = "Every figure is the answer of a GTQL query, or arithmetic on such answers; `--queries` prints them as a file for \
    `gt query -f`. Figures that need attributes this log does not have are named at the end.\n\nExamples:\n  \
    gt profile run.gtf\n  gt profile run.gtf --tree 3 --format json\n  gt profile games.gtf --search 2\n  gt profile run.gtf --format html -o profile.html\n  \
    gt profile run.gtf --queries > profile.gtql && gt query run.gtf --tree 7 -f profile.gtql"
)]
pub(crate) struct Arguments {
    /// The log
    log: PathBuf,
    /// Which tree: a number from 0, `last`, `largest`, -1 for the last, or `depth=9` (default: the largest)
    #[arg(long, value_name = "TREE", allow_hyphen_values = true, value_parser = TreeChoice::read)]
    tree: Option<TreeChoice>,
    /// Which search of the log, from 0, by its largest tree
    #[arg(long, value_name = "K", conflicts_with = "tree")]
    search: Option<usize>,
    #[command(flatten)]
    names: OtherNames,
    /// How to print moves
    #[arg(long, value_enum, default_value_t = Moves::Text)]
    moves: Moves,
    /// How to write it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print the queries behind the figures, and run nothing
    #[arg(long)]
    queries: bool,
    /// How many threads work; 0 for as many as there are processors
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Words, tables and small plots for a terminal
    Text,
    /// One object with all numbers, charts and tables
    Json,
    /// One page with the board, the tree and plots inside, that needs nothing else
    Html,
}

impl Arguments {
    /// Whether the result goes into a file.
    pub(crate) fn writes_files(&self) -> bool {
        self.output.is_some()
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let path = &arguments.log;
    let source = arguments.names.open(path)?;
    let selection = figures_of(&source.log).map_err(|error| Failure::about(path, error))?;
    if arguments.queries {
        return deliver(arguments, &query_file(&selection.figures), out);
    }
    let tree = chosen_tree(arguments, &source.log)?;
    let options = Options { threads: arguments.threads, ..Options::default() };
    let profile =
        Profile::of(&source.log, tree, &selection, &options).map_err(|error| Failure::about(path, error))?;
    tell_unknown_position(arguments.moves, path, &source.log, tree);
    let named = TreeMoves::new(&source.log, tree, arguments.moves);
    let moves: Option<&dyn NameMoves> = Some(&named);
    let name = name_of(path);
    let text = match arguments.format {
        Format::Text => document::text(
            &printable::document(profile.document(&name, moves)),
            style(arguments.output.is_none()),
        ),
        Format::Html => {
            document::html(&illustrated(profile.document(&name, moves), &source, tree, arguments.moves)?)
        }
        Format::Json => printable::json(&format!("{:#}\n", profile.to_json(&name, moves))).into_owned(),
    };
    deliver(arguments, &text, out)
}

/// The tree that was asked for, that of the search that was asked for, or the log's largest.
fn chosen_tree<'a>(arguments: &Arguments, log: &'a Log) -> Result<Tree<'a>, Failure> {
    let path = &arguments.log;
    let Some(number) = arguments.search else { return trees::chosen(log, path, arguments.tree.as_ref()) };
    let searches = searches(log).map_err(|error| Failure::about(path, error))?;
    let search = searches.get(number).ok_or_else(|| {
        let held = counted(searches.len() as u64, "search");
        Failure::about(path, format!("there is no search {number}: the log holds {held}, counted from 0"))
    })?;
    search.largest_tree(log).ok_or_else(|| Failure::about(path, "there is no tree in it"))
}

/// The log's name without its folders.
pub(super) fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn deliver(arguments: &Arguments, text: &str, out: &mut dyn Write) -> Outcome {
    match &arguments.output {
        None => out.write_all(text.as_bytes())?,
        Some(target) => files::new_text(target, &[&arguments.log], text)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What the place that is written to can show.
pub(super) fn style(to_standard_output: bool) -> Style {
    let is_terminal = to_standard_output && std::io::stdout().is_terminal();
    let width = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)).filter(|_| is_terminal);
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    // The first of these that is set says which characters a terminal has; a file takes all.
    let language = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    let plain = language.is_some_and(|language| matches!(language.as_str(), "C" | "POSIX"));
    let dumb = set("TERM").is_some_and(|terminal| terminal == "dumb");
    Style {
        width: width.unwrap_or(100),
        unicode: !(is_terminal && (plain || dumb)),
        color: is_terminal && !dumb && set("NO_COLOR").is_none(),
    }
}
