//! The best light encoding of a column, chosen from samples.

use super::choice::Choice;
use super::coding::{Coder, Coding, Transform};
use super::dictionary::Dictionary;
use super::narrow::with_list;
use super::packed::{Origin, cost_bits};
use super::plan::CHUNK;
use super::values::{Values, sample};
use super::workbench::Workbench;

/// With how many of the columns before it a column is compared.
const RELATIVES_MAX: usize = 16;

/// How many bits per row a transform must save to pay for the time that undoing it takes.
const SUMMING_PENALTY: (u64, u64) = (1, 4);

/// Appends the column in the best light encoding by the sample; packed plainly, if the sample misjudged that encoding.
pub(super) fn put_best_light(values: Values<'_>, out: &mut Vec<u8>, bench: &mut Workbench) -> Choice {
    let start = out.len();
    let choice = best_light(values, bench);
    if choice.put(values, out, bench).is_some() {
        return choice;
    }
    out.truncate(start);
    let _ = Choice::PLAIN.put(values, out, bench);
    Choice::PLAIN
}

/// The best light encoding by the sample.
fn best_light(values: Values<'_>, bench: &mut Workbench) -> Choice {
    if values.are_plies() {
        return Choice { transform: Transform::Ply, ..Choice::PLAIN };
    }
    let rows = values.rows() as u64;
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
    if let Some(Dictionary { values: distinct, codes }) = Dictionary::build(values.column, values.ends, bench)
    {
        let mut sampled = Vec::new();
        sample(codes.len()).for_each(|rows| codes.append_to(rows, &mut sampled));
        with_list!(codes, codes => bench.integers.keep(codes));
        let (bits, choice) = estimate(Transform::Dictionary, &sampled, rows);
        candidates.push((bits + 12 * distinct.len() as u64, choice));
    }
    candidates.into_iter().min_by_key(|&(bits, _)| bits).map_or(Choice::PLAIN, |(_, choice)| choice)
}

/// The transforms to try, in addition to none and a dictionary.
pub(super) fn transforms(values: Values<'_>) -> impl Iterator<Item = Transform> {
    let relative = nearest_relative(values).map(Transform::Relative);
    [Transform::Delta, Transform::Alternating, Transform::PlyDelta].into_iter().chain(relative)
}

/// Estimates how many bits `rows` integers take with the better packing, if this is a sample of them.
fn estimate(transform: Transform, sample: &[i64], rows: u64) -> (u64, Choice) {
    let (bits, coder) = packed_bits(sample);
    let mut best = (bits, Coding::whole(coder));
    if let Some(usual) = usual(sample) {
        let others: Vec<i64> = sample.iter().copied().filter(|integer| *integer != usual).collect();
        let (bits, coder) = packed_bits(&others);
        // A bit for each row, and a little for the time it takes.
        let bits = bits + sample.len() as u64 * 17 / 16;
        if bits < best.0 {
            best = (bits, Coding { usual: Some(usual), ..Coding::whole(coder) });
        }
    }
    (best.0 * rows / (sample.len() as u64).max(1), Choice { transform, coding: best.1 })
}

/// How many bits the integers take, and the better of the two packings.
fn packed_bits(integers: &[i64]) -> (u64, Coder) {
    let bits = |origin| integers.chunks(CHUNK).map(|chunk| cost_bits(chunk, origin)).sum::<u64>();
    let (least, middle) = (bits(Origin::Least), bits(Origin::Middle));
    if middle < least { (middle, Coder::Centred) } else { (least, Coder::Packed) }
}

/// The most frequent of a sample of the integers, if it is frequent enough to be worth a bit.
pub(super) fn usual(integers: &[i64]) -> Option<i64> {
    let mut sorted: Vec<i64> = integers.iter().copied().step_by(stride(integers.len())).collect();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|a, b| a == b);
    let most = runs.max_by_key(|run| run.len())?;
    (most.len() >= 8 && most.len() * 8 >= sorted.len()).then_some(most[0])
}

/// The earlier column that this column is closest to, if that is closer than the column's own spread.
fn nearest_relative(values: Values<'_>) -> Option<usize> {
    let (stride, siblings) = (stride(values.rows()), values.siblings);
    let sampled = values.column.every(stride);
    let own = spread_bits(sampled.iter().copied());
    let first = siblings.number.saturating_sub(RELATIVES_MAX).max(1); // Not the sizes: no column resembles them.
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

fn stride(rows: usize) -> usize {
    (rows / 256).max(1) | 1
}

/// The summed bits of the distances of these values from their middle: each outlier counts once.
fn spread_bits(values: impl Iterator<Item = i64> + Clone) -> u64 {
    let mut sorted: Vec<i64> = values.clone().collect();
    sorted.sort_unstable();
    let middle = sorted.get(sorted.len() / 2).copied().unwrap_or(0);
    values.map(|value| u64::from(64 - value.wrapping_sub(middle).unsigned_abs().leading_zeros())).sum()
}
