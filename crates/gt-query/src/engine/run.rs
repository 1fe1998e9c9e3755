//! Running a program: a survey if needed, passes over the blocks, and a step after each.

pub(super) mod first;

use std::ops::Range;
use std::time::Instant;

use gt_log::{Scratch, Tree};

use super::collect::{Found, Gathering, MatchDetail};
use super::columns::Tally;
use super::crossing::{Details, Settling, Skeleton, survey};
use super::parallel::{self, Workers};
use super::plan::{Pass, Plan};
use super::scan::{Buffers, Elsewhere, Scan, ScanWork};
use super::sink::is_streamed;
use super::streams::Streams;
use super::{Failure, Findings, Options, Stats};
use crate::answer::MemoryUse;
use crate::ir::{Expr, Field, Program};
use crate::stream::Progress;

/// Finds the results of all queries of a program.
///
/// # Errors
/// Returns the errors of [`super::find`].
pub(super) fn find<'t>(
    program: &Program,
    tree: Tree<'t>,
    options: &Options<'_>,
    streams: Option<Streams<'_>>,
) -> Result<Findings<'t>, Failure> {
    let (gatherings, mut stats) = gather(program, tree, options, streams)?;
    stats.matches = gatherings.iter().map(|gathering| gathering.count).collect();
    let started = Instant::now();
    let found =
        gatherings.into_iter().map(|gathering| gathering.finish(options)).collect::<Result<_, _>>()?;
    stats.seconds.push(("answers".to_owned(), started.elapsed().as_secs_f64()));
    Ok(Findings { found, stats })
}

/// Gathers the matches of all queries of a program.
///
/// # Errors
/// Returns the errors of [`super::find`].
pub(super) fn gather<'p, 't>(
    program: &'p Program,
    tree: Tree<'t>,
    options: &Options<'_>,
    streams: Option<Streams<'_>>,
) -> Result<(Vec<Gathering<'p, 't>>, Stats), Failure> {
    check_schema(program, tree)?;
    let gatherings: Vec<Gathering<'_, 't>> =
        (0..program.queries.len()).map(|query| Gathering::new(program, tree, query, options)).collect();
    let wanted: Vec<MatchDetail> = gatherings.iter().map(|gathering| gathering.wanted).collect();
    let stats = Stats { nodes: tree.nodes(), blocks: tree.block_count() as u64, ..Stats::default() };
    let mut run = Run { program, tree, options, wanted, gatherings, streams, stats, blocks: 0 };
    run.answer()?;
    run.streams.as_mut().map_or(Ok(()), Streams::finish)?;
    run.check_memory()?;
    let (mut gatherings, stats, streams) = (run.gatherings, run.stats, run.streams);
    if let Some(mut streams) = streams {
        for (query, gathering) in gatherings.iter_mut().enumerate() {
            gathering.given = match streams.given(query) {
                None if is_streamed(&program.queries[query].outcome) => {
                    gathering.pass_on_rows(options, &mut |rows| streams.give_ordered(query, rows))?
                }
                given => given,
            };
            streams.overflow(query).into_iter().for_each(|overflow| gathering.fail(overflow));
        }
    }
    Ok((gatherings, stats))
}

/// Rejects a program that was bound to more attributes than there are.
fn check_schema(program: &Program, tree: Tree<'_>) -> Result<(), Failure> {
    let attributes = tree.schema().attributes().len();
    let mut fits = true;
    for expr in program.each() {
        expr.leaves(&mut |leaf| {
            if let Expr::Read(operand) = leaf
                && let Field::Attribute(attribute) = operand.field
            {
                fits &= attribute < attributes;
            }
        });
    }
    if fits { Ok(()) } else { Err(Failure::OtherSchema) }
}

struct Run<'p, 't, 'o, 's> {
    program: &'p Program,
    tree: Tree<'t>,
    options: &'o Options<'o>,
    wanted: Vec<MatchDetail>,
    gatherings: Vec<Gathering<'p, 't>>,
    streams: Option<Streams<'s>>,
    stats: Stats,
    /// The number of blocks to process, over all passes.
    blocks: u64,
}

