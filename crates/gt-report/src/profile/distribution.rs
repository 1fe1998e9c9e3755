//! How the values of an attribute are distributed.
//!
//! The query groups by the value itself; where that could be millions of groups, by the lower edge of fine intervals.
//! The answer's rows are then gathered into bins wide enough to be seen, the rare values at both ends into one each.

use gt_log::{Attribute, Column, Kind, Tree};
use gt_query::Value;

use super::figure::{Figure, Reading, Shape, number};
use crate::chart::{Axis, ChartKind, Series, Unit, X};

/// Trees of so many nodes are grouped by the value itself, whatever it is.
const NODES_EXACT_MAX: u64 = 2_000_000;
/// Larger ones where there can be at most so many values.
const VALUES_MAX: i128 = 100_000;
const BINS: usize = 32;
/// Which part of the nodes is gathered at each end.
const TAIL: f64 = 0.005;

/// The distributions of all attributes of a tree that have one.
#[must_use]
pub fn distributions(tree: Tree<'_>) -> Vec<Figure> {
    tree.schema().attributes().iter().filter_map(|attribute| distribution(tree, &attribute.name)).collect()
}

/// The distribution of an attribute; `None` where there is no such attribute, or its values cannot be gathered (numbers
/// beyond 63 bits, such as hashes).
#[must_use]
pub fn distribution(tree: Tree<'_>, attribute: &str) -> Option<Figure> {
    let schema = tree.schema();
    let place = schema.position(attribute)?;
    let Attribute { name, kind } = &schema.attributes()[place];
    let missing = name == "static_eval" && schema.alias("NoEval").is_some();
    let filter = if missing { "node: static_eval != NoEval\n" } else { "" };
    let (body, reading) = if matches!(kind, Kind::Bool | Kind::Text) {
        let body = format!("group by {name}\nselect {name}, count(*)\norder by count(*) desc\nlimit {BINS}");
        (body, Reading::Columns(Vec::new()))
    } else {
        let key = if missing { name.clone() } else { key(tree, place)? };
        (format!("{filter}group by {key}\nselect {key}, count(*)"), Reading::Bins)
    };
    Some(Figure {
        name: format!("distribution-{name}"),
        title: format!("Distribution of {name}"),
        meaning: format!(
            "How many nodes have which `{name}`. Many values are gathered into intervals, named by their lower ends; the \
             rarest at both ends stand together."
        ),
        lets: Vec::new(),
        body,
        shape: Shape::Chart {
            kind: ChartKind::Bars,
            x: name.clone(),
            y: Axis::new("nodes", Unit::Count),
            series: vec!["nodes".to_owned()],
            reading,
        },
    })
}

/// What to group a number by.
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

/// Values and their counts as places and a series of bars.
pub(super) fn binned(x: &str, series: &str, rows: &[Vec<Option<Value>>]) -> (X, Vec<Series>) {
    let cell = |row: &Vec<Option<Value>>, place: usize| number(row.get(place).and_then(Option::as_ref));
    let mut values: Vec<(f64, f64)> =
        rows.iter().filter_map(|row| Some((cell(row, 0)?, cell(row, 1)?))).collect();
    values.sort_by(|left, right| left.0.total_cmp(&right.0));
    if values.len() <= BINS {
        let (places, counts): (Vec<f64>, Vec<f64>) = values.into_iter().unzip();
        return (X::numbers(x, places), vec![Series::new(series, counts.into_iter().map(Some).collect())]);
    }
    let (low, high) = (quantile(&values, TAIL), quantile(&values, 1.0 - TAIL));
    let step = round_step((high - low) / BINS as f64, &values);
    let bin = |value: f64| (value / step).floor();
    let (first, last) = (bin(low), bin(high));
    let bins = (last - first) as usize + 1;
    let (mut below, mut above, mut counts) = (0.0, 0.0, vec![0.0; bins]);
    for (value, count) in values {
        match bin(value) {
            k if k < first => below += count,
            k if k > last => above += count,
            k => counts[(k - first) as usize] += count,
        }
    }
    let edge = |k: f64| crate::number::plain(k * step);
    let mut names: Vec<String> = (0..bins).map(|k| edge(first + k as f64)).collect();
    if below > 0.0 {
        names.insert(0, format!("<{}", edge(first)));
        counts.insert(0, below);
    }
    if above > 0.0 {
        names.push(format!("≥{}", edge(last + 1.0)));
        counts.push(above);
    }
    (X::names(x, names), vec![Series::new(series, counts.into_iter().map(Some).collect())])
}

/// The value below which this part of the nodes lies.
fn quantile(values: &[(f64, f64)], part: f64) -> f64 {
    let all: f64 = values.iter().map(|(_, count)| count).sum();
    let mut sum = 0.0;
    for (value, count) in values {
        sum += count;
        if sum >= part * all {
            return *value;
        }
    }
    values.last().map_or(0.0, |(value, _)| *value)
}

/// At least this wide, 1, 2 or 5 times a power of ten; of whole numbers at least 1.
fn round_step(width: f64, values: &[(f64, f64)]) -> f64 {
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
