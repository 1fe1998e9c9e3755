//! Which nodes a picture shows: the largest first, small neighbours merged.
//!
//! ```text
//! children   ███████ ██ ▏▏▏▏ ██████ ▏          grain: what a pixel (or a few) stands for, in nodes
//! items         1     2  ──3── 4    5          3 is a merged run of four, 5 stands alone
//! ```
//!
//! The node with the largest subtree is opened next, until the rectangles are used up: what is lost is what would be
//! seen last. A run of small siblings is cut where it has reached the grain, so that a node with a million children
//! shows their pattern, not one block.
//!
//! **Invariant:** items are at most [`RECTANGLES_MAX`]; the items below one item are consecutive, in move order, and
//! their sizes add up to its own minus one, but for those outside of what is shown.

use std::collections::BinaryHeap;
use std::ops::{ControlFlow, Range};

use super::request::{PictureRequest, View};
use crate::nodes::{Children, Node, Nodes, Result};

/// The most rectangles of a picture.
pub(super) const RECTANGLES_MAX: usize = 4000;
/// Wider pictures show no more than this many columns of single nodes: an item and the run before it for each.
const COLUMNS_MAX: f64 = (RECTANGLES_MAX / 2 - 1) as f64;
/// The area of the smallest rectangle of a treemap, in pixels.
const AREA_MIN: f64 = 12.0;
/// How many hops a picture may take: some milliseconds.
const HOPS_MAX: u64 = 4_000_000;

/// How fine a picture is.
#[derive(Clone, Debug)]
pub(crate) struct Detail {
    /// The nodes of the smallest rectangle.
    pub(crate) grain: f64,
    /// How many plies below the picture's node are shown.
    pub(crate) plies: u32,
    /// The node_ids that are shown; what lies wholly outside of them is not looked at.
    pub(crate) ids: Range<u64>,
}

/// What tells outlines of one tree apart.
pub(crate) type OutlineKey = (u64, u64, u32, Range<u64>);

impl Detail {
    /// What a picture can show.
    pub(crate) fn of(wanted: &PictureRequest, nodes: &mut Nodes<'_>) -> Result<Self> {
        let node = nodes.locate(wanted.node)?.node;
        let whole = node.id..node.id + node.size;
        let ids = match &wanted.ids {
            None => whole,
            Some(ids) => {
                let start = ids.start.clamp(whole.start, whole.end - 1);
                start..ids.end.clamp(start + 1, whole.end)
            }
        };
        Ok(Self::of_ids(wanted, ids))
    }

    /// What a picture of these node_ids can show.
    pub(super) fn of_ids(wanted: &PictureRequest, ids: Range<u64>) -> Self {
        let (width, height) = (f64::from(wanted.width), f64::from(wanted.height));
        let smallest = match wanted.view {
            View::Icicle => width,
            View::Treemap => width * height / AREA_MIN,
        };
        let total = (ids.end - ids.start) as f64;
        Self { grain: total / smallest.clamp(1.0, COLUMNS_MAX), plies: wanted.plies, ids }
    }

    pub(crate) fn key(&self, node: u64) -> OutlineKey {
        (node, self.grain.to_bits(), self.plies, self.ids.clone())
    }
}

/// A rectangle's nodes: one, or a run of neighbouring siblings, each with its subtree.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// The first of them.
    pub(crate) first: Node,
    /// The one with the largest subtree.
    pub(crate) largest: Node,
    /// All their nodes.
    pub(crate) size: u64,
    /// 0 for a single node, else how many siblings there are.
    pub(crate) merged: u64,
    /// Plies below the picture's node.
    pub(crate) depth: u32,
    /// The place of the largest among its siblings, from 0.
    pub(crate) index: u64,
    /// How many children it has; known once it is opened.
    pub(crate) children: Option<u64>,
    /// The items below it.
    pub(crate) below: Range<usize>,
    /// It has children that are not shown.
    pub(crate) more: bool,
}

/// What a picture shows.
#[derive(Clone, Debug)]
pub(crate) struct Sketch {
    /// Parents come before children; siblings are consecutive.
    pub(crate) items: Vec<Item>,
    /// Whether nothing was left out for want of rectangles.
    pub(crate) complete: bool,
}

impl Sketch {
    pub(crate) fn draw(nodes: &mut Nodes<'_>, root: Node, detail: &Detail) -> Result<Self> {
        let mut sketch = Self { items: vec![Item::single(root, 0, 0)], complete: true };
        // The largest first; of equal ones the higher, then the earlier.
        let mut waiting = BinaryHeap::from([(root.size, std::cmp::Reverse((0, 0)))]);
        while let Some((_, std::cmp::Reverse((_, place)))) = waiting.pop() {
            if !sketch.is_worth_opening(place, detail) {
                continue;
            }
            if nodes.hops() > HOPS_MAX {
                sketch.complete = false;
                break;
            }
            let Some(below) = sketch.open(nodes, place, detail)? else { break };
            for place in below {
                let item = &sketch.items[place];
                waiting.push((item.size, std::cmp::Reverse((item.depth, place))));
            }
        }
        Ok(sketch)
    }

