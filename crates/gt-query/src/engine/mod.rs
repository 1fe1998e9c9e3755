//! The engine: a program answered by a few scans of a log's blocks, side by side.
//!
//! ```text
//! Program ──plan──▶ passes ──▶ blocks, in parallel ──▶ step: the few nodes that cross blocks ──▶ next pass
//!                                └─▶ matches, in the order of blocks ──▶ answers
//! ```
//!
//! **Invariant:** an answer is the [`reference`](crate::reference)'s, whatever the block size and the number of
//! threads. Memory is that of a few blocks for each thread, of the nodes that cross blocks (about the depth for each
//! block), and of the answers; it does not grow with the tree.
//!
//! The engine opens no file and draws nothing: it is handed a [`Tree`].

mod collect;
mod columns;
mod explain;
mod frame;
mod inner;
mod parallel;
mod plan;
mod scan;
mod settle;
mod shape;
mod skeleton;
mod survey;

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use gt_log::Tree;

use crate::answer::Answer;
use crate::evaluate::RunError;
use crate::ir::Program;
use collect::{Gathering, Sink, Wanted};
use columns::{Columns, Tally};
pub use explain::explain;
use inner::{Passed, Work};
use plan::Plan;
use scan::{Buffers, Scan, ScanWork};
use settle::Settling;
use skeleton::Skeleton;

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// How many threads work; 0 for as many as there are processors.
    pub threads: usize,
    /// Collections and rows are only counted; the keys of their order are not computed.
    pub count_only: bool,
    /// Set it to stop: the run then ends with [`Failure::Cancelled`].
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { threads: 0, count_only: false, cancel: None }
    }
}

/// What a run gives.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// For each query its answer, or the overflow that left it without one.
    pub answers: Vec<Result<Answer, RunError>>,
    /// What the run took.
    pub stats: Stats,
}

/// What a run took.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// The nodes of the tree.
    pub nodes: u64,
    /// For each query how many nodes match.
    pub matches: Vec<u64>,
    /// The queries that were answered by scans of whole columns, by their places in the program; the others went
    /// node by node.
    pub queries_scanned: Vec<usize>,
    /// The blocks of the tree.
    pub blocks: u64,
    /// How often blocks were worked on, over all passes.
    pub blocks_read: u64,
    /// How often all that was needed of a block was in its head.
    pub blocks_skipped: u64,
    /// How many columns of blocks were decoded.
    pub columns_decoded: u64,
    /// The bytes that these take in the log.
    pub bytes_read: u64,
    /// Each part of the run, with the seconds that it took.
    pub seconds: Vec<(String, f64)>,
}

/// Why a run gave no answers at all.
#[derive(Debug)]
pub enum Failure {
    /// The log could not be read, or is damaged.
    Log(gt_log::Error),
    /// The run was cancelled.
    Cancelled,
    /// The program was bound to another schema: the tree has fewer attributes.
    OtherSchema,
}

impl From<gt_log::Error> for Failure {
    fn from(error: gt_log::Error) -> Self {
        Self::Log(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log(error) => error.fmt(f),
            Self::Cancelled => f.write_str("the query was stopped"),
            Self::OtherSchema => {
                f.write_str("the queries were bound to another log's attributes; bind them to this one's")
            }
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Log(error) => Some(error),
            _ => None,
        }
    }
}

/// Answers all queries of a program, which is bound to the tree's schema.
///
/// # Errors
/// Where the log is damaged or cannot be read, or the run was cancelled.
pub fn run(program: &Program, tree: Tree<'_>, options: &Options<'_>) -> Result<Outcome, Failure> {
    run_to(program, tree, options, None)
}

/// The same, but node_ids are not collected: `sink` is called with batches of them as they are found, with the
/// query's place in the program. The ids of a batch are ascending; batches come in the order of the blocks, which is
/// that of leaving, so a later one can hold smaller ids. The answers of such queries are then empty collections.
/// A query with `select`, `order by`, `limit` or `group by` is answered as by [`run`].
///
/// # Errors
/// As [`run`].
pub fn run_with(
    program: &Program,
    tree: Tree<'_>,
    options: &Options<'_>,
    sink: &mut dyn FnMut(usize, &[u64]),
) -> Result<Outcome, Failure> {
    run_to(program, tree, options, Some(sink))
}

