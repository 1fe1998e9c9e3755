//! Moves that nodes name themselves: a text at each node.
//!
//! ```text
//! root ── 7 "R-e4" ── 3 "pass"       after 7, the number 3 is called "pass"
//!      └─ 7 "R-e4" ── 4 "R-e5"       a line can have been searched again: all nodes that it leads to count
//! ```

use std::collections::HashMap;

use gt_log::{Kind, Result, Schema, Tree, Value, Walker};

/// The name of the attribute that holds the text of each node's move.
const MOVE_NAME: &str = "move_name";

/// Returns the attribute that names the move to each node, for games whose moves have no other names: a text called
/// `move_name`, by its own name or by another that the log gives it.
#[must_use]
pub fn move_names(schema: &Schema) -> Option<usize> {
    schema.position(MOVE_NAME).filter(|place| schema.attributes()[*place].kind == Kind::Text)
}

/// Reads the names that the nodes of a tree give to their moves.
pub struct NodeNames<'a> {
    walker: Walker<'a>,
    attribute: usize,
    /// The children of the nodes that were asked for: their moves and rows.
    children: HashMap<u64, Vec<(i64, u64)>>,
}

impl<'a> NodeNames<'a> {
    /// Returns a reader of a tree's names; `None` if its log has no such [attribute](move_names).
    #[must_use]
    pub fn of(tree: Tree<'a>) -> Option<Self> {
        move_names(tree.schema()).map(|attribute| Self {
            walker: Walker::new(tree),
            attribute,
            children: HashMap::new(),
        })
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

    /// Returns the name of a move after the moves `before`, from the root. A number that has several names there has
    /// none: nobody can tell which of them is meant.
    ///
    /// # Errors
    /// Returns an error if the log is damaged.
    pub fn after(&mut self, before: &[i64], number: i64) -> Result<Option<String>> {
        let mut found = None;
        for (_, row) in self.moves_after(before)?.into_iter().filter(|(of_child, _)| *of_child == number) {
            let Some(name) = self.at(row)? else { continue };
            if found.as_ref().is_some_and(|other| *other != name) {
                return Ok(None);
            }
            found = Some(name);
        }
        Ok(found)
    }

    /// Returns the number of the move with this name after the moves `before`, from the root.
    ///
    /// # Errors
    /// Returns an error if the log is damaged.
    pub fn number(&mut self, before: &[i64], name: &str) -> Result<Option<i64>> {
        for (number, row) in self.moves_after(before)? {
            if self.at(row)?.is_some_and(|own| own == name) {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// The moves that were searched after the moves `before`, from the root, and the rows they lead to.
    fn moves_after(&mut self, before: &[i64]) -> Result<Vec<(i64, u64)>> {
        if self.walker.tree().nodes() == 0 {
            return Ok(Vec::new());
        }
        let mut moves = self.moves_at(self.walker.root())?;
        for number in before {
            let mut next = Vec::new();
            for (_, row) in moves.into_iter().filter(|(of_child, _)| of_child == number) {
                next.extend(self.moves_at(row)?);
            }
            moves = next;
        }
        Ok(moves)
    }

    fn moves_at(&mut self, row: u64) -> Result<Vec<(i64, u64)>> {
        if let Some(known) = self.children.get(&row) {
            return Ok(known.clone());
        }
        let rows = self.walker.children(row)?;
        let moves: Vec<(i64, u64)> =
            rows.into_iter().map(|row| Ok((self.walker.last_move(row)?, row))).collect::<Result<_>>()?;
        self.children.insert(row, moves.clone());
        Ok(moves)
    }
}
