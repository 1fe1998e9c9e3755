//! A run: the scans, the passes and the steps between them, one after the other.

use std::time::Instant;

use gt_log::{Scratch, Tree};

use super::collect::{Found, Gathering, Wanted};
use super::columns::{Columns, Tally};
use super::details::Details;
use super::inner::Work;
use super::parallel;
use super::plan::{Pass, Plan};
use super::scan::{Buffers, Scan, ScanWork};
use super::settle::Settling;
use super::skeleton::Skeleton;
use super::survey;
use super::{Failure, Findings, Options, Stats};
use crate::ir::Program;
use crate::stream::Progress;

/// Finds what a program asks for; see [`super::find`].
pub(super) fn find<'t>(
    program: &Program,
    tree: Tree<'t>,
    options: &Options<'_>,
) -> Result<Findings<'t>, Failure> {
    check_schema(program, tree)?;
    let gatherings: Vec<Gathering<'_, 't>> = (0..program.queries.len())
        .map(|query| Gathering::new(program, tree, query, options.count_only))
        .collect();
    let wanted = gatherings.iter().map(|gathering| gathering.wanted.clone()).collect();
    let stats = Stats { nodes: tree.nodes(), blocks: tree.block_count() as u64, ..Stats::default() };
    let mut run =
        Run { program, tree, options, threads: options.threads(), wanted, gatherings, stats, blocks: 0 };
    run.all()?;
    run.check_memory()?;
    run.stats.matches = run.gatherings.iter().map(|gathering| gathering.count).collect();
    let started = Instant::now();
    let finished = run.gatherings.into_iter().map(|gathering| gathering.finish(options));
    let found = finished.collect::<Result<_, Failure>>()?;
    run.stats.seconds.push(("answers".to_owned(), started.elapsed().as_secs_f64()));
    Ok(Findings { found, stats: run.stats })
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
struct Run<'p, 't, 'o> {
    program: &'p Program,
    tree: Tree<'t>,
    options: &'o Options<'o>,
    threads: usize,
    /// By query.
    wanted: Vec<Wanted<'p>>,
    gatherings: Vec<Gathering<'p, 't>>,
    stats: Stats,
    /// The blocks to work on, over all passes.
    blocks: u64,
}

