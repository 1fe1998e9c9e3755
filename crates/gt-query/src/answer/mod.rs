//! Matches in, answers out: counting, collecting, grouping, ordering.
//!
//! Every evaluator finds the matches in its own way and passes them to a [`Collector`], in any order. An overflow in
//! an `order by` or `group by` key, or in an aggregated value, is an error of the query; one in a cell of `select`
//! only if the row is shown.

mod form;
mod groups;
mod keys;
mod ordered;
mod partial;
mod rows;
mod shares;

use std::convert::Infallible;

use crate::accumulator::Accumulator;
use crate::evaluate::{Evaluated, Frame, RunError};
use crate::ir::{AggregateId, Arrangement, Outcome, Program};
use crate::value::{Overflow, Value};
pub use form::{Answer, MemoryUse};
use groups::grouped;
pub(crate) use keys::Keys;
pub use partial::{OtherForm, Partial, Unjoinable};
pub(crate) use rows::AnswerRows;
use rows::Rows;
pub(crate) use shares::GroupList;
use shares::Groups;

/// Collects the matches of one query and makes its answer.
#[derive(Clone, Debug)]
pub struct Collector {
    /// The query's index in the program.
    index: usize,
    state: State,
    overflow: Option<Overflow>,
}

#[derive(Clone, Debug)]
enum State {
    Count(u64),
    Aggregate(AggregateId, Accumulator),
    Nodes(Vec<u64>),
    Rows(Rows),
    Groups { aggregates: Vec<AggregateId>, groups: Groups },
}

impl Collector {
    /// Makes a collector for the query at this index in the program.
    #[must_use]
    pub fn new(program: &Program, index: usize) -> Self {
        let query = &program.queries[index];
        let state = match &query.outcome {
            Outcome::Count => State::Count(0),
            Outcome::Aggregate(id) => State::Aggregate(*id, Accumulator::new(&program.aggregates[id.0])),
            Outcome::Nodes(Arrangement { order, limit: None }) if order.is_empty() => {
                State::Nodes(Vec::new())
            }
            outcome @ (Outcome::Nodes(_) | Outcome::Rows { .. }) => State::Rows(Rows::new(outcome)),
            outcome @ Outcome::Groups { .. } => {
                State::Groups { aggregates: outcome.aggregates(), groups: Groups::default() }
            }
        };
        Self { index, state, overflow: None }
    }

    /// Takes the match of `frame`.
    pub fn add(&mut self, program: &Program, node_id: u64, frame: &dyn Frame) {
        let outcome = &program.queries[self.index].outcome;
        let added = match &mut self.state {
            State::Count(count) => {
                *count += 1;
                Ok(())
            }
            State::Nodes(nodes) => {
                nodes.push(node_id);
                Ok(())
            }
            State::Aggregate(id, accumulator) => {
                accumulator.take_match(&program.aggregates[id.0], node_id, frame);
                Ok(())
            }
            State::Rows(rows) => rows.add(outcome, node_id, frame),
            State::Groups { aggregates, groups } => {
                groups.add(aggregates, program, outcome, (node_id, frame))
            }
        };
        if let Err(overflow) = added {
            self.fail(overflow.at(node_id));
        }
    }

    /// Takes a match with its order keys and its cells.
    pub(crate) fn add_row(
        &mut self,
        program: &Program,
        node_id: u64,
        keys: impl Iterator<Item = Option<Value>>,
        cells: impl Iterator<Item = Evaluated>,
    ) {
        if let State::Rows(rows) = &mut self.state {
            rows.add_row(&program.queries[self.index].outcome, node_id, keys, cells);
        }
    }

    /// Removes and returns the rows so far, in the order of node_id.
    pub(crate) fn drain_rows(&mut self) -> Vec<(u64, Vec<Evaluated>)> {
        if let State::Rows(rows) = &mut self.state { rows.drain() } else { Vec::new() }
    }

    /// Passes ordered rows on, a few thousand at a time, and forgets them; returns their number, or `None` if an
    /// overflow leaves the query without an answer.
    ///
    /// # Errors
    /// Returns the errors of `check` and `give`.
    pub(crate) fn pass_on_rows<E>(
        &mut self,
        program: &Program,
        check: &mut dyn FnMut() -> Result<(), E>,
        give: &mut dyn FnMut(AnswerRows) -> Result<(), E>,
    ) -> Result<Option<u64>, E> {
        let State::Rows(rows) = &mut self.state else { return Ok(None) };
        if self.overflow.is_some() {
            return Ok(None);
        }
        match rows.pass_on(&program.queries[self.index].outcome, check, give)? {
            Ok(count) => Ok(Some(count)),
            Err(overflow) => {
                self.fail(overflow);
                Ok(None)
            }
        }
    }

    /// Returns the aggregates over the matches of a group, in the order in which groups hold them.
    #[must_use]
    pub fn aggregates(&self) -> &[AggregateId] {
        match &self.state {
            State::Aggregate(id, _) => std::slice::from_ref(id),
            State::Groups { aggregates, .. } => aggregates,
            _ => &[],
        }
    }

