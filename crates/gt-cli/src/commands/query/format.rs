//! The formats of answers, and what each can print.

use clap::ValueEnum;
use gt_query::Program;
use gt_query::ir::Outcome;

use crate::failure::Failure;
pub(crate) use crate::moves::Moves;

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
    /// A typed table of one query's answers, in the file given by `-o`
    Parquet,
    /// The same as Arrow IPC: a file with `-o`, else a stream
    Arrow,
}

impl Format {
    /// Whether the format is text, which a session can print.
    pub(crate) fn is_text(self) -> bool {
        match self {
            Self::Table | Self::Json | Self::Csv | Self::Ids => true,
            Self::Gti | Self::Parquet | Self::Arrow => false,
        }
    }

    /// How moves are printed unless something else is asked for.
    pub(crate) fn moves(self) -> Moves {
        match self {
            Self::Table | Self::Ids | Self::Gti | Self::Parquet | Self::Arrow => Moves::Text,
            Self::Json | Self::Csv => Moves::Number,
        }
    }

    /// A parser of the formats that are text.
    pub(crate) fn texts() -> impl clap::builder::TypedValueParser<Value = Self> {
        use clap::builder::{PossibleValuesParser, TypedValueParser};
        let formats = Self::value_variants().iter().filter(|format| format.is_text());
        let values = formats.filter_map(Self::to_possible_value).collect::<Vec<_>>();
        PossibleValuesParser::new(values).map(|name| Self::from_str(&name, false).unwrap_or(Self::Table))
    }

    /// Refuses what cannot be printed as asked.
    pub(crate) fn check(self, count_only: bool, program: &Program) -> Result<(), Failure> {
        let named = |wrong: fn(&Outcome) -> bool| {
            let place = program.queries.iter().position(|query| wrong(&query.outcome))?;
            let query = &program.queries[place];
            Some((query.name.clone().unwrap_or_else(|| (place + 1).to_string()), &query.outcome))
        };
        if count_only && self == Self::Ids {
            return Err(Failure::new(
                "`--count` gives numbers and `--format ids` node_ids; leave one of them away",
            ));
        }
        if count_only && let Some((name, _)) = named(|outcome| matches!(outcome, Outcome::Aggregate(_))) {
            return Err(Failure::new(format!(
                "query {name} gives a value, and `--count` counts nodes and rows; leave `--count` away"
            )));
        }
        if self == Self::Ids
            && let Some((name, outcome)) = named(|outcome| !matches!(outcome, Outcome::Nodes(_)))
        {
            let number = matches!(outcome, Outcome::Count | Outcome::Aggregate(_));
            let given = if number { "a number" } else { "rows" };
            return Err(Failure::new(format!(
                "query {name} gives {given}, not nodes; `--format table`, json or csv print that"
            )));
        }
        if matches!(self, Self::Parquet | Self::Arrow) && program.queries.len() > 1 {
            return Err(Failure::new(format!(
                "a table holds the answers of one query, and these are {}; write a file for each",
                program.queries.len()
            )));
        }
        Ok(())
    }
}
