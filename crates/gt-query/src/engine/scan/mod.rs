//! Scans: all values of a block, computed by whole columns.
//!
//! ```text
//! columns ──▶ vectors, bitmaps ──ranks──▶ counts below    ──▶ bitmap of matches ──▶ number, node_ids, rows, groups
//!                              ──runs───▶ counts of children
//!                              ──sums───▶ counts above, plies
//!                              ──folds──▶ all other aggregates
//! ```
//!
//! [`compile`] determines what is computed. Crossing nodes are left to the step after the pass; a scan contributes
//! what they gather from the block.

mod accumulate;
mod block;
mod by_slot;
mod codes;
mod compile;
mod describe;
mod dictionary;
mod gather;
mod graph;
mod groups;
mod ids;
pub(super) mod lanes;
mod lines;
mod moments;
mod of_values;
mod parts;
mod rows;
mod runs;
mod sizes;
mod slotted;
mod sums;
mod taken_pairs;

use std::collections::HashMap;

use gt_log::{Column, Schema, Tree};

use super::Failure;
use super::bits::{Bitmap, BlockRows};
use super::collect::{Found, MatchDetail};
use super::columns::Tally;
use super::crossing::{JointId, Settled, Skeleton, Surveyed, load, surveyed};
use super::plan::{Pass, Plan, Task};
use super::twins::{Arranged, bucket_count};
use crate::answer::Collector;
use crate::ir::{AggregateId, Program, Scope, TwinId};
use crate::value::Overflow;
pub(super) use block::{Buffers, Elsewhere, ShapeRoom};
use block::{Scanner, Shape};
use compile::Compiler;
use describe::Description;
pub(super) use graph::TwinColumns;
use graph::{Compiled, MatchOutput, ScanQuery, Test};
use groups::fail_on_errors;
pub(super) use ids::{BlockIds, ids_of_rows, rows_of_closed};
pub(super) use lines::lines_of;
use rows::{RowsWanted, collect_rows, keep_leading};

/// The computation of blocks for the queries of a program.
pub(super) struct Scan {
    compiled: Compiled,
    /// Whether crossing nodes are like any others for all queries.
    pub(super) is_local: bool,
}

/// The result of scanning a block.
#[derive(Default)]
pub(super) struct Scanned {
    /// Present if the pass is the survey as well.
    pub(super) surveyed: Option<Surveyed>,
    pub(super) settled: Settled,
    /// The matches by query.
    pub(super) found: Vec<(usize, Found)>,
    pub(super) tally: Tally,
}

/// The data with which every block of a pass is scanned.
#[derive(Clone, Copy)]
pub(super) struct ScanWork<'a> {
    pub(super) program: &'a Program,
    pub(super) plan: &'a Plan,
    pub(super) pass: &'a Pass,
    pub(super) tree: Tree<'a>,
    pub(super) scan: &'a Scan,
    pub(super) skeleton: &'a Skeleton,
    pub(super) elsewhere: Elsewhere<'a>,
    /// By query.
    pub(super) wanted: &'a [MatchDetail],
}

impl Scan {
    /// Compiles a scan. If `chosen` is set, only some nodes can match.
    pub(super) fn of(
        program: &Program,
        tree: Tree<'_>,
        plan: &Plan,
        wanted: &[MatchDetail],
        chosen: bool,
    ) -> Self {
        let compiled = Compiler::compile(program, tree, plan, wanted, chosen);
        let is_local = compiled.queries.iter().all(|query| query.is_local);
        Self { compiled, is_local }
    }

    /// For each query, whether all nodes match or none; `None` unless the heads of the blocks alone answer all queries.
    pub(super) fn decided(&self) -> Option<Vec<bool>> {
        let decided = self.compiled.queries.iter().map(|query| match self.compiled.tests[query.test] {
            Test::Always(value)
                if self.is_local && query.errors.is_empty() && matches!(query.output, MatchOutput::Plain) =>
            {
                Some(value)
            }
            _ => None,
        });
        decided.collect()
    }

    /// By aggregate, if it is over twins and computed by columns.
    pub(super) fn twin_columns(&self) -> &[Option<TwinColumns>] {
        &self.compiled.twin_columns
    }

    /// Lets aggregates over the same twins in the same pass share the keys, which one of them gathers.
    pub(super) fn share_keys(&mut self, program: &Program, plan: &Plan) {
        let mut leaders: HashMap<(TwinId, u32, u32), AggregateId> = HashMap::new();
        for task in &plan.tasks {
            let Task::Aggregate(id) = *task else { continue };
            let (Some(columns), Scope::Twin(twin)) =
                (&mut self.compiled.twin_columns[id.0], program.aggregates[id.0].scope)
            else {
                continue;
            };
            let times = plan.aggregates[id.0];
            let leader = *leaders.entry((twin, times.partial, times.value.crossing)).or_insert(id);
            // An aggregate that is answered before its turn must need no other task.
            if leader != id && columns.form.reads_stored_values() {
                (columns.leader, columns.keys) = (Some(leader), Vec::new());
            }
        }
    }

