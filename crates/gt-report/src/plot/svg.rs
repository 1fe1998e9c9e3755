//! A chart as SVG.
//!
//! ```text
//! title
//! ■ series  ■ series          legend, where there are several
//! y.name
//!  20k ┤       ▄▄
//!  10k ┤  ▄▄   ██   ▂▂        columns; lines; or, for bars with names, rows:  Cutoff ████ 1,234
//!    0 ┴──────────────
//!        0    1    2    x.name
//! ```

mod columns;
mod lines;
mod rows;

use super::canvas::{Anchor, Canvas};
use super::palette::{LOOKS, style_sheet};
use super::scale::Range;
use crate::chart::{Chart, ChartKind, Places};
use crate::number::tick;

/// The size of a picture, in pixels of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Its width.
    pub width: f64,
    /// Its height; bars with names take the height they need instead.
    pub height: f64,
}

impl Default for Size {
    fn default() -> Self {
        Self { width: 640.0, height: 320.0 }
    }
}

/// Draws a chart. It works as a standalone file, and inside a page takes the page's colours (light and dark).
#[must_use]
pub fn svg(chart: &Chart, size: Size) -> String {
    match chart.kind {
        ChartKind::Lines => lines::draw(chart, at_least(size)),
        ChartKind::Bars | ChartKind::Stacked if lie(&chart.x.places) => {
            rows::draw(chart, size.width.max(WIDTH_MIN))
        }
        ChartKind::Bars | ChartKind::Stacked => columns::draw(chart, at_least(size)),
    }
}

/// Whether bars are horizontal: if the places have names that would not fit side by side.
fn lie(places: &Places) -> bool {
    const SHORT: usize = 8;
    const FEW: usize = 12;
    match places {
        Places::Numbers(_) => false,
        Places::Names(names) => names.len() <= FEW || names.iter().any(|name| name.chars().count() > SHORT),
    }
}

const WIDTH_MIN: f64 = 200.0;
const HEIGHT_MIN: f64 = 120.0;

fn at_least(size: Size) -> Size {
    Size { width: size.width.max(WIDTH_MIN), height: size.height.max(HEIGHT_MIN) }
}

/// The approximate width of a character.
const CHARACTER: f64 = 7.0;
const MARGIN: f64 = 14.0;
const TITLE_LINE: f64 = 24.0;
const LEGEND_LINE: f64 = 19.0;
/// The height below the plot for the ticks of x and its name.
const FOOT: f64 = 42.0;

fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER
}

fn class_of(place: usize) -> String {
    format!("f{}", place % LOOKS + 1)
}

fn canvas(chart: &Chart, width: f64, height: f64) -> Canvas {
    Canvas::new(width, height, &chart.title, &chart.meaning, &style_sheet())
}

/// Draws title and legend, and returns their bottom.
fn head(canvas: &mut Canvas, chart: &Chart, width: f64) -> f64 {
    canvas.text("t", (MARGIN, 20.0), Anchor::Start, &chart.heading());
    let spots = legend_spots(chart, width);
    let lines = chart.kind == ChartKind::Lines;
    for (place, ((x, y), series)) in spots.iter().zip(&chart.series).enumerate() {
        let look = place % LOOKS;
        if lines {
            let stroke = vec![vec![(*x, y - 4.0), (x + 22.0, y - 4.0)]];
            canvas.path(&format!("l k{}", look + 1), super::palette::DASHES[look], &stroke);
            canvas.mark(look, (x + 11.0, y - 4.0), "");
        } else {
            canvas.rectangle(&class_of(place), (x + 8.0, y - 10.0), (12.0, 12.0), "");
        }
        canvas.text("", (x + 26.0, *y), Anchor::Start, &series.name);
    }
    head_height(chart, width)
}

fn head_height(chart: &Chart, width: f64) -> f64 {
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

/// The rectangle of the plot, and the axis beside it.
struct Frame {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    y: Range,
}

impl Frame {
    /// Draws title, legend, the y axis with its ticks, and the name of x.
    fn draw(canvas: &mut Canvas, chart: &Chart, size: Size, y: Range) -> Self {
        let top = head(canvas, chart, size.width) + 24.0;
        let ticks = y.ticks(5);
        let labels: Vec<String> = ticks.iter().map(|&value| tick(value, chart.y.unit)).collect();
        let widest = labels.iter().map(|label| text_width(label)).fold(0.0, f64::max);
        let frame = Self {
            left: MARGIN + widest + 8.0,
            top,
            right: size.width - MARGIN,
            bottom: (size.height - FOOT).max(top + 40.0),
            y,
        };
        canvas.text("", (MARGIN, top - 15.0), Anchor::Start, &chart.y.name);
        for (value, label) in ticks.iter().zip(&labels) {
            let Some(height) = frame.height(*value) else { continue };
            canvas.path("g", "", &[vec![(frame.left, height), (frame.right, height)]]);
            canvas.text("", (frame.left - 6.0, height + 4.0), Anchor::End, label);
        }
        let middle = f64::midpoint(frame.left, frame.right);
        canvas.text("", (middle, frame.bottom + 36.0), Anchor::Middle, &chart.x.name);
        frame
    }

    /// The height of a value.
    fn height(&self, value: f64) -> Option<f64> {
        self.y.place(value).map(|place| self.bottom - place * (self.bottom - self.top))
    }

    /// The height where bars begin.
    fn base(&self) -> f64 {
        self.bottom - self.y.zero() * (self.bottom - self.top)
    }

    /// The middle of one of `count` equal places.
    fn column(&self, place: usize, count: usize) -> f64 {
        self.left + (place as f64 + 0.5) * self.column_width(count)
    }

    fn column_width(&self, count: usize) -> f64 {
        (self.right - self.left) / count.max(1) as f64
    }

    /// The line below everything.
    fn baseline(&self, canvas: &mut Canvas) {
        canvas.path("a", "", &[vec![(self.left, self.base()), (self.right, self.base())]]);
    }

    /// Writes the labels of equal places, as many as fit.
    fn place_labels(&self, canvas: &mut Canvas, labels: &[String]) {
        let widest = labels.iter().map(|label| text_width(label)).fold(0.0, f64::max) + 8.0;
        let every = (widest / self.column_width(labels.len())).ceil().max(1.0) as usize;
        for (place, label) in labels.iter().enumerate().step_by(every) {
            let x = self.column(place, labels.len());
            canvas.text("", (x, self.bottom + 18.0), Anchor::Middle, label);
        }
    }
}