    /// Takes matches that are already in groups.
    pub(crate) fn add_groups(&mut self, list: GroupList) {
        match &mut self.state {
            State::Aggregate(_, accumulator) => {
                list.into_accumulators().for_each(|more| accumulator.merge(&more));
            }
            State::Groups { groups, .. } => groups.add_list(list),
            // Queries in these states make no groups.
            State::Count(_) | State::Nodes(_) | State::Rows(_) => {}
        }
    }

    /// Merges another collector of the same query.
    pub fn merge(&mut self, program: &Program, other: Self) {
        if let Some(overflow) = other.overflow {
            self.fail(overflow);
        }
        // Each state merges only with its own kind: a new state does not compile until it defines how.
        match &mut self.state {
            State::Count(count) => {
                if let State::Count(more) = other.state {
                    *count += more;
                }
            }
            State::Nodes(nodes) => {
                if let State::Nodes(more) = other.state {
                    nodes.extend(more);
                }
            }
            State::Aggregate(_, accumulator) => {
                if let State::Aggregate(_, more) = &other.state {
                    accumulator.merge(more);
                }
            }
            State::Rows(rows) => {
                if let State::Rows(more) = other.state {
                    rows.merge(&program.queries[self.index].outcome, more);
                }
            }
            State::Groups { groups, .. } => {
                if let State::Groups { groups: more, .. } = other.state {
                    groups.merge(more);
                }
            }
        }
    }

    /// Records how many matches there are, for a query that only counts them.
    pub(crate) fn count(&mut self, matches: u64) {
        if let State::Count(count) = &mut self.state {
            *count = matches;
        }
    }

    /// Lets `threads` threads merge groups.
    pub(crate) fn use_threads(&mut self, threads: usize) {
        if let State::Groups { groups, .. } = &mut self.state {
            groups.threads = threads;
        }
    }

    /// Merges the groups that wait to be merged, so that the memory held is exact.
    pub(crate) fn settle(&mut self) {
        if let State::Groups { groups, .. } = &mut self.state {
            groups.settle();
        }
    }

    /// Returns the kind of memory held for each match or group, and its approximate size in bytes; for groups that wait
    /// to be merged, an upper bound.
    #[must_use]
    pub fn held(&self) -> Option<(MemoryUse, usize)> {
        match &self.state {
            State::Rows(rows) => Some((MemoryUse::Rows, rows.bytes())),
            State::Groups { groups, .. } => Some((MemoryUse::Groups, groups.bytes())),
            State::Aggregate(_, accumulator) => Some((MemoryUse::Values, accumulator.bytes())),
            State::Count(_) | State::Nodes(_) => None,
        }
    }

    /// Fails the query: an overflow, which names its node, decided whether that node matches.
    pub fn fail(&mut self, overflow: Overflow) {
        self.overflow = Some(self.overflow.map_or(overflow, |before| before.min(overflow)));
    }

    /// Returns the answer.
    ///
    /// # Errors
    /// Returns an overflow that occurred on the way.
    pub fn finish(self, program: &Program) -> Result<Answer, RunError> {
        match self.finish_unless(program, &mut || Ok::<(), Infallible>(())) {
            Ok(answer) => answer,
            Err(never) => match never {},
        }
    }

    /// Like [`Collector::finish`]; calls `check` every few thousand rows to decide whether to continue.
    ///
    /// # Errors
    /// Returns the error of `check`.
    pub fn finish_unless<E>(
        self,
        program: &Program,
        check: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Result<Answer, RunError>, E> {
        let index = self.index;
        let answer = match self.overflow {
            Some(overflow) => Err(overflow),
            None => self.state.answer(program, &program.queries[index].outcome, check)?,
        };
        Ok(answer.map_err(|overflow| run_error(program, index, overflow)))
    }
}

/// The error of the query at this index.
fn run_error(program: &Program, index: usize, overflow: Overflow) -> RunError {
    let query = program.queries[index].name.clone().unwrap_or_else(|| (index + 1).to_string());
    RunError { query, span: overflow.span, node: overflow.node }
}

impl State {
    fn answer<E>(
        self,
        program: &Program,
        outcome: &Outcome,
        check: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Result<Answer, Overflow>, E> {
        Ok(match self {
            Self::Count(count) => Ok(Answer::Count(count)),
            Self::Aggregate(id, accumulator) => {
                accumulator.value(program.aggregates[id.0].origin.0).map(Answer::Value)
            }
            Self::Nodes(mut nodes) => {
                nodes.sort_unstable();
                Ok(Answer::Nodes(nodes))
            }
            Self::Rows(rows) => rows.answer(outcome, check)?,
            Self::Groups { aggregates, groups } => grouped(groups, &aggregates, program, outcome, check)?,
        })
    }
}
