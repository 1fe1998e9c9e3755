//! A query of both trees: asked of the merged tree, answered as `gt query` does.

use std::io::Write;
use std::process::ExitCode;

use gt_diff::Diff;
use gt_log::LogWriter;
use gt_query::engine::Options;

use super::arguments::Arguments;
use super::inputs::Inputs;
use crate::commands::files::{self, new_file};
use crate::commands::query::format::Format;
use crate::commands::query::printer::{PrintOptions, Printer, Target, on_terminal};
use crate::commands::query::run::TreeQuery;
use crate::commands::query::source::{QueryText, Source};
use crate::commands::query::table::Limit;
use crate::failure::{Failure, Outcome};
use crate::tell::tell_lines;

/// Writes the merged tree beside everything else, asks it, and forgets it.
pub(super) fn answer(
    arguments: &Arguments,
    inputs: &Inputs,
    diff: &Diff<'_>,
    format: Format,
    out: &mut dyn Write,
) -> Outcome {
    let Some(query) = &inputs.query else { return Ok(ExitCode::SUCCESS) };
    let folder = tempfile::tempdir().map_err(|error| Failure::about(&std::env::temp_dir(), error))?;
    let path = folder.path().join("merged.gtf");
    let write = || -> Result<(), gt_diff::Error> {
        let log = LogWriter::create(&path, diff.merged_header()?)?;
        diff.write_merged(&log)?;
        log.finish()?;
        Ok(())
    };
    write().map_err(|error| inputs.blame(&error))?;
    let mut source = Source::open(&path)?;
    source.path = inputs.name();
    let text = QueryText::new("query", query.as_str());
    text.note().into_iter().for_each(crate::tell::tell);
    let asked = Asked { arguments, source: &source, text: &text, format };
    match &arguments.output {
        None => asked.run(out, on_terminal()),
        Some(target) => new_file(target, &inputs.paths(), |file| match asked.run(file, false)? {
            code if code == ExitCode::SUCCESS => Ok(code),
            _ => Err(Failure::about(target, "it was not written, as a query has no answer")),
        }),
    }
}

struct Asked<'a> {
    arguments: &'a Arguments,
    source: &'a Source,
    text: &'a QueryText,
    format: Format,
}

impl Asked<'_> {
    fn run(&self, out: &mut dyn Write, on_terminal: bool) -> Outcome {
        let Self { arguments, source, text, format } = *self;
        let tree = files::tree(&source.log, &source.path, 0)?;
        let program = match text.bind(source, tree, &arguments.parameters) {
            Ok(program) => program,
            Err(errors) => {
                tell_lines(&errors);
                return Ok(ExitCode::from(2));
            }
        };
        text.draw_notes(&program.notes).iter().for_each(|note| tell_lines(note));
        format.check(false, &program)?;
        let limit = Limit { rows_max: usize::MAX, mend: "`limit`" };
        let several = program.queries.len() > 1;
        let print = PrintOptions { format, moves: arguments.moves, raw: false, several, limit };
        let mut printer = Printer::new(print, Target::Text, on_terminal);
        let options = Options { threads: arguments.threads, ..Options::default() };
        let query = TreeQuery { source, tree, text, program: &program, with_tree: false };
        let summary = query.run(&options, &mut printer, out)?;
        printer.finish()?;
        summary
            .errors
            .iter()
            .for_each(|error| tell_lines(&format!("gt: {}:\n{error}", source.path.display())));
        Ok(if summary.errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) })
    }
}
