//! Prints answers in the format that was asked for, with their source where there are several.

use std::io::{self, Write};
use std::path::Path;

use gt_query::Answer;
use gt_query::ir::{Outcome, Program};

use super::answered::{Answered, one_line};
use super::csv::Csv;
use super::result_files::ResultFiles;
use super::{json, table};
use crate::failure::Failure;
pub(crate) use table::Limit;

/// How answers are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns for people, moves in the game's notation
    Table,
    /// An object on a line for each query and tree
    Json,
    /// Comma-separated values
    Csv,
    /// The node_ids alone, one on a line
    Ids,
    /// Result files in the folder given by `-o`, one for each query and tree
    Gti,
}

/// Prints the answers of one call.
pub(crate) struct Printer {
    format: Format,
    limit: Limit,
    /// Whether there is more than one answer, so that each needs its source.
    several: bool,
    csv: Csv,
    files: Option<ResultFiles>,
    printed: usize,
}

impl Printer {
    /// A printer; `folder` is for result files.
    pub(crate) fn new(
        format: Format,
        several: bool,
        limit: Limit,
        folder: Option<&Path>,
    ) -> Result<Self, Failure> {
        let files = match (format, folder) {
            (Format::Gti, Some(folder)) => Some(ResultFiles::new(folder)?),
            (Format::Gti, None) => {
                return Err(Failure::new("`--format gti` writes files: name a folder with `-o DIR`"));
            }
            (_, Some(_)) => {
                return Err(Failure::new("`-o` is the folder of `--format gti`; other formats are printed"));
            }
            (_, None) => None,
        };
        Ok(Self { format, limit, several, csv: Csv::new(several), files, printed: 0 })
    }

    /// Prints an answer; `with_tree` puts the tree into the name of its file.
    pub(crate) fn print(
        &mut self,
        out: &mut dyn Write,
        answered: &Answered<'_>,
        with_tree: bool,
    ) -> Result<(), Failure> {
        match self.format {
            Format::Json => json::print(out, answered)?,
            Format::Csv => self.csv.print(out, answered)?,
            Format::Table => {
                if self.several {
                    self.heading(out, "", answered)?;
                }
                table::print(out, answered, self.limit)?;
            }
            Format::Ids => {
                if self.several {
                    self.heading(out, "# ", answered)?;
                }
                if let Answer::Nodes(nodes) = answered.answer {
                    nodes.iter().try_for_each(|node| writeln!(out, "{node}"))?;
                }
            }
            Format::Gti => {
                if let Some(files) = &mut self.files {
                    writeln!(out, "{}", files.write(answered, with_tree)?.display())?;
                }
            }
        }
        self.printed += 1;
        Ok(())
    }

    /// How many nodes of an answer are printed at most.
    pub(crate) fn nodes_max(&self) -> Option<usize> {
        (self.format == Format::Table).then_some(self.limit.rows_max)
    }

    /// Whether errors belong among the answers too.
    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    fn heading(&self, out: &mut dyn Write, mark: &str, answered: &Answered<'_>) -> io::Result<()> {
        if self.printed > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{mark}{}", one_line(&answered.label()))
    }
}

/// Refuses what a format cannot hold.
pub(crate) fn check(format: Format, count_only: bool, program: &Program) -> Result<(), Failure> {
    if format != Format::Ids {
        return Ok(());
    }
    if count_only {
        return Err(Failure::new(
            "`--count` gives numbers and `--format ids` node_ids; leave one of them away",
        ));
    }
    let other = program.queries.iter().position(|query| !matches!(query.outcome, Outcome::Nodes(_)));
    match other {
        None => Ok(()),
        Some(place) => {
            let query = &program.queries[place];
            let name = query.name.clone().unwrap_or_else(|| (place + 1).to_string());
            let sentence = format!(
                "query {name} gives {}, not nodes; `--format table`, json or csv print that",
                if matches!(query.outcome, Outcome::Count | Outcome::Aggregate(_)) {
                    "a number"
                } else {
                    "rows"
                },
            );
            Err(Failure::new(sentence))
        }
    }
}
