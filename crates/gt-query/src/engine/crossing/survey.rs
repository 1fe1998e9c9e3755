//! The survey: the rows of the crossing nodes and their inner children in a block, and the values of those nodes.
//!
//! It goes from the end of a block and skips over the subtrees of inner nodes, so it looks at few rows.

use std::ops::Range;

use gt_log::{Column, Scratch, Tree};

use super::skeleton::{JointId, Skeleton, damaged};
use crate::engine::Failure;
use crate::engine::columns::{Columns, Tally};
use crate::engine::plan::Plan;
use crate::value::Value;

/// The values of a node.
#[derive(Clone, Debug, Default)]
pub(in crate::engine) struct NodeValues {
    pub(in crate::engine) last_move: i64,
    pub(in crate::engine) unfinished: bool,
    pub(in crate::engine) left_out: u64,
    /// The attributes that are read, in order.
    pub(in crate::engine) attributes: Vec<Option<Value>>,
}

/// The findings in a block.
pub(in crate::engine) struct Surveyed {
    /// The crossing nodes whose rows are in the block, deepest first: the row in the block, and its values.
    pub(in crate::engine) closed: Vec<(usize, NodeValues)>,
    /// The segments, in the order of rows.
    pub(in crate::engine) segments: Vec<FoundSegment>,
    pub(in crate::engine) tally: Tally,
}

/// The inner children of a crossing node in the block.
pub(in crate::engine) struct FoundSegment {
    pub(in crate::engine) region: Region,
    /// How many of its first and of its last nodes are kept.
    pub(in crate::engine) kept: [usize; 2],
    /// The kept nodes.
    pub(in crate::engine) tops: Vec<FoundTop>,
}

/// A node of a segment.
pub(in crate::engine) struct FoundTop {
    pub(in crate::engine) row: usize,
    /// The first row of its subtree.
    pub(in crate::engine) start: usize,
    /// The number of its children.
    pub(in crate::engine) children: u64,
    pub(in crate::engine) values: NodeValues,
}

/// The positions of the crossing nodes and the tops in a block.
#[derive(Clone, Debug, Default)]
pub(in crate::engine) struct Regions {
    /// The rows of the crossing nodes, deepest first.
    pub(in crate::engine) closed: Vec<usize>,
    /// The segments, in the order of rows.
    pub(in crate::engine) segments: Vec<Region>,
}

/// The subtrees of neighbouring inner children of a crossing node, or that of the root.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Region {
    pub(in crate::engine) parent: Option<JointId>,
    /// The number of children.
    pub(in crate::engine) count: usize,
    pub(in crate::engine) first_row: usize,
    /// The first row of the first child's subtree.
    pub(in crate::engine) first_start: usize,
    pub(in crate::engine) last_row: usize,
}

/// Surveys a block for a plan.
///
/// # Errors
/// Returns an error if the log is damaged or cannot be read.
pub(in crate::engine) fn survey(
    tree: Tree<'_>,
    block: usize,
    skeleton: &Skeleton,
    plan: &Plan,
    scratch: &mut Scratch,
) -> Result<Surveyed, Failure> {
    let mut columns = Columns::new(tree, block, std::mem::take(scratch));
    columns.load(Column::Size)?;
    let regions = regions(tree, block, skeleton, &columns)?;
    let fringe = plan.fringe.unwrap_or_default();
    if fringe.keeps_any() || !regions.closed.is_empty() {
        load(&mut columns, plan)?;
    }
    let first_row = tree.block(block).first_row;
    let kept = |region: &Region| {
        let Some(parent) = region.parent else { return [0, 0] };
        let is_first = skeleton.joints[parent].start_row == first_row + region.first_start as u64;
        // Directly before the row of a crossing node is its last child; that row may be in the next block.
        let after = region.last_row + 1;
        let is_last = (after < columns.rows()).then(|| regions.closed.binary_search(&after).is_ok());
        fringe.of(region.count, [Some(is_first), is_last])
    };
    let mut found = surveyed(&columns, &regions, &plan.attributes, kept);
    found.tally = columns.tally;
    *scratch = columns.into_scratch();
    Ok(found)
}

/// Loads the columns that a plan reads of surveyed nodes.
pub(in crate::engine) fn load(columns: &mut Columns<'_>, plan: &Plan) -> Result<(), Failure> {
    let fixed = [Column::Status, Column::LeftOut];
    for column in fixed.into_iter().chain(plan.last_move.then_some(Column::LastMove)) {
        columns.load(column)?;
    }
    plan.attributes.iter().try_for_each(|&attribute| columns.load_value(attribute))
}

