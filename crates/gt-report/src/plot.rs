//! Charts as pictures: SVG for pages and files, characters for terminals.
//!
//! **Invariant:** a picture is a pure function of the chart: the same chart gives the same bytes. Colour alone never
//! carries meaning: lines have distinct marks and dashes, stacked bars go from dark to light in the legend's order.

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
