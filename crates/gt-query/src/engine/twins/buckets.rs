//! The buckets of all blocks, one after the other: the rows of a bucket are sorted by their hashes, and each group is
//! folded.
//!
//! **Invariant:** a group has at least two rows; every row that has a key and a twin is in one group.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::arranged::Arranged;
use super::fold::{Folding, Question};
use super::lanes::Lanes;
use super::results::{Layout, Results};
use crate::engine::Failure;
use crate::engine::parallel;

/// Answers questions about the same twins, each with the index of its lanes in the arranged blocks.
///
/// # Errors
/// Returns an error if the run was cancelled, or too many rows would have to be compared pairwise.
pub(in crate::engine) fn answer(
    blocks: Vec<Arranged>,
    questions: &[(&Question, usize)],
    threads: usize,
    cancel: Option<&AtomicBool>,
) -> Result<Vec<Results>, Failure> {
    let mut answers: Vec<Vec<Vec<u64>>> = questions.iter().map(|_| Vec::new()).collect();
    let count = blocks.first().map_or(0, |block| block.ends.len());
    parallel::in_order(
        count,
        threads,
        cancel,
        || Bucket::new(questions),
        |room, bucket| room.answer(&blocks, bucket, cancel),
        |_, found: Vec<Vec<u64>>| {
            answers.iter_mut().zip(found).for_each(|(answers, found)| answers.push(found));
            Ok(())
        },
    )?;
    let layout = Arc::new(Layout::of(blocks));
    let results = questions.iter().zip(answers).map(|((question, _), buckets)| Results {
        layout: Arc::clone(&layout),
        buckets,
        kept: question.kept(),
    });
    Ok(results.collect())
}

/// The rows of a bucket, of all blocks; the memory is reused for the next bucket.
struct Bucket<'a> {
    questions: &'a [(&'a Question, usize)],
    foldings: Vec<Folding<'a>>,
    hashes: Vec<u64>,
    /// The upper bits of hashes, with their index in the bucket in the lower bits.
    sorted: Vec<u64>,
    words: Vec<Vec<u64>>,
    /// The values by index.
    read: Vec<Lanes>,
    group: Vec<u32>,
}

impl<'a> Bucket<'a> {
    fn new(questions: &'a [(&'a Question, usize)]) -> Self {
        Self {
            questions,
            foldings: questions.iter().map(|(question, _)| Folding::new(question)).collect(),
            hashes: Vec::new(),
            sorted: Vec::new(),
            words: Vec::new(),
            read: Vec::new(),
            group: Vec::new(),
        }
    }

    /// The answers of the bucket's rows, by question.
    fn answer(
        &mut self,
        blocks: &[Arranged],
        bucket: usize,
        cancel: Option<&AtomicBool>,
    ) -> Result<Vec<Vec<u64>>, Failure> {
        self.load(blocks, bucket);
        let rows = self.hashes.len();
        let mut answers: Vec<Vec<u64>> =
            self.questions.iter().map(|(question, _)| vec![question.kept().nothing(); rows]).collect();
        // All rows of the bucket share the bits that select it.
        let bucket_bits = blocks.first().map_or(1, Arranged::bucket_count).ilog2();
        let place_bits = usize::BITS - rows.leading_zeros();
        let places = (1_u64 << place_bits) - 1;
        let hashes = self.hashes.iter().enumerate();
        self.sorted.clear();
        self.sorted.extend(hashes.map(|(place, hash)| hash << bucket_bits & !places | place as u64));
        self.sorted.sort_unstable();
        let (foldings, group) = (&mut self.foldings, &mut self.group);
        let read = self.questions.iter().map(|(_, place)| &self.read[*place]);
        let is_same = |left: &u64, right: &u64| left & !places == right & !places;
        for run in self.sorted.chunk_by(is_same).filter(|run| run.len() > 1) {
            group.clear();
            group.extend(run.iter().map(|place| (place & places) as u32));
            each_group(&self.hashes, &self.words, group, &mut |group| {
                for ((folding, lanes), answers) in foldings.iter_mut().zip(read.clone()).zip(&mut answers) {
                    folding.load(group, &lanes.flags, &lanes.numbers);
                    folding.answer(cancel, &mut |place, value| answers[group[place] as usize] = value)?;
                }
                Ok(())
            })?;
        }
        Ok(answers)
    }

    /// Collects the parts of a bucket from all blocks.
    fn load(&mut self, blocks: &[Arranged], bucket: usize) {
        self.hashes.clear();
        self.words.iter_mut().for_each(Vec::clear);
        self.read.iter_mut().for_each(Lanes::clear);
        for block in blocks {
            let places = block.places(bucket);
            self.hashes.extend_from_slice(&block.hashes[places.clone()]);
            self.words.resize_with(block.words.len(), Vec::new);
            for (words, new) in self.words.iter_mut().zip(&block.words) {
                words.extend_from_slice(&new[places.clone()]);
            }
            self.read.resize_with(block.read.len(), Lanes::default);
            for (lanes, new) in self.read.iter_mut().zip(&block.read) {
                lanes.extend(new, places.clone());
            }
        }
    }
}

