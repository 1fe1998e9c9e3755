//! Who is whose parent, child and sibling in a block.

use gt_log::Tree;

use super::Failure;
use super::details::{Details, Segment};
use super::skeleton::{JointId, Skeleton, damaged};

/// A node, as seen from a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// An inner node: its row in the block.
    Row(usize),
    /// A crossing node, or an edge of another block.
    Joint(JointId),
}

/// The relations of the rows of a block. Those of crossing nodes are left as they are: the skeleton has them.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    pub(super) sizes: Vec<i64>,
    pub(super) parent: Vec<Option<At>>,
    pub(super) previous: Vec<Option<At>>,
    pub(super) next: Vec<Option<At>>,
    pub(super) first_child: Vec<Option<usize>>,
    pub(super) plies: Vec<u64>,
    pub(super) index: Vec<u64>,
    pub(super) children: Vec<u64>,
    /// The crossing node at a row.
    pub(super) crossing: Vec<Option<JointId>>,
    /// The inner nodes whose parents are crossing nodes (or that is the root), in order.
    pub(super) tops: Vec<usize>,
}

impl Shape {
    /// The shape of a block with these sizes.
    ///
    /// # Errors
    /// Where the sizes do not make a tree.
    pub(super) fn of(
        tree: Tree<'_>,
        block: usize,
        sizes: Vec<i64>,
        skeleton: &Skeleton,
        details: &Details,
    ) -> Result<Self, Failure> {
        let rows = sizes.len();
        let mut shape = Self {
            parent: vec![None; rows],
            previous: vec![None; rows],
            next: vec![None; rows],
            first_child: vec![None; rows],
            plies: vec![0; rows],
            index: vec![0; rows],
            children: vec![0; rows],
            crossing: vec![None; rows],
            tops: Vec::new(),
            sizes,
        };
        let first_row = tree.block(block).first_row;
        for &id in skeleton.closed(block) {
            if let Some(place) = details[id].row.checked_sub(first_row) {
                shape.crossing[place as usize] = Some(id);
            }
        }
        for row in 0..rows {
            if shape.crossing[row].is_none() {
                shape.adopt(row).ok_or_else(|| damaged(tree, first_row + row as u64))?;
            }
        }
        shape.join(details.segments(block), details).ok_or_else(|| damaged(tree, first_row))?;
        shape.measure_plies(skeleton);
        Ok(shape)
    }

    /// The last child of an inner node.
    pub(super) fn last_child(&self, row: usize) -> Option<usize> {
        self.first_child[row].map(|_| row - 1)
    }

    /// The rows of the children of an inner node, last child first.
    pub(super) fn children_of(&self, row: usize) -> impl Iterator<Item = usize> {
        let first = self.first_child[row];
        std::iter::successors(self.last_child(row), move |&child| {
            (Some(child) != first).then(|| child - self.sizes[child] as usize)
        })
    }

    /// Makes the rows before `row` that its subtree reaches, and that have no parent yet, its children.
    fn adopt(&mut self, row: usize) -> Option<()> {
        let size = usize::try_from(self.sizes[row]).ok().filter(|size| *size > 0)?;
        let start = (row + 1).checked_sub(size)?;
        let mut before = None;
        let mut end = row;
        while end > start {
            let child = self.tops.pop()?;
            let child_size = self.sizes[child] as usize;
            if child + 1 != end || child_size > end - start {
                return None;
            }
            self.parent[child] = Some(At::Row(row));
            self.next[child] = before;
            if let Some(At::Row(next)) = before {
                self.previous[next] = Some(At::Row(child));
            }
            before = Some(At::Row(child));
            self.first_child[row] = Some(child);
            self.children[row] += 1;
            end -= child_size;
        }
        let mut child = self.first_child[row];
        let mut index = 0;
        while let Some(at) = child {
            self.index[at] = index;
            index += 1;
            child = match self.next[at] {
                Some(At::Row(next)) => Some(next),
                _ => None,
            };
        }
        self.tops.push(row);
        Some(())
    }

    /// Joins what has no parent in the block to the joints.
    fn join(&mut self, segments: &[Segment], details: &Details) -> Option<()> {
        let mut tops = &self.tops[..];
        for segment in segments {
            let (own, rest) = tops.split_at_checked(segment.count)?;
            tops = rest;
            let first_index = segment.edges.map_or(0, |(first, _)| details[first].index);
            for (place, &row) in own.iter().enumerate() {
                self.parent[row] = segment.parent.map(At::Joint);
                self.index[row] = first_index + place as u64;
                self.previous[row] = place.checked_sub(1).map(|place| At::Row(own[place]));
                self.next[row] = own.get(place + 1).map(|&next| At::Row(next));
            }
            if let Some((first, last)) = segment.edges {
                self.previous[*own.first()?] = details[first].previous.map(At::Joint);
                self.next[*own.last()?] = details[last].next.map(At::Joint);
            }
        }
        tops.is_empty().then_some(())
    }

    fn measure_plies(&mut self, skeleton: &Skeleton) {
        for row in (0..self.sizes.len()).rev() {
            self.plies[row] = match self.parent[row] {
                None => 0,
                Some(At::Row(parent)) => self.plies[parent] + 1,
                Some(At::Joint(parent)) => skeleton.joints[parent].ply + 1,
            };
        }
    }
}
