//! Scans: queries answered by whole columns at a time.
//!
//! ```text
//! columns ──lanes──▶ bitmaps ──ranks──▶ counts below   ──▶ bitmap of matches ──▶ number, node_ids
//!                            ──runs───▶ counts of children, counts above
//! ```
//!
//! What is here is fast and knows little: [`compile`] decides what it is asked. Crossing nodes are left to the step
//! after the pass, as they are for every query; this gives them what they gather from the block.

mod bitmap;
mod block;
mod compile;
mod describe;
mod joints;
mod lanes;
mod runs;
mod sizes;
mod sums;
mod wide;

use gt_log::{Column, Schema, Tree};

use super::Failure;
use super::collect::{Found, Wanted};
use super::columns::{Columns, Tally};
use super::plan::Plan;
use super::skeleton::{JointId, Skeleton};
use super::survey::{self, Region, Regions, Surveyed, regions, surveyed};
use crate::accumulator::Accumulator;
use crate::ir::{AggregateId, Program, Scope};
use crate::value::Value;
pub(super) use block::Buffers;
use block::Scanner;
use compile::{Compiled, Compiler, Gathered, Number, NumberId, What};
use describe::Describe;
use joints::Joints;

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
    /// What [`Scan::paths`] gave.
    pub(super) paths: &'a [Vec<i64>],
    /// By query.
    pub(super) wanted: &'a [Wanted<'a>],
}

impl Scan {
    /// The queries that scans can answer.
    pub(super) fn of(program: &Program, tree: Tree<'_>, wanted: &[Wanted<'_>]) -> Self {
        let mut compiler = Compiler::new(program, tree);
        for (query, wanted) in wanted.iter().enumerate() {
            if matches!(wanted, Wanted::Number | Wanted::Nodes)
                && Plan::new(program, &[query]).passes.len() == 1
            {
                compiler.add(query);
            }
        }
        let compiled = compiler.finish();
        let queries = compiled.queries.iter().map(|query| query.query).collect();
        let is_local = compiled
            .queries
            .iter()
            .all(|query| query.is_local && matches!(wanted[query.query], Wanted::Number));
        let survey_first = compiled.reads_crossing_nodes();
        Self { compiled, queries, is_local, survey_first }
    }

    /// Which rows match a query, in plain words; `None` where scans do not answer it.
    pub(super) fn describe(&self, query: usize, schema: &Schema) -> Option<String> {
        let scanned = self.compiled.queries.iter().find(|scanned| scanned.query == query)?;
        Some(Describe { compiled: &self.compiled, schema }.test(scanned.test))
    }

    /// What the children of crossing nodes start from in counts over the path, by number and crossing node.
    pub(super) fn paths(&self, plan: &Plan, skeleton: &Skeleton) -> Vec<Vec<i64>> {
        let joints = Joints { compiled: &self.compiled, plan, skeleton };
        let of_number = |number: &Number| match number {
            Number::PathCount(test) => joints.path_counts(*test),
            _ => Vec::new(),
        };
        self.compiled.numbers.iter().map(of_number).collect()
    }

    /// Whether the match of a query is told by a row alone, be it a crossing node or not.
    pub(super) fn settles_itself(&self, query: usize, wanted: &Wanted<'_>) -> bool {
        let of_it = self.compiled.queries.iter().find(|scanned| scanned.query == query);
        of_it.is_some_and(|scanned| scanned.is_local) && matches!(wanted, Wanted::Number)
    }
}

impl ScanWork<'_> {
    /// Scans a block.
    ///
    /// # Errors
    /// Where the log is damaged or cannot be read.
    pub(super) fn block(&self, buffers: &mut Buffers, block: usize) -> Result<Scanned, Failure> {
        let compiled = &self.scan.compiled;
        let mut columns = Columns::new(self.tree, block);
        buffers.begin(compiled);
        let mut regions_found = Regions::default();
        let mut scanned = Scanned::default();
        if !self.scan.is_local {
            let joints = &self.skeleton.blocks[block];
            columns.load(Column::Size)?;
            regions_found = regions(self.tree, block, &self.skeleton.joints, joints, &columns)?;
            if !self.scan.survey_first {
                scanned.surveyed = Some(self.survey(&mut columns, &regions_found)?);
            }
        }
        let mut scanner = Scanner {
            program: self.program,
            plan: self.plan,
            compiled,
            skeleton: self.skeleton,
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
        Ok(scanned)
    }

    fn survey(&self, columns: &mut Columns<'_>, regions: &Regions) -> Result<Surveyed, Failure> {
        if !regions.closed.is_empty() {
            survey::load(columns, self.plan)?;
        }
        Ok(surveyed(columns, regions, &self.plan.attributes, false))
    }

    fn find(&self, scanner: &mut Scanner<'_, '_>, query: &compile::ScanQuery) -> Result<Found, Failure> {
        let mut found = Found::default();
        let wanted = &self.wanted[query.query];
        let matches = scanner.buffers.test(query.test);
        found.count = matches.count();
        let settles_itself = query.is_local && matches!(wanted, Wanted::Number);
        if !settles_itself {
            let crossing = scanner.regions.closed.iter().filter(|&&row| matches.get(row));
            found.count -= crossing.count() as u64;
        }
        if matches!(wanted, Wanted::Nodes) && found.count > 0 {
            scanner.plies()?;
            found.nodes.reserve(found.count as usize);
            let first_row = scanner.head.first_row;
            let buffers = &*scanner.buffers;
            let plies = buffers.plies();
            buffers.test(query.test).each(|row| {
                if !buffers.crossing().get(row) {
                    let start = first_row + (row + 1).saturating_sub(buffers.size(row)) as u64;
                    found.nodes.push(start + plies[row] as u64);
                }
            });
        }
        Ok(found)
    }
}

