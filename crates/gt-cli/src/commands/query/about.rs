//! What an answer is of, and how its values are worded: what every printer needs beside the answer.

use gt_query::Type;
use gt_query::gti::Stamp;

use super::wording::{Cell, Wording};
use crate::printable;
use gt_fleet::{Beside, Column, Row};

/// One query on one tree.
pub(crate) struct About<'a> {
    /// The log, as it was named.
    pub(crate) log: &'a str,
    pub(crate) tree: usize,
    /// Whether the tree is to be named in the names of files.
    pub(crate) with_tree: bool,
    /// The query's name in its file.
    pub(crate) name: Option<&'a str>,
    /// Its place in the file, from 1.
    pub(crate) number: usize,
    /// The query on one line.
    pub(crate) query: &'a str,
    pub(crate) columns: Vec<Column>,
    /// What its rows have beside these columns.
    pub(crate) beside: Beside,
    pub(crate) wording: Wording<'a>,
    /// When the run began.
    pub(crate) stamp: Stamp,
}

/// What is known at the end of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Totals {
    /// How many nodes or rows there are in all, printed or not, where the answer lists any.
    pub(crate) listed: u64,
    /// How many nodes match.
    pub(crate) matches: u64,
    /// How long the run of all queries on this tree took.
    pub(crate) seconds: f64,
}

impl About<'_> {
    /// The query's name, or its number.
    pub(crate) fn query_label(&self) -> String {
        self.name.map_or_else(|| self.number.to_string(), str::to_owned)
    }

    /// The line above an answer where there are several.
    pub(crate) fn label(&self) -> String {
        format!("{}, tree {}, query {}: {}", self.log, self.tree, self.query_label(), self.query)
    }

    /// The cells of a row with their columns.
    pub(crate) fn cells<'r>(&'r self, row: &'r Row) -> impl Iterator<Item = Cell<'r>> {
        let cells = row.iter().map(Option::as_ref).zip(&self.columns).enumerate();
        cells.map(|(place, (value, column))| Cell { value, column, near: self.beside.near(row, place) })
    }

    /// Numbers stand to the right, all else to the left.
    pub(crate) fn is_to_the_right(&self, column: &Column) -> bool {
        let is_named = column.names.is_some() && self.wording.aliases.is_some();
        column.value_type.is_number() && column.value_type != Type::Move && !is_named
    }

    /// A cell for people: one line, moves and attributes in words.
    pub(crate) fn cell(&self, cell: Cell<'_>) -> String {
        let text = |value| printable::line(&self.wording.text(value, &cell)).into_owned();
        cell.value.map_or_else(|| "-".to_owned(), text)
    }
}
