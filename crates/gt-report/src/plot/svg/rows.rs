//! Horizontal bars, one row for each named place: names are easier to read than slanted letters.

use super::head::{MARGIN, canvas, class_of, head, head_height, text_width};
use crate::chart::{Chart, ChartKind, Scale};
use crate::number::in_unit;
use crate::plot::canvas::{Anchor, Canvas};
use crate::plot::scale::Range;

const BAR: f64 = 17.0;
const GAP: f64 = 7.0;
/// The length at which names are cut.
const NAME_CHARACTERS_MAX: usize = 36;

pub(super) fn draw(chart: &Chart, width: f64) -> String {
    let stacked = chart.kind == ChartKind::Stacked;
    let bars = if stacked { 1 } else { chart.series.len().max(1) };
    let row = bars as f64 * BAR + GAP;
    let top = head_height(chart, width) + 4.0;
    let labels: Vec<String> = chart.x.labels().iter().map(|label| cut(label)).collect();
    let height = top + labels.len().max(1) as f64 * row + 8.0;
    let mut canvas = canvas(chart, width, height);
    head(&mut canvas, chart, width);
    if labels.is_empty() {
        canvas.text("", (MARGIN, top + 12.0), Anchor::Start, "nothing to show");
    }
    let left = MARGIN + labels.iter().map(|label| text_width(label)).fold(0.0, f64::max) + 8.0;
    let right = width - MARGIN - widest_value(chart, stacked);
    let rows = Rows { chart, range: range(chart, stacked), left, right: right.max(left + 40.0) };
    for (place, label) in labels.iter().enumerate() {
        let y = top + place as f64 * row;
        canvas.text("", (left - 8.0, y + bars as f64 * BAR / 2.0 + 4.0), Anchor::End, label);
        if stacked { rows.stacked(&mut canvas, place, y) } else { rows.beside(&mut canvas, place, y) }
    }
    canvas.finish()
}

fn cut(label: &str) -> String {
    if label.chars().count() <= NAME_CHARACTERS_MAX {
        return label.to_owned();
    }
    label.chars().take(NAME_CHARACTERS_MAX - 1).chain(['…']).collect()
}

fn sum(chart: &Chart, place: usize) -> f64 {
    chart.series.iter().filter_map(|series| series.values[place]).sum()
}

fn range(chart: &Chart, stacked: bool) -> Range {
    let places = 0..chart.x.places.len();
    if stacked {
        return Range::tight(places.map(|place| sum(chart, place)), Scale::Linear);
    }
    Range::tight(
        chart.series.iter().flat_map(|series| series.values.iter().flatten().copied()),
        chart.y.scale,
    )
}

fn widest_value(chart: &Chart, stacked: bool) -> f64 {
    let texts: Vec<String> = if stacked {
        (0..chart.x.places.len()).map(|place| in_unit(sum(chart, place), chart.y.unit)).collect()
    } else {
        let values = chart.series.iter().flat_map(|series| series.values.iter().flatten());
        values.map(|&value| in_unit(value, chart.y.unit)).collect()
    };
    texts.iter().map(|text| text_width(text)).fold(0.0, f64::max) + 8.0
}

struct Rows<'a> {
    chart: &'a Chart,
    range: Range,
    left: f64,
    right: f64,
}

impl Rows<'_> {
    fn x(&self, value: f64) -> Option<f64> {
        self.range.place(value).map(|place| self.left + place * (self.right - self.left))
    }

    fn zero(&self) -> f64 {
        self.left + self.range.zero() * (self.right - self.left)
    }

    fn beside(&self, canvas: &mut Canvas, place: usize, y: f64) {
        for (number, series) in self.chart.series.iter().enumerate() {
            let Some(value) = series.values[place] else { continue };
            let (zero, end) = (self.zero(), self.x(value).unwrap_or(self.left));
            let y = y + number as f64 * BAR;
            let hint = if self.chart.series.len() > 1 { series.name.as_str() } else { "" };
            let size = ((end - zero).abs().max(1.0), BAR - 2.0);
            canvas.rectangle(&class_of(number), (zero.min(end), y), size, hint);
            let text = in_unit(value, self.chart.y.unit);
            canvas.text("v", (zero.max(end) + 6.0, y + 12.0), Anchor::Start, &text);
        }
    }

    fn stacked(&self, canvas: &mut Canvas, place: usize, y: f64) {
        let mut before = 0.0;
        for (number, series) in self.chart.series.iter().enumerate() {
            let value = series.values[place].unwrap_or(0.0).max(0.0);
            let (from, to) = (self.x(before), self.x(before + value));
            before += value;
            if let (Some(from), Some(to), true) = (from, to, value > 0.0) {
                let hint = format!("{}: {}", series.name, in_unit(value, self.chart.y.unit));
                let gap = if to - from > 3.0 { 0.7 } else { 0.0 };
                canvas.rectangle(&class_of(number), (from, y), (to - from - gap, BAR - 2.0), &hint);
            }
        }
        let text = in_unit(before, self.chart.y.unit);
        let end = self.x(before).unwrap_or(self.left);
        canvas.text("v", (end + 6.0, y + 12.0), Anchor::Start, &text);
    }
}
