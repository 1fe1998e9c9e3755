//! A figure: a GTQL query, its meaning, and how its rows become a chart.

use std::fmt;

use gt_query::{Answer, Value};

use super::bins::binned;
use super::bound::Bound;
use super::cell::number;
use super::minimal_tree::minimal_chart;
use crate::chart::{Axis, Chart, ChartKind, Places, Scale, Series, X};

/// A figure of a profile.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// A stable name: `nodes-per-ply`.
    pub name: String,
    /// The heading.
    pub title: String,
    /// A description, in plain words.
    pub meaning: String,
    /// Derived columns that the query reads: their names and expressions.
    pub(super) lets: Vec<(String, String)>,
    /// The query below them.
    pub(super) body: String,
    /// The form of its answer.
    pub shape: Shape,
}

/// The form of a figure's answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A single number.
    Number,
    /// Rows for a table with these columns.
    Table(Vec<TableColumn>),
    /// Rows for a chart.
    Chart {
        /// How it is drawn.
        kind: ChartKind,
        /// The name of x.
        x: String,
        /// The axis of the values.
        y: Axis,
        /// The names of the series.
        series: Vec<String>,
        /// How rows become series.
        reading: Reading,
    },
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableColumn {
    /// The heading; a leading `>` marks a column of numbers.
    pub heading: String,
    /// How its cells are read.
    pub cell: CellReading,
}

/// How the columns of an answer become the cells of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellReading {
    /// One column, shown as it is.
    Plain,
    /// A node's value, whose bound is not known.
    Value,
    /// A node's value and its `@bound`: one cell that marks bounds.
    OwnValue,
    /// A node's value from its parent's view, and the node's own `@bound`, which is swapped.
    ParentsValue,
}

impl CellReading {
    /// The number of columns of the answer that a cell takes.
    pub(super) const fn columns(self) -> usize {
        match self {
            Self::Plain | Self::Value => 1,
            Self::OwnValue | Self::ParentsValue => 2,
        }
    }

    /// The ply of the player whose view a value is from, if the cell of a node at this ply holds a value.
    pub(super) const fn ply(self, node: u64) -> Option<u64> {
        match self {
            Self::Plain => None,
            Self::Value | Self::OwnValue => Some(node),
            Self::ParentsValue => Some(node.saturating_sub(1)),
        }
    }

    /// The bound of the value in these cells, from the view of the shown value.
    pub(super) fn bound(self, cells: &[Option<Value>]) -> Option<Bound> {
        let bound = || Bound::of_cell(cells.get(1).and_then(Option::as_ref));
        match self {
            Self::Plain | Self::Value => None,
            Self::OwnValue => bound(),
            Self::ParentsValue => bound().map(Bound::swapped),
        }
    }
}

/// How the rows of an answer become the series of a chart.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// The first column is x, each of the others a series. The listed values of x have names.
    Columns(Vec<(i64, String)>),
    /// There is one row; its columns are the places, with these names.
    OneRow(Vec<String>),
    /// The first column is a value, each of the others the number of nodes of a series that have it; many values are
    /// collected into bins.
    Bins,
    /// Ply, nodes, moves of a node that was fully searched, and the depth if it is known: compared with the minimal
    /// tree, down to the root's depth.
    MinimalTree,
}

impl Figure {
    /// Returns the whole query, ready for `gt query`.
    #[must_use]
    pub fn query(&self) -> String {
        let lets = self.lets.iter().map(|(name, expression)| format!("let {name} = {expression}\n"));
        lets.chain([self.body.clone()]).collect()
    }

    /// Whether it is a chart.
    #[must_use]
    pub const fn is_chart(&self) -> bool {
        matches!(self.shape, Shape::Chart { .. })
    }

    /// Returns the chart of an answer to its query; `None` if the figure is not a chart.
    #[must_use]
    pub fn chart(&self, answer: &Answer) -> Option<Chart> {
        let Shape::Chart { kind, x, y, series, reading } = &self.shape else { return None };
        let Answer::Rows { rows, .. } = answer else { return None };
        let named = || series.iter().map(String::as_str);
        let (x, series) = match reading {
            Reading::Columns(names) => (places(x, names, rows), columns(named(), rows)),
            Reading::OneRow(names) => (X::names(x, names.clone()), one_row(named(), rows)),
            Reading::Bins => binned(x, series, rows),
            Reading::MinimalTree => minimal_chart(x, rows),
        };
        let series = without_empty(series, *kind);
        let chart = Chart::new(&self.name, &self.title, *kind, x, series).with_y(y.clone());
        Some(chart.with_meaning(&self.meaning, &self.query()))
    }
}

/// Drops empty series from the legend, but keeps at least one.
fn without_empty(series: Vec<Series>, kind: ChartKind) -> Vec<Series> {
    let stacked = kind == ChartKind::Stacked;
    let is_empty = |series: &Series| series.values.iter().flatten().all(|value| stacked && *value == 0.0);
    if series.iter().all(is_empty) {
        return series;
    }
    series.into_iter().filter(|series| !is_empty(series)).collect()
}

/// The first column as places: numbers if all are numbers without names.
fn places(x: &str, names: &[(i64, String)], rows: &[Vec<Option<Value>>]) -> X {
    let firsts = || rows.iter().map(|row| row.first().and_then(Option::as_ref));
    let numbers: Option<Vec<f64>> = firsts().map(number).collect();
    match numbers {
        Some(numbers)
            if names.is_empty() && !firsts().any(|cell| matches!(cell, Some(Value::Boolean(_)))) =>
        {
            X { name: x.to_owned(), places: Places::Numbers(numbers), scale: Scale::Linear }
        }
        _ => X::names(x, firsts().map(|cell| label(cell, names))),
    }
}

fn label(cell: Option<&Value>, names: &[(i64, String)]) -> String {
    let Some(cell) = cell else { return "unknown".to_owned() };
    let known = match cell {
        Value::Integer(number) => names.iter().find(|(value, _)| i128::from(*value) == *number),
        _ => None,
    };
    known.map_or_else(|| cell.to_string(), |(_, name)| name.clone())
}

fn columns<'a>(names: impl Iterator<Item = &'a str>, rows: &[Vec<Option<Value>>]) -> Vec<Series> {
    let column = |place: usize| rows.iter().map(move |row| number(row.get(place).and_then(Option::as_ref)));
    names.enumerate().map(|(place, name)| Series::new(name, column(place + 1).collect())).collect()
}

fn one_row<'a>(mut names: impl Iterator<Item = &'a str>, rows: &[Vec<Option<Value>>]) -> Vec<Series> {
    let cells = rows.first().map(Vec::as_slice).unwrap_or_default();
    let values = cells.iter().map(|cell| number(cell.as_ref())).collect();
    vec![Series::new(names.next().unwrap_or("nodes"), values)]
}

/// A figure, or the reason why this log cannot have it.
pub(super) type Offered = Result<Figure, UnavailableFigure>;

/// A figure that is not available for a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnavailableFigure {
    /// The figure's name.
    pub name: String,
    /// Its heading.
    pub title: String,
    /// The names that the log lacks; empty if it has them with another type.
    pub missing: Vec<&'static str>,
}

impl UnavailableFigure {
    /// Returns what the log lacks, in words.
    #[must_use]
    pub fn lack(&self) -> String {
        if self.missing.is_empty() {
            return "the log's attributes are of other types".to_owned();
        }
        let names: Vec<String> = self.missing.iter().map(|name| format!("`{name}`")).collect();
        format!("the log has no {}", names.join(", "))
    }
}

impl fmt::Display for UnavailableFigure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.title, self.lack())
    }
}
