//! Which encoding a column takes: tried on samples of a block, kept while it goes on paying.

use std::borrow::Cow;
use std::ops::Range;

use super::compact::compact;
use super::dictionary::Dictionary;
use super::extremes::Extremes;
use super::grouped::{Grouping, Key, in_groups};
use super::missing;
use super::narrow::{Narrow, wide, with_list};
use super::needs::Needs;
use super::packed::{CHUNK, Origin, cost_bits};
use super::run::{Coder, Coding, Run, Transform};
use crate::wire::put_signed;

/// How hard the encoder tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Light encodings, chosen on samples: for a running search.
    Light,
    /// Every candidate in full, then zstd at this level: for keeping.
    Compact { level: i32 },
}

/// The block that a column belongs to, and what the column can be encoded against.
#[derive(Clone, Copy)]
pub(crate) struct Siblings<'a> {
    /// The column's own number.
    pub(crate) number: usize,
    /// All columns of the block.
    pub(crate) columns: &'a [Narrow],
    /// The least and the greatest integer of each.
    pub(crate) extremes: &'a [(i64, i64)],
    /// Those that lack values, as `true`: what they have there is not what a reader finds, so nothing can depend on them.
    pub(crate) lacking: &'a [bool],
    /// What the columns with smaller numbers need.
    pub(crate) needs: &'a Needs,
    /// Every row's distance from the root.
    pub(crate) plies: &'a [i64],
}

impl<'a> Siblings<'a> {
    /// The column with this number, if every row has its value and a reader can decode it first.
    pub(super) fn whole(&self, number: usize) -> Option<&'a Narrow> {
        let lacks = self.lacking.get(number).copied().unwrap_or(false);
        let column = self.columns.get(number).filter(|_| !lacks)?;
        self.needs.allow(self.number, number).then_some(column)
    }
}

/// For how many times the rows it was made on a choice is kept before the candidates are tried again.
const TIMES_KEPT: usize = 32;
/// A choice made on fewer rows than this part of a block's is made anew: a small tree says little about a large one.
const ROWS_SHARE_MIN: usize = 4;
/// How many chunks of a block the candidates are tried on.
const SAMPLE_CHUNKS: usize = 4;
/// How many of the columns before it a column is compared with.
const RELATIVES_MAX: usize = 16;
/// A choice that grows by more than a quarter over what it first took is made anew.
const GROWTH: (usize, usize) = (5, 4);

/// The choices for one column, block after block and tree after tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chooser {
    current: Option<Choice>,
    /// How many rows have been encoded by it.
    rows: usize,
    /// Bytes and rows of the block that the choice was made on.
    first: (usize, usize),
}

/// One way to encode a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) transform: Transform,
    pub(super) coding: Coding,
}

/// A column to encode, with what is known of it.
#[derive(Clone, Copy)]
pub(crate) struct Values<'a> {
    pub(crate) values: &'a [i64],
    /// The least and the greatest of them.
    pub(crate) ends: (i64, i64),
    /// The rows that may be given any value between the ends, for they lack one, as bits. None where there are none.
    pub(crate) missing: &'a [u64],
    pub(crate) siblings: Siblings<'a>,
}

/// An encoded column.
pub(crate) struct Encoded {
    pub(crate) bytes: Vec<u8>,
    /// The length before zstd, where that was used.
    pub(crate) compressed_from: Option<u64>,
    /// The columns that must be decoded before it.
    pub(crate) needs: Vec<usize>,
}

impl Chooser {
    /// Encodes a column, after these bytes of it that are not its integers.
    pub(crate) fn encode(&mut self, before: &[u8], values: Values<'_>, effort: Effort) -> Encoded {
        let mut bytes = before.to_vec();
        if values.ends.0 == values.ends.1 {
            Run::put_transform(&mut bytes, Transform::Constant);
            put_signed(&mut bytes, values.ends.0);
            return Encoded { bytes, compressed_from: None, needs: Vec::new() };
        }
        if let Effort::Compact { level } = effort {
            return compact(&bytes, values, level);
        }
        let (choice, mut light) = self.light(values);
        if bytes.is_empty() {
            bytes = light;
        } else {
            bytes.append(&mut light);
        }
        Encoded { bytes, compressed_from: None, needs: choice.needs() }
    }

