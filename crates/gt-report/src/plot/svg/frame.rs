//! The frame of a plot with an axis of values beside it.

use super::head::{MARGIN, head, text_width};
use super::size::Size;
use crate::chart::Chart;
use crate::number::tick;
use crate::plot::canvas::{Anchor, Canvas};
use crate::plot::scale::Range;

/// The height below the plot for the ticks of x and its name.
const FOOT: f64 = 42.0;

/// The rectangle of the plot, and the axis beside it.
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
    y: Range,
}

impl Frame {
    /// Draws title, legend, the y axis with its ticks, and the name of x.
    pub(super) fn draw(canvas: &mut Canvas, chart: &Chart, size: Size, y: Range) -> Self {
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
    pub(super) fn height(&self, value: f64) -> Option<f64> {
        self.y.place(value).map(|place| self.bottom - place * (self.bottom - self.top))
    }

    /// The height where bars begin.
    pub(super) fn base(&self) -> f64 {
        self.bottom - self.y.zero() * (self.bottom - self.top)
    }

    /// The middle of one of `count` equal places.
    pub(super) fn column(&self, place: usize, count: usize) -> f64 {
        self.left + (place as f64 + 0.5) * self.column_width(count)
    }

    pub(super) fn column_width(&self, count: usize) -> f64 {
        (self.right - self.left) / count.max(1) as f64
    }

    /// The line below everything.
    pub(super) fn baseline(&self, canvas: &mut Canvas) {
        canvas.path("a", "", &[vec![(self.left, self.base()), (self.right, self.base())]]);
    }

    /// Writes the labels of equal places, as many as fit.
    pub(super) fn place_labels(&self, canvas: &mut Canvas, labels: &[String]) {
        let widest = labels.iter().map(|label| text_width(label)).fold(0.0, f64::max) + 8.0;
        let every = (widest / self.column_width(labels.len())).ceil().max(1.0) as usize;
        for (place, label) in labels.iter().enumerate().step_by(every) {
            let x = self.column(place, labels.len());
            canvas.text("", (x, self.bottom + 18.0), Anchor::Middle, label);
        }
    }
}
