//! The SVG document: title, picture, legend, piece by piece.

use std::collections::BTreeMap;
use std::fmt::Write;

use gt_report::plot::escape;

use crate::colors::{Rgb, Theme};

/// The page's font.
pub(crate) const FONT: &str =
    "ui-sans-serif,system-ui,'Segoe UI',Roboto,'Helvetica Neue','DejaVu Sans',Arial,sans-serif";
/// The margin on each side.
pub(crate) const MARGIN: f64 = 16.0;
/// The approximate width of a letter in the legend.
pub(crate) const LETTER: f64 = 7.1;

/// The drawing so far. Plain shapes of one colour are collected, and written as one path.
pub(crate) struct Sheet {
    body: String,
    shapes: BTreeMap<(Rgb, u8), String>,
    /// The used patterns, by number and ink.
    patterns: std::collections::BTreeSet<(u8, &'static str)>,
    theme: Theme,
}

/// The number of distinct opacities.
const OPACITIES: f32 = 12.0;

impl Sheet {
    pub(crate) fn new(theme: Theme) -> Self {
        Self { body: String::new(), shapes: BTreeMap::new(), patterns: Default::default(), theme }
    }

    pub(crate) const fn theme(&self) -> Theme {
        self.theme
    }

    /// Adds a part of the picture as SVG text.
    pub(crate) fn push(&mut self, element: &str) {
        self.body += element;
        self.body.push('\n');
    }

    /// Adds a shape (the steps of a path) that looks like all others of its colour and opacity.
    pub(crate) fn shape(&mut self, fill: Rgb, opacity: f32, steps: &str) {
        let opacity = (opacity.clamp(0.0, 1.0) * OPACITIES).ceil() as u8;
        *self.shapes.entry((fill, opacity)).or_default() += steps;
    }

    /// Writes the collected shapes, below everything that follows.
    pub(crate) fn flush_shapes(&mut self) {
        for ((fill, opacity), steps) in std::mem::take(&mut self.shapes) {
            let opacity = f32::from(opacity) / OPACITIES;
            let opacity =
                if opacity < 1.0 { format!(" fill-opacity=\"{opacity:.2}\"") } else { String::new() };
            let _ = writeln!(self.body, "<path fill=\"{fill}\"{opacity} d=\"{steps}\"/>");
        }
    }

    /// The fill of a pattern in this ink.
    pub(crate) fn pattern(&mut self, number: u8, ink: &'static str) -> String {
        self.patterns.insert((number, ink));
        format!("url(#{})", pattern_name(number, ink))
    }

    pub(crate) fn text(&mut self, (x, y): (f64, f64), size: f64, fill: &str, words: &str) {
        let (x, y) = (px(x), px(y));
        let _ = writeln!(
            self.body,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\">{}</text>",
            escape(words)
        );
    }

    /// The whole document.
    pub(crate) fn finish(mut self, (width, height): (f64, f64), title: &str, about: &str) -> String {
        self.flush_shapes();
        let (w, h, ground) = (px(width), px(height), self.theme.ground());
        let mut out = format!(
            "<svg class=\"gt-picture\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" \
             height=\"{h}\" role=\"img\" font-family=\"{FONT}\">\n<title>{}</title>\n<desc>{}</desc>\n",
            escape(title),
            escape(about)
        );
        if !self.patterns.is_empty() {
            let tiles: String = self.patterns.iter().map(|(number, ink)| tile(*number, ink)).collect();
            let _ = writeln!(out, "<defs>{tiles}</defs>");
        }
        let _ = writeln!(out, "<rect width=\"{w}\" height=\"{h}\" fill=\"{ground}\"/>");
        out + &self.body + "</svg>\n"
    }
}

fn pattern_name(number: u8, ink: &str) -> String {
    format!("gt-p{number}-{}", ink.trim_start_matches('#'))
}

fn tile(number: u8, ink: &str) -> String {
    let name = pattern_name(number, ink);
    let drawn = match number {
        1 => "<path d=\"M-1 7 7-1M-4 4 4-4M2 10 10 2\"/>",
        2 => "<path d=\"M0 3H6\"/>",
        3 => "<path d=\"M-1-1 7 7M-4 2 4 10M2-4 10 4\"/>",
        _ => "<path d=\"M2 3H4\" stroke-width=\"2\"/>",
    };
    format!(
        "<pattern id=\"{name}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><g stroke=\"{ink}\" \
         stroke-opacity=\".42\" fill=\"none\">{drawn}</g></pattern>"
    )
}

/// A coordinate, to a hundredth of a pixel.
pub(crate) fn px(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0 + 0.0;
    if rounded.is_finite() { rounded.to_string() } else { "0".to_owned() }
}

/// The steps of a rectangle.
pub(crate) fn rectangle_steps((x, y): (f64, f64), (width, height): (f64, f64)) -> String {
    format!("M{} {}h{}v{}h{}z", px(x), px(y), px(width), px(height), px(-width))
}
