//! Sets of node_ids: a list if they are few, a bit for each node if they are many.
//!
//! ```text
//! few    3 17 250 …                     sorted: rank by halving
//! many   0010 0000 0110 …               and for each 512 bits how many come before
//! ```
//!
//! node_ids are in preorder, so a subtree is an interval of them, and the number of its matches is a difference of
//! two ranks. Rows come in postorder, so blocks do not find ids in order; setting bits sorts them without
//! comparisons.
//!
//! **Invariant:** at most a bit and an eighth for each node of the tree, for any number of ids.

use std::iter::Enumerate;
use std::ops::Range;
use std::slice;

use super::write_bits;

/// The number of nodes per id below which bits take less memory than a list.
const NODES_PER_LISTED: u64 = 64;
const WORDS_PER_RANK: usize = 8;

/// A set of nodes of one tree.
///
/// ```
/// use gt_query::engine::NodeSet;
///
/// let set = NodeSet::of(1000, &[17, 3, 250]);
/// assert_eq!(set.iter().collect::<Vec<u64>>(), [3, 17, 250]);
/// // The subtree of node 3, if it has 100 nodes:
/// assert_eq!(set.within(3..103), 2);
/// assert_eq!(set.get(2), Some(250));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeSet(Ids);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Ids {
    Few(Vec<u64>),
    Many(Bits),
}

impl NodeSet {
    /// Makes the set of these node_ids, in any order, of a tree with `nodes` nodes; ids beyond the tree are
    /// dropped.
    #[must_use]
    pub fn of(nodes: u64, ids: &[u64]) -> Self {
        let mut collecting = Collecting::new(nodes);
        collecting.add(ids);
        collecting.finish()
    }

    /// Makes the set of these node_ids, if a tree with `nodes` nodes has them all.
    ///
    /// # Errors
    /// Returns a node_id that the tree does not have.
    pub fn checked(nodes: u64, ids: &[u64]) -> Result<Self, u64> {
        match ids.iter().find(|id| **id >= nodes) {
            Some(beyond) => Err(*beyond),
            None => Ok(Self::of(nodes, ids)),
        }
    }

    /// Whether it contains a node_id.
    #[must_use]
    pub fn contains(&self, id: u64) -> bool {
        match &self.0 {
            Ids::Few(list) => list.binary_search(&id).is_ok(),
            Ids::Many(bits) => {
                bits.words.get((id / 64) as usize).is_some_and(|word| word >> (id % 64) & 1 == 1)
            }
        }
    }

    /// The node_ids in this interval, as bits; the first bit stands for its start.
    pub(in crate::engine) fn bits_in(&self, ids: Range<u64>) -> Vec<u64> {
        let mut bits = vec![0; ids.end.saturating_sub(ids.start).div_ceil(64) as usize];
        for id in self.slice(self.rank(ids.start)..self.rank(ids.end)) {
            let place = id - ids.start;
            bits[(place / 64) as usize] |= 1 << (place % 64);
        }
        bits
    }

    /// Returns the number of node_ids.
    #[must_use]
    pub fn count(&self) -> u64 {
        match &self.0 {
            Ids::Few(list) => list.len() as u64,
            Ids::Many(bits) => bits.count,
        }
    }

    /// Returns the number of node_ids below this one.
    #[must_use]
    pub fn rank(&self, id: u64) -> u64 {
        match &self.0 {
            Ids::Few(list) => list.partition_point(|&listed| listed < id) as u64,
            Ids::Many(bits) => bits.rank(id),
        }
    }

    /// Returns the number of node_ids in this interval.
    #[must_use]
    pub fn within(&self, ids: Range<u64>) -> u64 {
        self.rank(ids.end).saturating_sub(self.rank(ids.start))
    }

    /// Returns the node_id at this index.
    #[must_use]
    pub fn get(&self, place: u64) -> Option<u64> {
        self.slice(place..place.saturating_add(1)).first().copied()
    }

    /// Returns the node_ids at these indices, ascending.
    #[must_use]
    pub fn slice(&self, places: Range<u64>) -> Vec<u64> {
        match &self.0 {
            Ids::Few(list) => {
                let end = places.end.min(list.len() as u64);
                (places.start..end).map(|place| list[place as usize]).collect()
            }
            Ids::Many(bits) => bits.slice(places),
        }
    }

