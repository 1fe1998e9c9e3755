//! What every picture begins with: its canvas, title and legend.

use crate::chart::{Chart, ChartKind};
use crate::plot::canvas::{Anchor, Canvas};
use crate::plot::palette::{DASHES, LOOKS, style_sheet};

/// The approximate width of a character.
const CHARACTER: f64 = 7.0;
pub(super) const MARGIN: f64 = 14.0;
const TITLE_LINE: f64 = 24.0;
const LEGEND_LINE: f64 = 19.0;

pub(super) fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER
}

pub(super) fn class_of(place: usize) -> String {
    format!("f{}", place % LOOKS + 1)
}

pub(super) fn canvas(chart: &Chart, width: f64, height: f64) -> Canvas {
    Canvas::new(width, height, &chart.title, &chart.meaning, &style_sheet())
}

/// Draws title and legend, and returns their bottom.
pub(super) fn head(canvas: &mut Canvas, chart: &Chart, width: f64) -> f64 {
    canvas.text("t", (MARGIN, 20.0), Anchor::Start, &chart.heading());
    let spots = legend_spots(chart, width);
    let lines = chart.kind == ChartKind::Lines;
    for (place, ((x, y), series)) in spots.iter().zip(&chart.series).enumerate() {
        let look = place % LOOKS;
        if lines {
            let stroke = vec![vec![(*x, y - 4.0), (x + 22.0, y - 4.0)]];
            canvas.path(&format!("l k{}", look + 1), DASHES[look], &stroke);
            canvas.mark(look, (x + 11.0, y - 4.0), "");
        } else {
            canvas.rectangle(&class_of(place), (x + 8.0, y - 10.0), (12.0, 12.0), "");
        }
        canvas.text("", (x + 26.0, *y), Anchor::Start, &series.name);
    }
    head_height(chart, width)
}

pub(super) fn head_height(chart: &Chart, width: f64) -> f64 {
    let rows = legend_spots(chart, width).last().map_or(0.0, |(_, y)| y - TITLE_LINE);
    TITLE_LINE + rows + 8.0
}

/// The positions of the legend's entries; none for a single series.
fn legend_spots(chart: &Chart, width: f64) -> Vec<(f64, f64)> {
    if chart.series.len() < 2 {
        return Vec::new();
    }
    let (mut x, mut y) = (MARGIN, TITLE_LINE + LEGEND_LINE - 2.0);
    let mut spots = Vec::new();
    for series in &chart.series {
        let entry = 26.0 + text_width(&series.name) + 16.0;
        if x > MARGIN && x + entry > width {
            (x, y) = (MARGIN, y + LEGEND_LINE);
        }
        spots.push((x, y));
        x += entry;
    }
    spots
}
