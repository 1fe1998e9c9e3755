//! `--query`: what is asked of a search while it runs.
//!
//! ```text
//! FILE or TEXT ──▶ Questions ──program_for──▶ Asker ──AskerEvent──▶ Teller ──▶ standard output
//!                  bound to each tree, as `$nominal_depth` is another number in each
//! ```
//!
//! **Invariant:** a query is bound to the attributes, aliases and moves that a log of the same search has.

use std::path::Path;
use std::sync::Arc;

use gt_fleet::{Beside, Column, Needs, Notation};
use gt_log::{Header, Log, LogWriter, Metadata, Schema};
use gt_query::ir::{Anchor, Arrangement, Expr, Field, Operand, Outcome, Query, ResultColumn, Step};
use gt_query::live::Live;
use gt_query::tools::vocabulary::Structure;
use gt_query::{Program, RunError, Type};
use gt_report::Mates;

use super::arguments::Arguments;
use crate::commands::query::parameter::Parameter;
use crate::commands::query::source::{QueryText, Source};
use crate::commands::query::words::file_or_text;
use crate::failure::Failure;
use crate::moves::Moves;
use crate::tell::{tell, tell_lines};

/// How many columns stand before those that `select` asks for: node_id, ply and line.
pub(super) const PLACE_COLUMNS: usize = 3;

/// The queries of one call.
pub(super) struct Questions<'a> {
    text: QueryText,
    parameters: &'a [Parameter],
    /// A log without trees that has the names of attributes, aliases and moves.
    source: Source,
    /// How many matches of a query are printed for each tree.
    pub(super) matches_max: usize,
    moves: Moves,
    /// One for each query.
    pub(super) asked: Vec<Asked>,
}

/// A query, and how its answer is told.
pub(super) struct Asked {
    /// Its name, or its number from 1.
    pub(super) label: String,
    pub(super) text: String,
    pub(super) telling: Telling,
    pub(super) columns: Vec<Column>,
    /// What its rows have beside these columns.
    pub(super) beside: Beside,
}

/// When the answer of a query is known, and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Telling {
    /// Matches, each told when it is found.
    AsFound,
    /// Matches in an order, or the first of them: told when the tree ends.
    Arranged,
    /// A number, a value or groups: told when the tree ends.
    Gathered,
}

impl<'a> Questions<'a> {
    /// Reads the queries, where there are any.
    pub(super) fn read(
        arguments: &'a Arguments,
        header: Header,
        move_names: &[(i64, String)],
    ) -> Result<Option<Self>, Failure> {
        let Some(query) = &arguments.query else { return Ok(None) };
        let matches_max = if arguments.query_limit == 0 { usize::MAX } else { arguments.query_limit };
        let source = Source::new(Path::new("the search"), empty_log(header, move_names)?);
        let text = file_or_text(query)?;
        text.note().into_iter().for_each(tell);
        let parameters = &arguments.parameters;
        Ok(Some(Self {
            text,
            parameters,
            source,
            matches_max,
            moves: arguments.query_moves,
            asked: Vec::new(),
        }))
    }

    /// Binds the queries to the first tree; what is wrong with them comes as drawn for people.
    pub(super) fn check(&mut self, first: &Metadata) -> Result<(), String> {
        let mut program = self.text.bind_with(&self.source, first.iter(), self.parameters)?;
        if program.queries.is_empty() {
            return Err("gt: there is no query in `--query`; `node: best > 0` is one\n".to_owned());
        }
        self.text.draw_notes(&program.notes).iter().for_each(|note| tell_lines(note));
        self.asked = self.prepare(&mut program);
        Live::new(Arc::new(program)).map(|_| ()).map_err(|error| format!("gt: --query: {error}\n"))
    }

    /// The queries, bound to a tree with these metadata; nothing where they do not fit it, which is said.
    pub(super) fn program_for(&self, tree: &Metadata) -> Option<Arc<Program>> {
        match self.text.bind_with(&self.source, tree.iter(), self.parameters) {
            Ok(mut program) => {
                self.prepare(&mut program);
                Some(Arc::new(program))
            }
            Err(drawn) => {
                tell_lines(&drawn);
                None
            }
        }
    }

    /// Lets matches come with their places and with what their words need, and keeps none of those that are told when they
    /// are found.
    fn prepare(&self, program: &mut Program) -> Vec<Asked> {
        let queries = program.queries.len();
        let asked = |place: usize| {
            let query = &mut program.queries[place];
            let telling = prepare(query, self.matches_max);
            let (name, text) = (query.name.clone(), query.text.clone());
            let columns = Column::all_of(program, place, self.schema(), false);
            let needs = Needs { plies: true, lines: self.moves == Moves::San, names: None };
            let beside = Beside::add(program, place, self.schema(), needs);
            Asked { label: name.unwrap_or_else(|| (place + 1).to_string()), text, telling, columns, beside }
        };
        (0..queries).map(asked).collect()
    }

    /// How values say that the game is decided.
    pub(super) fn mates(&self) -> Mates {
        Mates::of_searches(self.source.log.game())
    }

    pub(super) fn schema(&self) -> &Schema {
        self.source.log.schema()
    }

    /// How moves are written; nothing where they are printed as numbers.
    pub(super) fn notation(&self) -> Option<Notation<'_>> {
        self.source.notation().filter(|_| self.moves != Moves::Number)
    }

    /// Why a query has no answer, drawn for people.
    pub(super) fn draw_run(&self, error: &RunError) -> String {
        self.text.draw_run(error)
    }
}

/// A log of this search that nothing was written into.
fn empty_log(header: Header, move_names: &[(i64, String)]) -> Result<Log, Failure> {
    let made = || {
        let writer = LogWriter::to_memory(header)?;
        writer.name_moves(move_names.iter().map(|(code, name)| (*code, name.as_str())))?;
        Log::from_bytes(writer.into_memory()?)
    };
    made().map_err(|error: gt_log::Error| Failure::new(error.to_string()))
}

fn prepare(query: &mut Query, matches_max: usize) -> Telling {
    match &mut query.outcome {
        Outcome::Count | Outcome::Aggregate(_) | Outcome::Groups { .. } => return Telling::Gathered,
        Outcome::Nodes(arrangement) => {
            let arrangement = std::mem::take(arrangement);
            query.outcome = Outcome::Rows { columns: place_columns().into(), arrangement };
        }
        Outcome::Rows { columns, .. } => {
            columns.splice(0..0, place_columns());
        }
    }
    let Outcome::Rows { arrangement: Arrangement { order, limit }, .. } = &mut query.outcome else {
        return Telling::Gathered;
    };
    if order.is_empty() && limit.is_none() {
        *limit = Some(0);
        return Telling::AsFound;
    }
    *limit = Some(limit.unwrap_or(usize::MAX).min(matches_max));
    Telling::Arranged
}

/// What is told of every match: where in the tree it is.
fn place_columns() -> [ResultColumn; PLACE_COLUMNS] {
    let column = |heading: &str, field: Field, value_type: Type| ResultColumn {
        heading: heading.to_owned(),
        expr: Expr::Read(Operand { anchor: Anchor::Node, step: Step::Here, field }),
        value_type,
        names: None,
    };
    [
        column("node_id", Field::NodeId, Type::Integer),
        column("@ply", Field::Structure(Structure::Ply), Type::Integer),
        column("@line", Field::Structure(Structure::Line), Type::Line),
    ]
}