    /// Iterates over all node_ids, ascending.
    pub fn iter(&self) -> Iter<'_> {
        let (list, words): (&[u64], &[u64]) = match &self.0 {
            Ids::Few(list) => (list, &[]),
            Ids::Many(bits) => (&[], &bits.words),
        };
        Iter { list: list.iter(), words: words.iter().enumerate(), first: 0, word: 0 }
    }

    /// Returns all node_ids, ascending, as a list written by `threads` threads.
    #[must_use]
    pub fn into_vec(self, threads: usize) -> Vec<u64> {
        match self.0 {
            Ids::Few(list) => list,
            Ids::Many(bits) => bits.listed(threads),
        }
    }

    /// Returns the approximate memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match &self.0 {
            Ids::Few(list) => 8 * list.len(),
            Ids::Many(bits) => 8 * (bits.words.len() + bits.ranks.len()),
        }
    }
}

impl<'a> IntoIterator for &'a NodeSet {
    type Item = u64;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// The node_ids of a set, ascending.
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    list: slice::Iter<'a, u64>,
    words: Enumerate<slice::Iter<'a, u64>>,
    /// The rest of the current word, and the id of its lowest bit.
    word: u64,
    first: u64,
}

impl Iterator for Iter<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        while self.word == 0 {
            let Some((place, &word)) = self.words.next() else { return self.list.next().copied() };
            (self.first, self.word) = (64 * place as u64, word);
        }
        let id = self.first + u64::from(self.word.trailing_zeros());
        self.word &= self.word - 1;
        Some(id)
    }
}

/// A set under construction.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Collecting {
    nodes: u64,
    ids: Ids,
}

impl Collecting {
    /// Begins a set for a tree with `nodes` nodes.
    pub(in crate::engine) fn new(nodes: u64) -> Self {
        Self { nodes, ids: Ids::Few(Vec::new()) }
    }

    /// Adds ids in any order.
    pub(in crate::engine) fn add(&mut self, ids: &[u64]) {
        if let Ids::Few(list) = &mut self.ids
            && (list.len() + ids.len()) as u64 <= self.nodes / NODES_PER_LISTED + 64
        {
            list.extend(ids.iter().filter(|&&id| id < self.nodes));
            return;
        }
        let bits = self.bits();
        ids.iter().for_each(|&id| bits.set(id));
    }

    /// Adds another set.
    pub(in crate::engine) fn add_set(&mut self, set: &NodeSet) {
        match &set.0 {
            Ids::Few(list) => self.add(list),
            Ids::Many(bits) => {
                self.bits().words.iter_mut().zip(&bits.words).for_each(|(word, new)| *word |= new);
            }
        }
    }

    /// Adds marked ids.
    pub(in crate::engine) fn add_marks(&mut self, marks: &Marks) {
        if let Ids::Few(list) = &self.ids
            && (list.len() + marks.count()) as u64 <= self.nodes / NODES_PER_LISTED
        {
            return self.add(&marks.ids());
        }
        let first = marks.first_word as usize;
        let words = self.bits().words.get_mut(first..).unwrap_or_default();
        words.iter_mut().zip(&marks.words).for_each(|(word, new)| *word |= new);
    }

    fn bits(&mut self) -> &mut Bits {
        if let Ids::Few(list) = &self.ids {
            let mut bits = Bits::none_of(self.nodes);
            list.iter().for_each(|&id| bits.set(id));
            self.ids = Ids::Many(bits);
        }
        match &mut self.ids {
            Ids::Many(bits) => bits,
            Ids::Few(_) => unreachable!("they have just been made bits"),
        }
    }

    /// The set.
    pub(in crate::engine) fn finish(self) -> NodeSet {
        NodeSet(match self.ids {
            Ids::Few(mut list) => {
                if !list.is_sorted_by(|left, right| left < right) {
                    list.sort_unstable();
                    list.dedup();
                }
                Ids::Few(list)
            }
            Ids::Many(mut bits) => {
                bits.rank_all();
                Ids::Many(bits)
            }
        })
    }
}

/// The ids found in a block, as bits.
#[derive(Clone, Debug, Default)]
pub(in crate::engine) struct Marks {
    /// The index of the first word among all words of the tree.
    first_word: u64,
    words: Vec<u64>,
}

impl Marks {
    /// Makes marks for this range of ids, all unset.
    pub(in crate::engine) fn none_of(ids: Range<u64>) -> Self {
        let first_word = ids.start / 64;
        let count = ids.end.div_ceil(64).saturating_sub(first_word);
        Self { first_word, words: vec![0; count as usize] }
    }

    /// The id of the lowest bit.
    pub(in crate::engine) fn first_id(&self) -> u64 {
        self.first_word * 64
    }

    pub(in crate::engine) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The ids, ascending.
    pub(in crate::engine) fn ids(&self) -> Vec<u64> {
        let mut ids = vec![0; self.count()];
        write_bits(self.first_word, &self.words, &mut ids);
        ids
    }
}

/// A bit for each node.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bits {
    nodes: u64,
    words: Vec<u64>,
    /// `ranks[k]` counts the set bits before word `8 * k`.
    ranks: Vec<u64>,
    count: u64,
}