impl Run<'_, '_, '_, '_> {
    fn answer(&mut self) -> Result<(), Failure> {
        if self.answer_from_first_blocks()? {
            return Ok(());
        }
        let started = Instant::now();
        let (program, tree) = (self.program, self.tree);
        let all: Vec<usize> = (0..program.queries.len()).collect();
        let streamed = self.streams.as_ref().map_or_else(Vec::new, Streams::queries);
        let chosen = self.options.within;
        let plan = Plan::new(program, &all, &streamed);
        let mut scan = Scan::of(program, tree, &plan, &self.wanted, chosen.is_some());
        let part = self.part(scan.is_local);
        if part.is_empty() {
            self.gatherings.iter_mut().for_each(|gathering| gathering.take_all_or_none(false));
            return Ok(());
        }
        if let Some(decided) = scan.decided().filter(|_| part.len() == tree.block_count()) {
            decided
                .into_iter()
                .enumerate()
                .for_each(|(query, all)| self.gatherings[query].take_all_or_none(all));
            self.stats.blocks_skipped += tree.block_count() as u64;
            return Ok(());
        }
        // Queries that a row answers alone need nothing from crossing nodes.
        let (alone, across): (Vec<usize>, Vec<usize>) =
            all.into_iter().partition(|&query| scan.settles_itself(query));
        let mut plan = Plan::new(program, &across, &streamed);
        plan.passes[0].queries.extend(alone);
        scan.share_keys(program, &plan);
        let bytes = scan.twin_bytes().saturating_mul(usize::try_from(tree.nodes()).unwrap_or(usize::MAX));
        if bytes > self.options.memory {
            return Err(Failure::TooLarge { what: MemoryUse::Twins, bytes });
        }
        let skeleton = if scan.is_local { Skeleton::default() } else { Skeleton::of(tree)? };
        let mut settling = Settling::new(program, &plan, &skeleton, scan.twin_columns(), self.options);
        let rounds = plan.passes.len() + usize::from(plan.survey_first);
        self.blocks = self.blocks_done() + (tree.block_count() * rounds) as u64;
        if plan.survey_first && !scan.is_local {
            self.survey(&mut settling, &(0..tree.block_count()).collect::<Vec<_>>())?;
            self.step(&mut settling, &across, 0)?;
            self.stats.seconds.push(("survey".to_owned(), started.elapsed().as_secs_f64()));
        }
        for pass in &plan.passes {
            let started = Instant::now();
            self.pass(&scan, &mut settling, pass, (&across, &part))?;
            if plan.survey && !scan.is_local {
                let steps = if plan.surveys_in(pass) { 0..=1 } else { pass.number..=pass.number };
                steps.into_iter().try_for_each(|number| self.step(&mut settling, &across, number))?;
            }
            self.stats.seconds.push((format!("pass {}", pass.number), started.elapsed().as_secs_f64()));
        }
        Ok(())
    }

    /// The range of blocks to process. If no block alone can answer the program, the part with block 0 takes all of
    /// them.
    fn part(&self, is_local: bool) -> Range<usize> {
        let count = self.tree.block_count();
        match self.options.blocks {
            None => 0..count,
            Some((start, end)) if is_local => start.min(count)..end.min(count),
            Some((0, end)) if end > 0 => 0..count,
            Some(_) => 0..0,
        }
    }

    /// Does one pass over the blocks. If nothing is kept for another pass, crossing nodes are closed on the way.
    fn pass(
        &mut self,
        scan: &Scan,
        settling: &mut Settling<'_>,
        pass: &Pass,
        (across, part): (&[usize], &Range<usize>),
    ) -> Result<(), Failure> {
        let (program, tree, plan, skeleton) = (self.program, self.tree, settling.plan, settling.skeleton);
        let wanted = std::mem::take(&mut self.wanted);
        let streams_rows = self.streams.as_ref().is_some_and(|streams| !streams.queries().is_empty());
        let workers = Workers { results_are_large: streams_rows, ..self.options.workers() };
        let mut all_settled = Vec::new();
        self.gatherings.iter_mut().for_each(|gathering| gathering.pass_over(part.start));
        let details = {
            let nothing = Details::default();
            let elsewhere = Elsewhere {
                plan,
                details: if plan.survey { &settling.details } else { &nothing },
                told: if plan.survey { &settling.told } else { &[] },
                twins: if plan.survey { &settling.twins } else { &[] },
                twin_results: if plan.survey { settling.twin_results() } else { &[] },
                chosen: self.options.within,
            };
            let work = ScanWork { program, plan, pass, tree, scan, skeleton, elsewhere, wanted: &wanted };
            // Where a survey has met all joints already, none are met on the way.
            let mut met = settling.met_on_the_way(!plan.survey || plan.surveys_in(pass));
            parallel::in_order(
                part.len(),
                workers,
                Buffers::default,
                |buffers, place| work.block(buffers, part.start + place),
                |place, scanned| {
                    let block = part.start + place;
                    self.note(scanned.tally)?;
                    for (query, found) in scanned.found {
                        self.take(query, found, false)?;
                    }
                    if let Some(surveyed) = scanned.surveyed {
                        met.details.add(skeleton, block, tree.block(block).first_row, surveyed);
                    }
                    if scan.is_local {
                        return Ok(());
                    }
                    if plan.survey {
                        all_settled.extend(Some(scanned.settled).filter(|settled| !settled.is_empty()));
                        return Ok(());
                    }
                    met.take(scanned.settled);
                    self.close(&mut met, across, block)
                },
            )?;
            met.details
        };
        if plan.survey && plan.surveys_in(pass) && !scan.is_local {
            settling.details = details;
        }
        self.gatherings.iter_mut().for_each(|gathering| gathering.pass_over(tree.block_count() - part.end));
        self.wanted = wanted;
        all_settled.into_iter().for_each(|settled| settling.take(settled));
        Ok(())
    }

