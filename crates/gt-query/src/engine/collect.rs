//! Matches, found block by block, become answers.
//!
//! Blocks are worked on side by side, so what a block finds is put aside as [`Found`] and taken in by one
//! [`Gathering`] for each query, in the order of the blocks. Numbers and node_ids are gathered as they are; for
//! anything else a match carries the values that the query's [`Collector`] will read.

use gt_log::Tree;

use super::matches::{BlockRows, Matches};
use super::node_set::Collecting;
use super::parallel::check;
use super::{Failure, Finding, Options};
use crate::answer::{Answer, Collector, Held};
use crate::evaluate::{Evaluated, Frame, RunError};
use crate::ir::{AggregateId, Arrangement, Expr, Operand, Outcome, Program};
use crate::value::Overflow;

/// What a query needs to know of its matches.
#[derive(Clone, Debug)]
pub(super) enum Wanted<'p> {
    /// How many there are.
    Number,
    /// Which they are.
    Nodes,
    /// The values of these operands and aggregates.
    Values(Vec<&'p Expr>),
}

/// The matches of one query in one block.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub(super) count: u64,
    /// Where nodes are wanted, the ids of those that were found by them, and the rows of others.
    pub(super) nodes: Vec<u64>,
    pub(super) rows: Option<BlockRows>,
    /// Where values are wanted.
    pub(super) values: Vec<(u64, Vec<Evaluated>)>,
    /// Where rows or groups are wanted that have been collected already.
    pub(super) collector: Option<Collector>,
    /// The first in the text that decided whether a node matches.
    pub(super) overflow: Option<Overflow>,
}

impl<'p> Wanted<'p> {
    pub(super) fn of(program: &'p Program, query: usize, count_only: bool) -> Self {
        match &program.queries[query].outcome {
            Outcome::Count => Self::Number,
            Outcome::Nodes(_) | Outcome::Rows { .. } if count_only => Self::Number,
            Outcome::Nodes(Arrangement { order, limit: None }) if order.is_empty() => Self::Nodes,
            outcome => {
                let mut leaves: Vec<&Expr> = Vec::new();
                for expr in outcome.per_match(program) {
                    expr.leaves(&mut |leaf| {
                        if !leaves.contains(&leaf) {
                            leaves.push(leaf);
                        }
                    });
                }
                Self::Values(leaves)
            }
        }
    }
}

impl Found {
    /// A match, at which `frame` stands.
    pub(super) fn add(&mut self, wanted: &Wanted<'_>, node_id: u64, frame: &dyn Frame) {
        self.count += 1;
        match wanted {
            Wanted::Number => {}
            Wanted::Nodes => self.nodes.push(node_id),
            Wanted::Values(leaves) => {
                let values = leaves.iter().map(|leaf| match leaf {
                    Expr::Read(operand) => frame.read(*operand),
                    Expr::Aggregate(id) => frame.aggregate(*id),
                    _ => Ok(None),
                });
                self.values.push((node_id, values.collect()));
            }
        }
    }

    /// An overflow decided whether a node matches.
    pub(super) fn fail(&mut self, overflow: Overflow) {
        self.overflow = Some(self.overflow.map_or(overflow, |before| before.min(overflow)));
    }
}

/// Takes in the matches of one query.
pub(super) struct Gathering<'p, 't> {
    program: &'p Program,
    query: usize,
    pub(super) wanted: Wanted<'p>,
    pub(super) count: u64,
    tree: Tree<'t>,
    /// By block.
    rows: Vec<BlockRows>,
    nodes: Collecting,
    collector: Collector,
}

impl<'p, 't> Gathering<'p, 't> {
    pub(super) fn new(program: &'p Program, tree: Tree<'t>, query: usize, count_only: bool) -> Self {
        let wanted = Wanted::of(program, query, count_only);
        let collector = Collector::new(program, query);
        let nodes = Collecting::new(tree.nodes());
        Self { program, query, wanted, count: 0, tree, rows: Vec::new(), nodes, collector }
    }

    /// Takes in the matches of a block.
    pub(super) fn take(&mut self, found: Found) {
        self.count += found.count;
        if let Some(overflow) = found.overflow {
            self.collector.fail(overflow);
        }
        if let Wanted::Values(leaves) = &self.wanted {
            for (node_id, values) in &found.values {
                self.collector.add(self.program, *node_id, &Recorded { leaves, values });
            }
        }
        if let Some(collector) = found.collector {
            self.collector.merge(self.program, collector);
        }
        self.nodes.add(&found.nodes);
        self.rows.extend(found.rows);
    }

    /// Takes in that all nodes of the tree match, or none.
    pub(super) fn take_all_or_none(&mut self, all: bool) {
        let (count, rows) = if all { (self.tree.nodes(), BlockRows::All) } else { (0, BlockRows::None) };
        self.count += count;
        if matches!(self.wanted, Wanted::Nodes) {
            self.rows = vec![rows; self.tree.block_count()];
        }
    }

    /// What it holds, and how many bytes that takes.
    pub(super) fn held(&self) -> Option<(Held, usize)> {
        self.collector.held()
    }

    /// What was found.
    ///
    /// # Errors
    /// Where the run was cancelled.
    pub(super) fn finish(self, options: &Options<'_>) -> Result<Result<Finding<'t>, RunError>, Failure> {
        let outcome = &self.program.queries[self.query].outcome;
        let answer = match self.collector.finish_unless(self.program, &mut || check(options.cancel))? {
            Ok(answer) => answer,
            Err(error) => return Ok(Err(error)),
        };
        Ok(Ok(match (self.wanted, outcome) {
            (Wanted::Values(_), _) => Finding::Answer(answer),
            (Wanted::Nodes, _) => {
                Finding::Matches(Matches::new(self.tree, self.count, self.rows, self.nodes.finish()))
            }
            (Wanted::Number, Outcome::Nodes(arrangement) | Outcome::Rows { arrangement, .. }) => {
                let most = arrangement.limit.map_or(u64::MAX, |limit| limit as u64);
                Finding::Answer(Answer::Count(self.count.min(most)))
            }
            (Wanted::Number, _) => Finding::Answer(Answer::Count(self.count)),
        }))
    }
}

/// A match whose values were put aside.
pub(super) struct Recorded<'a> {
    pub(super) leaves: &'a [&'a Expr],
    pub(super) values: &'a [Evaluated],
}

impl Recorded<'_> {
    fn of(&self, is_it: impl Fn(&Expr) -> bool) -> Evaluated {
        let place = self.leaves.iter().position(|leaf| is_it(leaf));
        place.map_or(Ok(None), |place| self.values[place].clone())
    }
}

impl Frame for Recorded<'_> {
    fn read(&self, operand: Operand) -> Evaluated {
        self.of(|leaf| matches!(leaf, Expr::Read(other) if *other == operand))
    }
    fn aggregate(&self, id: AggregateId) -> Evaluated {
        self.of(|leaf| matches!(leaf, Expr::Aggregate(other) if *other == id))
    }
}
