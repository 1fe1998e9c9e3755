//! A chart: places along x, and series of values over them.
//!
//! ```text
//! y.name
//!   │        ▄          series[0].values[i] stands over x.places[i];
//!   │  ▂  █  █  ▃       None is a gap
//!   └──────────────
//!      0  1  2  3  x.name
//! ```
//!
//! **Invariant:** every series has as many values as `x` has places; [`Chart::new`] ensures it. A chart does not know
//! how it is drawn: that is up to [`crate::plot`].

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

pub use crate::number::Unit;
use crate::number::plain;

/// How the values are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ChartKind {
    /// A bar for every value, series side by side.
    Bars,
    /// A line for every series.
    Lines,
    /// One bar for every place, the series on top of each other.
    Stacked,
}

impl ChartKind {
    /// Returns `bars`, `lines` or `stacked`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bars => "bars",
            Self::Lines => "lines",
            Self::Stacked => "stacked",
        }
    }
}

/// How values become lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "AxisScale"))]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Equal differences are equal lengths.
    #[default]
    Linear,
    /// Equal ratios are equal lengths; values that are not above 0 are not drawn.
    Logarithmic,
}

/// The axis of the values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ValueAxis"))]
pub struct Axis {
    /// The measured quantity: `nodes`.
    pub name: String,
    /// How values become lengths.
    pub scale: Scale,
    /// The unit of the numbers.
    pub unit: Unit,
}

impl Axis {
    /// A linear axis.
    #[must_use]
    pub fn new(name: &str, unit: Unit) -> Self {
        Self { name: name.to_owned(), scale: Scale::Linear, unit }
    }

    /// Makes the axis logarithmic.
    #[must_use]
    pub fn logarithmic(mut self) -> Self {
        self.scale = Scale::Logarithmic;
        self
    }
}

/// The places along x.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Places {
    /// Named places, side by side.
    Names(Vec<String>),
    /// Numbers; lines are drawn at the numbers, bars side by side.
    Numbers(#[serde(serialize_with = "numbers")] Vec<f64>),
}

impl Places {
    /// Returns the number of places.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Names(names) => names.len(),
            Self::Numbers(numbers) => numbers.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The x axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PlaceAxis"))]
pub struct X {
    /// The name of the places: `ply`.
    pub name: String,
    /// The places.
    #[serde(rename = "values")]
    pub places: Places,
    /// How numbers become lengths, if lines are drawn.
    pub scale: Scale,
}

impl X {
    /// Named places.
    #[must_use]
    pub fn names<N: Into<String>>(name: &str, names: impl IntoIterator<Item = N>) -> Self {
        let names = names.into_iter().map(Into::into).collect();
        Self { name: name.to_owned(), places: Places::Names(names), scale: Scale::Linear }
    }

    /// Numbers on a linear scale.
    #[must_use]
    pub fn numbers(name: &str, numbers: Vec<f64>) -> Self {
        Self { name: name.to_owned(), places: Places::Numbers(numbers), scale: Scale::Linear }
    }

    /// Makes the scale logarithmic.
    #[must_use]
    pub fn logarithmic(mut self) -> Self {
        self.scale = Scale::Logarithmic;
        self
    }

    /// Returns the labels of the places.
    #[must_use]
    pub fn labels(&self) -> Vec<String> {
        match &self.places {
            Places::Names(names) => names.clone(),
            Places::Numbers(numbers) => numbers.iter().map(|&number| plain(number)).collect(),
        }
    }
}

/// Values over the places of a chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Series {
    /// The name: `quiescence`.
    pub name: String,
    /// One value for every place; `None` for a gap.
    #[serde(serialize_with = "values")]
    pub values: Vec<Option<f64>>,
}

impl Series {
    /// A series.
    #[must_use]
    pub fn new(name: &str, values: Vec<Option<f64>>) -> Self {
        Self { name: name.to_owned(), values }
    }
}

/// A chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Chart {
    /// A stable name, for files and addresses: `nodes-per-ply`.
    pub name: String,
    /// The heading.
    pub title: String,
    /// A description, in plain words.
    pub meaning: String,
    /// The GTQL query whose answer it is; empty if there is none.
    pub query: String,
    /// How it is drawn.
    pub kind: ChartKind,
    /// The places.
    pub x: X,
    /// The axis of the values.
    pub y: Axis,
    /// The values.
    pub series: Vec<Series>,
}

impl Chart {
    /// Makes a chart without a description; a series that is too short gets gaps, one that is too long is
    /// cut.
    ///
    /// ```
    /// use gt_report::{Axis, Chart, ChartKind, Series, Unit, X};
    /// let x = X::names("tree", ["Tree 1", "Tree 2"]);
    /// let seconds = Series::new("Q1", vec![Some(0.1), Some(1.5)]);
    /// let chart = Chart::new("figure-5-1", "Time per tree", ChartKind::Lines, x, vec![seconds])
    ///     .with_y(Axis::new("time", Unit::Seconds).logarithmic());
    /// assert!(gt_report::plot::svg(&chart, gt_report::plot::Size::default()).starts_with("<svg"));
    /// ```
    #[must_use]
    pub fn new(name: &str, title: &str, kind: ChartKind, x: X, mut series: Vec<Series>) -> Self {
        series.iter_mut().for_each(|series| series.values.resize(x.places.len(), None));
        let (name, title) = (name.to_owned(), title.to_owned());
        Self {
            name,
            title,
            meaning: String::new(),
            query: String::new(),
            kind,
            x,
            y: Axis::default(),
            series,
        }
    }

    /// Returns the heading above the drawing: it mentions lengths that are not in proportion to the values.
    #[must_use]
    pub fn heading(&self) -> String {
        match self.y.scale {
            Scale::Linear => self.title.clone(),
            Scale::Logarithmic => format!("{} (logarithmic scale)", self.title),
        }
    }

    /// Sets the axis of values.
    #[must_use]
    pub fn with_y(mut self, y: Axis) -> Self {
        self.y = y;
        self
    }

    /// Keeps only the first places.
    #[must_use]
    pub fn first_places(mut self, places_max: usize) -> Self {
        match &mut self.x.places {
            Places::Names(names) => names.truncate(places_max),
            Places::Numbers(numbers) => numbers.truncate(places_max),
        }
        self.series.iter_mut().for_each(|series| series.values.truncate(places_max));
        self
    }

    /// Sets the description and the query whose answer it is.
    #[must_use]
    pub fn with_meaning(mut self, meaning: &str, query: &str) -> Self {
        self.meaning = meaning.to_owned();
        self.query = query.to_owned();
        self
    }

    /// Returns the chart as JSON: `{"name", "title", "meaning", "query", "kind", "x": {"name", "values", "scale"},
    /// "y": {"name", "scale", "unit"}, "series": [{"name", "values"}]}`; a gap is `null`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!(self)
    }
}

/// Whole numbers without a point; numbers that JSON cannot represent as `null`.
pub(crate) fn number_json(number: f64) -> Value {
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() <= EXACT_MAX { json!(number as i64) } else { json!(number) }
}

/// The numbers of places, as [`number_json`] writes them.
fn numbers<S: Serializer>(numbers: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(numbers.iter().map(|&number| number_json(number)))
}

/// The values of a series, as [`number_json`] writes them; a gap is `null`.
fn values<S: Serializer>(values: &[Option<f64>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(|value| value.map(number_json)))
}
