//! The answers of logs: rows, their columns, and moves in words.

use std::cell::RefCell;
use std::path::PathBuf;

use gt_log::{Metadata, Schema};
use gt_query::{Answer, MoveCodec, Type, Value, alias_text};
use gt_report::{Mates, NodeNames};

use crate::beside::Beside;
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

/// What the logs share: the columns of the first log that the query fits.
pub(crate) struct Shared {
    pub(crate) columns: Vec<Column>,
    /// Whether moves become texts.
    pub(crate) moves_are_texts: bool,
    /// Whether values become their words: aliases, mates.
    pub(crate) values_are_texts: bool,
}

impl Shared {
    /// The columns of the answers.
    pub(crate) fn shown(&self) -> Vec<Column> {
        let shown = |column: &Column| {
            let is_text = match column.value_type {
                Type::Move => self.moves_are_texts,
                Type::Line => true,
                Type::Integer | Type::Bits => self.values_are_texts && column.names.is_some(),
                Type::Float | Type::Boolean | Type::Text => false,
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

/// The words of one log for the values of its answers.
pub(crate) struct Words<'a> {
    pub(crate) notation: Option<Notation<'a>>,
    pub(crate) schema: &'a Schema,
    /// The columns as this log has them.
    pub(crate) columns: &'a [Column],
    /// What rows have besides these columns.
    pub(crate) beside: Beside,
    /// How values express a decided game, if they are shown in words.
    pub(crate) mates: Option<Mates>,
    /// The names that nodes give to the moves that lead to them, if they give any.
    pub(crate) names: Option<RefCell<NodeNames<'a>>>,
}

impl Words<'_> {
    /// Replaces moves and lines by texts, and values if their words are asked for; without a notation, lines become the
    /// numbers of their moves. Removes what the row has besides its columns.
    pub(crate) fn put(&self, row: &mut Row, shared: &Shared) {
        let texts: Vec<Option<String>> =
            (0..self.columns.len()).map(|place| self.text(row, place, shared)).collect();
        row.truncate(self.columns.len());
        for (cell, text) in row.iter_mut().zip(texts) {
            if let Some(text) = text {
                *cell = Some(Value::text(&text));
            }
        }
    }

    fn text(&self, row: &Row, place: usize, shared: &Shared) -> Option<String> {
        let move_text = |number: i64| {
            let known = self.notation.filter(|_| shared.moves_are_texts);
            known.and_then(|notation| notation.text(number)).unwrap_or_else(|| number.to_string())
        };
        let column = &self.columns[place];
        let near = self.beside.near(row, place);
        match (row.get(place)?.as_ref()?, column.value_type) {
            (Value::Integer(number), Type::Move) if shared.moves_are_texts => {
                let text = || i64::try_from(*number).map_or_else(|_| number.to_string(), move_text);
                Some(near.name.map_or_else(text, str::to_owned))
            }
            (Value::Line(line), _) => {
                let mut names = self.line_names(near.node).into_iter();
                let text = |number| names.next().flatten().unwrap_or_else(|| move_text(number));
                Some(line.moves().into_iter().map(text).collect::<Vec<_>>().join(" "))
            }
            (value, _) if shared.values_are_texts => {
                let alias = || alias_text(self.schema, column.names?, value);
                self.mate(value, near.ply).or_else(alias)
            }
            _ => None,
        }
    }

    fn mate(&self, value: &Value, ply: Option<u64>) -> Option<String> {
        match value {
            Value::Integer(number) => self.mates?.text(*number, ply?),
            _ => None,
        }
    }

    /// The names that the nodes on the way to a node give to their moves; where a name cannot be read, the notation is
    /// used.
    fn line_names(&self, node: Option<u64>) -> Vec<Option<String>> {
        let named = self.names.as_ref().zip(node);
        named.and_then(|(names, node)| names.borrow_mut().line(node).ok()).unwrap_or_default()
    }
}
