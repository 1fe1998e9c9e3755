//! An answer and where it comes from, as the printers take it.

use gt_query::gti::Stamp;
use gt_query::{Answer, Type, Value};

use super::notation::{Notation, shown};
use crate::printable;

/// The answer to one query on one tree.
pub(crate) struct Answered<'a> {
    /// The log, as it was named.
    pub(crate) log: &'a str,
    pub(crate) tree: usize,
    /// The query's name in its file.
    pub(crate) name: Option<&'a str>,
    /// Its place in the file, from 1.
    pub(crate) number: usize,
    /// The query on one line.
    pub(crate) query: &'a str,
    /// Of many nodes or rows perhaps only those that will be printed.
    pub(crate) answer: &'a Answer,
    /// How many nodes or rows there are in all, where it lists any.
    pub(crate) listed: u64,
    /// How many nodes match.
    pub(crate) matches: u64,
    /// How long the run of all queries on this tree took.
    pub(crate) seconds: f64,
    /// When it began.
    pub(crate) stamp: Stamp,
    pub(crate) notation: Option<Notation>,
}

impl Answered<'_> {
    /// How many things the answer lists; where it is a number itself, how many nodes it is made from.
    pub(crate) fn count(&self) -> u64 {
        match self.answer {
            Answer::Nodes(_) | Answer::Rows { .. } => self.listed,
            Answer::Count(count) => *count,
            Answer::Value(_) => self.matches,
        }
    }

    /// The query's name, or its number.
    pub(crate) fn query_label(&self) -> String {
        self.name.map_or_else(|| self.number.to_string(), str::to_owned)
    }

    /// The line above an answer where there are several.
    pub(crate) fn label(&self) -> String {
        format!("{}, tree {}, query {}: {}", self.log, self.tree, self.query_label(), self.query)
    }

    /// A cell for people: one line, moves in the game's notation.
    pub(crate) fn cell(&self, value: Option<&Value>, value_type: Type) -> String {
        let text = |value| printable::line(&shown(value, value_type, self.notation)).into_owned();
        value.map_or_else(|| "-".to_owned(), text)
    }
}
