//! Standalone pictures: a search tree or a position as SVG, and a subtree as one page.
//!
//! ```text
//! Tree ──a GTQL query──▶ gather: single nodes and densities ──icicle, sunburst, treemap──▶ SVG
//! position ─────────────▶ board ──▶ SVG                              └── page: picture, records, boards ──▶ HTML
//! ```
//!
//! **Invariant:** every node of the drawn subtree counts, down to its deepest ply: a node that is too narrow for a
//! rectangle of its own adds its colour and its width to the density at its place. The memory and the bytes of a
//! picture depend on its size in pixels and on the plies, never on the number of nodes.
//!
//! This crate opens no file; callers pass it a tree.

pub mod board;
mod colors;
mod error;
mod gather;
mod icicle;
mod label;
mod legend;
mod naming;
mod options;
mod page;
mod pieces;
pub mod position;
mod question;
mod scale;
mod sheet;
pub mod squarified;
mod sunburst;
mod treemap;

pub use colors::Theme;
pub use error::Error;
pub use options::{PictureOptions, View, WIDTHS};
pub use page::{Page, RECORDS_DEFAULT, page};
pub use question::{Subject, default_color};

use gt_query::engine::Options;

/// Draws the subtree of a node.
///
/// # Errors
/// Returns an error if the tree has no such node, the colour is not an expression over a node, or the log
/// cannot be read.
pub fn draw(
    subject: &Subject<'_>,
    wanted: &PictureOptions<'_>,
    options: &Options<'_>,
) -> Result<String, Error> {
    let root = subject.root(wanted.node, options)?;
    let scale = subject.scale(wanted, &root, options)?;
    Ok(match wanted.view {
        View::Icicle => icicle::draw(subject, wanted, &root, &scale, options)?,
        View::Sunburst => sunburst::draw(subject, wanted, &root, &scale, options)?,
        View::Treemap => treemap::draw(subject, wanted, &root, &scale, options)?,
    })
}
