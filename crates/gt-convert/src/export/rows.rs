//! The columns of an export, and a batch of nodes as their cells.

use std::borrow::Cow;

use gt_log::{Batch, Cells, Column, Kind, Schema, Tree, status};

use crate::Result;
use crate::role::Role;

/// The columns of an export.
pub(crate) struct Plan {
    pub(crate) columns: Vec<PlannedColumn>,
}

pub(crate) struct PlannedColumn {
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) kind: Kind,
    /// Whether nodes may lack a value.
    pub(crate) is_optional: bool,
}

impl Plan {
    pub(crate) fn new(schema: &Schema, trees: &[Tree<'_>]) -> Result<Self> {
        let marks = marks(trees)?;
        let is_written = |role: &Role| match role {
            Role::Tree => trees.len() > 1,
            Role::Unfinished => marks & status::UNFINISHED != 0,
            Role::LeftOut => marks & status::LEFT_OUT != 0,
            // They follow from the rest, so an attribute of that name takes precedence.
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

    /// The columns to read from the log, in the order in which they are needed.
    pub(crate) fn columns_read(&self) -> Vec<Column> {
        self.columns.iter().filter_map(|column| read_column(column.role)).collect()
    }
}

/// The log's column for a column of an export; `None` for those that every batch has.
fn read_column(role: Role) -> Option<Column> {
    match role {
        Role::Tree | Role::NodeId | Role::ParentId | Role::Ply | Role::Size => None,
        Role::LastMove => Some(Column::LastMove),
        Role::Unfinished => Some(Column::Status),
        Role::LeftOut => Some(Column::LeftOut),
        Role::Attribute(position) => Some(Column::Attribute(position)),
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
pub(crate) struct Rows<'a> {
    pub(crate) count: usize,
    pub(crate) columns: Vec<RowCells<'a>>,
}

/// The cells of one column.
pub(crate) struct RowCells<'a> {
    pub(crate) kind: Kind,
    pub(crate) integers: Cow<'a, [i64]>,
    pub(crate) texts: &'a [String],
    /// The attribute that knows which cells are missing; `None` for the structure.
    attribute: Option<&'a Cells>,
}

impl RowCells<'_> {
    /// Whether the node lacks the value; the integer is then meaningless.
    pub(crate) fn is_missing(&self, row: usize) -> bool {
        self.attribute.is_some_and(|cells| cells.is_missing(row))
    }

    pub(crate) fn text(&self, row: usize) -> &str {
        self.texts.get(self.integers[row] as usize).map_or("", String::as_str)
    }
}

impl<'a> Rows<'a> {
    /// The cells of a batch that was read with [`Plan::columns_read`].
    pub(crate) fn new(plan: &Plan, tree: usize, batch: &'a Batch) -> Self {
        let count = batch.len();
        let mut read = batch.cells.iter();
        let first = batch.first_node as i64;
        let columns = plan.columns.iter().map(|column| {
            let cells = read_column(column.role).and_then(|_| read.next());
            let integers: Cow<'a, [i64]> = match (column.role, cells) {
                (Role::Tree, _) => vec![tree as i64; count].into(),
                (Role::NodeId, _) => (first..first + count as i64).collect(),
                (Role::ParentId, _) => batch.parents.as_slice().into(),
                (Role::Ply, _) => batch.plies.as_slice().into(),
                (Role::Size, _) => batch.sizes.as_slice().into(),
                (Role::Unfinished, Some(statuses)) => {
                    let unfinished = |status: &i64| i64::from(*status as u8 & status::UNFINISHED != 0);
                    statuses.integers.iter().map(unfinished).collect()
                }
                (Role::LastMove | Role::LeftOut | Role::Attribute(_), Some(cells)) => {
                    cells.integers.as_slice().into()
                }
                // A batch has cells for every requested column.
                (Role::Unfinished | Role::LastMove | Role::LeftOut | Role::Attribute(_), None) => {
                    Cow::Borrowed(&[])
                }
            };
            let attribute = cells.filter(|_| matches!(column.role, Role::Attribute(_)));
            let texts = attribute.map_or(&[][..], |cells| cells.texts.as_slice());
            RowCells { kind: column.kind, integers, texts, attribute }
        });
        Self { count, columns: columns.collect() }
    }
}
