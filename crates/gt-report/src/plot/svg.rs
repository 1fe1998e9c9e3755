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
mod frame;
mod head;
mod lines;
mod rows;
mod size;

use crate::chart::{Chart, ChartKind, Places};
pub use size::Size;
use size::WIDTH_MIN;

/// Draws a chart. It works as a standalone file, and inside a page takes the page's colours (light and dark).
#[must_use]
pub fn svg(chart: &Chart, size: Size) -> String {
    match chart.kind {
        ChartKind::Lines => lines::draw(chart, size.legible()),
        ChartKind::Bars | ChartKind::Stacked if lie(&chart.x.places) => {
            rows::draw(chart, size.width.max(WIDTH_MIN))
        }
        ChartKind::Bars | ChartKind::Stacked => columns::draw(chart, size.legible()),
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
