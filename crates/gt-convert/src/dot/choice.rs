//! Chooses the nodes that a graph shows: breadth-first from the part's root, up to the limits.
//!
//! ```text
//!        0              shown    0 1 2 3 4        the children of a shown node stand side by side
//!      1   2            parent   - 0 0 1 2
//!     3     4
//! ```
//!
//! Memory: the shown nodes, however many children a node has.

use std::collections::VecDeque;

use gt_log::{Error as LogError, Place, Walker};

use crate::progress::{OnProgress, report};
use crate::{Progress, Result, Stage};

/// The number of children passed between two progress reports.
const CHILDREN_PER_REPORT: u64 = 1 << 16;

/// The extent of a graph.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// The maximum depth below its top; `None` for no limit.
    pub(super) depth_max: Option<u32>,
    pub(super) nodes_max: usize,
}

/// A shown node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    pub(super) row: u64,
    pub(super) node: u64,
    /// The index of its parent among the shown nodes.
    pub(super) parent: Option<usize>,
    pub(super) last_move: i64,
    /// The indices of its shown children.
    pub(super) first_child: usize,
    pub(super) end_child: usize,
    /// The number of nodes of its subtree, excluding itself, that are below shown children.
    pub(super) below_shown: u64,
}

/// A child of a node: its row, number and size.
#[derive(Clone, Copy)]
struct Child {
    row: u64,
    node: u64,
    size: u64,
}

/// Chooses the nodes to show below a node, which comes first.
pub(super) fn choose(
    walker: &mut Walker<'_>,
    row: u64,
    node: u64,
    extent: Extent,
    on_progress: &mut OnProgress<'_>,
) -> Result<Vec<Shown>> {
    let mut shown = vec![Shown::new(row, node, None, walker.last_move(row)?)];
    let mut waiting = VecDeque::from([(0_usize, 0_u32)]);
    while let Some((place, depth)) = waiting.pop_front() {
        let room = extent.nodes_max.saturating_sub(shown.len());
        if room == 0 {
            break;
        }
        if extent.depth_max.is_some_and(|max| depth >= max) {
            continue;
        }
        let done = shown.len() as u64;
        let mut step =
            || report(on_progress, Progress { stage: Stage::Looking, done, total: extent.nodes_max as u64 });
        shown[place].first_child = shown.len();
        for child in first_children(walker, &shown[place], room, &mut step)? {
            shown[place].below_shown += child.size;
            waiting.push_back((shown.len(), depth + 1));
            let last_move = walker.last_move(child.row)?;
            shown.push(Shown::new(child.row, child.node, Some(place), last_move));
        }
        shown[place].end_child = shown.len();
    }
    Ok(shown)
}

impl Shown {
    fn new(row: u64, node: u64, parent: Option<usize>, last_move: i64) -> Self {
        Self { row, node, parent, last_move, first_child: 0, end_child: 0, below_shown: 0 }
    }
}

/// The first children of a node, at most `most`. They are found from the last to the first.
fn first_children(
    walker: &mut Walker<'_>,
    parent: &Shown,
    children_max: usize,
    step: &mut dyn FnMut() -> Result<()>,
) -> Result<VecDeque<Child>> {
    let mut children = VecDeque::new();
    let mut passed = 0_u64;
    // The remaining rows and numbers of the parent's subtree, without the parent itself.
    let mut left = walker.size(parent.row)? - 1;
    let mut row = parent.row;
    while left > 0 {
        row -= 1;
        let size = walker.size(row)?;
        if size > left {
            let place = Place::Row { tree: walker.tree().number() as u32, row };
            return Err(LogError::Damaged { place, what: "its subtree reaches beyond its parent's" }.into());
        }
        left -= size;
        children.push_front(Child { row, node: parent.node + 1 + left, size });
        children.truncate(children_max);
        row -= size - 1;
        passed += 1;
        if passed.is_multiple_of(CHILDREN_PER_REPORT) {
            step()?;
        }
    }
    step()?;
    Ok(children)
}