    fn light(&mut self, values: Values<'_>) -> (Choice, Vec<u8>) {
        let rows = values.values.len();
        if let Some(choice) = self.current
            && self.rows < TIMES_KEPT * self.first.1
            && rows <= ROWS_SHARE_MIN * self.first.1
            && let Some(bytes) = choice.encode(values)
            && bytes.len() * self.first.1 * GROWTH.1 <= self.first.0 * rows * GROWTH.0 + 64 * self.first.1
        {
            self.rows += rows;
            return (choice, bytes);
        }
        let (choice, bytes) = best_light(values);
        *self = Self { current: Some(choice), rows: 0, first: (bytes.len(), rows.max(1)) };
        (choice, bytes)
    }
}

impl Choice {
    const PLAIN: Self = Self { transform: Transform::Plain, coding: Coding::whole(Coder::Packed) };

    /// The columns that must be decoded before one that is encoded so.
    pub(super) fn needs(self) -> Vec<usize> {
        let mut needs = Vec::new();
        if let Transform::Relative(other) = self.transform {
            needs.push(other);
        }
        match self.coding.grouping.map(|grouping| grouping.key) {
            Some(Key::Column(other)) => needs.push(other),
            Some(Key::PlySteps) | None => {}
        }
        needs
    }

    /// The column in this encoding, where it has one.
    pub(super) fn encode(self, values: Values<'_>) -> Option<Vec<u8>> {
        let groups = match self.coding.grouping {
            Some(grouping) => Some(values.groups(grouping)?),
            None => None,
        };
        let ordered = |integers| match &groups {
            Some(groups) => Cow::Owned(in_groups(integers, groups)),
            None => Cow::Borrowed(integers),
        };
        let mut out = Vec::with_capacity(values.values.len() + 64);
        Run::put_transform(&mut out, self.transform);
        match self.transform {
            Transform::Dictionary => {
                let Dictionary { values, codes } =
                    Dictionary::build(values.values, values.ends.0, values.ends.1)?;
                Run::put_dictionary(&mut out, &values, &ordered(&codes), self.coding);
            }
            Transform::Ply => {
                return (values.has_plies() && values.values == values.siblings.plies).then_some(out);
            }
            Transform::Constant | Transform::ListedDictionary => return None,
            Transform::Plain => {
                Run::put_integers(&mut out, &ordered(values.values), values.ends, self.coding);
            }
            Transform::Relative(_) => {
                let (differences, ends) = values.transformed(self.transform)?;
                Run::put_integers(&mut out, &ordered(&differences), ends, self.coding);
            }
            Transform::Delta | Transform::Alternating | Transform::PlyDelta => {
                let (deltas, ends) = values.transformed(self.transform)?;
                Run::put_deltas(&mut out, (&ordered(&deltas), ends), values.ends, self.coding);
            }
        }
        Some(out)
    }
}

