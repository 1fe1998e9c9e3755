//! Values in words: moves in the log's notation, attributes by their aliases, decided values as mates.

use std::borrow::Cow;

use gt_log::Schema;
use gt_query::{Line, MoveCodec, Program, Type, Value, alias_text};
use gt_report::{Mates, move_names};

use crate::moves::Namers;
use gt_fleet::{Beside, Column, Near, Needs, Notation};

/// A value of an answer, and what it is of.
#[derive(Clone, Copy)]
pub(crate) struct Cell<'r> {
    pub(crate) value: Option<&'r Value>,
    pub(crate) column: &'r Column,
    pub(crate) near: Near<'r>,
}

impl<'r> Cell<'r> {
    /// A value that is of no single node.
    pub(crate) fn alone(value: Option<&'r Value>, column: &'r Column) -> Self {
        Self { value, column, near: Near::default() }
    }
}

/// The words of a log.
#[derive(Clone, Copy)]
pub(crate) struct Wording<'a> {
    /// What moves are written in; nothing where they are shown as numbers.
    pub(crate) notation: Option<Notation<'a>>,
    /// What knows more of moves than their numbers tell.
    pub(crate) namers: Option<&'a Namers<'a>>,
    /// Whose aliases name values; nothing where these are shown as numbers.
    pub(crate) aliases: Option<&'a Schema>,
    /// How values say that a game is decided; nothing where these are shown as numbers.
    pub(crate) mates: Option<Mates>,
}

impl Wording<'_> {
    /// Has a query read what the words of its answer need.
    pub(crate) fn beside(&self, program: &mut Cow<'_, Program>, query: usize, schema: &Schema) -> Beside {
        let names = self.namers.filter(|namers| namers.are_named_by_nodes()).and_then(|_| move_names(schema));
        let lines = self.namers.is_some_and(Namers::needs_lines);
        let needs = Needs { plies: self.mates.is_some(), lines, names };
        if needs.plies || needs.lines || needs.names.is_some() {
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
                self.line_texts(line, cell.near).into_iter().map(text).collect::<Vec<_>>().join(" ")
            }
            other => {
                let words = self.mate(other, cell).or_else(|| self.alias(other, cell.column));
                words.unwrap_or_else(|| other.to_string())
            }
        }
    }

    /// Whether moves have texts.
    pub(crate) fn has_moves(&self) -> bool {
        self.notation.is_some() || self.namers.is_some_and(Namers::are_named_by_nodes)
    }

    /// The text of a move, if it has one.
    pub(crate) fn move_text(&self, number: i64, near: Near<'_>) -> Option<String> {
        let written = || {
            let (line, before) = near.line?;
            self.namers?.written(line.moves().get(..before)?, number)
        };
        let named = || near.name.map(str::to_owned);
        written().or_else(named).or_else(|| self.notation?.text(number))
    }

    /// The moves of a line, each with its text, if it has one.
    pub(crate) fn line_texts(&self, line: &Line, near: Near<'_>) -> Vec<(i64, Option<String>)> {
        let moves = line.moves();
        let known = self.namers.map_or_else(Vec::new, |namers| namers.line(&moves, near.node));
        let mut known = known.into_iter();
        let mut text = |number| known.next().flatten().or_else(|| self.notation?.text(number));
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
