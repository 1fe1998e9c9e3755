//! A column in as few bytes as it takes with zstd: tries every transform as bytes, grouped by the column that tells most about it.

use super::choice::Choice;
use super::coding::{Coder, Coding, Transform};
use super::grouped::{Grouping, Key};
use super::light::{put_best_light, transforms, usual};
use super::plan::CHUNK;
use super::values::Values;
use super::workbench::Workbench;

/// The level at which candidates are compared, and how many of them are then compressed at the final level.
const TRIAL: (i32, usize) = (1, 2);
/// How many transforms are tried in groups, and with how many keys each.
const GROUPED: (usize, usize) = (2, 2);
/// How many columns on either side of a column are tried as keys of its groups.
const KEYS_BESIDE: usize = 12;
/// A column whose range has more values than this forms no groups.
const KEY_VALUES_MAX: u64 = 256;
/// What a compressor pays to describe one more symbol, in bits.
const SYMBOL_BITS: f64 = 6.0;

/// Appends the smallest of the light encoding and the candidates after zstd; all begin with `before`.
///
/// Returns the length before zstd, if zstd was used, and the choice.
pub(super) fn compact(
    before: &[u8],
    values: Values<'_>,
    level: i32,
    out: &mut Vec<u8>,
    bench: &mut Workbench,
) -> (Option<u64>, Choice) {
    let mut encoded = |choice: Choice| Some([before, &choice.encoded(values, bench)?].concat());
    let mut tried = Vec::new();
    for choice in choices(values) {
        if let Some(bytes) = encoded(choice)
            && let Ok(compressed) = zstd::bulk::compress(&bytes, TRIAL.0)
        {
            tried.push((compressed.len(), choice, bytes));
        }
    }
    tried.sort_by_key(|(length, ..)| *length);
    let mut transforms: Vec<Transform> = Vec::new();
    for (_, choice, _) in &tried {
        if !transforms.contains(&choice.transform) && transforms.len() < GROUPED.0 {
            transforms.push(choice.transform);
        }
    }
    let grouped: Vec<(Choice, Vec<u8>)> = transforms
        .into_iter()
        .flat_map(|transform| grouped_choices(values, transform))
        .filter_map(|choice| Some((choice, encoded(choice)?)))
        .collect();
    let alone = tried.into_iter().take(TRIAL.1).map(|(_, choice, bytes)| (choice, bytes));
    let mut best = before.to_vec();
    let mut best_choice = put_best_light(values, &mut best, bench);
    let mut compressed_from = None;
    for (choice, bytes) in alone.chain(grouped) {
        if let Ok(smaller) = zstd::bulk::compress(&bytes, level)
            && smaller.len() < best.len()
        {
            (best, best_choice, compressed_from) = (smaller, choice, Some(bytes.len() as u64));
        }
    }
    out.extend_from_slice(&best);
    (compressed_from, best_choice)
}

/// The candidates that may compress well, in the order of the rows.
fn choices(values: Values<'_>) -> Vec<Choice> {
    let mut choices = Vec::new();
    for transform in [Transform::Plain, Transform::Dictionary].into_iter().chain(transforms(values)) {
        let usual = match transform {
            Transform::Dictionary => Some(0),
            transform => values.sampled(transform).and_then(|integers| usual(&integers)),
        };
        for coder in [Coder::Raw, Coder::Planes] {
            choices.push(Choice { transform, coding: Coding::whole(coder) });
            if usual.is_some() {
                choices.push(Choice { transform, coding: Coding { usual, ..Coding::whole(coder) } });
            }
        }
    }
    choices
}

/// The candidates in groups, formed by the keys that leave the fewest bits.
fn grouped_choices(values: Values<'_>, transform: Transform) -> Vec<Choice> {
    // Codes tell no more than their values do.
    let transform_before = if transform == Transform::Dictionary { Transform::Plain } else { transform };
    let mut integers: Vec<i64> = Vec::new();
    if values.transform(transform_before, &mut integers).is_none() {
        return Vec::new();
    }
    let alone = entropy(&integers, None);
    let mut ranked: Vec<(f64, Grouping)> = groupings(values)
        .filter_map(|grouping| Some((entropy(&integers, Some(&values.groups(grouping)?)), grouping)))
        .filter(|(bits, _)| *bits < alone * 0.97)
        .collect();
    ranked.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let coding = |grouping| Coding { grouping: Some(grouping), ..Coding::whole(Coder::Planes) };
    ranked
        .into_iter()
        .take(GROUPED.1)
        .map(|(_, grouping)| Choice { transform, coding: coding(grouping) })
        .collect()
}

/// The groupings by other columns and by the tree.
fn groupings(values: Values<'_>) -> impl Iterator<Item = Grouping> {
    let siblings = values.siblings;
    let steps = Grouping { key: Key::PlySteps, least: -1, last: 16 };
    let sizes = Grouping { key: Key::Column(0), least: 1, last: 15 };
    let by_structure = [steps, sizes].into_iter().filter(move |_| values.has_plies());
    // The sizes never wait for another column: every query decodes them.
    let beside = siblings.number.saturating_sub(KEYS_BESIDE).max(1)..=siblings.number + KEYS_BESIDE;
    let by_columns = beside.filter(move |_| siblings.number > 0).filter_map(move |number| {
        let &(least, most) = siblings.extremes.get(number)?;
        let span = most.wrapping_sub(least) as u64;
        (number != siblings.number && (1..KEY_VALUES_MAX).contains(&span)).then_some(Grouping {
            key: Key::Column(number),
            least,
            last: span as u8,
        })
    });
    by_structure.chain(by_columns)
}

/// The minimum number of bits for some of the integers, coded one by one, if a compressor knows each integer's frequency in its group.
fn entropy(integers: &[i64], groups: Option<&[u8]>) -> f64 {
    const SYMBOLS: usize = 256;
    let groups_count = 1 + groups.and_then(|groups| groups.iter().max()).map_or(0, |last| usize::from(*last));
    let mut counts = vec![0_u32; SYMBOLS * groups_count];
    let every = (integers.len() / CHUNK / 8).max(1) * CHUNK;
    for start in (0..integers.len()).step_by(every) {
        let rows = start..integers.len().min(start + CHUNK);
        for row in rows {
            let symbol = (integers[row] as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
            counts[usize::from(groups.map_or(0, |groups| groups[row])) * SYMBOLS + symbol as usize] += 1;
        }
    }
    let bits = |count: u32| if count > 1 { f64::from(count) * f64::from(count).log2() } else { 0.0 };
    counts
        .chunks(SYMBOLS)
        .map(|group| {
            let (mut all, mut each, mut symbols) = (0, 0.0, 0.0);
            for &count in group.iter().filter(|count| **count > 0) {
                all += count;
                each += bits(count);
                symbols += SYMBOL_BITS;
            }
            bits(all) - each + symbols
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_tell_as_much_as_they_do() {
        let integers: Vec<i64> = (0..8192).map(|row| if row % 2 == 0 { 7 } else { row % 64 }).collect();
        let by_parity: Vec<u8> = (0..8192).map(|row| row as u8 % 2).collect();
        let by_nothing = vec![3; 8192];
        let alone = entropy(&integers, None);
        assert_eq!(alone, entropy(&integers, Some(&by_nothing)));
        // Every other row then takes no bits, and the rest five bits each.
        let grouped = entropy(&integers, Some(&by_parity));
        assert!((grouped - 4096.0 * 5.0 - 33.0 * SYMBOL_BITS).abs() < 1.0, "{grouped}");
        assert!(grouped < 0.8 * alone);
    }
}
