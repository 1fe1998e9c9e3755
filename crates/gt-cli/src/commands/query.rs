//! `gt query`: answers of GTQL queries on the trees of logs.
//!
//! ```text
//! LOG... ──Source──▶ trees ┐
//!                          ├─ bind all ──Call──▶ run each ──▶ Printer ──▶ standard output, or a file
//! QUERY or FILE ──QueryText┘
//! ```
//!
//! **Invariant:** where a query has an error on any of the trees, nothing is run on any.

pub(super) mod about;
mod call;
mod columnar;
pub(super) mod content;
mod csv;
mod expect;
mod fleet;
pub(super) mod format;
pub(super) mod json;
pub(super) mod parameter;
pub(super) mod printer;
mod result_files;
pub(super) mod run;
mod sheet;
pub(super) mod source;
pub(super) mod table;
mod within;
pub(super) mod wording;
pub(super) mod words;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use gt_log::Tree;
use gt_query::Program;
use gt_query::engine;

use super::Outcome;
use super::names::OtherNames;
use super::trees::{self, Condition, TreeChoice};
use crate::failure::Failure;
use crate::moves::tell_unknown_position;
use crate::printable;
use crate::tell::{tell, tell_lines};
use call::Call;
use expect::Expectation;
use format::{Format, Moves};
use parameter::Parameter;
use printer::PrintOptions;
use source::{QueryText, Source};
use table::Limit;
use words::logs_and_query;

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
    positional: Vec<OsString>,
    /// Read the queries from a file; `-` is standard input
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// How to print moves (default: as numbers in json and csv, else as text)
    #[arg(long, value_enum)]
    moves: Option<Moves>,
    /// Print numbers as they are: moves too, and in tables and csv values that have words: aliases, mates
    #[arg(long)]
    raw: bool,
    #[command(flatten)]
    names: OtherNames,
    /// Give `$NAME` a value; one in double quotes is a text (`--param 'k="12"'`); may be repeated
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = Parameter::read)]
    parameters: Vec<Parameter>,
    /// Only this tree of each log: a number from 0, `last`, `largest`, -1 for the last, or `depth=9`; may be repeated
    #[arg(long = "tree", value_name = "TREE", allow_hyphen_values = true, value_parser = TreeChoice::read)]
    trees: Vec<TreeChoice>,
    /// Only trees whose metadata say so: `nominal_depth >= 8`
    #[arg(long = "where", value_name = "CONDITION", value_parser = Condition::read)]
    condition: Option<Condition>,
    /// Let only nodes of this result file (`.gti`) match; all that a query reads of others stays as it is
    #[arg(long, value_name = "FILE", conflicts_with = "explain")]
    within: Option<PathBuf>,
    /// What becomes of logs without an answer (default: `row` where a LOG is a pattern, else `raise` for all logs at once)
    #[arg(long, value_enum)]
    errors: Option<fleet::Errors>,
    /// One answer over all logs: their aggregates and groups joined
    #[arg(long)]
    combine: bool,
    /// Exit with code 1 where the number of an answer (of a list, its length) is not so: `= N`, `!= N`, `< N`, `<= N`,
    /// `> N`, `>= N` or `A..B`
    #[arg(long, value_name = "TEST", value_parser = Expectation::read, conflicts_with = "explain")]
    expect: Option<Expectation>,
    /// Print how many nodes or rows there are, and not these; refused where the answer is a value
    #[arg(long)]
    count: bool,
    /// Print how the queries would be answered, and run nothing
    #[arg(long)]
    explain: bool,
    /// Say on standard error what was read and how long each part took
    #[arg(long)]
    stats: bool,
    /// How many threads work; 0 for as many as there are processors
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// What groups and ordered rows may take in memory, as in 512M or 4G
    #[arg(long, value_name = "SIZE", value_parser = gt_play::parse_size, default_value = "1G")]
    memory: usize,
    /// How many nodes or rows of an answer to print, 0 for all (default: of a table on a terminal a screenful, else all)
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Write the answers into this file; for `--format gti`, the folder for its files
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Arguments {
    /// Whether the answers go into files.
    pub(crate) fn writes_files(&self) -> bool {
        self.output.is_some()
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let (paths, text) = logs_and_query(&arguments.positional, arguments.file.as_deref())?;
    let expanded = gt_fleet::expand(&paths).map_err(Failure::new)?;
    if expanded.had_pattern || arguments.errors.is_some() || arguments.combine {
        return fleet::run(arguments, &expanded.paths, &text, out);
    }
    let sources = paths.iter().map(|path| arguments.names.open(path)).collect::<Result<Vec<_>, _>>()?;
    let mut asked = Vec::new();
    for source in &sources {
        let trees =
            trees::several(&source.log, &source.path, &arguments.trees, arguments.condition.as_ref())?;
        if trees.is_empty() {
            tell(format_args!("{}: there is no tree in it", source.path.display()));
        }
        asked.extend(trees.into_iter().map(|tree| (source, tree)));
    }
    if asked.is_empty() {
        return Err(Failure::new("there is nothing to ask"));
    }
    let within = match &arguments.within {
        Some(path) => Some(within::choose(path, &mut asked)?),
        None => None,
    };
    if arguments.file.is_none() {
        text.note().into_iter().for_each(tell);
    }
    if matches!(arguments.moves, Some(Moves::Text | Moves::San)) {
        for source in sources.iter().filter(|source| !source.names_moves()) {
            let path = source.path.display();
            tell(format_args!(
                "{path}: the notation of its game is not known here; moves are printed as numbers"
            ));
        }
    }
    if let Some(moves) = arguments.moves {
        asked
            .iter()
            .for_each(|(source, tree)| tell_unknown_position(moves, &source.path, &source.log, *tree));
    }
    let queries = match check_all(arguments, &text, &asked)? {
        Checked::Errors(drawn) => {
            tell_lines(&drawn);
            return Ok(ExitCode::from(2));
        }
        Checked::Queries { count, notes } => {
            notes.iter().for_each(|note| tell_lines(note));
            count
        }
    };
    if arguments.explain {
        return explain(arguments, &asked, &text, out);
    }
    let limit = Limit { rows_max: rows_max(arguments), mend: "`--limit 0`" };
    let several = queries * asked.len() > 1;
    let (format, moves, raw) = (arguments.format, arguments.moves, arguments.raw);
    let print = PrintOptions { format, moves, raw, several, limit };
    let inputs = paths.iter().chain(&arguments.file).chain(&arguments.within).cloned().collect();
    let within = within.as_ref();
    Call { arguments, text: &text, asked: &asked, logs: &paths, inputs, within, print }.answer(out)
}

enum Checked {
    /// All are bound: so many queries, and what there is to be said of them, drawn for people.
    Queries { count: usize, notes: Vec<String> },
    /// What is wrong, drawn for people.
    Errors(String),
}

/// Binds the queries to every tree, so that nothing runs where one cannot.
fn check_all(
    arguments: &Arguments,
    text: &QueryText,
    asked: &[(&Source, Tree<'_>)],
) -> Result<Checked, Failure> {
    let (mut seen, mut drawn) = (Vec::new(), String::new());
    let (mut queries, mut notes) = (0, Vec::new());
    for (source, tree) in asked {
        match text.bind(source, *tree, &arguments.parameters) {
            Ok(program) => {
                arguments.format.check(arguments.count, &program)?;
                if arguments.expect.is_some() {
                    Expectation::check(&program)?;
                }
                queries = program.queries.len();
                // The same note on many trees is one note.
                let new = text.draw_notes(&program.notes).into_iter().filter(|note| !notes.contains(note));
                notes.extend(new.collect::<Vec<_>>());
            }
            // The same error on many trees is one error.
            Err(errors) if seen.contains(&errors) => {}
            Err(errors) => {
                if asked.len() > 1 {
                    drawn += &format!("gt: {}, tree {}:\n", source.path.display(), tree.number());
                }
                drawn += &errors;
                seen.push(errors);
            }
        }
    }
    if !drawn.is_empty() {
        return Ok(Checked::Errors(drawn));
    }
    if queries == 0 {
        return Err(Failure::new(format!("{}: there is no query in it", text.name)));
    }
    Ok(Checked::Queries { count: queries, notes })
}

/// Binds what was bound before.
fn bind(
    text: &QueryText,
    source: &Source,
    tree: Tree<'_>,
    parameters: &[Parameter],
) -> Result<Program, Failure> {
    text.bind(source, tree, parameters).map_err(Failure::new)
}

/// Prints how each tree would be asked; trees of a log that would be asked alike are told once.
fn explain(
    arguments: &Arguments,
    asked: &[(&Source, Tree<'_>)],
    text: &QueryText,
    out: &mut dyn Write,
) -> Outcome {
    let mut plans: Vec<(&Source, Vec<usize>, String)> = Vec::new();
    for &(source, tree) in asked {
        let program = bind(text, source, tree, &arguments.parameters)?;
        let plan = engine::explain(&program, tree);
        match plans.iter_mut().find(|(of, _, same)| of.path == source.path && *same == plan) {
            Some((_, trees, _)) => trees.push(tree.number()),
            None => plans.push((source, vec![tree.number()], plan)),
        }
    }
    for (number, (source, trees, plan)) in plans.iter().enumerate() {
        if asked.len() > 1 {
            let gap = if number > 0 { "\n" } else { "" };
            let trees: Vec<String> = trees.iter().map(usize::to_string).collect();
            let word = if trees.len() == 1 { "tree" } else { "trees" };
            writeln!(out, "{gap}{}, {word} {}:", printable::path(&source.path), trees.join(", "))?;
        }
        write!(out, "{}", printable::lines(plan))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// How many nodes or rows of an answer are printed.
fn rows_max(arguments: &Arguments) -> usize {
    /// Lines of a screen that are left for what stands around a table.
    const LINES_AROUND: usize = 4;
    const ROWS_MIN: usize = 20;
    match arguments.limit {
        Some(0) => usize::MAX,
        Some(rows) => rows,
        None if arguments.format != Format::Table || arguments.output.is_some() => usize::MAX,
        None if !std::io::stdout().is_terminal() => usize::MAX,
        None => {
            let lines = terminal_size::terminal_size().map_or(ROWS_MIN, |(_, height)| usize::from(height.0));
            lines.saturating_sub(LINES_AROUND).max(ROWS_MIN)
        }
    }
}
