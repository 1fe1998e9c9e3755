//! Relations and folds of a block cut out of a random tree, against plain code on the whole tree.

mod fold;
mod order;
mod relate;

use std::ops::Range;

use proptest::prelude::*;

use super::*;
use crate::engine::crossing::{Region, Regions};

/// A tree in the order of leaving, and a block of its rows. Ghosts are numbered by their row in the tree, after the
/// rows of the block.
#[derive(Clone, Debug)]
struct Cut {
    sizes: Vec<u32>,
    parents: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
    block: Range<usize>,
    /// The sizes of the block, in which those of crossing nodes are meaningless.
    block_sizes: Vec<u32>,
    regions: Regions,
    surroundings: Vec<Surroundings>,
    /// The tops by segment, as rows of the tree.
    tops: Vec<Vec<usize>>,
}

impl Cut {
    /// Each number is how many of the trees so far become the children of the next row; the root takes the rest.
    fn new(adopted: &[usize], from: usize, to: usize) -> Self {
        let (mut sizes, mut children, mut trees) = (Vec::new(), Vec::new(), Vec::<usize>::new());
        for &count in adopted.iter().chain([&usize::MAX]) {
            let own: Vec<usize> = trees.drain(trees.len() - count.min(trees.len())..).collect();
            trees.push(sizes.len());
            sizes.push(1 + own.iter().map(|&child| sizes[child]).sum::<u32>());
            children.push(own);
        }
        let mut parents = vec![None; sizes.len()];
        for (row, children) in children.iter().enumerate() {
            children.iter().for_each(|&child| parents[child] = Some(row));
        }
        let (from, to) = (from % (sizes.len() + 1), to % (sizes.len() + 1));
        let block = from.min(to)..from.max(to);
        let mut cut = Self {
            block_sizes: sizes[block.clone()].to_vec(),
            sizes,
            parents,
            children,
            block,
            regions: Regions::default(),
            surroundings: Vec::new(),
            tops: Vec::new(),
        };
        cut.find_segments();
        cut
    }

    fn start(&self, row: usize) -> usize {
        row + 1 - self.sizes[row] as usize
    }

    fn is_inner(&self, row: usize) -> bool {
        self.block.contains(&row) && self.start(row) >= self.block.start
    }

    fn find_segments(&mut self) {
        for row in self.block.clone() {
            let parent = self.parents[row];
            if !self.is_inner(row) {
                self.regions.closed.push(row - self.block.start);
                self.block_sizes[row - self.block.start] = u32::MAX;
            } else if !parent.is_some_and(|parent| self.is_inner(parent)) {
                match self.tops.last_mut().filter(|tops| self.parents[tops[0]] == parent) {
                    Some(tops) => tops.push(row),
                    None => self.tops.push(vec![row]),
                }
            }
        }
        for tops in &self.tops {
            let (first, last) = (tops[0], tops[tops.len() - 1]);
            let inside = |row: usize| row - self.block.start;
            self.regions.segments.push(Region {
                parent: self.parents[first].map(|_| 0),
                count: tops.len(),
                first_row: inside(first),
                first_start: inside(self.start(first)),
                last_row: inside(last),
            });
            let ghost = |row: Option<usize>| row.map_or(NOBODY, |row| (self.block.len() + row) as u32);
            let (before, after) = (self.relatives(first, Scope::Before), self.relatives(last, Scope::After));
            self.surroundings.push(Surroundings {
                parent: ghost(self.parents[first]),
                before: ghost(before.last().copied()),
                after: ghost(after.first().copied()),
                first_index: before.len() as i64,
            });
        }
    }

    fn relations(&self) -> Result<Relations, usize> {
        Relations::new(self.block_sizes.clone(), &self.regions, self.surroundings.clone())
    }

    /// The row of the tree that an index stands for.
    fn row(&self, index: u32) -> Option<usize> {
        let index = (index != NOBODY).then_some(index as usize)?;
        Some(if index < self.block.len() { self.block.start + index } else { index - self.block.len() })
    }

    /// The inner nodes of the block, as rows of the tree, with their index in the block.
    fn inner(&self) -> impl Iterator<Item = (usize, usize)> {
        self.block.clone().filter(|&row| self.is_inner(row)).map(|row| (row, row - self.block.start))
    }

