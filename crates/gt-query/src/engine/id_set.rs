//! Sets of node_ids: lists where they are few, bits where they are many.
//!
//! ```text
//! block 7 ──▶ IdMarks: a bit for each id that its nodes can have ─┐
//! block 8 ──▶ a list of ids ──────────────────────────────────────┴▶ IdSet ──▶ ids, ascending
//! ```
//!
//! node_ids are numbers in preorder and rows come in postorder, so what a block finds is not in order, and blocks
//! overlap by some ids. Setting bits puts them in order without comparing any.
//! **Invariant:** a set takes no more than a word for each id, or a bit for each node of the tree, whichever is less.

use std::collections::BTreeMap;

use super::scan::each_bit_into;

/// How many words of bits are kept together.
const SEGMENT_WORDS: usize = 1024;
/// The ids of a block are kept as bits where a list would take more memory.
pub(super) const IDS_OF_A_WORD: u64 = 64;

/// The ids that a block has found, as bits.
#[derive(Clone, Debug, Default)]
pub(super) struct IdMarks {
    /// The word that the first stands for, of all words of the tree.
    first_word: u64,
    words: Vec<u64>,
}

impl IdMarks {
    /// None of the ids in this range.
    pub(super) fn none_of(ids: std::ops::Range<u64>) -> Self {
        let first_word = ids.start / 64;
        let count = ids.end.div_ceil(64).saturating_sub(first_word);
        Self { first_word, words: vec![0; count as usize] }
    }

    /// The id that the lowest bit stands for.
    pub(super) fn first_id(&self) -> u64 {
        self.first_word * 64
    }

    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// The ids, ascending.
    pub(super) fn ids(&self) -> Vec<u64> {
        let mut ids = vec![0; self.words.iter().map(|word| word.count_ones() as usize).sum()];
        each_bit_into(self.first_word, &self.words, &mut ids);
        ids
    }
}

/// The ids that all blocks have found.
#[derive(Debug, Default)]
pub(super) struct IdSet {
    /// By place.
    segments: BTreeMap<u64, Box<[u64; SEGMENT_WORDS]>>,
    list: Vec<u64>,
}

impl IdSet {
    pub(super) fn add_list(&mut self, list: &mut Vec<u64>) {
        self.list.append(list);
    }

    pub(super) fn add_marks(&mut self, marks: &IdMarks) {
        let mut place = marks.first_word;
        let mut words = &marks.words[..];
        while !words.is_empty() {
            let inside = (place % SEGMENT_WORDS as u64) as usize;
            let (now, later) = words.split_at(words.len().min(SEGMENT_WORDS - inside));
            if now.iter().any(|word| *word != 0) {
                let segment = self.segments.entry(place / SEGMENT_WORDS as u64);
                let segment = segment.or_insert_with(|| Box::new([0; SEGMENT_WORDS]));
                segment[inside..].iter_mut().zip(now).for_each(|(word, new)| *word |= new);
            }
            place += now.len() as u64;
            words = later;
        }
    }

    /// All of them, ascending; by so many threads.
    pub(super) fn into_ids(mut self, threads: usize) -> Vec<u64> {
        if self.segments.is_empty() {
            if !self.list.is_sorted() {
                self.list.sort_unstable();
            }
            return self.list;
        }
        self.list.retain(|id| match self.segments.get_mut(&(id / 64 / SEGMENT_WORDS as u64)) {
            Some(segment) => {
                segment[(id / 64) as usize % SEGMENT_WORDS] |= 1 << (id % 64);
                false
            }
            None => true,
        });
        let segments: Vec<(u64, usize, &[u64; SEGMENT_WORDS])> = self
            .segments
            .iter()
            .map(|(place, words)| {
                let count: u32 = words.iter().map(|word| word.count_ones()).sum();
                (place * SEGMENT_WORDS as u64, count as usize, &**words)
            })
            .collect();
        let mut ids = vec![0; segments.iter().map(|(_, count, _)| count).sum()];
        write_segments(&segments, &mut ids, threads);
        drop(segments);
        if !self.list.is_empty() {
            ids.append(&mut self.list);
            // Stable sorting sees that most is in order.
            ids.sort();
        }
        ids
    }
}

fn write_segments(segments: &[(u64, usize, &[u64; SEGMENT_WORDS])], ids: &mut [u64], threads: usize) {
    let write = |segments: &[(u64, usize, &[u64; SEGMENT_WORDS])], mut ids: &mut [u64]| {
        for (first_word, count, words) in segments {
            let (now, later) = ids.split_at_mut(*count);
            each_bit_into(*first_word, &words[..], now);
            ids = later;
        }
    };
    if threads <= 1 || segments.len() < 2 * threads {
        return write(segments, ids);
    }
    std::thread::scope(|scope| {
        let mut left = ids;
        for part in segments.chunks(segments.len().div_ceil(threads)) {
            let (own, others) = left.split_at_mut(part.iter().map(|(_, count, _)| count).sum());
            left = others;
            scope.spawn(move || write(part, own));
        }
    });
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_put_in_comes_out_in_order(
            blocks in proptest::collection::vec((0..400_000_u64, proptest::collection::vec(0..9000_u64, 0..60), any::<bool>()), 0..12),
            threads in 1..4_usize,
        ) {
            let mut expected = BTreeSet::new();
            let mut set = IdSet::default();
            for (first, ids, as_list) in blocks {
                let mut ids: Vec<u64> = ids.iter().map(|id| id + first).filter(|id| expected.insert(*id)).collect();
                if as_list {
                    set.add_list(&mut ids);
                } else {
                    let mut marks = IdMarks::none_of(first..first + 9000);
                    for id in &ids {
                        let place = id - marks.first_id();
                        marks.words_mut()[(place / 64) as usize] |= 1 << (place % 64);
                    }
                    ids.sort_unstable();
                    prop_assert_eq!(&marks.ids(), &ids);
                    set.add_marks(&marks);
                }
            }
            prop_assert_eq!(set.into_ids(threads), expected.into_iter().collect::<Vec<_>>());
        }
    }
}
