//! A pass over one block, node by node: any expression, any aggregate.
//!
//! ```text
//! rows in order ──▶ child: and subtree: aggregates      rows from the end ──▶ path: aggregates
//! what belongs to a crossing node is put aside for the step that follows the pass
//! ```

use gt_log::{Column, Tree};

use super::Failure;
use super::collect::{Found, Wanted};
use super::columns::{Columns, Tally};
use super::details::Details;
use super::frame::{Inside, Surroundings};
use super::plan::{Pass, Plan, Task};
use super::shape::{At, Shape};
use super::skeleton::{JointId, Skeleton};
use crate::accumulator::{Accumulator, contribution};
use crate::evaluate::{Evaluated, evaluate, passes};
use crate::ir::{Aggregate, AggregateId, ColumnId, Program, Scope};
use crate::value::Overflow;

/// What every block of a pass is worked on with.
#[derive(Clone, Copy)]
pub(super) struct Work<'a> {
    pub(super) program: &'a Program,
    pub(super) tree: Tree<'a>,
    pub(super) plan: &'a Plan,
    pub(super) pass: &'a Pass,
    pub(super) skeleton: &'a Skeleton,
    pub(super) details: &'a Details,
    /// By query.
    pub(super) wanted: &'a [Wanted<'a>],
}

/// What a pass over a block leaves behind.
#[derive(Default)]
pub(super) struct Passed {
    /// What crossing nodes gather from the block.
    pub(super) partials: Vec<(JointId, AggregateId, Accumulator)>,
    /// For a crossing node the height at least, and nodes left out below.
    pub(super) folds: Vec<(JointId, u64, i128)>,
    /// The same of edges.
    pub(super) edge_folds: Vec<(JointId, u64, i128)>,
    pub(super) edge_columns: Vec<(JointId, ColumnId, Evaluated)>,
    /// By query.
    pub(super) found: Vec<(usize, Found)>,
    pub(super) tally: Tally,
}

