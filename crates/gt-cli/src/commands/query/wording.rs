//! Values in words: moves in the log's notation, attributes by their aliases, decided values as mates.

use std::borrow::Cow;
use std::cell::RefCell;

use gt_games::registry::Scribe;
use gt_log::{Log, Schema, Tree};
use gt_query::{Line, MoveCodec, Program, Type, Value, alias_text};
use gt_report::{Mates, NodeNames, move_names};

use crate::moves::{Moves, node_names, scribe};
use gt_fleet::{Beside, Column, Near, Needs, Notation};

/// Names moves by more than their numbers.
pub(crate) trait NameMoves {
    /// Whether the lines to nodes are needed for that.
    fn needs_lines(&self) -> bool;
    /// Whether nodes name their moves.
    fn are_named_by_nodes(&self) -> bool;
    /// A move after others, as players write it down.
    fn written(&self, before: &[i64], number: i64) -> Option<String>;
    /// The moves to a node.
    fn line(&self, moves: &[i64], node: Option<u64>) -> Vec<Option<String>>;
}

/// What names the moves of a tree.
#[derive(Default)]
pub(crate) struct Namers<'a> {
    /// What writes moves down as players do, where that is asked for and their positions are known.
    scribe: Option<RefCell<Scribe>>,
    /// What nodes call their moves, if they do and no game's notation is known.
    names: Option<RefCell<NodeNames<'a>>>,
}

impl<'a> Namers<'a> {
    pub(crate) fn new(log: &Log, tree: Tree<'a>, moves: Moves) -> Self {
        let scribe = (moves == Moves::San).then(|| scribe(log, tree).ok().flatten()).flatten();
        let names = (moves != Moves::Number).then(|| node_names(log, tree)).flatten();
        Self { scribe: scribe.map(RefCell::new), names: names.map(RefCell::new) }
    }
}

impl NameMoves for Namers<'_> {
    fn needs_lines(&self) -> bool {
        self.scribe.is_some()
    }

    fn are_named_by_nodes(&self) -> bool {
        self.names.is_some()
    }

    fn written(&self, before: &[i64], number: i64) -> Option<String> {
        self.scribe.as_ref()?.borrow_mut().after(before, number)
    }

    fn line(&self, moves: &[i64], node: Option<u64>) -> Vec<Option<String>> {
        if let Some(scribe) = &self.scribe {
            return scribe.borrow_mut().line(moves).into_iter().map(Some).collect();
        }
        // Where a log is damaged its rows are shown all the same: a name that cannot be read is left to the notation.
        let named =
            self.names.as_ref().zip(node).and_then(|(names, node)| names.borrow_mut().line(node).ok());
        named.unwrap_or_default()
    }
}

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
    pub(crate) namers: Option<&'a (dyn NameMoves + 'a)>,
    /// Whose aliases name values; nothing where these are shown as numbers.
    pub(crate) aliases: Option<&'a Schema>,
    /// How values say that a game is decided; nothing where these are shown as numbers.
    pub(crate) mates: Option<Mates>,
}

impl Wording<'_> {
    /// Has a query read what the words of its answer need.
    pub(crate) fn beside(&self, program: &mut Cow<'_, Program>, query: usize, schema: &Schema) -> Beside {
        let names = self.namers.filter(|namers| namers.are_named_by_nodes()).and_then(|_| move_names(schema));
        let lines = self.namers.is_some_and(NameMoves::needs_lines);
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
        self.notation.is_some() || self.namers.is_some_and(NameMoves::are_named_by_nodes)
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