    /// The relatives in the order of entering.
    fn relatives(&self, row: usize, scope: Scope) -> Vec<usize> {
        let family = self.parents[row].map_or(vec![row], |parent| self.children[parent].clone());
        match scope {
            Scope::Child => self.children[row].clone(),
            Scope::Subtree => {
                let with_own = |&child: &usize| [vec![child], self.relatives(child, scope)].concat();
                self.children[row].iter().flat_map(with_own).collect()
            }
            Scope::Path => {
                let mut path: Vec<usize> =
                    std::iter::successors(self.parents[row], |&above| self.parents[above]).collect();
                path.reverse();
                path
            }
            Scope::Before => family.into_iter().filter(|&other| other < row).collect(),
            Scope::After => family.into_iter().filter(|&other| other > row).collect(),
        }
    }

    /// The nodes outside the segment that its tops find, in the order of entering.
    fn start_of(&self, segment: usize, scope: Scope) -> Vec<usize> {
        let tops = &self.tops[segment];
        match scope {
            Scope::Path | Scope::Before => self.relatives(tops[0], scope),
            Scope::After => self.relatives(tops[tops.len() - 1], scope),
            Scope::Child | Scope::Subtree => Vec::new(),
        }
    }
}

/// Chains, stars and everything between, of at most `nodes_max` nodes.
fn cuts(nodes_max: usize) -> impl Strategy<Value = Cut> {
    let mixed = prop_oneof![3 => Just(0_usize), 2 => 1..4_usize, 1 => 4..40_usize];
    // Families of leaves alone, long enough to be handled together.
    let wide = proptest::collection::vec(16..60_usize, 0..nodes_max / 38);
    let wide =
        wide.prop_map(|families| families.iter().flat_map(|&k| [vec![0; k], vec![k]].concat()).collect());
    let adopted = prop_oneof![
        2 => wide,
        6 => proptest::collection::vec(mixed, 0..nodes_max),
        1 => proptest::collection::vec(Just(1_usize), 0..nodes_max.min(120)),
        1 => proptest::collection::vec(0..2_usize, 0..nodes_max),
        1 => proptest::collection::vec(Just(0_usize), 0..nodes_max),
    ];
    let whole = (Just(0_usize), Just(usize::MAX));
    let part = (any::<usize>(), any::<usize>());
    (adopted, prop_oneof![1 => whole, 4 => part]).prop_map(|(adopted, (from, to))| {
        let to = if to == usize::MAX { adopted.len() + 1 } else { to };
        Cut::new(&adopted, from, to)
    })
}

fn scopes() -> impl Strategy<Value = Scope> {
    proptest::sample::select(vec![Scope::Child, Scope::Subtree, Scope::Path, Scope::Before, Scope::After])
}

/// Values of the nodes of the tree and whether each is taken, repeated if the tree has more nodes.
#[derive(Clone, Debug)]
struct Values<T> {
    values: Vec<T>,
    taken: Vec<bool>,
}

impl<T: Copy> Values<T> {
    fn value(&self, row: usize) -> T {
        self.values[row % self.values.len()]
    }

    fn is_taken(&self, row: usize) -> bool {
        self.taken[row % self.taken.len()]
    }

    /// The values of those nodes that are taken.
    fn of(&self, rows: &[usize]) -> Vec<T> {
        rows.iter().filter(|&&row| self.is_taken(row)).map(|&row| self.value(row)).collect()
    }

    /// The values of the block, and the bitmap of the taken rows.
    fn in_block(&self, cut: &Cut) -> (Vec<T>, Bitmap) {
        let taken: Vec<bool> = cut.block.clone().map(|row| self.is_taken(row)).collect();
        let mut take = Bitmap::default();
        take.pack(&taken, u8::from);
        (cut.block.clone().map(|row| self.value(row)).collect(), take)
    }
}

fn values<T: Copy + std::fmt::Debug>(value: impl Strategy<Value = T>) -> impl Strategy<Value = Values<T>> {
    let taken = prop_oneof![
        4 => proptest::collection::vec(any::<bool>(), 1..200),
        1 => Just(vec![true]),
        1 => Just(vec![false]),
    ];
    (proptest::collection::vec(value, 1..200), taken).prop_map(|(values, taken)| Values { values, taken })
}
