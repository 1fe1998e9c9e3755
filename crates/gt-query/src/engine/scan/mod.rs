//! Scans: queries answered by whole columns at a time.
//!
//! ```text
//! columns ──lanes──▶ bitmaps ──ranks──▶ counts below   ──▶ bitmap of matches ──▶ number, node_ids, rows, groups
//!                            ──runs───▶ counts of children
//!                            ──sums───▶ counts above, plies
//! ```
//!
//! What is here is fast and knows little: [`compile`] decides what it is asked. Crossing nodes are left to the step
//! after the pass, as they are for every query; this gives them what they gather from the block.
//!
//! Sizes inside a region are taken as they are: a column's checksum has been compared, and a size that is wrong all
//! the same leads to a wrong number, never out of the block.

mod bitmap;
mod block;
mod compile;
mod describe;
mod gather;
mod graph;
mod groups;
mod ids;
mod joints;
mod lanes;
mod lines;
mod parts;
mod rows;
mod runs;
mod sizes;
mod sums;
mod wide;

use gt_log::{Column, Schema, Tree};

use super::Failure;
use super::collect::{Found, Wanted};
use super::columns::{Columns, Tally};
use super::details::Details;
use super::plan::Plan;
use super::settle::Settling;
use super::skeleton::{JointId, Skeleton};
use super::survey::{self, Regions, Surveyed, regions, surveyed};
use crate::accumulator::Accumulator;
use crate::answer::Collector;
use crate::ir::{AggregateId, Expr, Program};
pub(super) use block::Buffers;
use block::Scanner;
use compile::Compiler;
use describe::Describe;
use gather::gather;
use graph::{Compiled, MatchOutput, Number, ScanQuery, Test};
use groups::collect_groups;
use ids::rows_found;
pub(super) use ids::{each_bit_into, ids_of_rows, rows_of_closed};
use joints::Joints;
pub(super) use lines::lines_of;
use rows::{RowsWanted, collect_rows};

/// The queries of a program that are answered by scans.
pub(super) struct Scan {
    compiled: Compiled,
    /// The queries, by their places in the program.
    pub(super) queries: Vec<usize>,
    /// Whether crossing nodes are like any others for all of them.
    pub(super) is_local: bool,
    /// Whether values of crossing nodes must be known before the pass.
    pub(super) survey_first: bool,
}

/// What the scan of a block leaves behind.
#[derive(Default)]
pub(super) struct Scanned {
    /// Where the survey was not done before.
    pub(super) surveyed: Option<Surveyed>,
    /// What crossing nodes gather from the block.
    pub(super) partials: Vec<(JointId, AggregateId, Accumulator)>,
    /// By query.
    pub(super) found: Vec<(usize, Found)>,
    pub(super) tally: Tally,
}

/// What every block is scanned with.
#[derive(Clone, Copy)]
pub(super) struct ScanWork<'a> {
    pub(super) program: &'a Program,
    pub(super) plan: &'a Plan,
    pub(super) tree: Tree<'a>,
    pub(super) scan: &'a Scan,
    pub(super) skeleton: &'a Skeleton,
    /// Of crossing nodes, where they are surveyed first.
    pub(super) details: &'a Details,
    /// What [`Scan::paths`] gave.
    pub(super) paths: &'a [Vec<i64>],
    /// By query.
    pub(super) wanted: &'a [Wanted<'a>],
}

impl Scan {
    /// The queries that scans can answer.
    pub(super) fn of(program: &Program, tree: Tree<'_>, wanted: &[Wanted<'_>]) -> Self {
        let mut compiler = Compiler::new(program, tree);
        let all: Vec<usize> = (0..program.queries.len()).collect();
        let passes = Plan::new(program, &all).passes_alone(program);
        for (query, wanted) in wanted.iter().enumerate() {
            if passes[query] == 1 {
                compiler.add(query, wanted);
            }
        }
        let compiled = compiler.finish();
        let queries: Vec<usize> = compiled.queries.iter().map(|query| query.query).collect();
        let is_local = compiled.queries.iter().all(|query| query.is_local);
        let survey_first = compiled.reads_crossing_nodes();
        Self { compiled, queries, is_local, survey_first }
    }

    /// Where the heads of the blocks alone answer all queries, whether all nodes match or none: by query.
    pub(super) fn decided(&self) -> Option<Vec<(usize, bool)>> {
        let decided = self.compiled.queries.iter().map(|query| match self.compiled.tests[query.test] {
            Test::Always(value) if self.is_local && matches!(query.output, MatchOutput::Plain) => {
                Some((query.query, value))
            }
            _ => None,
        });
        decided.collect()
    }

    /// Which rows match a query, in plain words; `None` where scans do not answer it.
    pub(super) fn describe(&self, query: usize, schema: &Schema) -> Option<String> {
        let scanned = self.compiled.queries.iter().find(|scanned| scanned.query == query)?;
        Some(Describe { compiled: &self.compiled, schema }.test(scanned.test))
    }

    /// What the children of crossing nodes start from in counts over the path, by number and crossing node.
    pub(super) fn paths(&self, settling: &Settling<'_>) -> Vec<Vec<i64>> {
        let (plan, skeleton, details) = (settling.plan, settling.skeleton, &settling.details);
        let joints = Joints { compiled: &self.compiled, plan, skeleton, details };
        let of_number = |number: &Number| match number {
            Number::PathCount(test) => joints.path_counts(*test),
            _ => Vec::new(),
        };
        self.compiled.numbers.iter().map(of_number).collect()
    }

    /// Whether the match of a query is told by a row alone, be it a crossing node or not.
    pub(super) fn settles_itself(&self, query: usize) -> bool {
        let place = self.queries.binary_search(&query).ok();
        place.is_some_and(|place| self.compiled.queries[place].is_local)
    }
}

