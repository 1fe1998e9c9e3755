//! Moves that nodes name themselves: a text at each node.

use gt_log::{Kind, Result, Schema, Tree, Value, Walker};

/// The name of the attribute that holds the text of each node's move.
const MOVE_NAME: &str = "move_name";

/// Returns the attribute that names the move to each node, for games whose moves have no other names: a text that is
/// called `move_name`, by its own name or by another that the log was given.
#[must_use]
pub fn move_names(schema: &Schema) -> Option<usize> {
    schema.position(MOVE_NAME).filter(|place| schema.attributes()[*place].kind == Kind::Text)
}

/// Reads the names that the nodes of a tree give to their moves.
pub struct NodeNames<'a> {
    walker: Walker<'a>,
    attribute: usize,
}

impl<'a> NodeNames<'a> {
    /// Returns a reader of a tree's names; `None` if its log has no such [attribute](move_names).
    #[must_use]
    pub fn of(tree: Tree<'a>) -> Option<Self> {
        move_names(tree.schema()).map(|attribute| Self { walker: Walker::new(tree), attribute })
    }

    /// Returns the name of the move to a row's node, if it has one.
    ///
    /// # Errors
    /// Returns an error if the log is damaged.
    pub fn at(&mut self, row: u64) -> Result<Option<String>> {
        Ok(match self.walker.value(row, self.attribute)? {
            Value::Text(text) if !text.is_empty() => Some(text),
            _ => None,
        })
    }

    /// Returns the names of the moves to a node, those of its plies from 1 on.
    ///
    /// # Errors
    /// Returns an error if there is no such node, or the log is damaged.
    pub fn line(&mut self, node: u64) -> Result<Vec<Option<String>>> {
        let found = self.walker.find(node)?;
        let rows = found.ancestors.into_iter().chain([found.row]);
        rows.skip(1).map(|row| self.at(row)).collect()
    }
}
