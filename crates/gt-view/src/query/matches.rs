//! The matches of a query: how many lie in a subtree, and which is the next.
//!
//! node_ids are in preorder, so a subtree is an interval of them, and its matches are a difference of two ranks.
//!
//! ```text
//! few    3 17 250 …                     a sorted list: rank by halving
//! many   0010 0000 0110 …               a bit for each node, and for each 512 bits how many come before
//! ```
//!
//! **Invariant:** at most a bit and an eighth for each node of the tree, whatever the number of matches.

use std::ops::Range;

/// A set of node_ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Matches {
    Few(Vec<u64>),
    Many(Bits),
}

/// Beyond one match in so many nodes, bits take less than a list.
const NODES_PER_LISTED: u64 = 64;

/// Collects node_ids as they are found.
#[derive(Debug)]
pub(crate) struct Gathering {
    nodes: u64,
    found: Matches,
}

impl Gathering {
    /// Of a tree with so many nodes.
    pub(crate) fn new(nodes: u64) -> Self {
        Self { nodes, found: Matches::Few(Vec::new()) }
    }

    pub(crate) fn add(&mut self, ids: &[u64]) {
        if let Matches::Few(list) = &mut self.found {
            if (list.len() + ids.len()) as u64 <= self.nodes / NODES_PER_LISTED + 64 {
                list.extend_from_slice(ids);
                return;
            }
            let mut bits = Bits::new(self.nodes);
            list.iter().for_each(|&id| bits.set(id));
            self.found = Matches::Many(bits);
        }
        if let Matches::Many(bits) = &mut self.found {
            ids.iter().for_each(|&id| bits.set(id));
        }
    }

    pub(crate) fn finish(self) -> Matches {
        match self.found {
            Matches::Few(mut list) => {
                list.sort_unstable();
                list.dedup();
                Matches::Few(list)
            }
            Matches::Many(mut bits) => {
                bits.rank_all();
                Matches::Many(bits)
            }
        }
    }
}

impl Matches {
    /// The set of these node_ids of a tree with so many nodes.
    pub(crate) fn of(nodes: u64, ids: &[u64]) -> Self {
        let mut gathering = Gathering::new(nodes);
        gathering.add(ids);
        gathering.finish()
    }

    pub(crate) fn count(&self) -> u64 {
        match self {
            Self::Few(list) => list.len() as u64,
            Self::Many(bits) => bits.count,
        }
    }

    /// How many are below this node_id.
    pub(crate) fn rank(&self, id: u64) -> u64 {
        match self {
            Self::Few(list) => list.partition_point(|&listed| listed < id) as u64,
            Self::Many(bits) => bits.rank(id),
        }
    }

    /// How many lie in this interval.
    pub(crate) fn within(&self, ids: Range<u64>) -> u64 {
        self.rank(ids.end) - self.rank(ids.start)
    }

    /// The one at this place, from 0.
    pub(crate) fn get(&self, index: u64) -> Option<u64> {
        match self {
            Self::Few(list) => list.get(usize::try_from(index).ok()?).copied(),
            Self::Many(bits) => bits.select(index),
        }
    }

    /// Those at these places.
    pub(crate) fn slice(&self, places: Range<u64>) -> Vec<u64> {
        match self {
            Self::Few(list) => {
                let end = places.end.min(list.len() as u64);
                (places.start..end).map(|place| list[place as usize]).collect()
            }
            Self::Many(bits) => bits.slice(places),
        }
    }
}

/// A bit for each node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bits {
    words: Vec<u64>,
    /// `ranks[k]` counts the set bits before word `8 * k`.
    ranks: Vec<u64>,
    count: u64,
}

const WORDS_PER_RANK: usize = 8;

impl Bits {
    fn new(nodes: u64) -> Self {
        Self { words: vec![0; nodes.div_ceil(64) as usize], ranks: Vec::new(), count: 0 }
    }

    pub(crate) fn bytes(&self) -> usize {
        8 * (self.words.len() + self.ranks.len())
    }

    fn set(&mut self, id: u64) {
        if let Some(word) = self.words.get_mut((id / 64) as usize) {
            *word |= 1 << (id % 64);
        }
    }

    fn rank_all(&mut self) {
        self.count = 0;
        self.ranks.clear();
        for words in self.words.chunks(WORDS_PER_RANK) {
            self.ranks.push(self.count);
            self.count += words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        }
    }

    fn rank(&self, id: u64) -> u64 {
        let word = (id / 64) as usize;
        if word >= self.words.len() {
            return self.count;
        }
        let start = word - word % WORDS_PER_RANK;
        let before: u32 = self.words[start..word].iter().map(|word| word.count_ones()).sum();
        let inside = self.words[word] & ((1_u64 << (id % 64)) - 1);
        self.ranks[word / WORDS_PER_RANK] + u64::from(before + inside.count_ones())
    }

    fn select(&self, index: u64) -> Option<u64> {
        self.slice(index..index + 1).first().copied()
    }

    fn slice(&self, places: Range<u64>) -> Vec<u64> {
        let mut found = Vec::new();
        let group = self.ranks.partition_point(|&rank| rank <= places.start).saturating_sub(1);
        let mut rank = self.ranks.get(group).copied().unwrap_or(0);
        for (at, &word) in self.words.iter().enumerate().skip(group * WORDS_PER_RANK) {
            if rank >= places.end {
                break;
            }
            let mut left = word;
            while left != 0 {
                if places.contains(&rank) {
                    found.push(at as u64 * 64 + u64::from(left.trailing_zeros()));
                }
                rank += 1;
                left &= left - 1;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests;