impl Work<'_> {
    /// Works on a block.
    ///
    /// # Errors
    /// Where the log is damaged or cannot be read.
    pub(super) fn block(&self, columns: &mut Columns<'_>, block: usize) -> Result<Passed, Failure> {
        let fixed = [Column::Size, Column::LastMove, Column::Status, Column::LeftOut];
        for column in fixed {
            columns.load(column)?;
        }
        for &attribute in &self.pass.attributes {
            columns.load_value(attribute)?;
        }
        let sizes = columns.get(Column::Size).widened(columns.rows());
        let shape = Shape::of(self.tree, block, sizes, self.skeleton, self.details)?;
        let mut inside = Inside {
            first_row: self.tree.block(block).first_row,
            columns,
            shape: &shape,
            heights: Vec::new(),
            left_out_below: Vec::new(),
            derived: vec![Vec::new(); self.program.columns.len()],
            aggregates: vec![Vec::new(); self.program.aggregates.len()],
        };
        let mut passed = Passed::default();
        self.fold_structure(&mut inside, block, &mut passed);
        for &task in &self.pass.tasks {
            match task {
                Task::Column(id) => {
                    let expr = &self.program.columns[id.0].expr;
                    inside.derived[id.0] =
                        self.each_row(&inside, |around, at| evaluate(expr, &around.at(at)));
                }
                Task::Aggregate(id) => {
                    inside.aggregates[id.0] = self.aggregate(&inside, id);
                }
            }
        }
        for &id in &self.pass.partials {
            self.gather(&inside, block, id, &mut passed);
        }
        self.export(&inside, block, &mut passed);
        for &query in &self.pass.queries {
            passed.found.push((query, self.find(&inside, query)));
        }
        passed.tally = inside.columns.tally;
        Ok(passed)
    }

    fn around<'a>(&'a self, inside: &'a Inside<'a>) -> Surroundings<'a> {
        let (program, plan, skeleton, details) = (self.program, self.plan, self.skeleton, self.details);
        Surroundings { program, plan, skeleton, details, inside: Some(inside) }
    }

    /// A value for each row; unknown for crossing nodes, which are not computed here.
    fn each_row<'a>(
        &'a self,
        inside: &'a Inside<'a>,
        mut value: impl FnMut(Surroundings<'a>, At) -> Evaluated,
    ) -> Vec<Evaluated> {
        let around = self.around(inside);
        let rows = inside.shape.crossing.iter().enumerate();
        rows.map(|(row, crossing)| if crossing.is_some() { Ok(None) } else { value(around, At::Row(row)) })
            .collect()
    }

    fn aggregate(&self, inside: &Inside<'_>, id: AggregateId) -> Vec<Evaluated> {
        let aggregate = &self.program.aggregates[id.0];
        let span = aggregate.origin.0;
        match aggregate.scope {
            Scope::Child => self.each_row(inside, |around, at| {
                let At::Row(row) = at else { return Ok(None) };
                let mut accumulator = Accumulator::new(aggregate);
                for child in inside.shape.children_of(row) {
                    accumulator.take(aggregate, &around.pair(at, At::Row(child)));
                }
                accumulator.value(span)
            }),
            Scope::Subtree => {
                let mut values = vec![Ok(None); inside.shape.sizes.len()];
                self.fold_up(inside, aggregate, |row, below| values[row] = below.value(span));
                values
            }
            Scope::Path => self.fold_down(inside, id),
            Scope::Before | Scope::After | Scope::Tree | Scope::Twin(_) | Scope::Matches => Vec::new(),
        }
    }

    /// Calls `done` with what is gathered below each row, and gives what is gathered at each row that is a top,
    /// itself included.
    fn fold_up(
        &self,
        inside: &Inside<'_>,
        aggregate: &Aggregate,
        mut done: impl FnMut(usize, &Accumulator),
    ) -> Vec<Accumulator> {
        let around = self.around(inside);
        let mut finished: Vec<Accumulator> = Vec::new();
        for (row, crossing) in inside.shape.crossing.iter().enumerate() {
            if crossing.is_some() {
                continue;
            }
            let mut below = Accumulator::new(aggregate);
            for _ in 0..inside.shape.children[row] {
                if let Some(child) = finished.pop() {
                    below.merge(&child);
                }
            }
            done(row, &below);
            below.take(aggregate, &around.at(At::Row(row)));
            finished.push(below);
        }
        finished
    }

    fn fold_down(&self, inside: &Inside<'_>, id: AggregateId) -> Vec<Evaluated> {
        let aggregate = &self.program.aggregates[id.0];
        let around = self.around(inside);
        let rows = inside.shape.sizes.len();
        let mut values = vec![Ok(None); rows];
        // What the children of a row start from; only rows with children have it.
        let mut offered: Vec<Option<Accumulator>> = vec![None; rows];
        for row in (0..rows).rev() {
            if inside.shape.crossing[row].is_some() {
                continue;
            }
            let mut above = match inside.shape.parent[row] {
                None => Accumulator::new(aggregate),
                Some(At::Joint(parent)) => self.details[parent].gathered[id.0].clone(),
                Some(At::Row(parent)) => match &offered[parent] {
                    Some(offered) => offered.clone(),
                    None => Accumulator::new(aggregate),
                },
            };
            values[row] = above.value(aggregate.origin.0);
            if inside.shape.children[row] > 0 {
                if let Some(contribution) = contribution(aggregate, &around.at(At::Row(row))) {
                    above.add(contribution);
                }
                offered[row] = Some(above);
            }
        }
        values
    }

    /// Puts aside what crossing nodes gather from this block.
    fn gather(&self, inside: &Inside<'_>, block: usize, id: AggregateId, passed: &mut Passed) {
        let aggregate = &self.program.aggregates[id.0];
        let around = self.around(inside);
        let mut finished = match aggregate.scope {
            Scope::Subtree => self.fold_up(inside, aggregate, |_, _| {}).into_iter(),
            _ => Vec::new().into_iter(),
        };
        for (parent, tops) in self.segments(inside.shape, block) {
            let mut gathered = Accumulator::new(aggregate);
            for &top in tops {
                match aggregate.scope {
                    Scope::Subtree => finished.next().iter().for_each(|top| gathered.merge(top)),
                    _ => gathered.take(aggregate, &around.pair(At::Joint(parent), At::Row(top))),
                }
            }
            passed.partials.push((parent, id, gathered));
        }
    }

    /// The crossing nodes that have inner children in the block, with those children.
    fn segments<'a>(
        &'a self,
        shape: &'a Shape,
        block: usize,
    ) -> impl Iterator<Item = (JointId, &'a [usize])> {
        let mut tops = &shape.tops[..];
        self.details.segments(block).iter().filter_map(move |segment| {
            let (own, rest) = tops.split_at(segment.count.min(tops.len()));
            tops = rest;
            segment.parent.map(|parent| (parent, own))
        })
    }

    fn fold_structure(&self, inside: &mut Inside<'_>, block: usize, passed: &mut Passed) {
        let is_first = self.pass.number == 1;
        let for_others = is_first && (self.plan.height || self.plan.total);
        if !(for_others || self.pass.height || self.pass.total) {
            return;
        }
        let rows = inside.shape.sizes.len();
        let mut heights = vec![0_u64; rows];
        let mut left_out = vec![0_i128; rows];
        for row in 0..rows {
            left_out[row] += i128::from(inside.columns.integer(Column::LeftOut, row) as u64);
            if let Some(At::Row(parent)) = inside.shape.parent[row] {
                heights[parent] = heights[parent].max(heights[row] + 1);
                left_out[parent] += left_out[row];
            }
        }
        for (parent, tops) in self.segments(inside.shape, block).filter(|_| is_first) {
            let height = tops.iter().map(|&top| heights[top] + 1).max().unwrap_or(0);
            let sum = tops.iter().map(|&top| left_out[top]).sum();
            passed.folds.push((parent, height, sum));
        }
        (inside.heights, inside.left_out_below) = (heights, left_out);
    }

    /// Puts aside the values of edges that other blocks may read.
    fn export(&self, inside: &Inside<'_>, block: usize, passed: &mut Passed) {
        let mut tops = &inside.shape.tops[..];
        for segment in self.details.segments(block) {
            let (own, rest) = tops.split_at(segment.count.min(tops.len()));
            tops = rest;
            let (Some((first, last)), Some(&first_row), Some(&last_row)) =
                (segment.edges, own.first(), own.last())
            else {
                continue;
            };
            for (joint, row) in [(first, first_row), (last, last_row)] {
                for &task in &self.pass.tasks {
                    let Task::Column(id) = task else { continue };
                    if self.plan.columns[id.0].inner == self.pass.number {
                        passed.edge_columns.push((joint, id, inside.derived[id.0][row].clone()));
                    }
                }
                if !inside.heights.is_empty() {
                    passed.edge_folds.push((joint, inside.heights[row], inside.left_out_below[row]));
                }
            }
        }
    }

    fn find(&self, inside: &Inside<'_>, query: usize) -> Found {
        let around = self.around(inside);
        let mut found = Found::default();
        for (row, crossing) in inside.shape.crossing.iter().enumerate() {
            if crossing.is_none() {
                self.try_node(around, query, At::Row(row), &mut found);
            }
        }
        found
    }

    fn try_node(&self, around: Surroundings<'_>, query: usize, at: At, found: &mut Found) {
        try_node(around, &self.wanted[query], query, at, found);
    }
}

/// Adds a node to the matches of a query, if it is one.
pub(super) fn try_node(
    around: Surroundings<'_>,
    wanted: &Wanted<'_>,
    query: usize,
    at: At,
    found: &mut Found,
) {
    let frame = around.at(at);
    let mut overflow = None;
    for filter in around.program.queries[query].filters() {
        match passes(filter, &frame) {
            Ok(true) => {}
            Ok(false) => return,
            Err(new) => overflow = overflow.map_or(Some(new), |before: Overflow| Some(before.min(new))),
        }
    }
    match overflow {
        Some(overflow) => found.fail(overflow.at(around.node_id(at))),
        None => found.add(wanted, around.node_id(at), &frame),
    }
}