/// Puts aside what crossing nodes gather of an aggregate.
fn gather(
    scanner: &mut Scanner<'_, '_>,
    gathered: &Gathered,
    partials: &mut Vec<(JointId, AggregateId, Accumulator)>,
) -> Result<(), Failure> {
    if gathered.scope == Scope::Path {
        return Ok(());
    }
    match gathered.what {
        What::Count(test) | What::Truth(test, _) => scanner.test(test)?,
        What::Sum(number) => scanner.number(number)?,
        What::Extreme { filter, number, .. } => {
            scanner.test(filter)?;
            load(scanner, number)?;
        }
    }
    if gathered.scope == Scope::Child {
        scanner.shape()?;
    }
    let aggregate = &scanner.program.aggregates[gathered.id.0];
    for region in &scanner.regions.segments {
        let Some(parent) = region.parent else { continue };
        let mut accumulator = Accumulator::new(aggregate);
        match gathered.what {
            What::Count(test) => add_times(&mut accumulator, count(scanner, gathered.scope, region, test)),
            What::Truth(test, value) => {
                if count(scanner, gathered.scope, region, test) > 0 {
                    accumulator.add(Ok(Some(Value::Boolean(value))));
                }
            }
            What::Sum(number) => {
                let range = region.first_start..region.last_row + 1;
                let numbers = &scanner.buffers.numbers(number)[range];
                let sum: i128 = numbers.iter().map(|value| i128::from(*value)).sum();
                accumulator.add(Ok(Some(Value::Integer(sum))));
            }
            What::Extreme { largest, filter, number } => {
                let extreme = extreme(scanner, gathered.scope, region, largest, filter, number);
                if let Some(extreme) = extreme {
                    accumulator.add(Ok(Some(Value::Integer(extreme.into()))));
                }
            }
        }
        partials.push((parent, gathered.id, accumulator));
    }
    Ok(())
}

/// How many nodes of a region, or of its tops alone, satisfy a test.
fn count(scanner: &Scanner<'_, '_>, scope: Scope, region: &Region, test: usize) -> u64 {
    let bitmap = scanner.buffers.test(test);
    let range = region.first_start..region.last_row + 1;
    if scope == Scope::Subtree || range.len() == region.count {
        return bitmap.count_in(range);
    }
    let mut count = 0;
    each_top(scanner, region, |row| count += u64::from(bitmap.get(row)));
    count
}

fn each_top(scanner: &Scanner<'_, '_>, region: &Region, mut visit: impl FnMut(usize)) {
    let mut end = region.last_row + 1;
    while end > region.first_start {
        visit(end - 1);
        end = end.saturating_sub(scanner.buffers.size(end - 1).max(1));
    }
}

/// Makes a number readable with [`value`].
fn load(scanner: &mut Scanner<'_, '_>, number: NumberId) -> Result<(), Failure> {
    match scanner.compiled.numbers[number] {
        Number::Column(column) => scanner.columns.load(column),
        _ => scanner.number(number),
    }
}

fn value(scanner: &Scanner<'_, '_>, number: NumberId, row: usize) -> i64 {
    match scanner.compiled.numbers[number] {
        Number::Column(column) => scanner.columns.integer(column, row),
        _ => scanner.buffers.numbers(number)[row],
    }
}

fn extreme(
    scanner: &Scanner<'_, '_>,
    scope: Scope,
    region: &Region,
    largest: bool,
    filter: usize,
    number: NumberId,
) -> Option<i64> {
    let mut best: Option<i64> = None;
    let filter = scanner.buffers.test(filter);
    let mut take = |value: i64| {
        best = Some(match best {
            Some(best) if largest => best.max(value),
            Some(best) => best.min(value),
            None => value,
        });
    };
    match scope {
        Scope::Subtree => {
            let range = region.first_start..region.last_row + 1;
            // The head may show the extreme already; then a row that has it is enough.
            let of_head = match scanner.compiled.numbers[number] {
                Number::Column(column) => {
                    let head = &scanner.head.columns[column.number()];
                    Some(if largest { head.max } else { head.min })
                }
                _ => None,
            };
            let mut place = range.start;
            while place < range.end {
                let end = range.end.min(place + 64);
                let mut reached = false;
                filter.each_in(place..end, |row| {
                    let value = value(scanner, number, row);
                    reached |= Some(value) == of_head;
                    take(value);
                });
                place = if reached { range.end } else { end };
            }
        }
        _ => each_top(scanner, region, |row| {
            if filter.get(row) {
                take(value(scanner, number, row));
            }
        }),
    }
    best
}

/// Adds `true` so many times, by doubling.
fn add_times(accumulator: &mut Accumulator, times: u64) {
    if times == 0 {
        return;
    }
    let mut power = accumulator.clone();
    power.add(Ok(Some(Value::Boolean(true))));
    let mut left = times;
    while left > 0 {
        if left & 1 == 1 {
            accumulator.merge(&power);
        }
        let same = power.clone();
        power.merge(&same);
        left >>= 1;
    }
}
