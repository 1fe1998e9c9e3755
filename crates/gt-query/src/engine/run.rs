//! A run: the scans, the passes and the steps between them, one after the other.

use std::time::Instant;

use gt_log::{Scratch, Tree};

use super::collect::{Found, Gathering, Sink, Wanted};
use super::columns::{Columns, Tally};
use super::inner::{Passed, Work};
use super::parallel;
use super::plan::{Pass, Plan};
use super::scan::{Buffers, Scan, ScanWork};
use super::settle::Settling;
use super::skeleton::Skeleton;
use super::survey;
use super::{Failure, Options, Outcome, Stats};
use crate::ir::Program;

/// Answers a program; see [`super::run`].
pub(super) fn run(
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
    let answers = run.gatherings.into_iter().map(|gathering| gathering.finish(threads)).collect();
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
        let others: Vec<usize> = (0..self.program.queries.len())
            .filter(|query| scan.queries.binary_search(query).is_err())
            .collect();
        if !others.is_empty() {
            self.node_by_node(&others)?;
        }
        Ok(())
    }

    /// Answers queries by scans of whole columns, in one pass.
    fn scan(&mut self, scan: &Scan) -> Result<(), Failure> {
        let started = Instant::now();
        let (program, tree) = (self.program, self.tree);
        if let Some(decided) = scan.decided() {
            for (query, all) in decided {
                let count = if all { tree.nodes() } else { 0 };
                self.gatherings[query].take(Found { count, ..Found::default() }, None);
            }
            self.stats.blocks_skipped += tree.block_count() as u64;
            return Ok(());
        }
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
            Scratch::default,
            |scratch, block| survey::survey(tree, block, joints, &block_joints[block], plan, edges, scratch),
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

    fn pass(&mut self, plan: &Plan, pass: &Pass, skeleton: &mut Skeleton) -> Result<(), Failure> {
        let (program, tree) = (self.program, self.tree);
        let wanted = std::mem::take(&mut self.wanted);
        let mut all_passed = Vec::new();
        {
            let work = Work { program, tree, plan, pass, skeleton, wanted: &wanted };
            parallel::in_order(
                skeleton.blocks.len(),
                self.threads,
                self.options.cancel,
                Scratch::default,
                |scratch, block| {
                    let mut columns = Columns::new(tree, block, std::mem::take(scratch));
                    let passed = work.block(&mut columns, block)?;
                    *scratch = columns.into_scratch();
                    Ok(passed)
                },
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