/// Calls `visit` with the groups among rows whose hashes may be equal.
fn each_group(
    hashes: &[u64],
    words: &[Vec<u64>],
    places: &mut [u32],
    visit: &mut impl FnMut(&[u32]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    // A single word has a unique hash.
    let key = |place: u32| {
        let words = words.iter().map(move |words| words[place as usize]);
        std::iter::once(hashes[place as usize]).chain(words)
    };
    if places.iter().all(|place| key(*place).eq(key(places[0]))) {
        return visit(places);
    }
    places.sort_by(|left, right| key(*left).cmp(key(*right)));
    let mut groups =
        places.chunk_by(|left, right| key(*left).eq(key(*right))).filter(|group| group.len() > 1);
    groups.try_for_each(visit)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::value::Value;
    use crate::vocabulary::Function;

    const COUNT: Question = Question { function: Function::Count, pairs: Vec::new(), argument: None };

    proptest! {
        #[test]
        fn every_row_counts_the_others_of_its_key(
            keys in proptest::collection::vec((0..5_u64, 0..3_u64, 0..4_u8), 1..200),
            two in any::<bool>(),
            rows in 1..100_usize,
            buckets in proptest::sample::select(vec![1_usize, 2, 8]),
            threads in 1..4_usize,
        ) {
            let arranged = |keys: &[(u64, u64, u8)]| {
                let mut words = vec![keys.iter().map(|key| key.0 << 61).collect::<Vec<_>>()];
                words.extend(two.then(|| keys.iter().map(|key| key.1).collect()));
                let flags = keys.iter().map(|key| if key.2 > 0 { 7 } else { 6 }).collect();
                Arranged::of(vec![Lanes { words, numbers: Vec::new(), flags }], buckets)
            };
            let blocks = keys.chunks(rows).map(arranged).collect();
            let results = answer(blocks, &[(&COUNT, 0)], threads, None).unwrap().remove(0);
            let group = |key: &(u64, u64, u8)| (key.0, if two { key.1 } else { 0 });
            let mut plain: BTreeMap<(u64, u64), i128> = BTreeMap::new();
            keys.iter().filter(|key| key.2 > 0).for_each(|key| *plain.entry(group(key)).or_default() += 1);
            for (block, keys) in keys.chunks(rows).enumerate() {
                let count = |key: &(u64, u64, u8)| if key.2 > 0 { plain[&group(key)] - 1 } else { 0 };
                let expected: Vec<_> = keys.iter().map(|key| Some(Value::Integer(count(key)))).collect();
                prop_assert_eq!(results.values(block, keys.len()), expected);
            }
        }
    }

    /// The upper bits of hashes can be equal, and so can the hashes of keys with many words; their rows must still be
    /// distinguished.
    #[test]
    fn rows_that_share_a_hash_are_told_apart() {
        let groups_of = |hashes: &[u64], words: &[Vec<u64>]| {
            let mut groups = Vec::new();
            let visit = &mut |group: &[u32]| {
                groups.push(group.to_vec());
                Ok(())
            };
            each_group(hashes, words, &mut [0, 1, 2, 3, 4], visit).unwrap();
            groups
        };
        let words = [vec![1, 2, 1, 2, 3], vec![5, 5, 5, 5, 5]];
        assert_eq!(groups_of(&[7; 5], &words), [[0, 2], [1, 3]]);
        assert_eq!(groups_of(&[9, 8, 9, 8, 7], &[]), [[1, 3], [0, 2]]);
    }
}
