//! Nodes by their numbers, lines of nodes, runs of children.

/// A node, by both of its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) row: u64,
    /// The node_id.
    pub(crate) id: u64,
    /// The nodes of its subtree, itself included.
    pub(crate) size: u64,
}

/// A node and the way to it.
#[derive(Clone, Debug)]
pub(crate) struct Located {
    pub(crate) node: Node,
    /// From the root to the parent.
    pub(crate) ancestors: Vec<Node>,
}

impl Located {
    /// The distance from the root.
    pub(crate) fn ply(&self) -> u64 {
        self.ancestors.len() as u64
    }

    pub(crate) fn parent(&self) -> Option<Node> {
        self.ancestors.last().copied()
    }

    /// The nodes from the root to this one.
    pub(crate) fn line(&self) -> impl DoubleEndedIterator<Item = Node> + ExactSizeIterator {
        (0..self.ancestors.len() + 1).map(|ply| self.ancestors.get(ply).copied().unwrap_or(self.node))
    }
}

/// A child, or a run of neighbouring children that all are leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Children {
    /// The last of them.
    pub(crate) last: Node,
    /// How many they are; more than one only where all are leaves.
    pub(crate) count: u64,
}

impl Children {
    /// The node_id of the first of them.
    pub(super) fn first_id(&self) -> u64 {
        self.last.id + 1 - self.count
    }

    /// The first of them.
    pub(crate) fn first(&self) -> Node {
        self.back(self.count - 1)
    }

    /// The one whose subtree holds this node_id.
    pub(super) fn get(&self, id: u64) -> Option<Node> {
        if self.count == 1 {
            return (self.last.id..self.last.id + self.last.size).contains(&id).then_some(self.last);
        }
        (self.first_id()..=self.last.id).contains(&id).then(|| self.back(self.last.id - id))
    }

    /// The one so many places before the last.
    pub(crate) fn back(&self, places: u64) -> Node {
        Node { row: self.last.row - places, id: self.last.id - places, size: self.last.size }
    }
}
