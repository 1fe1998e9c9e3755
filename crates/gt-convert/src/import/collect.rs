//! Rows in any order: collected, sorted by tree and node_id, linked, and written from the root down.
//!
//! Children stand in the order of their node_ids. All faults of the structure are found here, where the rows
//! of both sides of a fault are known.

use std::collections::HashMap;

use gt_log::{Kind, Marks};

use super::node::{Node, Picker, put_cell};
use super::options::Grant;
use super::plant::{Planted, Planter};
use super::records::Records;
use super::table::{CHUNK_ROWS, Step, Table};
use crate::{Error, ErrorKind, Result, RowPlace};

const NONE: usize = usize::MAX;

/// Collects all rows and writes their trees.
pub(super) fn collect(
    table: &mut dyn Table,
    picker: &Picker<'_>,
    mut planter: Planter<'_>,
    grant: Grant,
    step: Step<'_>,
) -> Result<Planted> {
    let mut collected = Collected::new(picker);
    table.read(&picker.wanted(), &mut *step, &mut |chunk| {
        for row in 0..chunk.places.len() {
            collected.add(picker.node(chunk, row)?);
            collected.records.push((0..collected.records.width()).map(|a| picker.cell(chunk, row, a)));
        }
        collected.check(grant)?;
        Ok(true)
    })?;
    let order = collected.order();
    let mut start = 0;
    while start < order.len() {
        let tree = collected.rows[order[start]].tree;
        let rest = &order[start..];
        let count = rest.partition_point(|&row| collected.rows[row].tree == tree);
        let mut step = |left: usize| step((start + left) as u64, order.len() as u64);
        collected.plant(&rest[..count], &mut planter, &mut step)?;
        start += count;
    }
    Ok(planter.planted)
}

#[derive(Clone, Copy)]
struct CollectedRow {
    place: RowPlace,
    tree: i64,
    id: i64,
    parent: Option<i64>,
    last_move: i64,
}

struct Collected {
    rows: Vec<CollectedRow>,
    records: Records,
    /// What only some rows have.
    stated: HashMap<usize, (Option<i64>, Option<i64>)>,
    marks: HashMap<usize, Marks>,
}

impl Collected {
    fn new(picker: &Picker<'_>) -> Self {
        Self {
            rows: Vec::new(),
            records: Records::new(picker.kinds().collect::<Vec<Kind>>()),
            stated: HashMap::new(),
            marks: HashMap::new(),
        }
    }

    fn add(&mut self, node: Node) {
        let Node { place, tree, id, parent, last_move, size, ply, marks } = node;
        if size.is_some() || ply.is_some() {
            self.stated.insert(self.rows.len(), (size, ply));
        }
        if marks != Marks::default() {
            self.marks.insert(self.rows.len(), marks);
        }
        self.rows.push(CollectedRow { place, tree, id, parent, last_move });
    }

    fn node(&self, row: usize) -> Node {
        let CollectedRow { place, tree, id, parent, last_move } = self.rows[row];
        let (size, ply) = self.stated.get(&row).copied().unwrap_or_default();
        let marks = self.marks.get(&row).copied().unwrap_or_default();
        Node { place, tree, id, parent, last_move, size, ply, marks }
    }

    fn check(&self, grant: Grant) -> Result<()> {
        // A row, its place in the order, and its two links.
        let row_bytes = size_of::<CollectedRow>() + 3 * size_of::<usize>();
        let map_bytes = (self.stated.len() + self.marks.len()) * 64;
        let bytes = self.rows.len() * row_bytes + self.records.bytes() + map_bytes;
        if self.rows.len() as u64 > grant.rows_max {
            return Err(ErrorKind::TooManyRows { rows_max: grant.rows_max }.into());
        }
        if bytes as u64 > grant.bytes_max {
            return Err(ErrorKind::TooLargeToSort { bytes_max: grant.bytes_max }.into());
        }
        Ok(())
    }

    /// All rows, by tree and node_id.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by_key(|&row| (self.rows[row].tree, self.rows[row].id));
        order
    }

    /// Writes one tree, whose rows are given by ascending node_id; `step` is told how many nodes were left.
    fn plant(
        &self,
        order: &[usize],
        planter: &mut Planter<'_>,
        step: &mut dyn FnMut(usize) -> Result<()>,
    ) -> Result<()> {
        let group = Group { rows: &self.rows, order };
        let (root, links) = group.links()?;
        planter.begin_tree(self.rows[order[root]].tree)?;
        let mut open = vec![root];
        let mut left = 0_usize;
        planter.enter(self.node(order[root]))?;
        let mut next = links.first_child[root];
        while let Some(&place) = open.last() {
            if next != NONE {
                open.push(next);
                planter.enter(self.node(order[next]))?;
                next = links.first_child[next];
            } else {
                planter.leave(|row| {
                    self.records.visit(order[place], |kind, cell| put_cell(row, kind, &cell));
                })?;
                left += 1;
                if left.is_multiple_of(CHUNK_ROWS) || left == order.len() {
                    step(left)?;
                }
                open.pop();
                next = links.next_sibling[place];
            }
        }
        if left < order.len() {
            return Err(group.cycle());
        }
        planter.end_tree()
    }
}

/// The rows of one tree, by ascending node_id; a node is named by its place among them.
struct Group<'a> {
    rows: &'a [CollectedRow],
    order: &'a [usize],
}

struct Links {
    first_child: Vec<usize>,
    next_sibling: Vec<usize>,
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
    fn links(&self) -> Result<(usize, Links)> {
        self.check_duplicates()?;
        let nodes = self.order.len();
        let mut links = Links { first_child: vec![NONE; nodes], next_sibling: vec![NONE; nodes] };
        // Going backwards, what is kept of each fault is its first occurrence.
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

    /// The error of a tree not all of whose nodes hang below a root: it names the cycle's least node.
    fn cycle(&self) -> Error {
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
