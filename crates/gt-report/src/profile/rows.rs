//! The rows of an answer as a table for people.

use gt_query::{Answer, Type, Value};

use super::bound::Bound;
use super::facts::Row;
use super::figure::{Figure, Shape};
use super::moves::Moves;
use super::report::{Profile, cells};
use crate::document::Table;
use crate::mates::Mates;

impl Profile<'_> {
    /// The table of an answer; `None` if the figure is not a table.
    pub(super) fn table_of(&self, figure: &Figure, answer: &Answer, moves: Moves<'_>) -> Option<Table> {
        let (Shape::Table(headings), Answer::Rows { columns, rows }) = (&figure.shape, answer) else {
            return None;
        };
        let mates = Mates::of(self.log, self.tree);
        let mut table = Table::new(headings.iter().map(|column| column.heading.as_str()));
        for row in rows {
            let ply = ply_of(columns, row);
            table.row(cells(headings, row).zip(cells(headings, columns)).map(
                |((reading, cells), (_, kinds))| {
                    let kind = kinds.first().map_or(Type::Integer, |(_, kind)| *kind);
                    let value = cells.first().and_then(Option::as_ref);
                    let mate = reading.ply(ply).and_then(|ply| mate(mates?, value?, ply));
                    let cell = mate.unwrap_or_else(|| moves.cell(value, kind));
                    match reading.bound(cells).map_or("", Bound::sign) {
                        "" => cell,
                        sign => format!("{sign} {cell}"),
                    }
                },
            ));
        }
        Some(table.with_note(&figure.meaning, &figure.query()))
    }
}

/// The ply of a row's node: a line leads there, or a move of the root.
fn ply_of(columns: &[(String, Type)], row: &Row) -> u64 {
    let line = row.iter().flatten().find_map(|cell| match cell {
        Value::Line(line) => Some(line.len() as u64),
        _ => None,
    });
    let is_move = || columns.iter().any(|(_, kind)| *kind == Type::Move);
    line.unwrap_or_else(|| u64::from(is_move()))
}

/// `mate in 3`, if that is what a value says from this ply.
fn mate(mates: Mates, value: &Value, ply: u64) -> Option<String> {
    match value {
        Value::Integer(number) => mates.text(*number, ply),
        _ => None,
    }
}