impl Values<'_> {
    /// The integers that a transform makes of the values, and their extremes. None where it makes none.
    pub(super) fn transformed(&self, transform: Transform) -> Option<(Vec<i64>, (i64, i64))> {
        let count = self.values.len();
        let mut integers = Vec::with_capacity(count);
        let mut extremes = Extremes::OF_NOTHING;
        for start in (0..count).step_by(CHUNK) {
            self.put(transform, start..count.min(start + CHUNK), &mut integers)?;
            // They are in the nearest cache now.
            extremes.look_at(&integers[start..]);
        }
        Some((integers, extremes.ends()))
    }

    /// The group of each row. None where the key cannot be decoded first.
    pub(super) fn groups(&self, grouping: Grouping) -> Option<Vec<u8>> {
        match grouping.key {
            Key::PlySteps => self.has_plies().then(|| grouping.groups_of_steps(self.siblings.plies)),
            Key::Column(number) => {
                Some(grouping.groups_of(self.siblings.whole(number)?.wide(&mut Vec::new())))
            }
        }
    }

    /// What a transform makes of the values of some chunks.
    pub(super) fn sampled(&self, transform: Transform) -> Option<Vec<i64>> {
        let mut integers = Vec::new();
        for rows in sample(self.values.len()) {
            self.put(transform, rows, &mut integers)?;
        }
        Some(integers)
    }

    /// Appends what a transform makes of these rows. None where it makes nothing.
    fn put(&self, transform: Transform, rows: Range<usize>, out: &mut Vec<i64>) -> Option<()> {
        // Differences are of a row and the one before it; the first has none.
        let (values, plies) = (self.values, self.siblings.plies);
        let before = rows.start.saturating_sub(1)..rows.end;
        if rows.start == 0
            && matches!(transform, Transform::Delta | Transform::Alternating | Transform::PlyDelta)
        {
            let ply = if transform == Transform::PlyDelta { *plies.first()? } else { 0 };
            out.push(values.first()?.wrapping_add(ply));
        }
        match transform {
            Transform::Plain => out.extend_from_slice(&values[rows]),
            Transform::Delta => {
                out.extend(values[before].windows(2).map(|pair| pair[1].wrapping_sub(pair[0])));
            }
            Transform::Alternating => {
                let sign = |row: usize| if row.is_multiple_of(2) { 1_i64 } else { -1 };
                let first = before.start + 1;
                let sums = values[before].windows(2).map(|pair| pair[0].wrapping_add(pair[1]));
                out.extend(sums.enumerate().map(|(place, sum)| sum.wrapping_mul(sign(first + place))));
            }
            Transform::PlyDelta if self.has_plies() => {
                let pairs = values[before.clone()].windows(2).zip(plies[before].windows(2));
                out.extend(pairs.map(|(pair, plies)| {
                    pair[1].wrapping_sub(pair[0]).wrapping_add(plies[1].wrapping_sub(plies[0]))
                }));
            }
            Transform::Relative(other) if other < self.siblings.number => {
                self.put_differences(self.siblings.whole(other)?, rows, out);
            }
            Transform::PlyDelta
            | Transform::Relative(_)
            | Transform::Dictionary
            | Transform::ListedDictionary
            | Transform::Ply
            | Transform::Constant => {
                return None;
            }
        }
        Some(())
    }

    /// Whether plies can be told when the column is decoded: the first column has the sizes, from which they follow.
    pub(super) fn has_plies(&self) -> bool {
        self.siblings.number > 0 && self.siblings.plies.len() == self.values.len()
    }

    /// Appends the differences from another column; rows that lack a value get what makes theirs the smallest.
    fn put_differences(&self, others: &Narrow, rows: Range<usize>, out: &mut Vec<i64>) {
        let start = out.len();
        with_list!(others, others => {
            let pairs = self.values[rows.clone()].iter().zip(&others[rows.clone()]);
            out.extend(pairs.map(|(value, &other)| value.wrapping_sub(wide(other))));
        });
        if self.missing.is_empty() {
            return;
        }
        let (least, most) = self.ends;
        for row in rows.clone().filter(|row| missing::contains(self.missing, *row)) {
            let difference = &mut out[start + row - rows.start];
            let other = self.values[row].wrapping_sub(*difference);
            *difference = other.clamp(least, most).wrapping_sub(other);
        }
    }
}

/// Bits a row that a transform must save to pay for the time it takes to undo.
const SUMMING_PENALTY: (u64, u64) = (1, 4);

/// The best light encoding by the sample; for one that the sample misjudged, plain packing.
pub(super) fn best_light(values: Values<'_>) -> (Choice, Vec<u8>) {
    let ply = Choice { transform: Transform::Ply, ..Choice::PLAIN };
    if let Some(bytes) = ply.encode(values) {
        return (ply, bytes);
    }
    let rows = values.values.len() as u64;
    let mut candidates = Vec::new();
    for transform in [Transform::Plain].into_iter().chain(transforms(values)) {
        if let Some(integers) = values.sampled(transform) {
            let (bits, choice) = estimate(transform, &integers, rows);
            let penalty = match transform {
                Transform::Alternating | Transform::PlyDelta => rows * SUMMING_PENALTY.0 / SUMMING_PENALTY.1,
                _ => 0,
            };
            candidates.push((bits + penalty, choice));
        }
    }
    if let Some(dictionary) = Dictionary::build(values.values, values.ends.0, values.ends.1) {
        let codes = sample(dictionary.codes.len()).flat_map(|rows| &dictionary.codes[rows]).copied();
        let (bits, choice) = estimate(Transform::Dictionary, &codes.collect::<Vec<_>>(), rows);
        candidates.push((bits + 12 * dictionary.values.len() as u64, choice));
    }
    let (_, choice) = candidates.into_iter().min_by_key(|&(bits, _)| bits).unwrap_or((0, Choice::PLAIN));
    match choice.encode(values) {
        Some(bytes) => (choice, bytes),
        None => (Choice::PLAIN, Choice::PLAIN.encode(values).unwrap_or_default()),
    }
}

