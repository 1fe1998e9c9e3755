//! The columns of an export, and a batch of nodes as cells of them.

use std::borrow::Cow;

use gt_log::{Batch, Cells, Column, Kind, Schema, Tree, status};

use crate::Result;
use crate::role::Role;

/// The columns of an export.
pub(super) struct Plan {
    pub(super) columns: Vec<PlannedColumn>,
}

pub(super) struct PlannedColumn {
    pub(super) name: String,
    pub(super) role: Role,
    pub(super) kind: Kind,
    /// Whether nodes may lack a value.
    pub(super) is_optional: bool,
}

impl Plan {
    pub(super) fn new(schema: &Schema, trees: &[Tree<'_>]) -> Result<Self> {
        let marks = marks(trees)?;
        let is_written = |role: &Role| match role {
            Role::Tree => trees.len() > 1,
            Role::Unfinished => marks & status::UNFINISHED != 0,
            Role::LeftOut => marks & status::LEFT_OUT != 0,
            // They follow from the rest: an attribute of that name comes first.
            Role::Ply | Role::Size => schema.position(role.name()).is_none(),
            _ => true,
        };
        let structural = |role: Role| {
            let taken = schema.position(role.name()).is_some();
            let name = if taken { format!("_{}", role.name()) } else { role.name().to_owned() };
            PlannedColumn { name, role, kind: role.kind(), is_optional: false }
        };
        let mut columns: Vec<PlannedColumn> =
            Role::STRUCTURE.into_iter().filter(is_written).map(structural).collect();
        for (position, attribute) in schema.attributes().iter().enumerate() {
            let role = Role::Attribute(position);
            let is_optional = trees.iter().any(|tree| may_lack(tree, position));
            let name = attribute.name.clone();
            columns.push(PlannedColumn { name, role, kind: attribute.kind, is_optional });
        }
        Ok(Self { columns })
    }

    /// What is read of the log: move, status, left-out count, then all attributes.
    pub(super) fn columns_read(&self) -> Vec<Column> {
        let attributes = self.columns.iter().filter_map(|column| match column.role {
            Role::Attribute(position) => Some(Column::Attribute(position)),
            _ => None,
        });
        [Column::LastMove, Column::Status, Column::LeftOut].into_iter().chain(attributes).collect()
    }
}

/// Whether nodes of a tree may lack this attribute.
fn may_lack(tree: &Tree<'_>, attribute: usize) -> bool {
    tree.blocks().any(|head| head.columns[Column::Attribute(attribute).number()].missing)
}

/// The marks that any node of the trees has.
fn marks(trees: &[Tree<'_>]) -> Result<u8> {
    let mut marks = 0;
    for tree in trees {
        for (block, head) in tree.blocks().enumerate() {
            // Most blocks say in their heads that they have none.
            if head.rows > 0 && head.columns[Column::Status.number()].max != 0 {
                let statuses = tree.decode(block, Column::Status)?.widened(head.rows as usize);
                marks |= statuses.iter().fold(0, |marks, status| marks | *status as u8);
            }
        }
    }
    Ok(marks)
}

/// Nodes as rows of the planned columns.
pub(super) struct Rows<'a> {
    pub(super) count: usize,
    pub(super) columns: Vec<RowCells<'a>>,
}

/// The cells of one column.
pub(super) struct RowCells<'a> {
    pub(super) kind: Kind,
    pub(super) integers: Cow<'a, [i64]>,
    pub(super) texts: &'a [String],
    /// The attribute that knows which cells are missing; none for the structure.
    attribute: Option<&'a Cells>,
}

impl RowCells<'_> {
    /// Whether the node lacks the value; the integer then means nothing.
    pub(super) fn is_missing(&self, row: usize) -> bool {
        self.attribute.is_some_and(|cells| cells.is_missing(row))
    }

    pub(super) fn text(&self, row: usize) -> &str {
        self.texts.get(self.integers[row] as usize).map_or("", String::as_str)
    }
}

impl<'a> Rows<'a> {
    /// The cells of a batch that was read with [`Plan::columns_read`].
    pub(super) fn new(plan: &Plan, tree: usize, batch: &'a Batch) -> Self {
        let count = batch.len();
        let [moves, statuses, left_out, attributes @ ..] = batch.cells.as_slice() else {
            return Self { count: 0, columns: Vec::new() };
        };
        let first = batch.first_node as i64;
        let columns = plan.columns.iter().map(|column| {
            let (integers, texts): (Cow<'a, [i64]>, &'a [String]) = match column.role {
                Role::Tree => (vec![tree as i64; count].into(), &[]),
                Role::NodeId => ((first..first + count as i64).collect(), &[]),
                Role::ParentId => (batch.parents.as_slice().into(), &[]),
                Role::Ply => (batch.plies.as_slice().into(), &[]),
                Role::Size => (batch.sizes.as_slice().into(), &[]),
                Role::LastMove => (moves.integers.as_slice().into(), &[]),
                Role::Unfinished => {
                    let unfinished = |status: &i64| i64::from(*status as u8 & status::UNFINISHED != 0);
                    (statuses.integers.iter().map(unfinished).collect(), &[])
                }
                Role::LeftOut => (left_out.integers.as_slice().into(), &[]),
                Role::Attribute(position) => {
                    (attributes[position].integers.as_slice().into(), attributes[position].texts.as_slice())
                }
            };
            let attribute = match column.role {
                Role::Attribute(position) => Some(&attributes[position]),
                _ => None,
            };
            RowCells { kind: column.kind, integers, texts, attribute }
        });
        Self { count, columns: columns.collect() }
    }
}
