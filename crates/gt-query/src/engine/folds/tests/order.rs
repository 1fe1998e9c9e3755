//! Tests of quantiles and numbers of distinct values.

use super::*;

fn rank(share: f64, count: i64) -> i64 {
    ((share * count as f64).ceil() as i64).clamp(1, count)
}

fn sorted<T: Ordered>(mut values: Vec<T>) -> Vec<T> {
    values.sort_by(Ordered::order);
    values
}

/// The starts in the form of the scope: for paths, the changes from one segment to the next.
fn starts<T: Copy>(cut: &Cut, scope: Scope, values: &Values<T>) -> Vec<Vec<(T, i64)>> {
    let whole =
        |segment| values.of(&cut.start_of(segment, scope)).into_iter().map(|value| (value, 1)).collect();
    let whole: Vec<Vec<(T, i64)>> = (0..cut.tops.len()).map(whole).collect();
    if scope != Scope::Path {
        return whole;
    }
    let no_longer = |before: &Vec<(T, i64)>| before.iter().map(|&(value, count)| (value, -count)).collect();
    let before = std::iter::once(Vec::new()).chain(whole.iter().map(no_longer));
    before.zip(&whole).map(|(before, now)| [before, now.clone()].concat()).collect()
}

fn check<T: Ordered + Default + PartialEq + std::fmt::Debug>(
    cut: &Cut,
    scope: Scope,
    values: &Values<T>,
    share: f64,
) -> Result<(), TestCaseError> {
    let relations = cut.relations().expect("a sound block");
    let (own, take) = values.in_block(cut);
    let ranked = Ranked::new(&relations, &own, &take, &starts(cut, scope, values));
    let (mut quantiles, mut known) = (Vec::new(), Bitmap::default());
    ranked.quantiles(scope, |count| rank(share, count), &mut quantiles, &mut known);
    let distinct = ranked.distinct(scope);
    for (row, at) in cut.inner() {
        let mut expected = sorted(values.of(&cut.relatives(row, scope)));
        let place = rank(share, expected.len().max(1) as i64) as usize - 1;
        prop_assert_eq!(known.get(at).then_some(quantiles[at]), expected.get(place).copied(), "row {}", row);
        expected.dedup();
        prop_assert_eq!(distinct[at], expected.len() as i64, "row {}", row);
    }
    Ok(())
}

proptest! {
    #[test]
    fn quantiles_and_different_values(
        cut in cuts(300),
        scope in scopes(),
        few in values(-3..3_i64),
        many in values(any::<i64>()),
        reals in values(proptest::sample::select(vec![f64::NEG_INFINITY, -0.5, 0.0, 0.1, 1e300])),
        share in prop_oneof![Just(0.0), Just(0.5), Just(1.0), 0.0..1.0_f64],
    ) {
        check(&cut, scope, &few, share)?;
        check(&cut, scope, &many, share)?;
        check(&cut, scope, &reals, share)?;
        let wide = many.values.iter().map(|&value| i128::from(value) << 60).collect();
        check(&cut, scope, &Values { values: wide, taken: many.taken.clone() }, share)?;
    }
}

/// A root with very many children, and a chain: an answer of linear size must not take quadratic work.
#[test]
fn wide_and_deep_blocks() {
    let rows = 60_000;
    let values =
        Values { values: (0..rows as i64).map(|row| row * 7919 % 10_007).collect(), taken: vec![true] };
    for (adopted, scopes) in [(0, [Scope::Before, Scope::After]), (1, [Scope::Path, Scope::Subtree])] {
        let sizes: Vec<u32> = if adopted == 0 { vec![1; rows] } else { (1..=rows as u32).collect() };
        let first_start = 0;
        let region = Region { parent: Some(0), count: 1, first_row: 0, first_start, last_row: rows - 1 };
        let regions = Regions { closed: Vec::new(), segments: vec![region] };
        let around = [Surroundings { parent: rows as u32, before: NOBODY, after: NOBODY, first_index: 0 }];
        let relations = Relations::new(sizes.clone(), &regions, around.to_vec()).expect("a sound block");
        let mut take = Bitmap::default();
        take.fill(rows, true);
        let own: Vec<i64> = (0..rows).map(|row| values.value(row)).collect();
        let ranked = Ranked::new(&relations, &own, &take, &[]);
        for scope in scopes {
            let (mut medians, mut known) = (Vec::new(), Bitmap::default());
            ranked.quantiles(scope, |count| rank(0.5, count), &mut medians, &mut known);
            let distinct = ranked.distinct(scope);
            for row in (0..rows).step_by(9_973) {
                let others =
                    if matches!(scope, Scope::Before | Scope::Subtree) { 0..row } else { row + 1..rows };
                let mut expected = sorted(own[others].to_vec());
                let place = rank(0.5, expected.len().max(1) as i64) as usize - 1;
                assert_eq!(known.get(row).then_some(medians[row]), expected.get(place).copied());
                expected.dedup();
                assert_eq!(distinct[row], expected.len() as i64);
            }
        }
    }
}
