//! Vertical bars over numbers, side by side or stacked.

use super::frame::Frame;
use super::head::{canvas, class_of};
use super::size::Size;
use crate::chart::{Chart, ChartKind, Scale, Series};
use crate::number::in_unit;
use crate::plot::canvas::Canvas;
use crate::plot::scale::Range;

/// The part of its place that a bar fills.
const FILLED: f64 = 0.8;
/// The maximum width of a bar.
const WIDTH_MAX: f64 = 64.0;

pub(super) fn draw(chart: &Chart, size: Size) -> String {
    let mut canvas = canvas(chart, size.width, size.height);
    let stacked = chart.kind == ChartKind::Stacked;
    let frame = Frame::draw(&mut canvas, chart, size, range(chart, stacked));
    let labels = chart.x.labels();
    for (place, label) in labels.iter().enumerate() {
        let middle = frame.column(place, labels.len());
        let width = (frame.column_width(labels.len()) * FILLED).min(WIDTH_MAX);
        let column = Column { chart, frame: &frame, place, label, left: middle - width / 2.0, width };
        if stacked { column.stack(&mut canvas) } else { column.side_by_side(&mut canvas) }
    }
    frame.baseline(&mut canvas);
    frame.place_labels(&mut canvas, &labels);
    canvas.finish()
}

/// Heights of stacked bars add up, so they are never logarithmic.
fn range(chart: &Chart, stacked: bool) -> Range {
    if stacked {
        let sums = (0..chart.x.places.len()).map(|place| sum(&chart.series, place));
        return Range::from_zero(sums, Scale::Linear);
    }
    let values = chart.series.iter().flat_map(|series| series.values.iter().flatten().copied());
    Range::from_zero(values, chart.y.scale)
}

fn sum(series: &[Series], place: usize) -> f64 {
    series.iter().filter_map(|series| series.values[place]).sum()
}

struct Column<'a> {
    chart: &'a Chart,
    frame: &'a Frame,
    place: usize,
    label: &'a str,
    left: f64,
    width: f64,
}

impl Column<'_> {
    fn side_by_side(&self, canvas: &mut Canvas) {
        let width = self.width / self.chart.series.len().max(1) as f64;
        for (number, series) in self.chart.series.iter().enumerate() {
            let Some(value) = series.values[self.place] else { continue };
            let Some(height) = self.frame.height(value) else { continue };
            let (base, left) = (self.frame.base(), self.left + number as f64 * width);
            let hint = self.hint(series, value);
            canvas.rectangle(
                &class_of(number),
                (left, height.min(base)),
                (width, (base - height).abs()),
                &hint,
            );
        }
    }

    fn stack(&self, canvas: &mut Canvas) {
        let mut below = 0.0;
        for (number, series) in self.chart.series.iter().enumerate() {
            let value = series.values[self.place].unwrap_or(0.0).max(0.0);
            let (from, to) = (self.frame.height(below), self.frame.height(below + value));
            below += value;
            if let (Some(from), Some(to), true) = (from, to, value > 0.0) {
                // A thin line of the page's colour separates the segments, for readers who cannot distinguish
                // the colours.
                let gap = if from - to > 3.0 && number > 0 { 0.7 } else { 0.0 };
                let hint = self.hint(series, value);
                canvas.rectangle(&class_of(number), (self.left, to), (self.width, from - to - gap), &hint);
            }
        }
    }

    fn hint(&self, series: &Series, value: f64) -> String {
        let value = in_unit(value, self.chart.y.unit);
        format!("{} {}: {} {value}", self.chart.x.name, self.label, series.name)
    }
}
