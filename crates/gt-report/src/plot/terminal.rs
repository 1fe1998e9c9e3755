//! A chart in characters, a row for every place.
//!
//! ```text
//! Nodes per ply
//! █ main  ▒ quiescence
//! 5  ████████████████▒▒▒▒▒▒  26,332
//! 6  ███████████▒▒▒▒▒        23,521
//!
//! First-move cut-offs                    several lines share a row, each with its mark
//! 1  ─────────────●───────  93.0%
//! ```
//!
//! **Invariant:** no line is wider than requested (a terminal of fewer than 30 columns is treated as having 30).
//! Names cannot control the terminal.

use unicode_width::UnicodeWidthStr;

use super::scale::Range;
use super::style::Style;
use crate::chart::{Chart, ChartKind, Scale, Series, Unit};
use crate::number::in_unit;

/// The minimum width of a readable chart.
const WIDTH_MIN: usize = 30;
/// The maximum width of bars; wider ones only move the numbers away from the names.
const BAR_MAX: usize = 64;
/// The percentage from which the axis goes from 0% to 100%; smaller values are magnified.
const PERCENT_MUCH: f64 = 25.0;
/// Blocks of eighths of a character.
const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/// Draws a chart, title first; every line ends with a line end.
#[must_use]
pub fn terminal(chart: &Chart, style: Style) -> String {
    let style = Style { width: style.width.max(WIDTH_MIN), ..style };
    let mut out = style.bold(&style.cut(&style.shown(&chart.heading()), style.width)) + "\n";
    if chart.series.len() > 1 {
        out += &legend(chart, style);
    }
    if chart.x.places.is_empty() {
        return out + "  (nothing to show)\n";
    }
    let rows = Rows::new(chart, style);
    (0..chart.x.places.len()).for_each(|place| out += &rows.draw(place));
    out
}

fn legend(chart: &Chart, style: Style) -> String {
    let (mut out, mut line) = (String::new(), 0);
    for (number, series) in chart.series.iter().enumerate() {
        let name = style.cut(&style.shown(&series.name), style.width - 4);
        let gap = if line == 0 { 0 } else { 2 };
        if line + gap + 2 + name.width() > style.width {
            out += "\n";
            line = 0;
        }
        let gap = if line == 0 { 0 } else { 2 };
        let glyph = style.paint(&style.glyph(chart.kind, number).to_string(), number);
        out += &format!("{}{glyph} {name}", " ".repeat(gap));
        line += gap + 2 + name.width();
    }
    out + "\n"
}

/// The layout that all rows share.
struct Rows<'a> {
    chart: &'a Chart,
    style: Style,
    labels: Vec<String>,
    label_width: usize,
    bar_width: usize,
    value_width: usize,
    value_texts: Vec<String>,
    range: Range,
}

impl<'a> Rows<'a> {
    fn new(chart: &'a Chart, style: Style) -> Self {
        let labels: Vec<String> =
            chart.x.labels().iter().map(|label| style.cut(&style.shown(label), style.width / 3)).collect();
        let label_width = labels.iter().map(|label| label.width()).max().unwrap_or(0);
        let value_texts = value_texts(chart, style);
        let value_width = value_texts.iter().map(|text| text.width()).max().unwrap_or(0);
        let value_width = value_width.min(style.width / 2);
        let bar_width = style.width.saturating_sub(label_width + value_width + 4).clamp(4, BAR_MAX);
        Self { chart, style, labels, label_width, bar_width, value_width, value_texts, range: range(chart) }
    }

    fn draw(&self, place: usize) -> String {
        let label = &self.labels[place];
        let indent = " ".repeat(self.label_width - label.width());
        let (bar, drawn) = match self.chart.kind {
            ChartKind::Lines => self.marks(place),
            ChartKind::Stacked => self.stack(place),
            ChartKind::Bars if self.chart.series.len() == 1 => self.bar(place),
            ChartKind::Bars => return self.several(place),
        };
        let value = self.style.cut(&self.value_texts[place], self.value_width);
        let fill = " ".repeat(self.bar_width.saturating_sub(drawn) + self.value_width - value.width());
        format!("{indent}{label}  {bar}{fill}  {value}\n")
    }

    /// A row for every series.
    fn several(&self, place: usize) -> String {
        let mut out = String::new();
        for (number, series) in self.chart.series.iter().enumerate() {
            let label = if number == 0 { self.labels[place].as_str() } else { "" };
            let indent = " ".repeat(self.label_width - label.width());
            let (bar, drawn) = self.solid(series.values[place], number);
            let value = series.values[place]
                .map_or_else(|| "-".to_owned(), |value| self.style.shown(&in_unit(value, self.chart.y.unit)));
            let value = self.style.cut(&value, self.value_width);
            let fill = " ".repeat(self.bar_width.saturating_sub(drawn) + self.value_width - value.width());
            out += &format!("{indent}{label}  {bar}{fill}  {value}\n");
        }
        out
    }

