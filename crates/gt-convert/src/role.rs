//! The columns that form the structure of an exported or imported table.
//!
//! | column | meaning |
//! |---|---|
//! | `node_id`, `parent_id` | the structure; every table has them |
//! | `last_move` | the move; 0 if there is no such column |
//! | `tree` | the number of the tree that the row belongs to |
//! | `ply`, `size` | follow from the structure |
//! | `unfinished`, `left_out` | the node's marks |
//!
//! An export of a log with an attribute `tree` (or another of these names) gives the attribute that name and
//! the structural column `_tree`, which no attribute can be called; `ply` and `size` are then not written.

use gt_log::Kind;

/// The role of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Tree,
    NodeId,
    ParentId,
    Ply,
    Size,
    LastMove,
    Unfinished,
    LeftOut,
    /// An attribute, by its index in the schema.
    Attribute(usize),
}

impl Role {
    pub(crate) const STRUCTURE: [Role; 8] = [
        Role::Tree,
        Role::NodeId,
        Role::ParentId,
        Role::Ply,
        Role::Size,
        Role::LastMove,
        Role::Unfinished,
        Role::LeftOut,
    ];

    /// The column's name; attributes have their own.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Role::Tree => "tree",
            Role::NodeId => "node_id",
            Role::ParentId => "parent_id",
            Role::Ply => "ply",
            Role::Size => "size",
            Role::LastMove => "last_move",
            Role::Unfinished => "unfinished",
            Role::LeftOut => "left_out",
            Role::Attribute(_) => "",
        }
    }

    /// The type of a structural column's cells.
    pub(crate) const fn kind(self) -> Kind {
        match self {
            Role::Unfinished => Kind::Bool,
            Role::LeftOut => Kind::U64,
            Role::Ply => Kind::I32,
            _ => Kind::I64,
        }
    }
}
