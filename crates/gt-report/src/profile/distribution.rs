//! The distribution of an attribute's values.
//!
//! The query groups by the value itself or, if that could be millions of groups, by the lower edge of fine intervals.
//! The rows of the answer are then collected into bins (`bins`).

use gt_log::{Attribute, Column, Kind, Tree};

use super::bins::BINS;
use super::figure::{Figure, Reading, Shape};
use super::offer::Offer;
use crate::chart::{Axis, ChartKind, Unit};

/// The number of nodes up to which trees are always grouped by the value itself.
const NODES_EXACT_MAX: u64 = 2_000_000;
/// The number of possible values up to which larger trees are grouped by the value, too.
const VALUES_MAX: i128 = 100_000;
/// The numbers of nodes whose value is exact, a lower and an upper bound.
const BOUND_COUNTS: &str = "count(@bound = \"exact\"), count(@bound = \"lower\"), count(@bound = \"upper\")";
const BOUND_NAMES: [&str; 3] = ["exact", "at least", "at most"];

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
