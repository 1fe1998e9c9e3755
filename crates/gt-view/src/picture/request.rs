//! What a client asks of a picture.

use std::ops::Range;

use serde::Serialize;

/// How the nodes are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "PictureView"))]
#[serde(rename_all = "lowercase")]
pub(crate) enum View {
    /// A row for each ply; a node is as wide as its subtree is large.
    Icicle,
    /// Nested rectangles, as large as subtrees.
    Treemap,
}

/// The picture that a client asks for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PictureRequest {
    /// The node whose subtree is drawn.
    pub node: u64,
    /// The layout.
    pub view: View,
    /// In pixels, as `height`: both decide the level of detail.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// How many plies below the node are drawn at most.
    pub plies: u32,
    /// An expression of GTQL; empty for none.
    pub color: String,
    /// The node_ids that an icicle shows; nothing for all of the node's subtree.
    pub ids: Option<Range<u64>>,
    /// Whether moves are written down as players do.
    pub written: bool,
}