    /// The approximate number of bytes kept per node for aggregates over twins.
    pub(super) fn twin_bytes(&self) -> usize {
        /// A member with its key and values, each on the heap.
        const MEMBER_BYTES: usize = 200;
        let by_columns =
            self.compiled.twin_columns.iter().flatten().map(TwinColumns::row_bytes).sum::<usize>();
        by_columns + self.compiled.twins.iter().flatten().count() * MEMBER_BYTES
    }

    /// Describes the rows that match a query, in plain words.
    pub(super) fn describe(&self, query: usize, schema: &Schema) -> Description {
        describe::describe(&self.compiled, schema, self.compiled.queries[query].test)
    }

    /// Whether an overflow may decide if a node matches a query.
    pub(super) fn may_fail(&self, query: usize) -> bool {
        !self.compiled.queries[query].errors.is_empty()
    }

    /// Whether each row alone, even a crossing node's, determines if it matches a query.
    pub(super) fn settles_itself(&self, query: usize) -> bool {
        self.compiled.queries[query].is_local
    }
}

impl ScanWork<'_> {
    /// Scans a block.
    ///
    /// # Errors
    /// Returns an error if the log is damaged or cannot be read.
    pub(super) fn block(&self, buffers: &mut Buffers, block: usize) -> Result<Scanned, Failure> {
        let compiled = &self.scan.compiled;
        let room = std::mem::take(&mut buffers.shape);
        let mut shape = if self.scan.is_local {
            Shape::of_columns(self.tree, block, self.skeleton, room)
        } else {
            Shape::new(self.tree, block, self.skeleton, room)?
        };
        let mut scanned = Scanned::default();
        if !self.scan.is_local && self.plan.surveys_in(self.pass) {
            if !shape.regions.closed.is_empty() {
                load(&mut shape.columns, self.plan)?;
            }
            scanned.surveyed =
                Some(surveyed(&shape.columns, &shape.regions, &self.plan.attributes, |_| [0, 0]));
        }
        let mut scanner = Scanner::new(self.program, compiled, self.elsewhere, shape, buffers);
        for &query in &self.pass.queries {
            let found = self.find(&mut scanner, &compiled.queries[query])?;
            scanned.found.push((query, found));
        }
        if !self.scan.is_local {
            self.settle(&mut scanner, &mut scanned.settled)?;
        }
        scanned.tally = scanner.shape.columns.tally;
        let shape = scanner.shape.into_room();
        buffers.shape = shape;
        Ok(scanned)
    }

    /// Gathers the values that the joints need from a block.
    fn settle(&self, scanner: &mut Scanner<'_>, settled: &mut Settled) -> Result<(), Failure> {
        for id in &self.pass.partials {
            if let Some(TwinColumns { leader: None, .. }) = &self.scan.compiled.twin_columns[id.0] {
                let together = TwinColumns::answered_with(&self.scan.compiled.twin_columns, *id);
                let (gathered, _) = TwinColumns::gathered(&together);
                let lanes = gathered.iter().map(|(_, columns)| scanner.twin_lanes(columns));
                let lanes = lanes.collect::<Result<Vec<_>, _>>()?;
                settled.arranged.push((*id, Arranged::of(lanes, bucket_count(self.tree.nodes()))));
            }
            if let Some(gathered) = &self.scan.compiled.gathered[id.0] {
                scanner.gather(gathered, settled)?;
            }
        }
        if self.pass.height {
            scanner.settle_heights(settled)?;
        }
        if self.pass.total {
            scanner.settle_left_out(settled)?;
        }
        for id in &self.pass.columns {
            let Some(column) = &self.scan.compiled.columns[id.0] else { continue };
            let tops = scanner.fringe()?;
            scanner.scalar(column)?;
            let value = |(joint, row): (JointId, usize)| (joint, *id, scanner.evaluated(column, row));
            settled.columns.extend(tops.into_iter().map(value));
        }
        Ok(())
    }

    fn find(&self, scanner: &mut Scanner<'_>, query: &ScanQuery) -> Result<Found, Failure> {
        let mut found = Found::default();
        let wanted = self.wanted[query.query];
        scanner.test(query.test)?;
        let matches = scanner.known_test(query.test);
        found.count = matches.count();
        let crossing: &[usize] = if query.is_local { &[] } else { &scanner.shape.regions.closed };
        found.count -= crossing.iter().filter(|&&row| matches.get(row)).count() as u64;
        if wanted == MatchDetail::Nodes {
            found.rows = Some(BlockRows::of(matches, found.count, crossing));
        }
        for (span, test) in &query.errors {
            scanner.test(*test)?;
            self.fail(scanner, query, Overflow::new(*span), *test, &mut found)?;
        }
        if wanted == MatchDetail::Values && found.count > 0 {
            found.collector = self.collect(scanner, query)?;
        }
        Ok(found)
    }

    /// A list of rows, without crossing nodes if these are settled elsewhere.
    fn rows_of(
        &self,
        scanner: &mut Scanner<'_>,
        query: &ScanQuery,
        rows: &Bitmap,
    ) -> Result<Vec<u32>, Failure> {
        if !query.is_local {
            scanner.shape.branches()?;
        }
        scanner.shape.list(rows, !query.is_local);
        Ok(scanner.shape.take_listed())
    }

    /// Records the nodes at which an overflow decides whether they match.
    fn fail(
        &self,
        scanner: &mut Scanner<'_>,
        query: &ScanQuery,
        overflow: Overflow,
        test: usize,
        found: &mut Found,
    ) -> Result<(), Failure> {
        if scanner.known_test(test).count() == 0 {
            return Ok(());
        }
        let failed = scanner.known_test(test).clone();
        let rows = self.rows_of(scanner, query, &failed)?;
        if query.is_local && scanner.shape.regions.segments.is_empty() {
            // Only columns have been read so far, and node_ids need more.
            let room = &mut ShapeRoom::default();
            let rows = BlockRows::Few(rows.into());
            let skeleton = Skeleton::of(self.tree)?;
            let ids = ids_of_rows(self.tree, &skeleton, room, scanner.shape.block, &rows)?;
            let marked = ids.marks.iter().flat_map(|marks| marks.ids());
            ids.list
                .iter()
                .chain(&ids.crossing)
                .copied()
                .chain(marked)
                .for_each(|id| found.fail(overflow, id));
            return Ok(());
        }
        scanner.ids_of(&rows)?.into_iter().for_each(|id| found.fail(overflow, id));
        Ok(())
    }

    /// Collects rows or groups of the matches; `None` if no row of this block can be shown.
    fn collect(&self, scanner: &mut Scanner<'_>, query: &ScanQuery) -> Result<Option<Collector>, Failure> {
        let mut collector = Collector::new(self.program, query.query);
        let mut matches = scanner.known_test(query.test).clone();
        match &query.output {
            MatchOutput::Plain => {}
            MatchOutput::Rows { cells, order, limit } => {
                let wanted = RowsWanted { query: query.query, cells, order, limit: *limit };
                keep_leading(scanner, &wanted, &mut matches)?;
                if matches.count() == 0 {
                    return Ok(None);
                }
                let rows = self.rows_of(scanner, query, &matches)?;
                collect_rows(scanner, &rows, &wanted, &mut collector)?;
            }
            MatchOutput::Groups { keys, folds, column } => {
                if !query.is_local {
                    scanner.shape.branches()?;
                    matches.and_not(scanner.shape.crossing());
                }
                fail_on_errors(scanner, &mut matches, keys, &mut collector)?;
                collector.add_groups(scanner.grouped(*column, &matches, keys, folds)?);
            }
        }
        Ok(Some(collector))
    }
}

