//! One call of `gt query`: its queries on all its trees, and where the answers go.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gt_convert::{TableColumn, TableFile};
use gt_log::Tree;
use gt_query::engine::{NodeSet, Options};
use gt_query::{Value, stream};
use gt_report::grouped;

use super::arguments::Arguments;
use super::columnar::{Columnar, failed, table_columns};
use super::format::Format;
use super::printer::{PrintOptions, Printer, Target, on_terminal};
use super::result_files::ResultFiles;
use super::run::{RunSummary, TreeQuery};
use super::source::{QueryText, Source};
use crate::commands::files::new_file;
use crate::failure::{Failure, Outcome};
use crate::printable;
use crate::progress::Progress;
use crate::tell::{tell, tell_lines};
use gt_fleet::Column;

pub(super) struct Call<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) text: &'a QueryText,
    pub(super) asked: &'a [(&'a Source, Tree<'a>)],
    pub(super) logs: &'a [PathBuf],
    /// All files that are read, which no output may replace.
    pub(super) inputs: Vec<PathBuf>,
    /// The nodes that can match, where not all can.
    pub(super) within: Option<&'a NodeSet>,
    pub(super) print: PrintOptions,
}

impl Call<'_> {
    /// Answers all queries on all trees.
    pub(super) fn answer(&self, out: &mut dyn Write) -> Outcome {
        let is_whole = !self.print.format.is_text();
        if is_whole && self.arguments.limit.is_some() {
            return Err(Failure::new(
                "result files are whole, and `--limit` is for what is printed; write `limit N` into the query",
            ));
        }
        match (self.print.format, &self.arguments.output) {
            (Format::Gti, None) => {
                Err(Failure::new("`--format gti` writes files: name a folder with `-o DIR`"))
            }
            (Format::Gti, Some(folder)) => self.run(
                out,
                Target::Files(ResultFiles::new(folder, self.logs, &self.inputs)?),
                on_terminal(),
            ),
            (_, Some(file)) => self.write_file(file, out),
            (Format::Parquet, None) => {
                Err(Failure::new("`--format parquet` writes a file: name it with `-o FILE`"))
            }
            (Format::Arrow, None) if on_terminal() => Err(Failure::new(
                "an Arrow stream is not for terminals: pipe it, or name a file with `-o FILE`",
            )),
            (Format::Arrow, None) => {
                let table = TableFile::arrow_stream(&self.table_columns()?, out).map_err(failed)?;
                self.run(&mut io::sink(), self.table(table), false)
            }
            (Format::Table | Format::Json | Format::Csv | Format::Ids, None) => {
                self.run(out, Target::Text, on_terminal())
            }
        }
    }

    /// Writes the answers into a file, whole or not at all.
    fn write_file(&self, path: &Path, out: &mut dyn Write) -> Outcome {
        let inputs = self.inputs.iter().map(PathBuf::as_path).collect::<Vec<_>>();
        let code = new_file(path, &inputs, |file| {
            let code = match self.print.format {
                Format::Parquet => {
                    let table = TableFile::parquet(&self.table_columns()?, file).map_err(failed)?;
                    self.run(&mut io::sink(), self.table(table), false)?
                }
                Format::Arrow => {
                    let table = TableFile::arrow_file(&self.table_columns()?, file).map_err(failed)?;
                    self.run(&mut io::sink(), self.table(table), false)?
                }
                Format::Table | Format::Json | Format::Csv | Format::Ids | Format::Gti => {
                    self.run(file, Target::Text, false)?
                }
            };
            if code == no_answer() {
                return Err(Failure::about(path, "it was not written, as a query has no answer"));
            }
            Ok(code)
        })?;
        let bytes = std::fs::metadata(path).map_or(0, |file| file.len());
        writeln!(out, "{}: {} bytes", printable::path(path), grouped(bytes))?;
        Ok(code)
    }

    fn table<'o>(&self, file: TableFile<'o>) -> Target<'o> {
        Target::Table(Columnar::new(file, self.print.several))
    }

    /// The columns of a table for the answers on all trees.
    fn table_columns(&self) -> Result<Vec<TableColumn>, Failure> {
        let mut first: Option<(&Source, Vec<TableColumn>)> = None;
        for &(source, tree) in self.asked {
            let program = self.text.bind_again(source, tree, &self.arguments.parameters)?;
            let columns = Column::all_of(&program, 0, source.log.schema(), self.arguments.count);
            let namers = self.print.namers(source, tree);
            let wording = self.print.wording(source, tree, &namers);
            let columns = table_columns(&columns, self.print.several, wording);
            match &first {
                None => first = Some((source, columns)),
                Some((of, same)) if *same != columns => {
                    return Err(Failure::new(format!(
                        "the answers of {} and {} have columns of different types; write a file for each",
                        of.path.display(),
                        source.path.display()
                    )));
                }
                Some(_) => {}
            }
        }
        Ok(first.map(|(_, columns)| columns).unwrap_or_default())
    }

    fn run(&self, out: &mut dyn Write, target: Target<'_>, on_terminal: bool) -> Outcome {
        let arguments = self.arguments;
        let mut printer = Printer::new(self.print, target, on_terminal);
        let bar = arguments.output.as_ref().map(|_| Progress::new("asking", Some(0)));
        let show = |progress: stream::Progress| {
            bar.iter().for_each(|bar| bar.set_of(progress.blocks_done, progress.blocks));
        };
        let options = Options {
            threads: arguments.threads,
            count_only: arguments.count,
            progress: bar.as_ref().map(|_| &show as &(dyn Fn(stream::Progress) + Sync)),
            memory: arguments.memory,
            within: self.within,
            ..Options::default()
        };
        let mut code = ExitCode::SUCCESS;
        for &(source, tree) in self.asked {
            let program = self.text.bind_again(source, tree, &arguments.parameters)?;
            let with_tree = source.log.tree_count() > 1;
            let query = TreeQuery { source, tree, text: self.text, program: &program, with_tree };
            let summary = query.run(&options, &mut printer, out)?;
            for error in &summary.errors {
                let source = source.path.display();
                tell_lines(&format!("gt: {source}, tree {}:\n{error}", tree.number()));
                code = no_answer();
            }
            if !self.are_expected(&summary) && code == ExitCode::SUCCESS {
                code = ExitCode::FAILURE;
            }
            if arguments.stats {
                tell_lines(&summary.stats);
            }
        }
        printer.finish()?;
        Ok(code)
    }

    /// Whether the numbers of a tree's answers are what `--expect` says; says which are not.
    fn are_expected(&self, summary: &RunSummary) -> bool {
        let Some(expectation) = &self.arguments.expect else { return true };
        let complaint = |(label, number): &(String, Option<Value>)| {
            expectation.complaint(number.as_ref()).map(|complaint| format!("{label}: {complaint}"))
        };
        let complaints: Vec<String> = summary.numbers.iter().filter_map(complaint).collect();
        complaints.iter().for_each(tell);
        complaints.is_empty()
    }
}

/// The exit code of a call with a query that has no answer.
fn no_answer() -> ExitCode {
    ExitCode::from(2)
}
