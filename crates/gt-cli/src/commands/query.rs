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
mod arguments;
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

use std::io::Write;
use std::process::ExitCode;

use gt_log::Tree;
use gt_query::engine;

use super::trees;
use crate::failure::{Failure, Outcome};
use crate::moves::tell_unknown_position;
use crate::printable;
use crate::tell::{tell, tell_lines};
pub(crate) use arguments::Arguments;
use call::Call;
use expect::Expectation;
use format::Moves;
use printer::PrintOptions;
use source::{QueryText, Source};
use table::Limit;
use words::logs_and_query;

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
    let limit = Limit { rows_max: arguments.rows_max(), mend: "`--limit 0`" };
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

/// Prints how each tree would be asked; trees of a log that would be asked alike are told once.
fn explain(
    arguments: &Arguments,
    asked: &[(&Source, Tree<'_>)],
    text: &QueryText,
    out: &mut dyn Write,
) -> Outcome {
    let mut plans: Vec<(&Source, Vec<usize>, String)> = Vec::new();
    for &(source, tree) in asked {
        let program = text.bind_again(source, tree, &arguments.parameters)?;
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