impl Scanner<'_> {
    /// The inner children of crossing nodes that are kept: their joints and rows.
    fn fringe(&mut self) -> Result<Vec<(JointId, usize)>, Failure> {
        self.shape.sizes()?;
        let segments = self.elsewhere.details.segments(self.shape.block);
        let mut tops = Vec::new();
        for (region, segment) in self.shape.regions.segments.iter().zip(segments) {
            if segment.keeps_any() {
                let rows = region.tops(|row| self.shape.size(row) as i64);
                tops.extend(segment.kept().filter_map(|(joint, place)| Some((joint, *rows.get(place)?))));
            }
        }
        Ok(tops)
    }

    /// Puts aside the heights of the nodes below crossing nodes and of the fringe.
    fn settle_heights(&mut self, settled: &mut Settled) -> Result<(), Failure> {
        let (heights, of_parents) = self.relations()?.heights();
        for (region, height) in self.shape.regions.segments.iter().zip(of_parents) {
            settled.heights.extend(region.parent.map(|parent| (parent, u64::from(height))));
        }
        let tops = self.fringe()?;
        settled.heights.extend(tops.into_iter().map(|(joint, row)| (joint, u64::from(heights[row]))));
        Ok(())
    }

    /// Puts aside the number of nodes left out below crossing nodes, and in the subtrees of the fringe.
    fn settle_left_out(&mut self, settled: &mut Settled) -> Result<(), Failure> {
        self.shape.columns.load(Column::LeftOut)?;
        let tops = self.fringe()?;
        let columns = &self.shape.columns;
        let sum = |rows: std::ops::Range<usize>| -> i128 {
            rows.map(|row| i128::from(columns.integer(Column::LeftOut, row) as u64)).sum()
        };
        for region in &self.shape.regions.segments {
            let rows = region.first_start..region.last_row + 1;
            settled.left_out.extend(region.parent.map(|parent| (parent, sum(rows))));
        }
        for (joint, row) in tops {
            let start = (row + 1).saturating_sub(self.shape.size(row));
            settled.left_out.push((joint, sum(start..row + 1)));
        }
        Ok(())
    }
}