/// The values of the nodes in these regions, from loaded columns; of a segment's nodes, only the first and last ones,
/// as many as `kept` says.
pub(in crate::engine) fn surveyed(
    columns: &Columns<'_>,
    regions: &Regions,
    attributes: &[usize],
    kept: impl Fn(&Region) -> [usize; 2],
) -> Surveyed {
    let top = |row: usize| {
        let size = columns.integer(Column::Size, row).max(1) as usize;
        let start = (row + 1).saturating_sub(size);
        let children = children_of(columns, row, start);
        FoundTop { row, start, children, values: values_of(columns, attributes, row) }
    };
    let segments = regions.segments.iter().map(|region| {
        let kept = kept(region);
        let mut tops = Vec::new();
        if kept != [0, 0] {
            tops = region.tops(|row| columns.integer(Column::Size, row));
            let last = tops.len().saturating_sub(kept[1]);
            tops.drain(kept[0].min(last)..last);
        }
        FoundSegment { region: *region, kept, tops: tops.into_iter().map(top).collect() }
    });
    let closed = regions.closed.iter().map(|&row| (row, values_of(columns, attributes, row)));
    Surveyed { closed: closed.collect(), segments: segments.collect(), tally: Tally::default() }
}

impl Region {
    /// The rows of the children, ascending, by the sizes of rows.
    pub(in crate::engine) fn tops(&self, size: impl Fn(usize) -> i64) -> Vec<usize> {
        let mut tops = Vec::with_capacity(self.count);
        let mut end = self.last_row + 1;
        while end > self.first_start {
            tops.push(end - 1);
            end = end.saturating_sub(size(end - 1).max(1) as usize);
        }
        tops.reverse();
        tops
    }
}

/// Finds the regions of a block whose sizes are loaded.
///
/// # Errors
/// Returns an error if the sizes do not fit the open path.
pub(in crate::engine) fn regions(
    tree: Tree<'_>,
    block: usize,
    skeleton: &Skeleton,
    columns: &Columns<'_>,
) -> Result<Regions, Failure> {
    let first_row = tree.block(block).first_row;
    let mut found = Regions::default();
    let (closing, kept) = (skeleton.closed(block), skeleton.kept(block));
    let mut closed = closing.len();
    let mut added = skeleton.added(block);
    let mut parent = added.clone().last().or(kept);
    let sizes = columns.get(Column::Size);
    let mut end = columns.rows();
    while end > 0 {
        let row = end - 1;
        let global = first_row + row as u64;
        let size = sizes.get(row);
        if size < 1 || size as u64 > global + 1 {
            return Err(damaged(tree, global));
        }
        let start = global + 1 - size as u64;
        if closed > 0 && skeleton.joints[closing[closed - 1] as JointId].start_row == start {
            // A crossing node: the rows before it in the block are below it.
            closed -= 1;
            parent = Some(closing[closed] as JointId);
            found.closed.push(row);
            end = row;
            continue;
        }
        if start < first_row {
            return Err(damaged(tree, global));
        }
        let is_after = |added: &Range<JointId>| {
            added.clone().last().is_some_and(|last| skeleton.joints[last].start_row > global)
        };
        while closed == closing.len() && is_after(&added) {
            added.end -= 1;
            parent = added.clone().last().or(kept);
        }
        let start = (start - first_row) as usize;
        match found.segments.last_mut().filter(|segment| segment.parent == parent) {
            Some(segment) => {
                segment.count += 1;
                (segment.first_row, segment.first_start) = (row, start);
            }
            None => found.segments.push(Region {
                parent,
                count: 1,
                first_row: row,
                first_start: start,
                last_row: row,
            }),
        }
        end = start;
    }
    let is_root =
        |segment: &Region| segment.count == 1 && first_row + segment.last_row as u64 + 1 == tree.nodes();
    if closed > 0 || found.segments.iter().any(|segment| segment.parent.is_none() && !is_root(segment)) {
        return Err(damaged(tree, first_row));
    }
    found.closed.reverse();
    found.segments.reverse();
    Ok(found)
}

fn values_of(columns: &Columns<'_>, attributes: &[usize], row: usize) -> NodeValues {
    NodeValues {
        last_move: columns.integer(Column::LastMove, row),
        unfinished: columns.integer(Column::Status, row) & i64::from(gt_log::status::UNFINISHED) != 0,
        left_out: columns.integer(Column::LeftOut, row) as u64,
        attributes: attributes.iter().map(|&attribute| columns.value(attribute, row)).collect(),
    }
}

/// The number of children of the node at `row`, whose subtree starts at `start`.
fn children_of(columns: &Columns<'_>, row: usize, start: usize) -> u64 {
    let (mut end, mut children) = (row, 0);
    while end > start {
        children += 1;
        // An impossible size is detected when the block is processed.
        let size = columns.integer(Column::Size, end - 1).max(1) as usize;
        end = end.saturating_sub(size);
    }
    children
}
