//! Folds of every kind of state.

use super::*;
use crate::engine::folds::states::Whole;
use crate::exact_sum::ExactSum;
use crate::mean;

/// [`fold`] or [`fold_sums`] over some scope.
type Kernel<'k, S> = &'k dyn Fn(&Relations, &dyn Fn(usize) -> S, &[S]) -> Folded<S>;
type Pair = (i64, i64);
type Sides<'s> = &'s dyn Fn(&Pair) -> (i128, i128);

/// Folds with `own`, and compares what `read` makes of each state with `plain`, computed from the taken values of the
/// relatives in the order of entering.
fn check<T, S: State, V: PartialEq + std::fmt::Debug>(
    (cut, scope, values): (&Cut, Scope, &Values<T>),
    folds: &[Kernel<'_, S>],
    own: impl Fn(usize, bool) -> S,
    read: impl Fn(&S) -> V,
    plain: impl Fn(&[T]) -> V,
) -> Result<(), TestCaseError>
where
    T: Copy,
{
    let relations = cut.relations().expect("a sound block");
    let own = |row: usize| own(row, values.is_taken(row));
    let gather = |rows: Vec<usize>| rows.into_iter().fold(S::default(), |state, row| state.join(own(row)));
    let starts: Vec<S> = (0..cut.tops.len()).map(|segment| gather(cut.start_of(segment, scope))).collect();
    for fold in folds {
        let folded = fold(&relations, &|row| own(cut.block.start + row), &starts);
        for (row, at) in cut.inner() {
            let expected = plain(&values.of(&cut.relatives(row, scope)));
            prop_assert_eq!(read(&folded.rows[at]), expected, "{:?} of row {}", scope, row);
        }
    }
    Ok(())
}

/// Checks a state by [`fold`] and, if named, [`fold_sums`].
macro_rules! check {
    ($asked:expr, fold $(, $sums:ident)?; $own:expr, $read:expr, $plain:expr) => {{
        let scope = $asked.1;
        check(
            $asked,
            &[&|relations, own, starts| fold(relations, scope, own, starts),
              $(&|relations, own, starts| $sums(relations, scope, own, starts))?],
            $own, $read, $plain,
        )?
    }};
}

/// A float by its bits, if there is one.
fn bits((value, is_known): (f64, bool)) -> Option<u64> {
    is_known.then_some(value.to_bits())
}

fn integers() -> impl Strategy<Value = i64> {
    prop_oneof![4 => -9..9_i64, 1 => any::<i64>(), 1 => Just(i64::MIN), 1 => Just(i64::MAX)]
}

fn floats() -> impl Strategy<Value = f64> {
    let far = (-1e9..1e9_f64, -250..250_i32).prop_map(|(value, power)| value * 2.0_f64.powi(power));
    let plain = proptest::sample::select(vec![0.1, 0.25, -3.5, 0.0, 1e16, 7.0]);
    prop_oneof![6 => plain, 1 => far]
}

proptest! {
    #[test]
    fn sums_and_means(cut in cuts(160), scope in scopes(), small in values(-1000..1000_i64), any in values(integers())) {
        let wide = |row| i128::from(any.value(row));
        let sum = |values: &[i64]| values.iter().map(|&value| i128::from(value)).sum::<i128>();
        let mean = |values: &[i64]| {
            let mut mean = mean::Mean::default();
            values.iter().for_each(|&value| mean.add_integer(value.into()));
            mean.value().map(f64::to_bits)
        };
        check!((&cut, scope, &small), fold, fold_sums;
            |row, taken| Sum::of(1_i64, taken).join(Sum::of(small.value(row), false)),
            |state| state.sum, |values| values.len() as i64);
        check!((&cut, scope, &small), fold, fold_sums;
            |row, taken| Sum::of(small.value(row), taken), |state| i128::from(state.sum), sum);
        check!((&cut, scope, &any), fold, fold_sums; |row, taken| Sum::of(wide(row), taken), |state| state.sum, sum);
        check!((&cut, scope, &small), fold, fold_sums;
            |row, taken| Mean::of(small.value(row), taken), |state| bits(state.value()), mean);
        check!((&cut, scope, &any), fold, fold_sums;
            |row, taken| Mean::of(wide(row), taken), |state| bits(state.value()), mean);
    }

    #[test]
    fn picks(cut in cuts(160), scope in scopes(), any in values(integers()), reals in values(floats())) {
        check!((&cut, scope, &any), fold; |row, taken| Pick::<Least, _>::of(any.value(row), (), taken),
            |state| state.is_some.then_some(state.key), |values| values.iter().min().copied());
        check!((&cut, scope, &any), fold; |row, taken| Pick::<Greatest, _>::of(i128::from(any.value(row)), (), taken),
            |state| state.is_some.then_some(state.key), |values| values.iter().max().map(|&value| value.into()));
        check!((&cut, scope, &reals), fold; |row, taken| Pick::<Least, _>::of(reals.value(row), (), taken),
            |state| state.is_some.then_some(state.key), |values| values.iter().copied().reduce(f64::min));
        check!((&cut, scope, &any), fold; |row, taken| Pick::<First, (), _>::of((), any.value(row), taken),
            |state| state.is_some.then_some(state.carried), |values| values.first().copied());
        check!((&cut, scope, &any), fold; |row, taken| Pick::<Last, (), _>::of((), any.value(row), taken),
            |state| state.is_some.then_some(state.carried), |values| values.last().copied());
    }

    #[test]
    fn nodes_picked_by_a_key(cut in cuts(160), scope in scopes(), keys in values(-3..3_i64)) {
        // Each node carries its row, to distinguish the first of equals from the others.
        let rows = Values { values: (0..cut.sizes.len()).collect(), taken: keys.taken.clone() };
        let found = |state: &Pick<Least, i64, u32>| state.is_some.then_some(state.carried as usize);
        let least = |rows: &[usize]| rows.iter().copied().min_by_key(|&row| keys.value(row));
        check!((&cut, scope, &rows), fold;
            |row, taken| Pick::of(keys.value(row), row as u32, taken), found, least);
        let found = |state: &Pick<Greatest, f64, u32>| state.is_some.then_some(state.carried as usize);
        let greatest = |rows: &[usize]| rows.iter().copied().rev().max_by_key(|&row| keys.value(row));
        check!((&cut, scope, &rows), fold;
            |row, taken| Pick::of(keys.value(row) as f64, row as u32, taken), found, greatest);
    }

    #[test]
    fn moments(cut in cuts(120), scope in scopes(), pairs in values((-1000..1000_i64, prop_oneof![Just(4_i64), -5..5_i64]))) {
        // By the definition, with an exact sum of squared distances from the mean times the count.
        let spread = |values: &[Pair], side: Sides<'_>| {
            let count = values.len() as i128;
            let sums = values.iter().map(side).fold((0, 0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
            let products = |(x, y)| (count * x - sums.0) * (count * y - sums.1);
            values.iter().map(side).map(products).sum::<i128>() / count.max(1)
        };
        let (x, y) = (|pair: &Pair| i128::from(pair.0), |pair: &Pair| i128::from(pair.1));
        let deviation = |values: &[Pair]| {
            let spread = spread(values, &|pair| (x(pair), x(pair))) as f64;
            (!values.is_empty()).then(|| (spread.sqrt() / values.len() as f64).to_bits())
        };
        let correlation = |values: &[Pair]| {
            let [xx, yy] = [spread(values, &|pair| (x(pair), x(pair))), spread(values, &|pair| (y(pair), y(pair)))];
            let xy = spread(values, &|pair| (x(pair), y(pair))) as f64;
            let value = xy / ((xx as f64).sqrt() * (yy as f64).sqrt());
            (values.len() > 1 && xx != 0 && yy != 0).then(|| value.clamp(-1.0, 1.0).to_bits())
        };
        check!((&cut, scope, &pairs), fold, fold_sums; |row, taken| Moments::of(pairs.value(row).0, taken),
            |state| bits(state.deviation()), deviation);
        check!((&cut, scope, &pairs), fold, fold_sums;
            |row, taken| { let pair = pairs.value(row); PairMoments::of(x(&pair), y(&pair), taken) },
            |state| bits(state.correlation()), correlation);
    }

    #[test]
    fn exact_states_of_floats(cut in cuts(80), scope in scopes(), reals in values(floats())) {
        check!((&cut, scope, &reals), fold; |row, taken| exact_if(reals.value(row), taken),
            |state| state.value().to_bits(), |values| exact(values).value().to_bits());
        let mean = |values: &[f64]| {
            let mut mean = mean::Mean::default();
            values.iter().for_each(|&value| mean.add_float(value));
            mean
        };
        check!((&cut, scope, &reals), fold;
            |row, taken| mean(if taken { std::slice::from_ref(&reals.values[row % reals.values.len()]) } else { &[] }),
            |state| state.value().map(f64::to_bits), |values| mean(values).value().map(f64::to_bits));
    }

    #[test]
    fn floats_in_fixed_point(
        cut in cuts(160),
        scope in scopes(),
        reals in values(floats()),
        short in values((-4000..4000_i32).prop_map(|value| f64::from(value) / 16.0)),
        apart in values(0..3_usize),
        power in 40..130_i32,
    ) {
        // As long as the integers, and a little longer.
        let near_the_limit = [1.0, 2.0_f64.powi(power), 1.5 * 2.0_f64.powi(power)];
        let long = apart.values.iter().map(|&place| near_the_limit[place]).collect();
        let long = Values { values: long, taken: apart.taken };
        fixed::<i64>(&cut, scope, &long)?;
        fixed::<i128>(&cut, scope, &long)?;
        fixed::<i128>(&cut, scope, &reals)?;
        prop_assert!(fixed::<i128>(&cut, scope, &short)?);
        prop_assert!(fixed::<i64>(&cut, scope, &short)?);
    }
}

fn exact(values: &[f64]) -> ExactSum {
    let mut sum = ExactSum::default();
    values.iter().for_each(|&value| sum.add(value));
    sum
}

fn exact_if(value: f64, taken: bool) -> ExactSum {
    exact(if taken { std::slice::from_ref(&value) } else { &[] })
}

/// Sums and means in fixed point, if the floats are close enough to each other; returns whether they are.
fn fixed<N: Whole>(cut: &Cut, scope: Scope, reals: &Values<f64>) -> Result<bool, TestCaseError> {
    let relations = cut.relations().expect("a sound block");
    let start = |segment| reals.of(&cut.start_of(segment, scope));
    let starts: Vec<Vec<f64>> = (0..cut.tops.len()).map(start).collect();
    let sums: Vec<ExactSum> = starts.iter().map(|start| exact(start)).collect();
    let (values, take) = reals.in_block(cut);
    let Some(fixed) = FixedPoint::<N>::of(&values, &take, &sums) else { return Ok(false) };
    let start = |(sum, start): (&N, &Vec<f64>)| Mean { count: start.len() as i64, sum: *sum };
    let starts: Vec<Mean<N>> = fixed.starts.iter().zip(&starts).map(start).collect();
    let folded =
        fold_sums(&relations, scope, |row| Mean::of(fixed.whole(values[row]), take.get(row)), &starts);
    let (mut means, mut known) = (Vec::new(), Bitmap::default());
    folded.read(&mut means, &mut known, |state| fixed.mean(state.sum, state.count));
    for (row, at) in cut.inner() {
        let values = reals.of(&cut.relatives(row, scope));
        let mut mean = mean::Mean::default();
        values.iter().for_each(|&value| mean.add_float(value));
        prop_assert_eq!(fixed.sum(folded.rows[at].sum).to_bits(), exact(&values).value().to_bits());
        prop_assert_eq!(bits((means[at], known.get(at))), mean.value().map(f64::to_bits));
    }
    Ok(true)
}
