//! The answers of logs: rows, their columns, and moves in words.

use std::path::PathBuf;

use gt_log::Metadata;
use gt_query::{Answer, MoveCodec, Type, Value};

use crate::column::Column;
use crate::notation::Notation;
use crate::question::Unanswered;

/// A row of an answer; `None` is unknown.
pub type Row = Vec<Option<Value>>;

/// The answers of one log.
#[derive(Clone, Debug)]
pub struct Answers {
    /// The metadata of the log.
    pub metadata: Metadata,
    /// For each queried tree its number, its metadata, and its rows.
    pub trees: Vec<(usize, Metadata, Vec<Row>)>,
    /// The number of nodes in these trees.
    pub nodes: u64,
}

/// The result for one log.
#[derive(Clone, Debug)]
pub struct Part {
    /// The log.
    pub path: PathBuf,
    /// Its answers, or the reason why it has none.
    pub answers: Result<Answers, Unanswered>,
}

/// The part that the logs share: the columns of the first that the query fits.
pub(crate) struct Shared {
    pub(crate) columns: Vec<Column>,
    /// Whether moves become texts.
    pub(crate) moves_are_texts: bool,
}

impl Shared {
    /// The columns of the answers.
    pub(crate) fn shown(&self) -> Vec<Column> {
        let shown = |column: &Column| {
            let is_text = match column.value_type {
                Type::Move => self.moves_are_texts,
                Type::Line => true,
                Type::Integer | Type::Bits | Type::Float | Type::Boolean | Type::Text => false,
            };
            let value_type = if is_text { Type::Text } else { column.value_type };
            Column { value_type, ..column.clone() }
        };
        self.columns.iter().map(shown).collect()
    }
}

/// An answer as rows: a count, a value and a list of nodes are tables of one column.
pub(crate) fn rows_of(answer: Answer) -> Vec<Row> {
    let integer = |number: u64| vec![Some(Value::Integer(number.into()))];
    match answer {
        Answer::Count(count) => vec![integer(count)],
        Answer::Value(value) => vec![vec![value]],
        Answer::Nodes(nodes) => nodes.into_iter().map(integer).collect(),
        Answer::Rows { rows, .. } => rows,
    }
}

/// Replaces moves and lines by texts; without a notation, lines are the numbers of their moves.
pub(crate) fn worded(row: &mut Row, shared: &Shared, notation: Option<&Notation<'_>>) {
    let word = |number: i64| {
        notation.and_then(|notation| notation.text(number)).unwrap_or_else(|| number.to_string())
    };
    for (cell, column) in row.iter_mut().zip(&shared.columns) {
        let text = match (&*cell, column.value_type) {
            (Some(Value::Integer(number)), Type::Move) if shared.moves_are_texts => {
                i64::try_from(*number).map_or_else(|_| number.to_string(), word)
            }
            (Some(Value::Line(line)), _) => line.moves().into_iter().map(word).collect::<Vec<_>>().join(" "),
            _ => continue,
        };
        *cell = Some(Value::text(&text));
    }
}
