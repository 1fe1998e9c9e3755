//! Charts as pictures: SVG for pages and files, characters for terminals.
//!
//! **Invariant:** a picture is a pure function of the chart: the same chart gives the same bytes. No colour carries
//! meaning alone: lines have marks and dashes of their own, stacked bars go from dark to light in the legend's order.

mod canvas;
mod palette;
mod scale;
mod style;
mod svg;
mod terminal;

pub use canvas::escape;
pub use style::Style;
pub use svg::{Size, svg};
pub use terminal::terminal;