impl Bits {
    fn none_of(nodes: u64) -> Self {
        Self { nodes, words: vec![0; nodes.div_ceil(64) as usize], ranks: Vec::new(), count: 0 }
    }

    fn set(&mut self, id: u64) {
        if id < self.nodes {
            self.words[(id / 64) as usize] |= 1 << (id % 64);
        }
    }

    fn rank_all(&mut self) {
        // A block's marks can lie beyond the last node if a log is inconsistent.
        if let (Some(last), 1..) = (self.words.last_mut(), self.nodes % 64) {
            *last &= (1 << (self.nodes % 64)) - 1;
        }
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

    fn listed(&self, threads: usize) -> Vec<u64> {
        let mut ids = vec![0; self.count as usize];
        let groups = self.ranks.len().div_ceil(threads.max(1)).max(1);
        std::thread::scope(|scope| {
            let mut left = &mut ids[..];
            for (part, words) in self.words.chunks(groups * WORDS_PER_RANK).enumerate() {
                let end = self.ranks.get((part + 1) * groups).copied().unwrap_or(self.count);
                let (own, others) = left.split_at_mut((end - self.ranks[part * groups]) as usize);
                left = others;
                let first = (part * groups * WORDS_PER_RANK) as u64;
                if threads <= 1 {
                    write_bits(first, words, own);
                } else {
                    scope.spawn(move || write_bits(first, words, own));
                }
            }
        });
        ids
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_set(
            nodes in 1_u64..5000,
            batches in proptest::collection::vec(
                (proptest::collection::vec(any::<prop::sample::Index>(), 0..300), any::<bool>()), 0..6),
            probes in proptest::collection::vec(any::<prop::sample::Index>(), 20),
            threads in 1..4_usize,
        ) {
            let mut collecting = Collecting::new(nodes);
            let mut plain = BTreeSet::new();
            for (batch, as_marks) in &batches {
                let ids: BTreeSet<u64> = batch.iter().map(|index| index.index(nodes as usize) as u64).collect();
                if let (Some(&first), Some(&last), true) = (ids.first(), ids.last(), *as_marks) {
                    let mut marks = Marks::none_of(first..last + 1);
                    for id in &ids {
                        let place = id - marks.first_id();
                        marks.words_mut()[(place / 64) as usize] |= 1 << (place % 64);
                    }
                    prop_assert_eq!(marks.ids(), ids.iter().copied().collect::<Vec<_>>());
                    collecting.add_marks(&marks);
                } else {
                    collecting.add(&ids.iter().rev().copied().collect::<Vec<_>>());
                }
                plain.extend(ids);
            }
            let set = collecting.finish();
            let listed: Vec<u64> = plain.iter().copied().collect();
            prop_assert_eq!(set.count(), listed.len() as u64);
            prop_assert_eq!(set.iter().collect::<Vec<_>>(), listed.clone());
            prop_assert_eq!(set.clone().into_vec(threads), listed.clone());
            prop_assert_eq!(set.slice(0..u64::MAX), listed.clone());
            for probe in probes {
                let id = probe.index(nodes as usize + 1) as u64;
                prop_assert_eq!(set.rank(id), plain.range(..id).count() as u64);
                prop_assert_eq!(set.within(id / 2..id), plain.range(id / 2..id).count() as u64);
                prop_assert_eq!(set.get(id), listed.get(id as usize).copied());
                prop_assert_eq!(set.contains(id), plain.contains(&id));
                let bits = set.bits_in(id / 2..id);
                let marked = (id / 2..id).filter(|id_in| {
                    let place = id_in - id / 2;
                    bits[(place / 64) as usize] >> (place % 64) & 1 == 1
                });
                prop_assert_eq!(marked.collect::<Vec<_>>(), plain.range(id / 2..id).copied().collect::<Vec<_>>());
                let end = (id + 7).min(listed.len() as u64);
                let start = id.min(end);
                prop_assert_eq!(set.slice(id..id + 7), listed[start as usize..end as usize].to_vec());
            }
        }

        #[test]
        fn ids_beyond_the_tree_are_left_out(nodes in 1_u64..300, ids in proptest::collection::vec(0..600_u64, 0..200)) {
            let set = NodeSet::of(nodes, &ids);
            prop_assert_eq!(NodeSet::checked(nodes, &ids).ok(), ids.iter().all(|id| *id < nodes).then(|| set.clone()));
            let expected: BTreeSet<u64> = ids.into_iter().filter(|id| *id < nodes).collect();
            prop_assert_eq!(set.into_vec(2), expected.into_iter().collect::<Vec<_>>());
        }
    }
}
