//! The distribution of an attribute's values.
//!
//! The query groups by the value itself or, if that could be millions of groups, by the lower edge of fine intervals.
//! The rows of the answer are then collected into bins wide enough to be visible, the rare values at both ends into
//! one each.

use gt_log::{Attribute, Column, Kind, Tree};
use gt_query::Value;

use super::figure::{Figure, Reading, Shape, number};
use super::offer::Offer;
use crate::chart::{Axis, ChartKind, Series, Unit, X};

/// The number of nodes up to which trees are always grouped by the value itself.
const NODES_EXACT_MAX: u64 = 2_000_000;
/// The number of possible values up to which larger trees are.
const VALUES_MAX: i128 = 100_000;
const BINS: usize = 32;
/// The numbers of nodes whose value is exact, a lower and an upper bound.
const BOUND_COUNTS: &str = "count(@bound = \"exact\"), count(@bound = \"lower\"), count(@bound = \"upper\")";
const BOUND_NAMES: [&str; 3] = ["exact", "at least", "at most"];
/// The share of the nodes collected at each end.
const TAIL: f64 = 0.005;

/// Returns the distributions of all attributes of a tree that have one.
#[must_use]
pub fn distributions(tree: Tree<'_>) -> Vec<Figure> {
    tree.schema().attributes().iter().filter_map(|attribute| distribution(tree, &attribute.name)).collect()
}

/// Returns the distribution of an attribute; `None` if there is no such attribute, or its values cannot be binned
/// (numbers beyond 63 bits, such as hashes).
#[must_use]
pub fn distribution(tree: Tree<'_>, attribute: &str) -> Option<Figure> {
    let schema = tree.schema();
    let place = schema.position(attribute)?;
    let Attribute { name, kind } = &schema.attributes()[place];
    let missing = name == "static_eval" && schema.alias("NoEval").is_some();
    let filter = if missing { "node: static_eval != NoEval\n" } else { "" };
    let bounds = name == "best" && Offer::of(schema).has_windows();
    let (body, reading) = if matches!(kind, Kind::Bool | Kind::Text) {
        let body = format!("group by {name}\nselect {name}, count(*)\norder by count(*) desc\nlimit {BINS}");
        (body, Reading::Columns(Vec::new()))
    } else {
        let key = if missing { name.clone() } else { key(tree, place)? };
        let counts = if bounds { BOUND_COUNTS } else { "count(*)" };
        (format!("{filter}group by {key}\nselect {key}, {counts}"), Reading::Bins)
    };
    Some(Figure {
        name: format!("distribution-{name}"),
        title: format!("Distribution of {name}"),
        meaning: format!(
            "How many nodes have which `{name}`. Many values are gathered into intervals, named by their lower ends; the \
             rarest at both ends stand together.{}",
            if bounds {
                " The value of a node that failed high or low is a bound: it is worth at least, or at most, this."
            } else {
                ""
            }
        ),
        lets: Vec::new(),
        body,
        shape: Shape::Chart {
            kind: if bounds { ChartKind::Stacked } else { ChartKind::Bars },
            x: name.clone(),
            y: Axis::new("nodes", Unit::Count),
            series: if bounds { BOUND_NAMES.map(str::to_owned).to_vec() } else { vec!["nodes".to_owned()] },
            reading,
        },
    })
}

/// The grouping key of a number.
fn key(tree: Tree<'_>, place: usize) -> Option<String> {
    let Attribute { name, kind } = &tree.schema().attributes()[place];
    let heads = tree.blocks().filter(|head| head.rows > 0);
    let columns: Vec<_> = heads.map(|head| head.columns[Column::Attribute(place).number()]).collect();
    let values = |value: i64| match gt_log::Value::of_integer(*kind, value, &[]) {
        gt_log::Value::Int(value) => (i128::from(value), value as f64),
        gt_log::Value::UInt(value) => (i128::from(value), value as f64),
        gt_log::Value::Float(value) => (0, value),
        gt_log::Value::Bool(_) | gt_log::Value::Text(_) | gt_log::Value::Missing => (0, 0.0),
    };
    let all = || columns.iter().flat_map(|column| [values(column.min), values(column.max)]);
    if kind.is_float() {
        let floats = || all().map(|(_, value)| value).filter(|value| value.is_finite());
        let (least, greatest) = (floats().fold(f64::MAX, f64::min), floats().fold(f64::MIN, f64::max));
        let width = (greatest - least) / 1000.0;
        let exact = tree.nodes() <= NODES_EXACT_MAX || !width.is_normal() || width < 0.0;
        return Some(if exact {
            name.clone()
        } else {
            format!("{name} - ({name} - ({least:?})) % {width:?}")
        });
    }
    let least = all().map(|(value, _)| value).min().unwrap_or(0);
    let range = all().map(|(value, _)| value).max().unwrap_or(0) - least;
    if tree.nodes() <= NODES_EXACT_MAX || range <= VALUES_MAX {
        return Some(name.clone());
    }
    let fits = range < i128::from(i64::MAX) && least + range <= i128::from(i64::MAX);
    let width = range / VALUES_MAX + 1;
    fits.then(|| format!("({name} - ({least})) / {width} * {width} + ({least})"))
}

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
