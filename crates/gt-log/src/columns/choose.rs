//! Which encoding a column takes: tried on samples of a block, kept while it goes on paying.

use std::ops::Range;

use super::dictionary::Dictionary;
use super::extremes::extremes;
use super::packed::{CHUNK, Origin, cost_bits};
use super::run::{Coder, Run, Transform};
use crate::wire::put_signed;

/// How hard the encoder tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Light encodings, chosen on samples: for a running search.
    Light,
    /// Every candidate in full, then zstd at this level: for keeping.
    Compact { level: i32 },
}

/// What a column can be encoded against.
pub(crate) struct Siblings<'a> {
    /// The columns with smaller numbers.
    pub(crate) columns: &'a [Vec<i64>],
    /// Every row's distance from the root.
    pub(crate) plies: &'a [i64],
}

/// How many blocks a choice is kept before the candidates are tried again.
const BLOCKS_KEPT: u32 = 16;
/// How many chunks of a block the candidates are tried on.
const SAMPLE_CHUNKS: usize = 3;
/// How many of the columns before it a column is compared with.
const RELATIVES_MAX: usize = 16;
/// A choice that grows by more than a quarter over what it first took is made anew.
const GROWTH: (usize, usize) = (5, 4);

/// The choices for one column, block after block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chooser {
    current: Option<Choice>,
    age: u32,
    /// Bytes and rows of the block that the choice was made on.
    first: (usize, usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Choice {
    transform: Transform,
    coder: Coder,
}

/// An encoded column.
pub(crate) struct Encoded {
    pub(crate) bytes: Vec<u8>,
    /// The length before zstd, where that was used.
    pub(crate) compressed_from: Option<u64>,
}

impl Chooser {
    /// Encodes a column, whose least and greatest integer are given.
    pub(crate) fn encode(
        &mut self,
        values: &[i64],
        ends: (i64, i64),
        siblings: &Siblings<'_>,
        effort: Effort,
    ) -> Encoded {
        if ends.0 == ends.1 {
            let mut bytes = Vec::new();
            Run::put_transform(&mut bytes, Transform::Constant);
            put_signed(&mut bytes, ends.0);
            return Encoded { bytes, compressed_from: None };
        }
        match effort {
            Effort::Light => Encoded { bytes: self.light(values, ends, siblings), compressed_from: None },
            Effort::Compact { level } => compact(values, ends, siblings, level),
        }
    }

    fn light(&mut self, values: &[i64], ends: (i64, i64), siblings: &Siblings<'_>) -> Vec<u8> {
        let rows = values.len();
        if let Some(choice) = self.current
            && self.age < BLOCKS_KEPT
            && let Some(bytes) = choice.encode(values, ends, siblings)
            && bytes.len() * self.first.1 * GROWTH.1 <= self.first.0 * rows * GROWTH.0 + 64 * self.first.1
        {
            self.age += 1;
            return bytes;
        }
        let (choice, bytes) = best_light(values, ends, siblings);
        *self = Self { current: Some(choice), age: 0, first: (bytes.len(), rows.max(1)) };
        bytes
    }
}

impl Choice {
    const PLAIN: Self = Self { transform: Transform::Plain, coder: Coder::Packed };

    /// The column in this encoding, where it has one.
    fn encode(self, values: &[i64], ends: (i64, i64), siblings: &Siblings<'_>) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(values.len() + 64);
        Run::put_transform(&mut out, self.transform);
        match self.transform {
            Transform::Plain => Run::put_integers(&mut out, values, ends, self.coder),
            Transform::Dictionary => {
                Run::put_dictionary(&mut out, &Dictionary::build(values, ends.0, ends.1)?, self.coder);
            }
            Transform::Delta => {
                let (deltas, delta_ends) = deltas(values);
                Run::put_deltas(&mut out, (&deltas, delta_ends), ends, self.coder);
            }
            Transform::Relative(other) => {
                let (differences, ends) = differences(values, siblings.columns.get(other)?);
                Run::put_integers(&mut out, &differences, ends, self.coder);
            }
            Transform::Ply => return (values == siblings.plies).then_some(out),
            Transform::Constant => return None,
        }
        Some(out)
    }
}

/// The best light encoding by the sample; for one that the sample misjudged, plain packing.
fn best_light(values: &[i64], ends: (i64, i64), siblings: &Siblings<'_>) -> (Choice, Vec<u8>) {
    let ply = Choice { transform: Transform::Ply, coder: Coder::Packed };
    if let Some(bytes) = ply.encode(values, ends, siblings) {
        return (ply, bytes);
    }
    let mut candidates = vec![estimate(Transform::Plain, values)];
    candidates.push(estimate(Transform::Delta, &deltas(values).0));
    if let Some(other) = nearest_relative(values, siblings) {
        let (differences, _) = differences(values, &siblings.columns[other]);
        candidates.push(estimate(Transform::Relative(other), &differences));
    }
    if let Some(dictionary) = Dictionary::build(values, ends.0, ends.1) {
        let (bits, choice) = estimate(Transform::Dictionary, &dictionary.codes);
        candidates.push((bits + 16 * dictionary.values.len() as u64, choice));
    }
    let (_, choice) = candidates.into_iter().min_by_key(|&(bits, _)| bits).unwrap_or((0, Choice::PLAIN));
    match choice.encode(values, ends, siblings) {
        Some(bytes) => (choice, bytes),
        None => (Choice::PLAIN, Choice::PLAIN.encode(values, ends, siblings).unwrap_or_default()),
    }
}

/// About how many bits these transformed integers take, with the better of the two packings.
fn estimate(transform: Transform, integers: &[i64]) -> (u64, Choice) {
    let sample = || sample(integers);
    let rows: u64 = sample().map(|chunk| chunk.len() as u64).sum();
    let least: u64 = sample().map(|chunk| cost_bits(chunk, Origin::Least)).sum();
    let middle: u64 = sample().map(|chunk| cost_bits(chunk, Origin::Middle)).sum();
    let coder = if middle < least { Coder::Centred } else { Coder::Packed };
    (least.min(middle) * integers.len() as u64 / rows.max(1), Choice { transform, coder })
}

fn sample(values: &[i64]) -> impl Iterator<Item = &[i64]> {
    let chunks = values.len().div_ceil(CHUNK);
    let step = chunks.div_ceil(SAMPLE_CHUNKS).max(1);
    values.chunks(CHUNK).step_by(step)
}

/// The column among those before it that this one is closest to, if any is closer than its own spread.
fn nearest_relative(values: &[i64], siblings: &Siblings<'_>) -> Option<usize> {
    let own = spread_bits(values.iter().copied().step_by(stride(values)));
    let first = siblings.columns.len().saturating_sub(RELATIVES_MAX).max(1); // Not the sizes: nothing follows them.
    (first..siblings.columns.len())
        .map(|other| {
            let pairs = values.iter().zip(&siblings.columns[other]).step_by(stride(values));
            (spread_bits(pairs.map(|(&a, &b)| a.wrapping_sub(b))), other)
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

/// The difference of each from the one before (of the first from 0), and their extremes.
fn deltas(values: &[i64]) -> (Vec<i64>, (i64, i64)) {
    with_extremes(values.len(), |rows, deltas| {
        if rows.start == 0 {
            deltas.push(values[0]);
        }
        let pairs = values[rows.start.saturating_sub(1)..rows.end].windows(2);
        deltas.extend(pairs.map(|pair| pair[1].wrapping_sub(pair[0])));
    })
}

fn differences(values: &[i64], others: &[i64]) -> (Vec<i64>, (i64, i64)) {
    with_extremes(values.len().min(others.len()), |rows, differences| {
        let pairs = values[rows.clone()].iter().zip(&others[rows]);
        differences.extend(pairs.map(|(value, other)| value.wrapping_sub(*other)));
    })
}

/// So many integers, of which `put` appends those of some rows, and their extremes, which are looked for while the integers are
/// in the nearest cache.
fn with_extremes(count: usize, put: impl Fn(Range<usize>, &mut Vec<i64>)) -> (Vec<i64>, (i64, i64)) {
    let mut integers = Vec::with_capacity(count);
    let mut ends = None;
    for start in (0..count).step_by(CHUNK) {
        put(start..count.min(start + CHUNK), &mut integers);
        ends = Some(joined(ends, extremes(&integers[start..])));
    }
    (integers, ends.unwrap_or_default())
}

/// The extremes of all that two pairs of extremes are of.
pub(crate) fn joined(before: Option<(i64, i64)>, (least, most): (i64, i64)) -> (i64, i64) {
    before.map_or((least, most), |(low, high)| (low.min(least), high.max(most)))
}

/// The smallest of the light encoding and of every transform in bytes that zstd has gone over.
fn compact(values: &[i64], ends: (i64, i64), siblings: &Siblings<'_>, level: i32) -> Encoded {
    let (_, bytes) = best_light(values, ends, siblings);
    let mut best = Encoded { bytes, compressed_from: None };
    let mut transforms = vec![Transform::Plain, Transform::Delta, Transform::Dictionary];
    transforms.extend(nearest_relative(values, siblings).map(Transform::Relative));
    for transform in transforms {
        for coder in [Coder::Raw, Coder::Planes] {
            let Some(bytes) = (Choice { transform, coder }).encode(values, ends, siblings) else { continue };
            let Ok(smaller) = zstd::bulk::compress(&bytes, level) else { continue };
            if smaller.len() < best.bytes.len() {
                best = Encoded { bytes: smaller, compressed_from: Some(bytes.len() as u64) };
            }
        }
    }
    best
}