/// The transforms that are tried, beside none and a dictionary.
pub(super) fn transforms(values: Values<'_>) -> impl Iterator<Item = Transform> {
    let relative = nearest_relative(values.values, &values.siblings).map(Transform::Relative);
    [Transform::Delta, Transform::Alternating, Transform::PlyDelta].into_iter().chain(relative)
}

/// About how many bits so many integers take of which these are a sample, with the best of the packings.
fn estimate(transform: Transform, sample: &[i64], rows: u64) -> (u64, Choice) {
    let (bits, coder) = packed_bits(sample);
    let mut best = (bits, Coding::whole(coder));
    if let Some(usual) = usual(sample) {
        let others: Vec<i64> = sample.iter().copied().filter(|integer| *integer != usual).collect();
        let (bits, coder) = packed_bits(&others);
        // A bit for each row, and something for the time it takes.
        let bits = bits + sample.len() as u64 * 17 / 16;
        if bits < best.0 {
            best = (bits, Coding { usual: Some(usual), ..Coding::whole(coder) });
        }
    }
    (best.0 * rows / (sample.len() as u64).max(1), Choice { transform, coding: best.1 })
}

/// How many bits integers take, and the better of the two packings.
fn packed_bits(integers: &[i64]) -> (u64, Coder) {
    let bits = |origin| integers.chunks(CHUNK).map(|chunk| cost_bits(chunk, origin)).sum::<u64>();
    let (least, middle) = (bits(Origin::Least), bits(Origin::Middle));
    if middle < least { (middle, Coder::Centred) } else { (least, Coder::Packed) }
}

/// The integer that is most frequent among some of these, if it is frequent enough to be worth a bit.
pub(super) fn usual(integers: &[i64]) -> Option<i64> {
    let mut sorted: Vec<i64> = integers.iter().copied().step_by(stride(integers)).collect();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|a, b| a == b);
    let most = runs.max_by_key(|run| run.len())?;
    (most.len() >= 8 && most.len() * 8 >= sorted.len()).then_some(most[0])
}

/// The rows of some chunks of a column.
fn sample(rows: usize) -> impl Iterator<Item = Range<usize>> {
    let chunks = rows.div_ceil(CHUNK);
    let step = chunks.div_ceil(SAMPLE_CHUNKS).max(1);
    (0..chunks).step_by(step).map(move |chunk| chunk * CHUNK..rows.min((chunk + 1) * CHUNK))
}

/// The column among those before it that this one is closest to, if any is closer than its own spread.
fn nearest_relative(values: &[i64], siblings: &Siblings<'_>) -> Option<usize> {
    let stride = stride(values);
    let sampled: Vec<i64> = values.iter().copied().step_by(stride).collect();
    let own = spread_bits(sampled.iter().copied());
    let first = siblings.number.saturating_sub(RELATIVES_MAX).max(1); // Not the sizes: nothing follows them.
    (first..siblings.number)
        .filter_map(|other| {
            let others = siblings.whole(other)?.every(stride);
            let pairs = sampled.iter().zip(&others);
            Some((spread_bits(pairs.map(|(&a, &b)| a.wrapping_sub(b))), other))
        })
        .filter(|&(bits, _)| bits < own)
        .min()
        .map(|(_, other)| other)
}

fn stride(values: &[i64]) -> usize {
    (values.len() / 256).max(1) | 1
}