    /// Surveys some blocks, which are in order.
    fn survey(&mut self, settling: &mut Settling<'_>, blocks: &[usize]) -> Result<(), Failure> {
        let (tree, skeleton, plan) = (self.tree, settling.skeleton, settling.plan);
        parallel::in_order(
            blocks.len(),
            self.options.workers(),
            Scratch::default,
            |scratch, place| survey(tree, blocks[place], skeleton, plan, scratch),
            |place, found| {
                let block = blocks[place];
                self.note(found.tally)?;
                settling.details.add(skeleton, block, tree.block(block).first_row, found);
                Ok(())
            },
        )?;
        settling.details.link_children();
        Ok(())
    }

    /// Computes the values of crossing nodes after a pass, and finds the matches among them.
    fn step(&mut self, settling: &mut Settling<'_>, queries: &[usize], number: u32) -> Result<(), Failure> {
        settling.step(number)?;
        for &query in queries {
            if settling.plan.queries[query].crossing == number {
                let joints = 0..settling.skeleton.joints.len();
                let found = settling.find(query, self.gatherings[query].wanted, joints)?;
                self.take(query, found, true)?;
            }
        }
        Ok(())
    }

    /// Closes the crossing nodes whose rows are in a block, and finds the matches among them.
    fn close(&mut self, settling: &mut Settling<'_>, queries: &[usize], block: usize) -> Result<(), Failure> {
        let mut found: Vec<Found> = queries.iter().map(|_| Found::default()).collect();
        settling.close(block, |settling, joint| {
            for (&query, found) in queries.iter().zip(&mut found) {
                settling.try_joint(query, self.gatherings[query].wanted, joint, found);
            }
        });
        queries.iter().zip(found).try_for_each(|(&query, found)| self.take(query, found, true))
    }

    /// Takes matches of crossing nodes or of a block: passes on their rows, or gathers them.
    fn take(&mut self, query: usize, mut found: Found, is_crossing: bool) -> Result<(), Failure> {
        if let Some(streams) = &mut self.streams {
            streams.take(query, &mut found, is_crossing)?;
        }
        self.gatherings[query].take(found);
        Ok(())
    }

    /// Counts a processed block, reports the progress, and checks the memory of the answers.
    fn note(&mut self, tally: Tally) -> Result<(), Failure> {
        if tally.columns_decoded == 0 {
            self.stats.blocks_skipped += 1;
        } else {
            self.stats.blocks_read += 1;
        }
        self.stats.columns_decoded += tally.columns_decoded;
        self.stats.bytes_read += tally.bytes;
        if let Some(tell) = self.options.progress {
            let blocks_done = self.blocks_done();
            tell(Progress { blocks_done, blocks: self.blocks.max(blocks_done) });
        }
        self.check_memory()
    }

    /// The number of blocks processed so far, over all passes.
    fn blocks_done(&self) -> u64 {
        self.stats.blocks_read + self.stats.blocks_skipped
    }

    fn check_memory(&mut self) -> Result<(), Failure> {
        let bytes = |gatherings: &[Gathering<'_, '_>]| -> usize {
            gatherings.iter().filter_map(Gathering::held).map(|(_, bytes)| bytes).sum()
        };
        if bytes(&self.gatherings) > self.options.memory {
            self.gatherings.iter_mut().for_each(Gathering::settle);
        }
        let held = || self.gatherings.iter().filter_map(Gathering::held);
        let bytes = bytes(&self.gatherings);
        match held().max_by_key(|(_, bytes)| *bytes) {
            Some((what, _)) if bytes > self.options.memory => Err(Failure::TooLarge { what, bytes }),
            _ => Ok(()),
        }
    }
}
