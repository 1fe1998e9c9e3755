//! Artificial trees for measuring: all nodes are alike except for `best`, a random number from 0 to 9.
//!
//! They are the trees of the thesis that GTQL comes from (its section 5.1), and shapes that stress readers.

use crate::error::Result;
use crate::{Header, Kind, LogWriter, Metadata, Options, Schema, SchemaError, TreeSummary};

/// What an artificial tree looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Every node above the maximum depth has the same number of children.
    Full,
    /// Every node above the maximum depth has a random number of children, with the given average (the root has at least one).
    Random,
    /// Every node but the last has one child.
    Chain,
}

/// An artificial tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Artificial {
    /// The shape of the tree.
    pub shape: Shape,
    /// The maximum distance from the root.
    pub depth: usize,
    /// The number of children of an inner node.
    pub branching: u64,
    /// The seed; the same seed gives the same tree.
    pub seed: u64,
}

crate::record! {
    /// What a node of an artificial tree carries.
    struct Node {
        best: i32,
        r#type: i32,
    }
}

impl Artificial {
    /// The header of a log of artificial trees.
    pub fn header() -> std::result::Result<Header, SchemaError> {
        let schema =
            Schema::new([("best", Kind::I32), ("type", Kind::I32)])?.with_aliases([("PVNode", 1)])?;
        Ok(Header::new("artificial", schema))
    }

    /// The number of nodes, if the shape alone determines it.
    #[must_use]
    pub fn nodes(&self) -> Option<u64> {
        match self.shape {
            Shape::Random => None,
            Shape::Chain => Some(self.depth as u64 + 1),
            Shape::Full => {
                let mut nodes = 1_u64;
                for _ in 0..self.depth {
                    nodes = nodes.checked_mul(self.branching)?.checked_add(1)?;
                }
                Some(nodes)
            }
        }
    }

    /// Writes the tree into a log with [`Artificial::header`]; now and then calls `progress` with the number of nodes written.
    pub fn write(
        &self,
        log: &LogWriter,
        options: Options,
        mut progress: impl FnMut(u64),
    ) -> Result<TreeSummary> {
        let metadata = Metadata::new()
            .with("shape", format!("{:?}", self.shape).to_lowercase())
            .with("depth", self.depth)
            .with("branching", self.branching)
            .with("seed", self.seed);
        let mut tree = log.tree_with::<Node>(&metadata, options)?;
        let mut random = SplitMix64(self.seed);
        // How many children of each open node are still to come.
        let mut open = vec![self.children(0, &mut random)];
        let mut moves = vec![0];
        let mut nodes = 0_u64;
        tree.enter(0)?;
        while let Some(left) = open.last_mut() {
            if *left > 0 {
                *left -= 1;
                let next_move = moves.last_mut().map_or(0, |next| {
                    *next += 1;
                    *next - 1
                });
                tree.enter(next_move)?;
                open.push(self.children(open.len(), &mut random));
                moves.push(0);
            } else {
                tree.leave(&Node { best: random.below(10) as i32, r#type: 1 })?;
                open.pop();
                moves.pop();
                nodes += 1;
                if nodes.is_multiple_of(1 << 16) {
                    progress(nodes);
                }
            }
        }
        progress(nodes);
        tree.finish()
    }

    fn children(&self, ply: usize, random: &mut SplitMix64) -> u64 {
        match self.shape {
            _ if ply >= self.depth => 0,
            Shape::Full => self.branching,
            Shape::Chain => 1,
            Shape::Random => random.below(2 * self.branching + 1).max(u64::from(ply == 0)),
        }
    }
}

/// A small generator of good random numbers (Steele, Lea and Flood, 2014); its sequence never changes.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u64
    }
}
