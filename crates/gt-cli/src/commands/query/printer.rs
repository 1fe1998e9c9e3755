//! Prints answers in the format that was asked for, with their source where there are several.

use std::io::{self, IsTerminal, Write};

use clap::ValueEnum;
use gt_query::Answer;
use gt_query::ir::{Outcome, Program};

use super::answered::Answered;
use super::csv::Csv;
use super::notation::Notation;
use super::result_files::ResultFiles;
use super::{json, table};
use crate::failure::Failure;
use crate::printable;
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

impl Format {
    /// The formats that are printed, not written into files.
    pub(crate) fn printed() -> impl clap::builder::TypedValueParser<Value = Self> {
        use clap::builder::{PossibleValuesParser, TypedValueParser};
        let formats = Self::value_variants().iter().filter(|format| **format != Self::Gti);
        let values = formats.filter_map(Self::to_possible_value).collect::<Vec<_>>();
        PossibleValuesParser::new(values).map(|name| Self::from_str(&name, false).unwrap_or(Self::Table))
    }
}

/// How moves are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Moves {
    /// In the game's notation; those that it does not have as numbers
    Text,
    /// As the numbers that the log has
    Number,
}

/// How the answers of one call are printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) format: Format,
    /// Where nothing is said, as people or programs read the format.
    pub(crate) moves: Option<Moves>,
    /// Whether there is more than one answer, so that each needs its source.
    pub(crate) several: bool,
    pub(crate) limit: Limit,
}

impl Manner {
    fn moves(&self) -> Moves {
        self.moves.unwrap_or(match self.format {
            Format::Table | Format::Ids | Format::Gti => Moves::Text,
            Format::Json | Format::Csv => Moves::Number,
        })
    }
}

/// Prints the answers of one call.
pub(crate) struct Printer {
    manner: Manner,
    csv: Csv,
    files: Option<ResultFiles>,
    printed: usize,
}

impl Printer {
    /// A printer; `files` for [`Format::Gti`].
    pub(crate) fn new(manner: Manner, files: Option<ResultFiles>) -> Self {
        Self { manner, csv: Csv::new(manner.several, io::stdout().is_terminal()), files, printed: 0 }
    }

    /// Prints an answer; `with_tree` puts the tree into the name of its file.
    pub(crate) fn print(
        &mut self,
        out: &mut dyn Write,
        answered: &Answered<'_>,
        with_tree: bool,
    ) -> Result<(), Failure> {
        let limit = self.manner.limit;
        match self.manner.format {
            Format::Json => json::print(out, answered, limit)?,
            Format::Csv => self.csv.print(out, answered, limit)?,
            Format::Table => {
                if self.manner.several {
                    self.heading(out, "", answered)?;
                }
                table::print(out, answered, limit)?;
            }
            Format::Ids => {
                if self.manner.several {
                    self.heading(out, "# ", answered)?;
                }
                if let Answer::Nodes(nodes) = answered.answer {
                    limit.of(nodes).iter().try_for_each(|node| writeln!(out, "{node}"))?;
                }
            }
            Format::Gti => {
                if let Some(files) = &mut self.files {
                    writeln!(out, "{}", printable::path(&files.write(answered, with_tree)?))?;
                }
            }
        }
        self.printed += 1;
        Ok(())
    }

    /// How many nodes or rows of an answer are printed at most.
    pub(crate) fn rows_max(&self) -> Option<usize> {
        (self.manner.format != Format::Gti).then_some(self.manner.limit.rows_max)
    }

    /// What moves are written in, of what the log's game has.
    pub(crate) fn notation(&self, of_game: Option<Notation>) -> Option<Notation> {
        of_game.filter(|_| self.manner.moves() == Moves::Text)
    }

    /// Whether errors belong among the answers too.
    pub(crate) fn is_json(&self) -> bool {
        self.manner.format == Format::Json
    }

    fn heading(&self, out: &mut dyn Write, mark: &str, answered: &Answered<'_>) -> io::Result<()> {
        if self.printed > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{mark}{}", printable::line(&answered.label()))
    }
}

/// Refuses what cannot be printed as asked.
pub(crate) fn check(format: Format, count_only: bool, program: &Program) -> Result<(), Failure> {
    let named = |wrong: fn(&Outcome) -> bool| {
        let place = program.queries.iter().position(|query| wrong(&query.outcome))?;
        let query = &program.queries[place];
        Some((query.name.clone().unwrap_or_else(|| (place + 1).to_string()), &query.outcome))
    };
    if count_only && format == Format::Ids {
        return Err(Failure::new(
            "`--count` gives numbers and `--format ids` node_ids; leave one of them away",
        ));
    }
    if count_only && let Some((name, _)) = named(|outcome| matches!(outcome, Outcome::Aggregate(_))) {
        return Err(Failure::new(format!(
            "query {name} gives a value, and `--count` counts nodes and rows; leave `--count` away"
        )));
    }
    if format == Format::Ids
        && let Some((name, outcome)) = named(|outcome| !matches!(outcome, Outcome::Nodes(_)))
    {
        let number = matches!(outcome, Outcome::Count | Outcome::Aggregate(_));
        let given = if number { "a number" } else { "rows" };
        return Err(Failure::new(format!(
            "query {name} gives {given}, not nodes; `--format table`, json or csv print that"
        )));
    }
    Ok(())
}
