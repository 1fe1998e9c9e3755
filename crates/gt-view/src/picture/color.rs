//! What the values of a picture mean for its colours.

use gt_log::{Column, ColumnHead, Kind, Tree, Value};
use gt_query::Type;
use serde::Serialize;

use crate::calls::logs::{Label, LabelKind, Labels};
use crate::values::{self, Scalar};

/// What the values of a picture mean.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ColorInfo"))]
pub(crate) struct Color {
    /// The expression.
    pub name: String,
    pub kind: ColorKind,
    /// The least value of the tree, or of the picture.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub min: Scalar,
    /// The greatest.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub max: Scalar,
    /// The least that is drawn, but for a few.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub low: Scalar,
    /// The greatest that is drawn, but for a few.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub high: Scalar,
    /// What values or bits are called.
    pub labels: Option<Vec<Label>>,
}

/// How values become colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum ColorKind {
    /// Numbers on both sides of zero.
    Diverging,
    /// Other numbers.
    Sequential,
    /// Sets of named bits.
    Flags,
    /// Single values, each with a colour of its own.
    Values,
}

/// The part of the drawn values that is left out at each end of the range.
const OUTER_PART: f64 = 0.02;

impl Color {
    /// The colour of values that are drawn; `range` is the least and greatest of the whole tree, where known.
    pub(super) fn of(
        name: &str,
        value_type: Type,
        labels: Option<Labels>,
        range: Option<(f64, f64)>,
        drawn: &[Scalar],
    ) -> Self {
        let mut numbers: Vec<f64> = drawn.iter().filter_map(Scalar::number).collect();
        numbers.sort_by(f64::total_cmp);
        let seen = numbers.first().copied().zip(numbers.last().copied());
        let (min, max) = range.or(seen).unwrap_or((0.0, 0.0));
        let at = |part: f64| {
            numbers.get((part * numbers.len().saturating_sub(1) as f64).round() as usize).copied()
        };
        let kind = match (&labels, value_type) {
            (Some(Labels { kind: LabelKind::Flags, .. }), _) => ColorKind::Flags,
            (Some(Labels { kind: LabelKind::Values, .. }), _) => ColorKind::Values,
            (None, Type::Boolean | Type::Text | Type::Line) => ColorKind::Values,
            _ if min < 0.0 && max > 0.0 => ColorKind::Diverging,
            _ => ColorKind::Sequential,
        };
        let number = |number: Option<f64>| number.map_or(Scalar::Null, whole);
        let is_number = value_type.is_number();
        Self {
            name: name.to_owned(),
            kind,
            min: number(Some(min).filter(|_| is_number)),
            max: number(Some(max).filter(|_| is_number)),
            low: number(at(OUTER_PART).filter(|_| is_number)),
            high: number(at(1.0 - OUTER_PART).filter(|_| is_number)),
            labels: labels.map(|labels| labels.of),
        }
    }
}

/// Whole numbers without a point.
fn whole(number: f64) -> Scalar {
    if number.fract() == 0.0 && number.abs() < 9e15 {
        Scalar::Integer(number as i64)
    } else {
        values::float(number)
    }
}

/// The least and greatest value of an attribute in a tree, from the heads of its blocks.
pub(super) fn range(tree: Tree<'_>, attribute: usize) -> Option<(f64, f64)> {
    let kind = tree.schema().attributes()[attribute].kind;
    if matches!(kind, Kind::Text | Kind::Bool) {
        return None;
    }
    let number = Column::Attribute(attribute).number();
    let as_float = |integer: i64| match Value::of_integer(kind, integer, &[]) {
        Value::Int(value) => value as f64,
        Value::UInt(value) => value as f64,
        Value::Float(value) => value,
        Value::Bool(_) | Value::Text(_) | Value::Missing => f64::NAN,
    };
    let mut all: Option<(f64, f64)> = None;
    // A block in which every value is missing stores none, and tells nothing.
    let knows = |head: &ColumnHead| !(head.missing && head.stored_bytes == 0);
    for head in tree.blocks().filter(|head| head.rows > 0 && knows(&head.columns[number])) {
        let (min, max) = (as_float(head.columns[number].min), as_float(head.columns[number].max));
        if !min.is_finite() || !max.is_finite() {
            return None;
        }
        all = Some(all.map_or((min, max), |(least, greatest)| (least.min(min), greatest.max(max))));
    }
    all
}
