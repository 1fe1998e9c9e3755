//! Pictures of a subtree: rectangles whose areas are subtree sizes, in move order, at the level of detail that the
//! pixels allow.
//!
//! ```text
//! nodes ──sketch──▶ items: single nodes and merged runs ──icicle/treemap──▶ rectangles ──paint──▶ values
//! ```
//!
//! **Invariant:** at most [`RECTANGLES_MAX`] rectangles, whatever the tree; every node of the subtree is drawn, lies
//! in a merged rectangle, or below one that says there is more.

mod at_item;
mod color;
mod icicle;
mod paint;
pub(crate) mod sketch;
mod treemap;

#[cfg(test)]
mod tests;

use serde::Serialize;
use serde_json::Value as Json;

use gt_query::engine::NodeSet;

use crate::bound::Bound;
use crate::calls::Subject;
use crate::error::Answer;
use crate::nodes::Node;
use color::Color;
pub(crate) use sketch::Detail;
use sketch::Sketch;

/// The most rectangles of a picture.
pub(crate) const RECTANGLES_MAX: usize = 4000;

/// How the nodes are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum View {
    Icicle,
    Treemap,
}

/// What picture is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Wanted {
    pub(crate) node: u64,
    pub(crate) view: View,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) plies: u32,
    /// An expression of GTQL; empty for none.
    pub(crate) color: String,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Picture {
    generation: u64,
    node: u64,
    ply: u64,
    total: u64,
    plies: u32,
    view: &'static str,
    complete: bool,
    pub(crate) rectangles: Rectangles,
    color: Option<Color>,
}

/// The rectangles, column by column.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Rectangles {
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) width: Vec<f64>,
    pub(crate) height: Vec<f64>,
    pub(crate) node: Vec<u64>,
    pub(crate) ply: Vec<u64>,
    pub(crate) size: Vec<u64>,
    pub(crate) r#move: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<Vec<Json>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bound: Option<Vec<Option<Bound>>>,
    pub(crate) merged: Vec<u64>,
    pub(crate) more: Vec<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) marks: Option<Vec<u64>>,
}

/// A place in a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Place {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// Which nodes a picture shows; the same for all colours and, within limits, for all sizes of the picture.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    /// The picture's node.
    node: Node,
    ply: u64,
    parent: Option<Node>,
    sketch: Sketch,
}

impl Outline {
    pub(crate) fn new(subject: &mut Subject<'_>, node: u64, detail: &Detail) -> Answer<Self> {
        let located = subject.nodes.locate(node)?;
        let sketch = Sketch::draw(&mut subject.nodes, located.node, detail)?;
        Ok(Self { node: located.node, ply: located.ply(), parent: located.parent(), sketch })
    }
}

/// Draws the subtree of a node.
pub(crate) fn picture(subject: &mut Subject<'_>, wanted: &Wanted, outline: &Outline) -> Answer<Picture> {
    let sketch = &outline.sketch;
    let places = match wanted.view {
        View::Icicle => icicle::places(sketch),
        View::Treemap => treemap::places(sketch, f64::from(wanted.width) / f64::from(wanted.height)),
    };
    let mut rectangles = Rectangles::default();
    for (item, place) in sketch.items.iter().zip(places) {
        let code = subject.nodes.last_move(item.first.row)?;
        let ply = outline.ply + u64::from(item.depth);
        rectangles.push(place);
        rectangles.node.push(item.first.id);
        rectangles.ply.push(ply);
        rectangles.size.push(item.size);
        rectangles.r#move.push(subject.notation.of_node(ply, code));
        rectangles.merged.push(item.merged);
        rectangles.more.push(u8::from(item.more));
    }
    let color = match wanted.color.trim() {
        "" => None,
        expression => {
            let painted = paint::paint(subject, outline, expression)?;
            rectangles.value = Some(painted.values);
            rectangles.bound = painted.bounds;
            Some(painted.color)
        }
    };
    Ok(Picture {
        generation: subject.opened.generation,
        node: outline.node.id,
        ply: outline.ply,
        total: outline.node.size,
        plies: sketch.items.iter().map(|item| item.depth + 1).max().unwrap_or(1),
        view: match wanted.view {
            View::Icicle => "icicle",
            View::Treemap => "treemap",
        },
        complete: sketch.complete,
        rectangles,
        color,
    })
}

impl Picture {
    /// Says of each rectangle how many matches it holds.
    pub(crate) fn mark(&mut self, matches: &NodeSet) {
        let rectangles = &self.rectangles;
        let counts = rectangles
            .node
            .iter()
            .zip(&rectangles.size)
            .map(|(&node, &size)| matches.within(node..node + size));
        self.rectangles.marks = Some(counts.collect());
    }
}

impl Rectangles {
    fn push(&mut self, place: Place) {
        self.x.push(rounded(place.x));
        self.y.push(rounded(place.y));
        self.width.push(rounded(place.width));
        self.height.push(rounded(place.height));
    }
}

/// Nine digits are far below a pixel, and half the bytes.
fn rounded(number: f64) -> f64 {
    const SCALE: f64 = 1e9;
    (number * SCALE).round() / SCALE
}
