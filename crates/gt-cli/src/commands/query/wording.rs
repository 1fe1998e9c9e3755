//! Values in words: moves in the log's notation, attributes by their aliases, decided values as mates.

use std::borrow::Cow;
use std::cell::RefCell;

use gt_games::registry::Scribe;
use gt_log::Schema;
use gt_query::{Line, MoveCodec, Program, Type, Value, alias_text};
use gt_report::Mates;

use super::about::Cell;
use gt_fleet::{Beside, Column, Near, Needs, Notation};

/// The words of a log.
#[derive(Clone, Copy)]
pub(crate) struct Wording<'a> {
    /// What moves are written in; nothing where they are shown as numbers.
    pub(crate) notation: Option<Notation<'a>>,
    /// What writes moves down as players do, where that is asked for and their positions are known.
    pub(crate) scribe: Option<&'a RefCell<Scribe>>,
    /// Whose aliases name values; nothing where these are shown as numbers.
    pub(crate) aliases: Option<&'a Schema>,
    /// How values say that a game is decided; nothing where these are shown as numbers.
    pub(crate) mates: Option<Mates>,
}

impl Wording<'_> {
    /// Has a query read what the words of its answer need.
    pub(crate) fn beside(&self, program: &mut Cow<'_, Program>, query: usize, schema: &Schema) -> Beside {
        let needs = Needs { plies: self.mates.is_some(), lines: self.scribe.is_some() };
        if needs.plies || needs.lines {
            return Beside::add(program.to_mut(), query, schema, needs);
        }
        Beside::default()
    }

    /// A value as text.
    pub(crate) fn text(&self, value: &Value, cell: &Cell<'_>) -> String {
        match value {
            Value::Integer(number) if cell.column.value_type == Type::Move => {
                let known = |number| self.move_text(number, cell.near);
                i64::try_from(*number).ok().and_then(known).unwrap_or_else(|| number.to_string())
            }
            Value::Line(line) => {
                let text = |(number, text): (i64, Option<String>)| text.unwrap_or_else(|| number.to_string());
                self.line_texts(line).into_iter().map(text).collect::<Vec<_>>().join(" ")
            }
            other => {
                let words = self.mate(other, cell).or_else(|| self.alias(other, cell.column));
                words.unwrap_or_else(|| other.to_string())
            }
        }
    }

    /// The text of a move, if it has one.
    pub(crate) fn move_text(&self, number: i64, near: Near<'_>) -> Option<String> {
        let notation = self.notation?;
        let written = || {
            let (line, before) = near.line?;
            self.scribe?.borrow_mut().after(line.moves().get(..before)?, number)
        };
        written().or_else(|| notation.text(number))
    }

    /// The moves of a line, each with its text, if it has one.
    pub(crate) fn line_texts(&self, line: &Line) -> Vec<(i64, Option<String>)> {
        let moves = line.moves();
        let mut written =
            self.scribe.map_or_else(Vec::new, |scribe| scribe.borrow_mut().line(&moves)).into_iter();
        let mut text = |number| written.next().or_else(|| self.notation?.text(number));
        moves.into_iter().map(|number| (number, text(number))).collect()
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
