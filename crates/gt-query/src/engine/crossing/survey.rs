//! The survey: where the crossing nodes' rows and the edges are in a block, and what those nodes carry.
//!
//! From the end of a block it hops over the subtrees of inner nodes, so it looks at few rows.

use std::ops::Range;

use gt_log::{Column, Scratch, Tree};

use super::Failure;
use super::columns::{Columns, Tally};
use super::plan::Plan;
use super::skeleton::{JointId, Skeleton, damaged};
use crate::value::Value;

/// What a node carries.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeValues {
    pub(super) last_move: i64,
    pub(super) unfinished: bool,
    pub(super) left_out: u64,
    /// How many children it has; known of edges; those of crossing nodes are counted.
    pub(super) children: u64,
    /// In the order of the attributes that are read.
    pub(super) attributes: Vec<Option<Value>>,
}

/// What was found in a block.
pub(super) struct Surveyed {
    /// The crossing nodes whose rows are in the block, deepest first: the row in the block, and its values.
    pub(super) closed: Vec<(usize, NodeValues)>,
    /// In the order of rows.
    pub(super) segments: Vec<FoundSegment>,
    pub(super) tally: Tally,
}

/// The inner children of a crossing node in the block, and what the first and the last of them carry.
pub(super) struct FoundSegment {
    pub(super) region: Region,
    pub(super) edges: Option<[NodeValues; 2]>,
}

/// Where the crossing nodes and the tops are in a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Regions {
    /// The rows of the crossing nodes, deepest first.
    pub(super) closed: Vec<usize>,
    /// In the order of rows.
    pub(super) segments: Vec<Region>,
}

/// The subtrees of neighbouring inner children of a crossing node, or that of the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub(super) parent: Option<JointId>,
    /// How many children there are.
    pub(super) count: usize,
    pub(super) first_row: usize,
    /// Where the subtree of the first starts.
    pub(super) first_start: usize,
    pub(super) last_row: usize,
    pub(super) last_start: usize,
}

/// Surveys a block for a plan; edges are looked at where `edges` says so.
///
/// # Errors
/// Where the log is damaged or cannot be read.
pub(super) fn survey(
    tree: Tree<'_>,
    block: usize,
    skeleton: &Skeleton,
    plan: &Plan,
    edges: bool,
    scratch: &mut Scratch,
) -> Result<Surveyed, Failure> {
    let mut columns = Columns::new(tree, block, std::mem::take(scratch));
    columns.load(Column::Size)?;
    let regions = regions(tree, block, skeleton, &columns)?;
    if edges || !regions.closed.is_empty() {
        load(&mut columns, plan)?;
    }
    let mut found = surveyed(&columns, &regions, &plan.attributes, edges);
    found.tally = columns.tally;
    *scratch = columns.into_scratch();
    Ok(found)
}

/// Loads what a plan reads of nodes that the survey finds.
pub(super) fn load(columns: &mut Columns<'_>, plan: &Plan) -> Result<(), Failure> {
    let fixed = [Column::Status, Column::LeftOut];
    for column in fixed.into_iter().chain(plan.last_move.then_some(Column::LastMove)) {
        columns.load(column)?;
    }
    plan.attributes.iter().try_for_each(|&attribute| columns.load_value(attribute))
}

/// What the nodes of these regions carry, in columns that are loaded; of edges only where `edges` says so.
pub(super) fn surveyed(
    columns: &Columns<'_>,
    regions: &Regions,
    attributes: &[usize],
    edges: bool,
) -> Surveyed {
    let edge = |row: usize, start: usize| NodeValues {
        children: children_of(columns, row, start),
        ..values_of(columns, attributes, row)
    };
    let segments = regions.segments.iter().map(|region| FoundSegment {
        region: *region,
        edges: edges
            .then(|| [edge(region.first_row, region.first_start), edge(region.last_row, region.last_start)]),
    });
    let closed = regions.closed.iter().map(|&row| (row, values_of(columns, attributes, row)));
    Surveyed { closed: closed.collect(), segments: segments.collect(), tally: Tally::default() }
}

/// Finds the regions of a block whose sizes are loaded.
///
/// # Errors
/// Where the sizes do not fit the open path.
pub(super) fn regions(
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
        if closed > 0 && skeleton.joints[closing[closed - 1]].start_row == start {
            // A crossing node: what is before it in the block is below it.
            closed -= 1;
            parent = Some(closing[closed]);
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
                last_start: start,
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
        children: 0,
        attributes: attributes.iter().map(|&attribute| columns.value(attribute, row)).collect(),
    }
}

/// How many children the node at `row` has, whose subtree starts at `start`.
fn children_of(columns: &Columns<'_>, row: usize, start: usize) -> u64 {
    let (mut end, mut children) = (row, 0);
    while end > start {
        children += 1;
        // An impossible size is found when the block is worked on.
        let size = columns.integer(Column::Size, end - 1).max(1) as usize;
        end = end.saturating_sub(size);
    }
    children
}
