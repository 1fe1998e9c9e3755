//! The buckets of all blocks, one after the other: each row of a bucket gets the number of its group, and all groups
//! are folded at once.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::arranged::Arranged;
use super::compared::Folding;
use super::fold::{Question, of_all};
use super::groups::Groups;
use super::lanes::Lanes;
use super::results::{Answers, Layout, Results};
use crate::engine::Failure;
use crate::engine::parallel::{self, Workers};

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
    let mut answers: Vec<Vec<Answers>> = questions.iter().map(|_| Vec::new()).collect();
    let count = blocks.first().map_or(0, |block| block.ends.len());
    parallel::in_order(
        count,
        Workers { threads, cancel, results_are_large: false },
        || Bucket::new(questions),
        |room, bucket| room.answer(&blocks, bucket, cancel),
        |_, found: Vec<Answers>| {
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
    groups: Groups,
    /// By index, the lanes of the bucket's rows in the order of groups, if a question needs them.
    ordered: Vec<Lanes>,
}

impl<'a> Bucket<'a> {
    fn new(questions: &'a [(&'a Question, usize)]) -> Self {
        Self {
            questions,
            foldings: questions.iter().map(|(question, _)| Folding::new(question)).collect(),
            groups: Groups::default(),
            ordered: Vec::new(),
        }
    }

    /// The answers of the bucket's rows, by question.
    fn answer(
        &mut self,
        blocks: &[Arranged],
        bucket: usize,
        cancel: Option<&AtomicBool>,
    ) -> Result<Vec<Answers>, Failure> {
        self.groups.load(blocks, bucket);
        self.ordered.resize_with(blocks.first().map_or(0, |block| block.read.len()), Lanes::default);
        self.ordered.iter_mut().for_each(Lanes::clear);
        let mut answers = Vec::with_capacity(self.questions.len());
        for ((question, place), folding) in self.questions.iter().zip(&mut self.foldings) {
            let pieces = blocks.iter().map(|block| (&block.read[*place], block.places(bucket)));
            if question.pairs.is_empty() {
                answers.push(of_all(question, &self.groups, pieces));
                continue;
            }
            let (order, lanes) = (self.groups.order(), &mut self.ordered[*place]);
            if lanes.flags.is_empty() {
                order.arrange(pieces, lanes);
            }
            answers.push(folding.compared(order, lanes, cancel)?);
        }
        Ok(answers)
    }
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
}
