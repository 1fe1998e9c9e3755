//! Pictures of a subtree: rectangles whose areas are subtree sizes, in move order, at the level of detail that the
//! pixels allow.
//!
//! ```text
//! nodes ──sketch──▶ items: single nodes and merged runs ──icicle/treemap──▶ rectangles ──paint──▶ values
//!       └─density─▶ what an icicle has no rectangle for: counts by ply and column of node_ids ──▶ mixes of values
//! ```
//!
//! **Invariant:** at most [`sketch::RECTANGLES_MAX`] rectangles, and spans of a density for each ply and pixel column, whatever
//! the tree. Every node of a treemap is drawn, lies in a merged rectangle, or below one that says there is more; every
//! node of an icicle has a rectangle of its own or is part of the density, down to the last ply that was asked for.

mod at_item;
mod color;
mod density;
mod icicle;
mod outline;
mod paint;
mod request;
pub(crate) mod sketch;
mod treemap;

#[cfg(test)]
mod coverage;
#[cfg(test)]
mod tests;

use serde::Serialize;

use gt_query::engine::NodeSet;

pub(crate) use crate::bound::Bound;
use crate::calls::Subject;
use crate::error::Answer;
use crate::values::Scalar;
pub(crate) use color::Color;
pub(crate) use density::Density;
pub(crate) use density::Shared;
use gt_picture::squarified::Place;
pub(crate) use outline::Outline;
use paint::Coloring;
pub(crate) use request::{PictureRequest, View};
pub(crate) use sketch::{Detail, OutlineKey};

/// A picture of a subtree.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "PictureAnswer"))]
pub(crate) struct Picture {
    /// The state of the log that it is of.
    pub generation: u64,
    /// Whose subtree it is.
    pub node: u64,
    /// The node's distance from the root.
    pub ply: u64,
    /// The nodes of its subtree.
    pub total: u64,
    /// The first of the node_ids that are as wide as the picture.
    pub from: u64,
    /// The node_id after the last of them.
    pub to: u64,
    /// How many plies are drawn, the node's own included.
    pub plies: u32,
    pub view: View,
    /// Whether everything that exists is drawn.
    pub complete: bool,
    /// Single nodes, and runs of small ones.
    pub rectangles: Rectangles,
    /// Of an icicle: what has no rectangle of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub density: Option<Density>,
    /// What the values mean.
    pub color: Option<Color>,
}

/// The rectangles, column by column.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Rectangles {
    /// The left edge, in parts of the picture's width; of an icicle's part it may lie outside.
    pub x: Vec<f64>,
    /// The upper edge: the ply below the picture's node, or, in a treemap, a part of the height.
    pub y: Vec<f64>,
    /// In parts of the picture's width.
    pub width: Vec<f64>,
    /// 1, or, in a treemap, a part of the height.
    pub height: Vec<f64>,
    /// The node_id of the first node.
    pub node: Vec<u64>,
    /// Its distance from the root.
    pub ply: Vec<u64>,
    /// All nodes in the rectangle.
    pub size: Vec<u64>,
    /// The move of the first node.
    pub r#move: Vec<String>,
    /// The colour's value at the node, at the largest of a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub value: Option<Vec<Scalar>>,
    /// Whether the node's value is exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub bound: Option<Vec<Option<Bound>>>,
    /// 0, or how many siblings share the rectangle. An icicle draws their density instead.
    pub merged: Vec<u64>,
    /// 1 where there are children without rectangles.
    pub more: Vec<u8>,
    /// How many matches of a query lie in the subtree.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub marks: Option<Vec<u64>>,
}