/// The bits that the middle of these values spreads over, summed: outliers count once each.
fn spread_bits(values: impl Iterator<Item = i64> + Clone) -> u64 {
    let mut sorted: Vec<i64> = values.clone().collect();
    sorted.sort_unstable();
    let middle = sorted.get(sorted.len() / 2).copied().unwrap_or(0);
    values.map(|value| u64::from(64 - value.wrapping_sub(middle).unsigned_abs().leading_zeros())).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::columns::extremes;
    use crate::columns::scratch::Memory;
    use crate::columns::{Decoded, Question, RunContext, Selected};
    use crate::wire::Wire;

    impl Siblings<'static> {
        /// What a column without a block has.
        pub(crate) const fn none() -> Self {
            static NEEDS: Needs = Needs::none();
            Self { number: 0, columns: &[], extremes: &[], lacking: &[], needs: &NEEDS, plies: &[] }
        }
    }

    struct Beside {
        column: Vec<i64>,
        plies: Vec<i64>,
    }

    impl RunContext for Beside {
        fn column(&mut self, _: usize) -> Wire<Vec<i64>> {
            Ok(self.column.clone())
        }
        fn plies(&mut self) -> Wire<Vec<i64>> {
            Ok(self.plies.clone())
        }
    }

    fn integers() -> impl Strategy<Value = Vec<i64>> {
        let value = prop_oneof![20 => Just(3_i64), 8 => -4..4_i64, 2 => -900..900_i64, 1 => any::<i64>()];
        proptest::collection::vec(value, 1..2500)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]
        #[test]
        fn every_choice_comes_back(values in integers(), others in integers(), other in any::<i64>(), low in -10..10_i64, span in 0..900_i64, last in any::<u8>()) {
            let rows = values.len();
            let beside = Beside {
                column: others.iter().copied().cycle().take(rows).collect(),
                plies: others.iter().map(|other| other & 31).cycle().take(rows).collect(),
            };
            let (columns, plies) = ([Narrow::from(beside.column.clone())], beside.plies.clone());
            let siblings = Siblings { number: 1, columns: &columns, plies: &plies, ..Siblings::none() };
            let column = Values { values: &values, ends: extremes(&values), missing: &[], siblings };
            let mut context = beside;
            let transforms = [Transform::Plain, Transform::Dictionary, Transform::Delta, Transform::Alternating, Transform::PlyDelta, Transform::Relative(0)];
            for transform in transforms {
                for coder in [Coder::Packed, Coder::Centred, Coder::Raw, Coder::Planes] {
                    for (usual, key) in [(None, None), (Some(0), Some(Key::PlySteps)), (Some(3), None), (Some(other), Some(Key::Column(0))), (None, Some(Key::Column(0)))] {
                        // A code is a place in its dictionary.
                        let usual = usual.filter(|usual| transform != Transform::Dictionary || *usual == 0);
                        let grouping = key.map(|key| Grouping { key, least: low, last });
                        let choice = Choice { transform, coding: Coding { coder, usual, grouping } };
                        let Some(bytes) = choice.encode(column) else { continue };
                        let decoded = Run::decode(&bytes, 1, rows, &mut context, &mut Memory::default()).unwrap();
                        prop_assert_eq!(&decoded.widened(rows), &values, "{:?}", choice);
                        for question in [Question::Within(low, low + span), Question::Within(i64::MIN, low), Question::AnyBit(6)] {
                            let mut words = vec![0; rows.div_ceil(64)];
                            let selected = Run::select(&bytes, (1, rows), question, &mut words, &mut context, &mut Memory::default()).unwrap();
                            let passes = |row: usize| match &selected {
                                Selected::Marked => words[row / 64] >> (row % 64) & 1 == 1,
                                Selected::Decoded(decoded) => question.of(decoded.get(row)),
                            };
                            prop_assert!((0..rows).all(|row| passes(row) == question.of(values[row])), "{:?} {:?}", choice, question);
                        }
                    }
                }
            }
        }

        #[test]
        fn rows_that_lack_a_value_change_no_other(values in integers(), others in integers(), missing in any::<u64>()) {
            let rows = values.len();
            let others = others.iter().copied().cycle().take(rows).collect::<Vec<i64>>();
            let columns = [Narrow::from(others.clone())];
            let words = vec![missing; rows.div_ceil(64)];
            let mut filled = values.clone();
            missing::fill(&mut filled, &words);
            let ends = extremes(&filled);
            let siblings = Siblings { number: 1, columns: &columns, ..Siblings::none() };
            let column = Values { values: &filled, ends, missing: &words, siblings };
            let choice = Choice { transform: Transform::Relative(0), coding: Coding { usual: Some(0), ..Coding::whole(Coder::Centred) } };
            let mut context = Beside { column: others, plies: Vec::new() };
            let bytes = choice.encode(column).unwrap();
            let decoded: Decoded = Run::decode(&bytes, 1, rows, &mut context, &mut Memory::default()).unwrap();
            for (row, expected) in values.into_iter().enumerate() {
                let value = decoded.get(row);
                prop_assert!(missing::contains(&words, row) || value == expected);
                prop_assert!(ends.0 <= value && value <= ends.1);
            }
        }
    }
}
