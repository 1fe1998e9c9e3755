//! Links the rows of one tree by their parents, in any order.
//!
//! All faults of the structure are found here, where the rows on both sides of a fault are known.

use crate::{Error, ErrorKind, Result, RowPlace};

/// No such node.
pub(super) const NONE: usize = usize::MAX;

/// A collected row, without its attributes.
#[derive(Clone, Copy)]
pub(super) struct CollectedRow {
    pub(super) place: RowPlace,
    pub(super) tree: i64,
    pub(super) id: i64,
    pub(super) parent: Option<i64>,
    pub(super) last_move: i64,
}

/// The rows of one tree, by ascending node_id; a node is identified by its index among them.
pub(super) struct Group<'a> {
    pub(super) rows: &'a [CollectedRow],
    pub(super) order: &'a [usize],
}

/// For every node its first child and next sibling, or [`NONE`].
pub(super) struct Links {
    pub(super) first_child: Vec<usize>,
    pub(super) next_sibling: Vec<usize>,
}

impl Group<'_> {
    fn row(&self, place: usize) -> &CollectedRow {
        &self.rows[self.order[place]]
    }

    /// The node with this node_id.
    fn find(&self, id: i64) -> Option<usize> {
        let guess = usize::try_from(id.checked_sub(self.row(0).id)?).ok()?;
        if self.order.get(guess).is_some_and(|&row| self.rows[row].id == id) {
            return Some(guess);
        }
        self.order.binary_search_by_key(&id, |&row| self.rows[row].id).ok()
    }

    /// The root, and for every node its first child and next sibling.
    pub(super) fn links(&self) -> Result<(usize, Links)> {
        self.check_duplicates()?;
        let nodes = self.order.len();
        let mut links = Links { first_child: vec![NONE; nodes], next_sibling: vec![NONE; nodes] };
        // Going backwards keeps the first occurrence of each fault.
        let (mut root, mut second_root, mut orphan) = (None, None, None);
        for place in (0..nodes).rev() {
            match self.row(place).parent.map(|parent| self.find(parent)) {
                None => second_root = root.replace(place),
                Some(None) => orphan = Some(place),
                Some(Some(above)) => {
                    links.next_sibling[place] = links.first_child[above];
                    links.first_child[above] = place;
                }
            }
        }
        if let Some(orphan) = orphan {
            return Err(self.orphan(orphan));
        }
        match (root, second_root) {
            (Some(root), None) => Ok((root, links)),
            (Some(root), Some(second)) => Err(self.second_root(root, second)),
            (None, _) => Err(self.cycle()),
        }
    }

    fn orphan(&self, place: usize) -> Error {
        let row = self.row(place);
        let error = ErrorKind::UnknownParent { node: row.id, parent: row.parent.unwrap_or(-1) };
        Error::new(error).at(row.place).in_column("parent_id")
    }

    fn second_root(&self, one: usize, other: usize) -> Error {
        let (one, other) = (self.row(one), self.row(other));
        let (first, second) = if one.place < other.place { (one, other) } else { (other, one) };
        let error = ErrorKind::SecondRoot { node: second.id, earlier_row: first.place };
        Error::new(error).at(second.place).in_column("parent_id")
    }

    fn check_duplicates(&self) -> Result<()> {
        for pair in self.order.windows(2) {
            let (first, second) = (&self.rows[pair[0]], &self.rows[pair[1]]);
            if first.id == second.id {
                let error = ErrorKind::DuplicateNode { node: second.id, earlier_row: first.place };
                return Err(Error::new(error).at(second.place).in_column("node_id"));
            }
        }
        Ok(())
    }

    /// The error for a tree whose nodes are not all below a root: it names the cycle's smallest node.
    pub(super) fn cycle(&self) -> Error {
        const UNSEEN: usize = 0;
        let mut walk_of = vec![UNSEEN; self.order.len()];
        for start in 0..self.order.len() {
            let walk = start + 1;
            let mut place = start;
            while walk_of[place] == UNSEEN {
                walk_of[place] = walk;
                match self.row(place).parent.and_then(|parent| self.find(parent)) {
                    Some(above) => place = above,
                    None => break,
                }
            }
            if walk_of[place] == walk && self.row(place).parent.is_some() {
                return self.cycle_through(place);
            }
        }
        ErrorKind::Empty.into()
    }

    fn cycle_through(&self, start: usize) -> Error {
        let (mut least, mut place) = (start, start);
        while let Some(above) = self.row(place).parent.and_then(|parent| self.find(parent)) {
            least = least.min(above);
            place = above;
            if place == start {
                break;
            }
        }
        let row = self.row(least);
        Error::new(ErrorKind::Cycle { node: row.id }).at(row.place).in_column("parent_id")
    }
}
