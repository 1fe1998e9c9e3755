//! Lines over numbers or names, with a mark at every value.

use super::frame::Frame;
use super::head::canvas;
use super::size::Size;
use crate::chart::{Chart, Places, Series};
use crate::number::{in_unit, tick};
use crate::plot::canvas::{Anchor, Canvas};
use crate::plot::palette::{DASHES, LOOKS};
use crate::plot::scale::Range;

/// The number of marks above which they would hide the line.
const MARKS_MAX: usize = 60;
/// The space between the frame and the first and last numbers.
const INSET: f64 = 10.0;

pub(super) fn draw(chart: &Chart, size: Size) -> String {
    let mut canvas = canvas(chart, size.width, size.height);
    let values = chart.series.iter().flat_map(|series| series.values.iter().flatten().copied());
    let frame = Frame::draw(&mut canvas, chart, size, Range::from_zero(values, chart.y.scale));
    frame.baseline(&mut canvas);
    let xs = places(&mut canvas, chart, &frame);
    let labels = chart.x.labels();
    for (number, series) in chart.series.iter().enumerate() {
        let look = number % LOOKS;
        let points: Vec<Option<(f64, f64)>> = points(series, &xs, &frame);
        canvas.path(&format!("l k{}", look + 1), DASHES[look], &unbroken(&points));
        if points.len() <= MARKS_MAX {
            for (place, point) in points.iter().enumerate() {
                let (Some(point), Some(value)) = (point, series.values[place]) else { continue };
                let value = in_unit(value, chart.y.unit);
                canvas.mark(
                    look,
                    *point,
                    &format!("{} {}: {} {value}", chart.x.name, labels[place], series.name),
                );
            }
        }
    }
    canvas.finish()
}

/// Draws the labels of the places, and returns their positions along x.
fn places(canvas: &mut Canvas, chart: &Chart, frame: &Frame) -> Vec<Option<f64>> {
    let numbers = match &chart.x.places {
        Places::Names(names) => {
            frame.place_labels(canvas, names);
            return (0..names.len()).map(|place| Some(frame.column(place, names.len()))).collect();
        }
        Places::Numbers(numbers) => numbers,
    };
    let range = Range::around(numbers.iter().copied(), chart.x.scale);
    let (left, right) = (frame.left + INSET, frame.right - INSET);
    let at = |number: f64| range.place(number).map(|place| left + place * (right - left));
    let whole = numbers.iter().all(|number| number.fract() == 0.0);
    for value in range.ticks(12).into_iter().filter(|value| !whole || value.fract() == 0.0) {
        if let Some(x) = at(value) {
            canvas.path("g", "", &[vec![(x, frame.bottom), (x, frame.bottom + 4.0)]]);
            let label = tick(value, crate::chart::Unit::Number);
            canvas.text("", (x, frame.bottom + 18.0), Anchor::Middle, &label);
        }
    }
    numbers.iter().map(|&number| at(number)).collect()
}

fn points(series: &Series, xs: &[Option<f64>], frame: &Frame) -> Vec<Option<(f64, f64)>> {
    let heights = series.values.iter().map(|value| value.and_then(|value| frame.height(value)));
    xs.iter().zip(heights).map(|(x, y)| Some(((*x)?, y?))).collect()
}

/// The stretches without a gap.
fn unbroken(points: &[Option<(f64, f64)>]) -> Vec<Vec<(f64, f64)>> {
    let stretches = points.split(Option::is_none).map(|stretch| stretch.iter().flatten().copied().collect());
    stretches.filter(|stretch: &Vec<_>| !stretch.is_empty()).collect()
}
