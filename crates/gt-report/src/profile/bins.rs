//! Values and how often they occur, collected into bins wide enough to be visible; the rare values at each end share
//! one bin.

use gt_query::Value;

use super::cell::number;
use crate::chart::{Series, X};

/// The maximum number of bins, besides those of the tails.
pub(super) const BINS: usize = 32;
/// The share of the nodes collected at each end.
const TAIL: f64 = 0.005;

/// A value, and the number of nodes of each series that have it.
type Counted = (f64, Vec<f64>);

/// Values and their counts as places and series of bars.
pub(super) fn binned(x: &str, series: &[String], rows: &[Vec<Option<Value>>]) -> (X, Vec<Series>) {
    let cell = |row: &Vec<Option<Value>>, place: usize| number(row.get(place).and_then(Option::as_ref));
    let counts = |row| (1..=series.len()).map(|place| cell(row, place)).collect::<Option<Vec<f64>>>();
    let mut values: Vec<Counted> =
        rows.iter().filter_map(|row| Some((cell(row, 0)?, counts(row)?))).collect();
    values.sort_by(|left, right| left.0.total_cmp(&right.0));
    if values.len() <= BINS {
        let (places, counts): (Vec<f64>, Vec<Vec<f64>>) = values.into_iter().unzip();
        return (X::numbers(x, places), transposed(series, &counts));
    }
    let (low, high) = (quantile(&values, TAIL), quantile(&values, 1.0 - TAIL));
    let step = round_step((high - low) / BINS as f64, &values);
    let bin = |value: f64| (value / step).floor();
    let (first, last) = (bin(low), bin(high));
    // Values below the first bin and above the last have bins of their own.
    let mut bins = vec![vec![0.0; series.len()]; (last - first) as usize + 3];
    let after = bins.len() - 1;
    for (value, counts) in values {
        let place = match bin(value) {
            k if k < first => 0,
            k if k > last => after,
            k => (k - first) as usize + 1,
        };
        bins[place].iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    let edge = |k: f64| crate::number::plain(k * step);
    let name = |place: usize| match place {
        0 => format!("<{}", edge(first)),
        place if place == after => format!("≥{}", edge(last + 1.0)),
        place => edge(first + (place - 1) as f64),
    };
    let is_shown =
        |place: &usize| (1..after).contains(place) || bins[*place].iter().any(|count| *count > 0.0);
    let shown: Vec<usize> = (0..bins.len()).filter(is_shown).collect();
    let counts: Vec<Vec<f64>> = shown.iter().map(|&place| bins[place].clone()).collect();
    (X::names(x, shown.into_iter().map(name)), transposed(series, &counts))
}

/// Turns the counts of each place into series.
fn transposed(names: &[String], places: &[Vec<f64>]) -> Vec<Series> {
    let values = |number: usize| places.iter().map(|counts| counts.get(number).copied()).collect();
    names.iter().enumerate().map(|(number, name)| Series::new(name, values(number))).collect()
}

/// The value below which this share of the nodes lies.
fn quantile(values: &[Counted], part: f64) -> f64 {
    let all: f64 = values.iter().flat_map(|(_, counts)| counts).sum();
    let mut sum = 0.0;
    for (value, counts) in values {
        sum += counts.iter().sum::<f64>();
        if sum >= part * all {
            return *value;
        }
    }
    values.last().map_or(0.0, |(value, _)| *value)
}

/// A width of at least this, 1, 2 or 5 times a power of ten; for whole numbers at least 1.
fn round_step(width: f64, values: &[Counted]) -> f64 {
    let whole = values.iter().all(|(value, _)| value.fract() == 0.0);
    let width = if whole { width.max(1.0) } else { width };
    if width <= 0.0 || !width.is_finite() {
        return 1.0;
    }
    let power = 10_f64.powf(width.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|step| *step >= width)
        .unwrap_or(width)
}