/// Draws the subtree of a node.
pub(crate) fn picture(
    subject: &mut Subject<'_>,
    wanted: &PictureRequest,
    outline: &Outline,
    shared: &Shared,
) -> Answer<Picture> {
    let sketch = &outline.sketch;
    let places = match wanted.view {
        View::Icicle => icicle::places(sketch, &outline.ids),
        View::Treemap => treemap::places(sketch, f64::from(wanted.width) / f64::from(wanted.height)),
    };
    let mut rectangles = Rectangles::of(subject, outline, places)?;
    let coloring = match wanted.color.trim() {
        "" => None,
        expression => Some(Coloring::compile(subject, outline, expression)?),
    };
    let color = match &coloring {
        None => None,
        Some(coloring) => {
            let painted = coloring.paint(subject, outline)?;
            rectangles.value = Some(painted.values);
            rectangles.bound = painted.bounds;
            Some(painted.color)
        }
    };
    let found = match wanted.view {
        View::Treemap => None,
        View::Icicle => {
            let palette = coloring.as_ref().and_then(|coloring| coloring.palette(subject));
            Some(density::density(subject, outline, wanted.width.into(), palette.as_ref(), shared)?)
        }
    };
    let complete = match &found {
        Some(found) => !found.has_deeper,
        None => sketch.items.iter().all(|item| item.merged == 0 && !item.more),
    };
    let density = found.map(|found| found.density);
    let deepest = density.iter().flat_map(|density| &density.ply).copied().max().unwrap_or(0);
    Ok(Picture {
        generation: subject.opened.generation,
        node: outline.node.id,
        ply: outline.ply,
        total: outline.node.size,
        from: outline.ids.start,
        to: outline.ids.end,
        plies: sketch.items.iter().map(|item| item.depth).max().unwrap_or(0).max(deepest) + 1,
        view: wanted.view,
        complete,
        rectangles,
        density,
        color,
    })
}

impl Picture {
    /// Says of each rectangle how many matches it holds, and where in the density matches are.
    pub(crate) fn mark(
        &mut self,
        subject: &mut Subject<'_>,
        outline: &Outline,
        matches: &NodeSet,
    ) -> Answer<()> {
        let rectangles = &self.rectangles;
        let counts = rectangles
            .node
            .iter()
            .zip(&rectangles.size)
            .map(|(&node, &size)| matches.within(node..node + size));
        self.rectangles.marks = Some(counts.collect());
        if let Some(density) = &mut self.density {
            density.marks = Some(density::marks(&mut subject.nodes, outline, density, matches)?);
        }
        Ok(())
    }
}

impl Rectangles {
    /// The rectangles of an outline, without values.
    fn of(subject: &mut Subject<'_>, outline: &Outline, places: Vec<Place>) -> Answer<Self> {
        let mut rectangles = Self::default();
        let names = names(subject, outline)?;
        for ((item, place), name) in outline.sketch.items.iter().zip(places).zip(names) {
            let ply = outline.ply + u64::from(item.depth);
            rectangles.push(place);
            rectangles.node.push(item.first.id);
            rectangles.ply.push(ply);
            rectangles.size.push(item.size);
            rectangles.r#move.push(name);
            rectangles.merged.push(item.merged);
            rectangles.more.push(u8::from(item.more));
        }
        Ok(rectangles)
    }

    fn push(&mut self, place: Place) {
        self.x.push(rounded(place.x));
        self.y.push(rounded(place.y));
        self.width.push(rounded(place.width));
        self.height.push(rounded(place.height));
    }
}

/// The names of the moves of an outline's items, by place. They are made in the order of the tree, so that positions
/// on the way are made once.
fn names(subject: &mut Subject<'_>, outline: &Outline) -> Answer<Vec<String>> {
    let items = &outline.sketch.items;
    let mut names = vec![String::new(); items.len()];
    let top = subject.nodes.locate(outline.node.id)?;
    let mut before = subject.codes_before(&top)?;
    // The items of the top ply, and from there those below each.
    let mut waiting: Vec<usize> = (0..items.len()).take_while(|&place| items[place].depth == 0).collect();
    while let Some(place) = waiting.pop() {
        let item = &items[place];
        let ply = outline.ply + u64::from(item.depth);
        before.truncate(ply.saturating_sub(1) as usize);
        let code = subject.nodes.last_move(item.first.row)?;
        names[place] = subject.name_at(ply, &before, item.first, code)?;
        if ply > 0 {
            before.push(code);
        }
        waiting.extend(item.below.clone());
    }
    Ok(names)
}

/// Nine digits are far below a pixel, and half the bytes.
fn rounded(number: f64) -> f64 {
    const SCALE: f64 = 1e9;
    (number * SCALE).round() / SCALE
}
