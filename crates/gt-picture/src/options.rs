//! What a picture is asked to show.

use gt_query::engine::NodeSet;

use crate::colors::Theme;

/// The layout of the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// A row for each ply, widths in proportion to subtrees.
    Icicle,
    /// Children inside their parents, areas in proportion to subtrees.
    Treemap,
    /// A ring for each ply, angles in proportion to subtrees.
    Sunburst,
}

/// The requested picture.
#[derive(Clone, Debug)]
pub struct PictureOptions<'a> {
    /// The node whose subtree is drawn.
    pub node: u64,
    /// The layout.
    pub view: View,
    /// The picture's width in pixels.
    pub width: u32,
    /// Its height without title and legend; `None` for a default that suits the view.
    pub height: Option<u32>,
    /// An expression of GTQL that colours the nodes; empty for one colour.
    pub color: &'a str,
    /// Whether scores are drawn from the view of the player to move at the root.
    pub one_side: bool,
    /// The colours.
    pub theme: Theme,
    /// The title above the picture.
    pub title: &'a str,
    /// The nodes to mark, and their description.
    pub marks: Option<(&'a NodeSet, &'a str)>,
    /// Whether rectangles carry their node's number, for a page that reacts to clicks.
    pub numbered: bool,
}

/// The widths that pictures may have.
pub const WIDTHS: std::ops::RangeInclusive<u32> = 200..=10_000;
