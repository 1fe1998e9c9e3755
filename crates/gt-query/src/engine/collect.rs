//! Collects the matches found block by block into answers.
//!
//! Blocks are processed in parallel, so the matches of a block are put aside as [`Found`] and taken by one
//! [`Gathering`] for each query, in the order of the blocks.

use gt_log::Tree;

use super::bits::{BlockRows, Collecting};
use super::matches::Matches;
use super::parallel::check;
use super::{Failure, Finding, Options};
use crate::answer::{Answer, AnswerRows, Collector, MemoryUse};
use crate::evaluate::{Frame, RunError};
use crate::ir::{Arrangement, Outcome, Program};
use crate::value::Overflow;

/// The information that a query needs about its matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MatchDetail {
    /// Their number.
    Number,
    /// Their node_ids.
    Nodes,
    /// The values to select, order or group by.
    Values,
}

/// The matches of one query in one block, or among crossing nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub(super) count: u64,
    /// If nodes are wanted: the ids of those found by id, and the rows of others.
    pub(super) nodes: Vec<u64>,
    pub(super) rows: Option<BlockRows>,
    /// Present if values are wanted.
    pub(super) collector: Option<Collector>,
    /// The overflow first in the text that decided whether a node matches.
    pub(super) overflow: Option<Overflow>,
}

impl MatchDetail {
    pub(super) fn of(program: &Program, query: usize, count_only: bool) -> Self {
        match &program.queries[query].outcome {
            Outcome::Count => Self::Number,
            Outcome::Nodes(_) | Outcome::Rows { .. } if count_only => Self::Number,
            Outcome::Nodes(Arrangement { order, limit: None }) if order.is_empty() => Self::Nodes,
            Outcome::Nodes(_) | Outcome::Rows { .. } | Outcome::Aggregate(_) | Outcome::Groups { .. } => {
                Self::Values
            }
        }
    }
}

impl Found {
    /// Adds the match of `frame`.
    pub(super) fn add(
        &mut self,
        program: &Program,
        query: usize,
        wanted: MatchDetail,
        node_id: u64,
        frame: &dyn Frame,
    ) {
        self.count += 1;
        match wanted {
            MatchDetail::Number => {}
            MatchDetail::Nodes => self.nodes.push(node_id),
            MatchDetail::Values => {
                let collector = self.collector.get_or_insert_with(|| Collector::new(program, query));
                collector.add(program, node_id, frame);
            }
        }
    }

    /// Records that an overflow decided whether a node matches.
    pub(super) fn fail(&mut self, overflow: Overflow, node_id: u64) {
        let overflow = overflow.at(node_id);
        self.overflow = Some(self.overflow.map_or(overflow, |before| before.min(overflow)));
    }
}

/// Gathers the matches of one query.
pub(super) struct Gathering<'p, 't> {
    program: &'p Program,
    query: usize,
    pub(super) wanted: MatchDetail,
    pub(super) count: u64,
    /// The number of rows passed on, if they were.
    pub(super) given: Option<u64>,
    tree: Tree<'t>,
    /// The rows by block.
    rows: Vec<BlockRows>,
    nodes: Collecting,
    collector: Collector,
}

impl<'p, 't> Gathering<'p, 't> {
    pub(super) fn new(program: &'p Program, tree: Tree<'t>, query: usize, options: &Options<'_>) -> Self {
        let wanted = MatchDetail::of(program, query, options.count_only);
        let mut collector = Collector::new(program, query);
        collector.use_threads(options.threads());
        let nodes = Collecting::new(tree.nodes());
        Self { program, query, wanted, count: 0, given: None, tree, rows: Vec::new(), nodes, collector }
    }

    /// Takes the matches of a block.
    pub(super) fn take(&mut self, found: Found) {
        self.count += found.count;
        if let Some(overflow) = found.overflow {
            self.collector.fail(overflow);
        }
        if let Some(collector) = found.collector {
            self.collector.merge(self.program, collector);
        }
        self.nodes.add(&found.nodes);
        self.rows.extend(found.rows);
    }

    /// Merges the groups that are waiting.
    pub(super) fn settle(&mut self) {
        self.collector.settle();
    }

    /// Records that all nodes of the tree match, or none.
    pub(super) fn take_all_or_none(&mut self, all: bool) {
        let (count, rows) = if all { (self.tree.nodes(), BlockRows::All) } else { (0, BlockRows::None) };
        self.count += count;
        if self.wanted == MatchDetail::Nodes {
            self.rows = vec![rows; self.tree.block_count()];
        }
    }

    /// Records that the next blocks in order have no match.
    pub(super) fn pass_over(&mut self, blocks: usize) {
        if self.wanted == MatchDetail::Nodes {
            self.rows.resize(self.rows.len() + blocks, BlockRows::None);
        }
    }

    /// Fails the query because of an overflow.
    pub(super) fn fail(&mut self, overflow: Overflow) {
        self.collector.fail(overflow);
    }

    /// The kind of memory that it holds, and its size in bytes.
    pub(super) fn held(&self) -> Option<(MemoryUse, usize)> {
        self.collector.held()
    }

    /// Passes on rows that had to be ordered first; returns their number, or `None` if an overflow leaves the query without an
    /// answer.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled, and the errors of `give`.
    pub(super) fn pass_on_rows(
        &mut self,
        options: &Options<'_>,
        give: &mut dyn FnMut(AnswerRows) -> Result<(), Failure>,
    ) -> Result<Option<u64>, Failure> {
        self.collector.pass_on_rows(self.program, &mut || check(options.cancel), give)
    }

    /// Returns what the matches contribute to an answer over more trees.
    pub(super) fn into_collector(self) -> Collector {
        let mut collector = self.collector;
        collector.count(self.count);
        collector
    }

    /// The result.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    pub(super) fn finish(self, options: &Options<'_>) -> Result<Result<Finding<'t>, RunError>, Failure> {
        let outcome = &self.program.queries[self.query].outcome;
        let answer = match self.collector.finish_unless(self.program, &mut || check(options.cancel))? {
            Ok(answer) => answer,
            Err(error) => return Ok(Err(error)),
        };
        Ok(Ok(match (self.wanted, outcome) {
            (MatchDetail::Values, _) => Finding::Answer(self.given.map_or(answer, Answer::Count)),
            (MatchDetail::Nodes, _) => {
                Finding::Matches(Matches::new(self.tree, self.count, self.rows, self.nodes.finish()))
            }
            (MatchDetail::Number, Outcome::Nodes(arrangement) | Outcome::Rows { arrangement, .. }) => {
                let most = arrangement.limit.map_or(u64::MAX, |limit| limit as u64);
                Finding::Answer(Answer::Count(self.count.min(most)))
            }
            (MatchDetail::Number, _) => Finding::Answer(Answer::Count(self.count)),
        }))
    }
}
