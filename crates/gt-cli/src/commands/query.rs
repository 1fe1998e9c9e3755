//! `gt query`: answers of GTQL queries on the trees of logs.
//!
//! ```text
//! LOG... ──Source──▶ trees ┐
//!                          ├─ bind all, then run each ──▶ Printer
//! QUERY or FILE ──QueryText┘
//! ```
//!
//! **Invariant:** where a query has an error on any of the trees, nothing is run on any.

mod answered;
mod csv;
mod json;
mod notation;
pub(super) mod parameter;
pub(super) mod printer;
mod result_files;
pub(super) mod run;
pub(super) mod source;
mod table;
pub(super) mod words;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use gt_log::Tree;
use gt_query::Program;
use gt_query::engine::{self, Options};

use super::Outcome;
use crate::failure::Failure;
use parameter::Parameter;
use printer::{Format, Limit, Printer, check};
use run::Asked;
use source::{QueryText, Source};
use words::logs_and_query;

/// Ask the trees of logs: nodes, counts and tables by queries in GTQL
#[derive(clap::Args)]
#[command(
    override_usage = "gt query [OPTIONS] LOG... 'QUERY'\n       gt query [OPTIONS] LOG... -f FILE",
    after_help = "All queries of a file are answered in one pass over each tree. A parameter `$x` is what `--param` says, \
    or else what the tree's or the log's metadata says (`$nominal_depth`). The count in JSON is the length of the list, \
    or the number itself.\n\nExamples:\n  \
    gt query tree.gtf 'node: type & PVNode; child: count([]type & PVNode) > 2'\n  \
    gt query run/*.gtf 'node: count(ply > $x + 5)' --param x=8\n  \
    gt query tree.gtf 'node: last_move = \"e2e4\" select @line, best order by best limit 10'\n  \
    gt query tree10.gtf -f queries.gtql --format gti -o results"
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
    /// Give `$NAME` a value; one in double quotes is a text (`k="12"`); may be repeated
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = Parameter::read)]
    parameters: Vec<Parameter>,
    /// Only this tree of each log, from 0; may be repeated
    #[arg(long = "tree", value_name = "K")]
    trees: Vec<usize>,
    /// Only count, without collecting
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
    /// How many rows of a table to print, 0 for all (default: a screenful on a terminal, else all)
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// The folder for the files of `--format gti`
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let (paths, text) = logs_and_query(&arguments.positional, arguments.file.as_deref())?;
    let sources = paths.iter().map(|path| Source::open(path)).collect::<Result<Vec<_>, _>>()?;
    let mut asked = Vec::new();
    for source in &sources {
        let trees = source.trees(&arguments.trees)?;
        if trees.is_empty() {
            eprintln!("gt: {}: there is no tree in it", source.path.display());
        }
        asked.extend(trees.into_iter().map(|tree| (source, tree)));
    }
    if asked.is_empty() {
        return Err(Failure::new("there is nothing to ask"));
    }
    let queries = match check_all(arguments, &text, &asked)? {
        Checked::Errors(drawn) => {
            eprint!("{drawn}");
            return Ok(ExitCode::from(2));
        }
        Checked::Queries(queries) => queries,
    };
    if arguments.explain {
        return explain(arguments, &sources, &text, out);
    }
    let limit = Limit { rows_max: rows_max(arguments.limit), mend: "`--limit 0`" };
    let several = queries * asked.len() > 1;
    let mut printer = Printer::new(arguments.format, several, limit, arguments.output.as_deref())?;
    let options = Options { threads: arguments.threads, count_only: arguments.count, cancel: None };
    let mut code = ExitCode::SUCCESS;
    for (source, tree) in asked {
        let program = bind(&text, source, tree, &arguments.parameters)?;
        let with_tree = source.log.tree_count() > 1;
        let told = Asked { source, tree, text: &text, program: &program, with_tree }.tell(
            &options,
            &mut printer,
            out,
        )?;
        for error in &told.errors {
            eprint!("gt: {}, tree {}:\n{error}", source.path.display(), tree.number());
            code = ExitCode::from(2);
        }
        if arguments.stats {
            eprint!("{}", told.stats);
        }
    }
    Ok(code)
}

enum Checked {
    /// All are bound; so many queries.
    Queries(usize),
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
    let mut queries = 0;
    for (source, tree) in asked {
        match text.bind(source, *tree, &arguments.parameters) {
            Ok(program) => {
                check(arguments.format, arguments.count, &program)?;
                queries = program.queries.len();
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
    Ok(Checked::Queries(queries))
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

fn explain(arguments: &Arguments, sources: &[Source], text: &QueryText, out: &mut dyn Write) -> Outcome {
    for (number, source) in sources.iter().enumerate() {
        let Some(tree) = source.trees(&arguments.trees)?.into_iter().next() else { continue };
        let program = bind(text, source, tree, &arguments.parameters)?;
        if sources.len() > 1 {
            let gap = if number > 0 { "\n" } else { "" };
            writeln!(out, "{gap}{}:", source.path.display())?;
        }
        write!(out, "{}", engine::explain(&program, tree))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// How many rows of a table are printed.
fn rows_max(asked: Option<usize>) -> usize {
    /// Lines of a screen that are left for what stands around a table.
    const LINES_AROUND: usize = 4;
    const ROWS_MIN: usize = 20;
    match asked {
        Some(0) => usize::MAX,
        Some(rows) => rows,
        None if !std::io::stdout().is_terminal() => usize::MAX,
        None => {
            let lines = terminal_size::terminal_size().map_or(ROWS_MIN, |(_, height)| usize::from(height.0));
            lines.saturating_sub(LINES_AROUND).max(ROWS_MIN)
        }
    }
}