    /// The length of a bar; a value below zero has none, but its number is shown.
    fn length(&self, value: f64) -> f64 {
        let place = self.range.place(value).unwrap_or(0.0);
        (place - self.range.zero()).max(0.0) * self.bar_width as f64
    }

    fn bar(&self, place: usize) -> (String, usize) {
        self.solid(self.chart.series[0].values[place], 0)
    }

    fn solid(&self, value: Option<f64>, number: usize) -> (String, usize) {
        let eighths = (self.length(value.unwrap_or(0.0)) * 8.0).round() as usize;
        // A small positive value is still visible.
        let eighths = if eighths == 0 && value.is_some_and(|value| value > 0.0) { 1 } else { eighths };
        let glyph = if number == 0 || !self.style.unicode {
            self.style.glyph(ChartKind::Bars, number)
        } else {
            self.style.glyph(ChartKind::Stacked, number)
        };
        let mut bar: String = std::iter::repeat_n(glyph, eighths / 8).collect();
        if !eighths.is_multiple_of(8) {
            bar.push(match (self.style.unicode, number) {
                (true, 0) => EIGHTHS[eighths % 8],
                _ => glyph,
            });
        }
        let width = bar.chars().count();
        (self.style.paint(&bar, number), width)
    }

    fn stack(&self, place: usize) -> (String, usize) {
        let (mut bar, mut drawn, mut sum) = (String::new(), 0, 0.0);
        for (number, series) in self.chart.series.iter().enumerate() {
            sum += series.values[place].unwrap_or(0.0).max(0.0);
            let end = self.length(sum).round() as usize;
            let glyph = self.style.glyph(ChartKind::Stacked, number);
            let part: String = std::iter::repeat_n(glyph, end.saturating_sub(drawn)).collect();
            bar += &self.style.paint(&part, number);
            drawn = drawn.max(end);
        }
        if drawn == 0 && sum > 0.0 {
            return (if self.style.unicode { "▏" } else { "|" }.to_owned(), 1);
        }
        (bar, drawn)
    }

    /// The marks of all series on one line; if two coincide, the first is shown.
    fn marks(&self, place: usize) -> (String, usize) {
        let rail = if self.style.unicode { '·' } else { '.' };
        let mut cells: Vec<Option<usize>> = vec![None; self.bar_width];
        for (number, series) in self.chart.series.iter().enumerate().rev() {
            let at = series.values[place].and_then(|value| self.range.place(value));
            if let Some(at) = at {
                cells[(at * (self.bar_width - 1) as f64).round() as usize] = Some(number);
            }
        }
        let rail = self.style.faint(&rail.to_string());
        let text = cells.iter().map(|cell| match cell {
            Some(number) => {
                self.style.paint(&self.style.glyph(ChartKind::Lines, *number).to_string(), *number)
            }
            None => rail.clone(),
        });
        (text.collect(), self.bar_width)
    }
}

fn range(chart: &Chart) -> Range {
    let places = 0..chart.x.places.len();
    let sum = |place: usize| chart.series.iter().filter_map(|series| series.values[place]).sum();
    let values = || chart.series.iter().flat_map(|series| series.values.iter().flatten().copied());
    match (chart.kind, chart.y.unit) {
        (ChartKind::Stacked, _) => Range::tight(places.map(sum), Scale::Linear),
        (ChartKind::Lines, Unit::Percent) if values().any(|value| value >= PERCENT_MUCH) => {
            Range::from_zero([0.0, 100.0].into_iter(), Scale::Linear)
        }
        _ => Range::tight(values(), chart.y.scale),
    }
}

/// The values at each place: the sum of stacked bars, all values of lines, one below the other.
fn value_texts(chart: &Chart, style: Style) -> Vec<String> {
    let text = |value: Option<f64>| {
        value.map_or_else(|| "-".to_owned(), |value| style.shown(&in_unit(value, chart.y.unit)))
    };
    let places = 0..chart.x.places.len();
    let column =
        |series: &Series| -> Vec<String> { series.values.iter().map(|&value| text(value)).collect() };
    if chart.kind == ChartKind::Stacked {
        let sum = |place: usize| chart.series.iter().filter_map(|series| series.values[place]).sum();
        return places.map(|place| text(Some(sum(place)))).collect();
    }
    let columns: Vec<Vec<String>> = chart.series.iter().map(column).collect();
    let widest = |texts: &Vec<String>| texts.iter().map(|text| text.width()).max().unwrap_or(0);
    let widths: Vec<usize> = columns.iter().map(widest).collect();
    let cell = |place: usize, (texts, width): (&Vec<String>, &usize)| {
        let text = &texts[place];
        " ".repeat(width - text.width()) + text
    };
    let line = |place: usize| {
        columns.iter().zip(&widths).map(|column| cell(place, column)).collect::<Vec<_>>().join("  ")
    };
    match chart.kind {
        ChartKind::Lines => places.map(line).collect(),
        _ => places
            .map(|place| {
                columns
                    .iter()
                    .map(|texts| &texts[place])
                    .max_by_key(|text| text.width())
                    .cloned()
                    .unwrap_or_default()
            })
            .collect(),
    }
}