    fn is_worth_opening(&self, place: usize, detail: &Detail) -> bool {
        let item = &self.items[place];
        item.merged == 0
            && item.size > 1
            && item.depth < detail.plies
            && (item.size as f64 >= detail.grain || place == 0)
    }

    /// Adds the items below one; `None` where they are too many.
    fn open(&mut self, nodes: &mut Nodes<'_>, place: usize, detail: &Detail) -> Result<Option<Range<usize>>> {
        let (parent, depth) = (self.items[place].first, self.items[place].depth + 1);
        let ids = detail.ids.clone();
        let mut runs = Runs { items: Vec::new(), open: None, seen: 0, grain: detail.grain, depth, ids };
        let room = RECTANGLES_MAX - self.items.len();
        nodes.children_backward(parent, |children| {
            runs.take_within(children);
            if runs.items.len() > room { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        runs.close();
        if runs.items.len() > room {
            self.complete = false;
            return Ok(None);
        }
        let first = self.items.len();
        let below = first..first + runs.items.len();
        let count = runs.seen;
        self.items.extend(runs.items.into_iter().rev().map(|mut item| {
            // They were counted from the last.
            item.index = count - 1 - item.index;
            item
        }));
        let item = &mut self.items[place];
        item.below = below.clone();
        item.children = Some(count);
        item.more = false;
        Ok(Some(below))
    }
}

impl Item {
    fn single(node: Node, depth: u32, index: u64) -> Self {
        let more = node.size > 1;
        Self {
            first: node,
            largest: node,
            size: node.size,
            merged: 0,
            depth,
            index,
            children: None,
            below: 0..0,
            more,
        }
    }
}

/// Puts children together, from the last to the first.
struct Runs {
    /// The last first.
    items: Vec<Item>,
    /// The run that is being filled.
    open: Option<Item>,
    /// How many children were met.
    seen: u64,
    grain: f64,
    depth: u32,
    /// What is shown.
    ids: Range<u64>,
}

impl Runs {
    /// Takes those of the children that reach into what is shown.
    fn take_within(&mut self, children: Children) {
        let (last, count) = (children.last, children.count);
        // Only leaves come several at a time.
        let after = (last.id + 1).saturating_sub(self.ids.end).min(count);
        let first = children.back(count - 1);
        let before = self.ids.start.saturating_sub(first.id + first.size - 1).min(count - after);
        self.seen += after;
        if after + before < count {
            self.take(Children { last: children.back(after), count: count - after - before });
        }
        self.seen += before;
    }

    fn take(&mut self, children: Children) {
        let size = children.last.size;
        if size as f64 >= self.grain {
            self.close();
            // Leaves come in runs, and are this large only where the grain is one node.
            for back in 0..children.count {
                self.items.push(Item::single(children.back(back), self.depth, self.seen));
                self.seen += 1;
                if self.items.len() > RECTANGLES_MAX {
                    return;
                }
            }
            return;
        }
        let mut back = 0;
        while back < children.count {
            let filled = self.open.as_ref().map_or(0, |item| item.size);
            let wanted = ((self.grain - filled as f64) / size as f64).ceil().max(1.0);
            let count = (wanted as u64).min(children.count - back);
            self.merge(children.back(back), children.back(back + count - 1), count);
            back += count;
        }
    }

    /// Adds `count` siblings of one size to the run: `last` to `first`.
    fn merge(&mut self, last: Node, first: Node, count: u64) {
        let index = self.seen;
        self.seen += count;
        let item = match self.open.take() {
            None => {
                let mut item = Item::single(last, self.depth, index);
                item.merged = count;
                item.first = first;
                item.size = last.size * count;
                item
            }
            Some(mut item) => {
                if last.size > item.largest.size {
                    (item.largest, item.index) = (last, index);
                }
                item.first = first;
                item.size += last.size * count;
                item.merged += count;
                item.more = false;
                item
            }
        };
        self.open = Some(item);
        if self.open.as_ref().is_some_and(|item| item.size as f64 >= self.grain) {
            self.close();
        }
    }

    fn close(&mut self) {
        if let Some(mut item) = self.open.take() {
            if item.merged == 1 {
                item.merged = 0;
            }
            item.more = item.merged == 0 && item.size > 1;
            self.items.push(item);
        }
    }
}