fn run_to(
    program: &Program,
    tree: Tree<'_>,
    options: &Options<'_>,
    sink: Option<&mut Sink<'_>>,
) -> Result<Outcome, Failure> {
    check_schema(program, tree)?;
    let threads = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let gatherings: Vec<Gathering<'_>> =
        (0..program.queries.len()).map(|query| Gathering::new(program, query, options.count_only)).collect();
    let wanted = gatherings.iter().map(|gathering| gathering.wanted.clone()).collect();
    let stats = Stats { nodes: tree.nodes(), blocks: tree.block_count() as u64, ..Stats::default() };
    let mut run = Run { program, tree, options, threads, wanted, gatherings, sink, stats };
    run.all()?;
    run.stats.matches = run.gatherings.iter().map(|gathering| gathering.count).collect();
    let started = Instant::now();
    let answers = run.gatherings.into_iter().map(|gathering| gathering.finish(tree.nodes())).collect();
    run.stats.seconds.push(("answers".to_owned(), started.elapsed().as_secs_f64()));
    Ok(Outcome { answers, stats: run.stats })
}

fn check_schema(program: &Program, tree: Tree<'_>) -> Result<(), Failure> {
    let all: Vec<usize> = (0..program.queries.len()).collect();
    let attributes = tree.schema().attributes().len();
    if Plan::new(program, &all).attributes.iter().any(|&attribute| attribute >= attributes) {
        return Err(Failure::OtherSchema);
    }
    Ok(())
}

/// A run under way.
struct Run<'a, 's> {
    program: &'a Program,
    tree: Tree<'a>,
    options: &'a Options<'a>,
    threads: usize,
    /// By query.
    wanted: Vec<Wanted<'a>>,
    gatherings: Vec<Gathering<'a>>,
    sink: Option<&'a mut Sink<'s>>,
    stats: Stats,
}

impl Run<'_, '_> {
    fn all(&mut self) -> Result<(), Failure> {
        let scan = Scan::of(self.program, self.tree, &self.wanted);
        self.stats.queries_scanned = scan.queries.clone();
        if !scan.queries.is_empty() {
            self.scan(&scan)?;
        }
        let others: Vec<usize> =
            (0..self.program.queries.len()).filter(|query| !scan.queries.contains(query)).collect();
        if !others.is_empty() {
            self.node_by_node(&others)?;
        }
        Ok(())
    }

    /// Answers queries by scans of whole columns, in one pass.
    fn scan(&mut self, scan: &Scan) -> Result<(), Failure> {
        let started = Instant::now();
        let (program, tree) = (self.program, self.tree);
        let across: Vec<usize> = scan
            .queries
            .iter()
            .copied()
            .filter(|&query| !scan.settles_itself(query, &self.wanted[query]))
            .collect();
        let plan = Plan::new(program, &across);
        let mut skeleton = if scan.is_local { Skeleton::default() } else { Skeleton::of(tree) };
        if scan.survey_first {
            self.survey(&plan, false, &mut skeleton)?;
            Settling { program, plan: &plan, skeleton: &mut skeleton }.prepare();
            self.step(&plan, &across, &mut skeleton, 0);
        }
        let paths = if scan.survey_first { scan.paths(&plan, &skeleton) } else { Vec::new() };
        let mut left_behind = Vec::new();
        let wanted = std::mem::take(&mut self.wanted);
        {
            let work = ScanWork {
                program,
                plan: &plan,
                tree,
                scan,
                skeleton: &skeleton,
                paths: &paths,
                wanted: &wanted,
            };
            parallel::in_order(
                tree.block_count(),
                self.threads,
                self.options.cancel,
                Buffers::default,
                |buffers, block| work.block(buffers, block),
                |block, mut scanned| {
                    self.note(scanned.tally);
                    for (query, found) in std::mem::take(&mut scanned.found) {
                        self.gatherings[query].take(found, self.sink.as_deref_mut());
                    }
                    if scanned.surveyed.is_some() || !scanned.partials.is_empty() {
                        left_behind.push((block, scanned));
                    }
                    Ok(())
                },
            )?;
        }
        self.wanted = wanted;
        if !scan.survey_first {
            for (block, scanned) in &mut left_behind {
                if let Some(surveyed) = scanned.surveyed.take() {
                    skeleton.add(tree, *block, surveyed);
                }
            }
            Settling { program, plan: &plan, skeleton: &mut skeleton }.prepare();
            self.step(&plan, &across, &mut skeleton, 0);
        }
        let mut settling = Settling { program, plan: &plan, skeleton: &mut skeleton };
        for (_, scanned) in left_behind {
            settling.take(Passed { partials: scanned.partials, ..Passed::default() });
        }
        self.step(&plan, &across, &mut skeleton, 1);
        self.stats.seconds.push(("scan".to_owned(), started.elapsed().as_secs_f64()));
        Ok(())
    }

