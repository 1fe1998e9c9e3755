//! Values in words: moves in the log's notation, attributes by their aliases, decided values as mates.

use std::borrow::Cow;

use gt_log::Schema;
use gt_query::{MoveCodec, Program, Type, Value, alias_text};
use gt_report::Mates;

use super::about::Cell;
use gt_fleet::{Beside, Column, Needs, Notation};

/// The words of a log.
#[derive(Clone, Copy)]
pub(crate) struct Wording<'a> {
    /// What moves are written in; nothing where they are shown as numbers.
    pub(crate) notation: Option<Notation<'a>>,
    /// Whose aliases name values; nothing where these are shown as numbers.
    pub(crate) aliases: Option<&'a Schema>,
    /// How values say that a game is decided; nothing where these are shown as numbers.
    pub(crate) mates: Option<Mates>,
}

impl Wording<'_> {
    /// Has a query read what the words of its answer need.
    pub(crate) fn beside(&self, program: &mut Cow<'_, Program>, query: usize, schema: &Schema) -> Beside {
        let needs = Needs { plies: self.mates.is_some(), lines: false };
        if needs.plies || needs.lines {
            return Beside::add(program.to_mut(), query, schema, needs);
        }
        Beside::default()
    }

    /// A value as text.
    pub(crate) fn text(&self, value: &Value, cell: &Cell<'_>) -> String {
        match value {
            Value::Integer(number) if cell.column.value_type == Type::Move => {
                i64::try_from(*number).map_or_else(|_| number.to_string(), |number| self.of_move(number))
            }
            Value::Line(line) => {
                line.moves().iter().map(|number| self.of_move(*number)).collect::<Vec<_>>().join(" ")
            }
            other => {
                let words = self.mate(other, cell).or_else(|| self.alias(other, cell.column));
                words.unwrap_or_else(|| other.to_string())
            }
        }
    }

    fn of_move(&self, number: i64) -> String {
        self.known_move(number).unwrap_or_else(|| number.to_string())
    }

    pub(crate) fn known_move(&self, number: i64) -> Option<String> {
        self.notation.and_then(|notation| notation.text(number))
    }

    fn alias(&self, value: &Value, column: &Column) -> Option<String> {
        alias_text(self.aliases?, column.names?, value)
    }

    /// `mate in 3`, if that is what a node's value says.
    fn mate(&self, value: &Value, cell: &Cell<'_>) -> Option<String> {
        let Value::Integer(number) = value else { return None };
        self.mates?.text(*number, cell.near.ply?)
    }
}
