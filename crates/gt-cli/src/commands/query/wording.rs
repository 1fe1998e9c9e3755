//! Values in words: moves in the log's notation, attributes by their aliases.

use gt_log::Schema;
use gt_query::{MoveCodec, Type, Value, alias_text};

use gt_fleet::Column;
use gt_fleet::Notation;

/// The words of a log.
#[derive(Clone, Copy)]
pub(crate) struct Wording<'a> {
    /// What moves are written in; nothing where they are shown as numbers.
    pub(crate) notation: Option<Notation<'a>>,
    /// Whose aliases name values; nothing where these are shown as numbers.
    pub(crate) aliases: Option<&'a Schema>,
}

impl Wording<'_> {
    /// A value of a column as text.
    pub(crate) fn text(&self, value: &Value, column: &Column) -> String {
        match value {
            Value::Integer(number) if column.value_type == Type::Move => {
                i64::try_from(*number).map_or_else(|_| number.to_string(), |number| self.of_move(number))
            }
            Value::Line(line) => {
                line.moves().iter().map(|number| self.of_move(*number)).collect::<Vec<_>>().join(" ")
            }
            other => self.alias(other, column).unwrap_or_else(|| other.to_string()),
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
}