    /// Answers queries node by node, in as many passes as they need.
    fn node_by_node(&mut self, queries: &[usize]) -> Result<(), Failure> {
        let started = Instant::now();
        let plan = Plan::new(self.program, queries);
        let mut skeleton = Skeleton::of(self.tree);
        self.survey(&plan, true, &mut skeleton)?;
        Settling { program: self.program, plan: &plan, skeleton: &mut skeleton }.prepare();
        self.step(&plan, queries, &mut skeleton, 0);
        self.stats.seconds.push(("survey".to_owned(), started.elapsed().as_secs_f64()));
        for pass in &plan.passes {
            let started = Instant::now();
            self.pass(&plan, pass, &mut skeleton)?;
            self.step(&plan, queries, &mut skeleton, pass.number);
            self.stats.seconds.push((format!("pass {}", pass.number), started.elapsed().as_secs_f64()));
        }
        Ok(())
    }

    fn survey(&mut self, plan: &Plan, edges: bool, skeleton: &mut Skeleton) -> Result<(), Failure> {
        let (tree, blocks) = (self.tree, skeleton.blocks.len());
        let mut surveyed = Vec::with_capacity(blocks);
        let (joints, block_joints) = (&skeleton.joints, &skeleton.blocks);
        parallel::in_order(
            blocks,
            self.threads,
            self.options.cancel,
            || (),
            |(), block| survey::survey(tree, block, joints, &block_joints[block], plan, edges),
            |_, found| {
                surveyed.push(found);
                Ok(())
            },
        )?;
        for (block, found) in surveyed.into_iter().enumerate() {
            self.note(found.tally);
            skeleton.add(tree, block, found);
        }
        Ok(())
    }

    fn pass(&mut self, plan: &Plan, pass: &plan::Pass, skeleton: &mut Skeleton) -> Result<(), Failure> {
        let (program, tree) = (self.program, self.tree);
        let wanted = std::mem::take(&mut self.wanted);
        let mut all_passed = Vec::new();
        {
            let work = Work { program, tree, plan, pass, skeleton, wanted: &wanted };
            parallel::in_order(
                skeleton.blocks.len(),
                self.threads,
                self.options.cancel,
                || (),
                |(), block| work.block(&mut Columns::new(tree, block), block),
                |_, mut passed| {
                    self.note(passed.tally);
                    for (query, found) in std::mem::take(&mut passed.found) {
                        self.gatherings[query].take(found, self.sink.as_deref_mut());
                    }
                    all_passed.push(passed);
                    Ok(())
                },
            )?;
        }
        self.wanted = wanted;
        let mut settling = Settling { program, plan, skeleton };
        all_passed.into_iter().for_each(|passed| settling.take(passed));
        Ok(())
    }

    /// Computes what is known of crossing nodes after a pass, and finds the matches among them.
    fn step(&mut self, plan: &Plan, queries: &[usize], skeleton: &mut Skeleton, number: u32) {
        let mut settling = Settling { program: self.program, plan, skeleton };
        settling.step(number);
        for &query in queries {
            if plan.queries[query].crossing == number {
                let gathering = &mut self.gatherings[query];
                let found = settling.find(query, &gathering.wanted);
                gathering.take(found, self.sink.as_deref_mut());
            }
        }
    }

    fn note(&mut self, tally: Tally) {
        if tally.columns_decoded == 0 {
            self.stats.blocks_skipped += 1;
        } else {
            self.stats.blocks_read += 1;
        }
        self.stats.columns_decoded += tally.columns_decoded;
        self.stats.bytes_read += tally.bytes;
    }
}
