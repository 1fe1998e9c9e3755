//! A row as a node: its position in the tree, and its attributes' cells.

use std::sync::Arc;

use gt_log::{Kind, Marks, Row};

use super::layout::Layout;
use super::table::{Cells, Chunk};
use crate::error::noun;
use crate::role::Role;
use crate::{Error, ErrorKind, Result, RowPlace};

/// A node, without its attributes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) place: RowPlace,
    pub(super) tree: i64,
    pub(super) id: i64,
    /// `None` for a root.
    pub(super) parent: Option<i64>,
    pub(super) last_move: i64,
    /// The file's claims about the structure, to be checked.
    pub(super) size: Option<i64>,
    pub(super) ply: Option<i64>,
    pub(super) marks: Marks,
}

/// Maps columns to their meanings.
pub(super) struct Picker<'a> {
    names: &'a [String],
    /// The columns of [`Role::STRUCTURE`], in that order.
    structure: [Option<usize>; Role::STRUCTURE.len()],
    attributes: Vec<(usize, Kind)>,
}

/// An attribute's value.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    Missing,
    /// A whole number itself, or the bits of a float.
    Integer(i64),
    Text(Arc<str>),
}

impl<'a> Picker<'a> {
    pub(super) fn new(names: &'a [String], layout: &Layout, kinds: &[Kind]) -> Self {
        let column = |role: Role| layout.roles.iter().position(|own| *own == Some(role));
        let columns = layout.attributes.iter().map(|(_, column)| *column);
        Self {
            names,
            structure: Role::STRUCTURE.map(column),
            attributes: columns.zip(kinds.iter().copied()).collect(),
        }
    }

    /// The types to read the table's columns with.
    pub(super) fn wanted(&self) -> Vec<Option<Kind>> {
        let mut wanted = vec![None; self.names.len()];
        for (role, column) in Role::STRUCTURE.into_iter().zip(self.structure) {
            if let Some(column) = column {
                wanted[column] = Some(role.kind());
            }
        }
        for &(column, kind) in &self.attributes {
            wanted[column] = Some(kind);
        }
        wanted
    }

    /// The number of columns read.
    pub(super) fn columns(&self) -> usize {
        self.structure.iter().flatten().count() + self.attributes.len()
    }

    pub(super) fn has_trees(&self) -> bool {
        self.structure[0].is_some()
    }

    pub(super) fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.attributes.iter().map(|(_, kind)| *kind)
    }

    /// The node in this row of a chunk.
    pub(super) fn node(&self, chunk: &Chunk, row: usize) -> Result<Node> {
        let place = chunk.places[row];
        let [tree, id, parent, ply, size, last_move, unfinished, left_out] = self.structure;
        let cell = |column: Option<usize>| {
            let cells = &chunk.columns[column?];
            (!cells.is_missing(row)).then(|| cells.integers[row])
        };
        let required = |column: Option<usize>| match (cell(column), column) {
            (None, Some(column)) => Err(self.error(ErrorKind::Missing, column, place)),
            (value, _) => Ok(value.unwrap_or(0)),
        };
        let node = Node {
            place,
            tree: required(tree)?,
            id: required(id)?,
            parent: cell(parent).filter(|&parent| parent != -1),
            last_move: cell(last_move).unwrap_or(0),
            size: cell(size),
            ply: cell(ply),
            marks: Marks {
                unfinished: cell(unfinished) == Some(1),
                left_out: cell(left_out).unwrap_or(0) as u64,
            },
        };
        let negative = |value: i64, column: Option<usize>| match column {
            Some(column) if value < 0 => {
                let expected = "0 or more";
                Err(self.error(ErrorKind::OutOfRange { value: value.to_string(), expected }, column, place))
            }
            _ => Ok(()),
        };
        negative(node.id, id)?;
        negative(node.parent.unwrap_or(0), parent)?;
        Ok(node)
    }

    /// The value of an attribute in this row of a chunk.
    pub(super) fn cell(&self, chunk: &Chunk, row: usize, attribute: usize) -> Cell {
        let (column, kind) = self.attributes[attribute];
        let cells: &Cells = &chunk.columns[column];
        match (cells.integers[row], kind) {
            _ if cells.is_missing(row) => Cell::Missing,
            (place, Kind::Text) => Cell::Text(cells.texts[place as usize].clone()),
            (integer, _) => Cell::Integer(integer),
        }
    }

    fn error(&self, kind: ErrorKind, column: usize, place: RowPlace) -> Error {
        Error::new(kind).in_column(&self.names[column]).at(place)
    }
}

/// Puts a cell into a log's row.
pub(super) fn put_cell(row: &mut Row<'_>, kind: Kind, cell: &Cell) {
    let integer = match cell {
        Cell::Missing => return row.put_missing(kind),
        Cell::Text(text) => return row.put(&&**text),
        Cell::Integer(integer) => *integer,
    };
    match kind {
        Kind::I8 => row.put(&(integer as i8)),
        Kind::I16 => row.put(&(integer as i16)),
        Kind::I32 => row.put(&(integer as i32)),
        Kind::I64 => row.put(&integer),
        Kind::U8 => row.put(&(integer as u8)),
        Kind::U16 => row.put(&(integer as u16)),
        Kind::U32 => row.put(&(integer as u32)),
        Kind::U64 => row.put(&(integer as u64)),
        Kind::F32 => row.put(&f32::from_bits(integer as u32)),
        Kind::F64 => row.put(&f64::from_bits(integer as u64)),
        Kind::Bool => row.put(&(integer != 0)),
        // Texts are a separate kind of cell.
        Kind::Text => row.put_missing(kind),
    }
}

/// The error for a left-out count that makes the sum too large.
pub(super) fn left_out_error(count: u64) -> ErrorKind {
    ErrorKind::OutOfRange { value: count.to_string(), expected: noun(Kind::U64) }
}