impl Run<'_, '_, '_> {
    fn all(&mut self) -> Result<(), Failure> {
        let scan = Scan::of(self.program, self.tree, &self.wanted);
        self.stats.queries_scanned = scan.queries.clone();
        let others: Vec<usize> = (0..self.program.queries.len())
            .filter(|query| scan.queries.binary_search(query).is_err())
            .collect();
        let scans = if scan.queries.is_empty() { 0 } else { 1 + usize::from(scan.survey_first) };
        let passes = if others.is_empty() { 0 } else { 1 + Plan::new(self.program, &others).passes.len() };
        self.blocks = self.tree.block_count() as u64 * (scans + passes) as u64;
        if !scan.queries.is_empty() {
            self.scan(&scan)?;
        }
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
            decided.into_iter().for_each(|(query, all)| self.gatherings[query].take_all_or_none(all));
            self.stats.blocks_skipped += tree.block_count() as u64;
            return Ok(());
        }
        let across: Vec<usize> =
            scan.queries.iter().copied().filter(|&query| !scan.settles_itself(query)).collect();
        let plan = Plan::new(program, &across);
        let skeleton = if scan.is_local { Skeleton::default() } else { Skeleton::of(tree)? };
        let mut settling = Settling::new(program, &plan, &skeleton, self.options.cancel);
        if scan.survey_first {
            self.survey(&mut settling, false)?;
            settling.prepare()?;
            self.step(&mut settling, &across, 0)?;
        }
        let closes_at_once = !scan.survey_first && settling.closes_at_once();
        self.scan_blocks(scan, &mut settling, closes_at_once.then_some(&across[..]))?;
        if !scan.survey_first && !closes_at_once {
            settling.prepare()?;
            self.step(&mut settling, &across, 0)?;
        }
        if !closes_at_once {
            self.step(&mut settling, &across, 1)?;
        }
        self.stats.seconds.push(("scan".to_owned(), started.elapsed().as_secs_f64()));
        Ok(())
    }

    /// The pass of a scan. Where it is said for which queries, crossing nodes are closed on the way.
    fn scan_blocks(
        &mut self,
        scan: &Scan,
        settling: &mut Settling<'_>,
        closed_for: Option<&[usize]>,
    ) -> Result<(), Failure> {
        let (program, tree, plan, skeleton) = (self.program, self.tree, settling.plan, settling.skeleton);
        let paths = if scan.survey_first { scan.paths(settling) } else { Vec::new() };
        let wanted = std::mem::take(&mut self.wanted);
        let mut partials = Vec::new();
        {
            let nothing = Details::default();
            // Where blocks do not read crossing nodes, these are looked at while blocks are read.
            let (details, mut met) = match scan.survey_first {
                true => (&settling.details, None),
                false => (&nothing, Some(&mut *settling)),
            };
            let (paths, wanted) = (&paths[..], &wanted[..]);
            let work = ScanWork { program, plan, tree, scan, skeleton, details, paths, wanted };
            parallel::in_order(
                tree.block_count(),
                self.threads,
                self.options.cancel,
                Buffers::default,
                |buffers, block| work.block(buffers, block),
                |block, scanned| {
                    self.note(scanned.tally)?;
                    for (query, found) in scanned.found {
                        self.gatherings[query].take(found);
                    }
                    let (Some(settling), Some(surveyed)) = (&mut met, scanned.surveyed) else {
                        partials.push(scanned.partials);
                        return Ok(());
                    };
                    settling.details.add(skeleton, block, tree.block(block).first_row, surveyed);
                    settling.take_partials(scanned.partials);
                    if let Some(queries) = closed_for {
                        self.close(settling, queries, block);
                    }
                    Ok(())
                },
            )?;
        }
        self.wanted = wanted;
        partials.into_iter().for_each(|partials| settling.take_partials(partials));
        Ok(())
    }

    /// Answers queries node by node, in as many passes as they need.
    fn node_by_node(&mut self, queries: &[usize]) -> Result<(), Failure> {
        let started = Instant::now();
        let (program, tree) = (self.program, self.tree);
        let plan = Plan::new(program, queries);
        let skeleton = Skeleton::of(tree)?;
        let mut settling = Settling::new(program, &plan, &skeleton, self.options.cancel);
        self.survey(&mut settling, true)?;
        settling.prepare()?;
        self.step(&mut settling, queries, 0)?;
        self.stats.seconds.push(("survey".to_owned(), started.elapsed().as_secs_f64()));
        for pass in &plan.passes {
            let started = Instant::now();
            self.pass(&mut settling, pass)?;
            self.step(&mut settling, queries, pass.number)?;
            self.stats.seconds.push((format!("pass {}", pass.number), started.elapsed().as_secs_f64()));
        }
        Ok(())
    }

    fn survey(&mut self, settling: &mut Settling<'_>, edges: bool) -> Result<(), Failure> {
        let (tree, skeleton, plan) = (self.tree, settling.skeleton, settling.plan);
        parallel::in_order(
            tree.block_count(),
            self.threads,
            self.options.cancel,
            Scratch::default,
            |scratch, block| survey::survey(tree, block, skeleton, plan, edges, scratch),
            |block, found| {
                self.note(found.tally)?;
                settling.details.add(skeleton, block, tree.block(block).first_row, found);
                Ok(())
            },
        )
    }

    fn pass(&mut self, settling: &mut Settling<'_>, pass: &Pass) -> Result<(), Failure> {
        let (program, tree) = (self.program, self.tree);
        let wanted = std::mem::take(&mut self.wanted);
        let mut all_passed = Vec::new();
        {
            let (plan, skeleton, details) = (settling.plan, settling.skeleton, &settling.details);
            let work = Work { program, tree, plan, pass, skeleton, details, wanted: &wanted };
            parallel::in_order(
                tree.block_count(),
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
                    self.note(passed.tally)?;
                    for (query, found) in std::mem::take(&mut passed.found) {
                        self.gatherings[query].take(found);
                    }
                    all_passed.push(passed);
                    Ok(())
                },
            )?;
        }
        self.wanted = wanted;
        all_passed.into_iter().for_each(|passed| settling.take(passed));
        Ok(())
    }

    /// Computes what is known of crossing nodes after a pass, and finds the matches among them.
    fn step(&mut self, settling: &mut Settling<'_>, queries: &[usize], number: u32) -> Result<(), Failure> {
        settling.step(number)?;
        for &query in queries {
            if settling.plan.queries[query].crossing == number {
                let gathering = &mut self.gatherings[query];
                let found = settling.find(query, &gathering.wanted)?;
                gathering.take(found);
            }
        }
        Ok(())
    }

    /// Closes the crossing nodes whose rows are in a block, and finds the matches among them.
    fn close(&mut self, settling: &mut Settling<'_>, queries: &[usize], block: usize) {
        let mut found: Vec<Found> = queries.iter().map(|_| Found::default()).collect();
        settling.close(block, |settling, joint| {
            for (&query, found) in queries.iter().zip(&mut found) {
                settling.try_joint(query, &self.gatherings[query].wanted, joint, found);
            }
        });
        for (&query, found) in queries.iter().zip(found) {
            self.gatherings[query].take(found);
        }
    }

    /// Counts a block that is done, tells how far the run has come, and looks at what the answers take.
    fn note(&mut self, tally: Tally) -> Result<(), Failure> {
        if tally.columns_decoded == 0 {
            self.stats.blocks_skipped += 1;
        } else {
            self.stats.blocks_read += 1;
        }
        self.stats.columns_decoded += tally.columns_decoded;
        self.stats.bytes_read += tally.bytes;
        if let Some(tell) = self.options.progress {
            let blocks_done = self.stats.blocks_read + self.stats.blocks_skipped;
            tell(Progress { blocks_done, blocks: self.blocks.max(blocks_done) });
        }
        self.check_memory()
    }

    fn check_memory(&self) -> Result<(), Failure> {
        let held = || self.gatherings.iter().filter_map(Gathering::held);
        let bytes = held().map(|(_, bytes)| bytes).sum();
        match held().max_by_key(|(_, bytes)| *bytes) {
            Some((what, _)) if bytes > self.options.memory => Err(Failure::TooLarge { what, bytes }),
            _ => Ok(()),
        }
    }
}