impl ScanWork<'_> {
    /// Scans a block.
    ///
    /// # Errors
    /// Where the log is damaged or cannot be read.
    pub(super) fn block(&self, buffers: &mut Buffers, block: usize) -> Result<Scanned, Failure> {
        let compiled = &self.scan.compiled;
        let mut columns = Columns::new(self.tree, block, std::mem::take(&mut buffers.scratch));
        buffers.begin(compiled);
        let mut regions_found = Regions::default();
        let mut scanned = Scanned::default();
        if !self.scan.is_local {
            columns.load(Column::Size)?;
            regions_found = regions(self.tree, block, self.skeleton, &columns)?;
            if !self.scan.survey_first {
                scanned.surveyed = Some(self.survey(&mut columns, &regions_found)?);
            }
        }
        let mut scanner = Scanner {
            program: self.program,
            plan: self.plan,
            compiled,
            skeleton: self.skeleton,
            details: self.details,
            paths: self.paths,
            regions: &regions_found,
            head: self.tree.block(block),
            columns: &mut columns,
            buffers,
        };
        for query in &compiled.queries {
            scanner.test(query.test)?;
            let found = self.find(&mut scanner, query)?;
            scanned.found.push((query.query, found));
        }
        if !self.scan.is_local {
            for gathered in &compiled.gathered {
                gather(&mut scanner, gathered, &mut scanned.partials)?;
            }
        }
        scanned.tally = columns.tally;
        buffers.scratch = columns.into_scratch();
        Ok(scanned)
    }

    fn survey(&self, columns: &mut Columns<'_>, regions: &Regions) -> Result<Surveyed, Failure> {
        if !regions.closed.is_empty() {
            survey::load(columns, self.plan)?;
        }
        Ok(surveyed(columns, regions, &self.plan.attributes, false))
    }

    fn find(&self, scanner: &mut Scanner<'_, '_>, query: &ScanQuery) -> Result<Found, Failure> {
        let mut found = Found::default();
        let wanted = &self.wanted[query.query];
        let matches = scanner.buffers.test(query.test);
        found.count = matches.count();
        if !query.is_local {
            let crossing = scanner.regions.closed.iter().filter(|&&row| matches.get(row));
            found.count -= crossing.count() as u64;
        }
        if matches!(wanted, Wanted::Nodes) {
            let crossing: &[usize] = if query.is_local { &[] } else { &scanner.regions.closed };
            found.rows = Some(rows_found(matches, found.count, crossing));
        }
        if let (Wanted::Values(leaves), 1..) = (wanted, found.count) {
            if query.is_local {
                scanner.buffers.list_all(query.test);
            } else {
                scanner.shape()?;
                scanner.buffers.list_inner(query.test);
            }
            found.collector = Some(self.collect(scanner, query, leaves)?);
        }
        Ok(found)
    }

    /// Collects rows or groups of the matches that are listed.
    fn collect(
        &self,
        scanner: &mut Scanner<'_, '_>,
        query: &ScanQuery,
        leaves: &[&Expr],
    ) -> Result<Collector, Failure> {
        let mut collector = Collector::new(self.program, query.query);
        match &query.output {
            MatchOutput::Plain => {}
            MatchOutput::Rows { cells, order, limit } => {
                let wanted = RowsWanted { leaves, cells, order: order.as_deref(), limit: *limit };
                collect_rows(scanner, &wanted, &mut collector)?;
            }
            MatchOutput::Groups { keys, folds } => collect_groups(scanner, keys, folds, &mut collector)?,
        }
        Ok(collector)
    }
}
