//! One attached text of queries, and its results in the last tree.

use std::sync::{Arc, Mutex, PoisonError};

use gt_log::Metadata;
use gt_query::live::{Live, LiveError, Marks};
use gt_query::render_run;
use gt_query::{Answer, RunError, Value};

use super::bound::{Bound, Keep, SOURCE, Surroundings};
use super::settings::QueryCallback;
use crate::boundary::Fault;
use crate::ending::Ending;
use crate::reading::Table;

/// The results of a query in the last tree, so far.
#[derive(Clone, Default)]
pub(crate) struct Tally {
    /// The number of matching nodes.
    pub(crate) count: u64,
    /// Their node_ids, as far as they are kept.
    pub(crate) nodes: Vec<u64>,
    /// The rows, groups or value, once they are known.
    pub(crate) answer: Option<Answer>,
    /// The reason why there is no answer.
    pub(crate) fault: Option<Fault>,
}

pub(super) struct Attached {
    /// The number of its first query.
    first: usize,
    text: String,
    bound: Bound,
    /// Provides `$name` if a tree does not set it: the metadata before the queries were attached.
    metadata: Metadata,
    tallies: Vec<Tally>,
    /// `None` between trees, in the tree during which the text was attached, and after it was given up.
    running: Option<Running>,
}

struct Running {
    live: Live,
    /// Empty between calls.
    delivered: Arc<Mutex<Vec<Delivered>>>,
}

/// A match: the query's index in its text, and the node.
type Delivered = (usize, u64);

const UNFINISHED: Marks = Marks { unfinished: true, left_out: 0 };

impl Attached {
    pub(super) fn new(first: usize, text: String, surroundings: Surroundings<'_>) -> Result<Self, Fault> {
        let bound = Bound::new(&text, surroundings, &Metadata::new())?;
        let tallies = vec![Tally::default(); bound.keeps.len()];
        let metadata = surroundings.tree.clone();
        Ok(Self { first, text, bound, metadata, tallies, running: None })
    }

    /// The number after that of the text's last query.
    pub(super) fn end_number(&self) -> usize {
        self.first + self.tallies.len()
    }

    pub(super) fn is_running(&self) -> bool {
        self.running.is_some()
    }

    pub(super) fn tally(&self, query: usize) -> Option<&Tally> {
        self.tallies.get(query.checked_sub(self.first)?)
    }

    /// The answer to a query of this text as a table; rows, groups and values are known once the tree has ended.
    pub(super) fn table(&self, query: usize) -> Result<Table, Fault> {
        let place = query - self.first;
        let tally = &self.tallies[place];
        Ok(match (self.bound.keeps[place], &tally.answer) {
            (Keep::Number, _) => Table::of(Answer::Count(tally.count)),
            (Keep::Nodes | Keep::Arranged, _) => Table::of(Answer::Nodes(tally.nodes.clone())),
            (Keep::Rows | Keep::Gathered, Some(answer)) => Table::of(answer.clone()),
            (Keep::Rows | Keep::Gathered, None) => {
                return Err(Fault::order(format!(
                    "query {query} asks for a table, which is known when the tree has ended; no tree has since it was attached"
                )));
            }
        })
    }

    pub(super) fn mark_read(&self, is_read: &mut [bool]) {
        self.bound.mark_read(is_read);
    }

    pub(super) fn begin(
        &mut self,
        surroundings: Surroundings<'_>,
        nodes_held_max: usize,
    ) -> Result<(), Fault> {
        self.running = None;
        self.tallies.fill(Tally::default());
        // `$iteration` has another value in each tree.
        if self.text.contains('$') {
            let bound = Bound::new(&self.text, surroundings, &self.metadata);
            self.bound = bound.map_err(|fault| self.give_up(fault))?;
        }
        let running = Running::new(&self.bound, nodes_held_max);
        self.running = Some(running.map_err(|error| self.give_up(Fault::query(error.to_string())))?);
        Ok(())
    }

    pub(super) fn enter(&mut self, last_move: i64) -> Result<(), Fault> {
        let Some(running) = &mut self.running else { return Ok(()) };
        let entered = running.live.enter(last_move);
        entered.map_err(|error| self.settle(error))
    }

    pub(super) fn leave(&mut self, values: &[Value], callback: Option<QueryCallback>) -> Result<(), Fault> {
        let Some(running) = &mut self.running else { return Ok(()) };
        let left = running.live.leave(values);
        self.take_delivered(callback);
        left.map_err(|error| self.settle(error))
    }

    /// Leaves a node whose other values are unknown.
    pub(super) fn leave_unfinished(
        &mut self,
        known: &[Option<Value>],
        callback: Option<QueryCallback>,
    ) -> Result<(), Fault> {
        let Some(running) = &mut self.running else { return Ok(()) };
        let left = running.live.leave_lacking(known, UNFINISHED);
        self.take_delivered(callback);
        left.map_err(|error| self.settle(error))
    }

    /// Leaves the open nodes and makes the answers. `known` are the values with which the open nodes were entered, the last node first;
    /// `nothing` stands for nodes entered without values.
    pub(super) fn end(
        &mut self,
        ending: Ending,
        (known, nothing): (&[Vec<Option<Value>>], &[Option<Value>]),
        callback: Option<QueryCallback>,
    ) -> Result<(), Fault> {
        let mut open = 0_usize;
        while let Some(running) = &mut self.running {
            let known = known.get(open).map_or(nothing, Vec::as_slice);
            match running.live.leave_lacking(known, UNFINISHED) {
                Ok(()) => open += 1,
                Err(LiveError::NothingOpen) => break,
                Err(error) => return Err(self.settle(error)),
            }
            self.take_delivered(callback);
        }
        let Some(Running { live, .. }) = self.running.take() else { return Ok(()) };
        let answers = live.finish().map_err(|error| self.settle(error))?;
        let answered = self.take_answers(answers);
        match ending {
            Ending::Finished if open > 0 => Err(Fault::order(format!(
                "the tree ends with {open} nodes still open; each gtl_enterNode needs its gtl_exitNode"
            ))),
            Ending::Finished | Ending::BrokenOff => answered,
        }
    }

    fn take_delivered(&mut self, callback: Option<QueryCallback>) {
        let Some(running) = &self.running else { return };
        let mut delivered = running.delivered.lock().unwrap_or_else(PoisonError::into_inner);
        for (place, node_id) in delivered.drain(..) {
            let tally = &mut self.tallies[place];
            tally.count += 1;
            if self.bound.keeps[place] == Keep::Nodes {
                tally.nodes.push(node_id);
            }
            if let Some(callback) = callback {
                callback.call(self.first + place, node_id);
            }
        }
    }

    fn take_answers(&mut self, answers: Vec<Result<Answer, RunError>>) -> Result<(), Fault> {
        let mut first = Ok(());
        for (place, answer) in answers.into_iter().enumerate() {
            let tally = &mut self.tallies[place];
            match answer {
                Ok(Answer::Nodes(nodes)) => tally.nodes = nodes,
                Ok(answer) => match self.bound.keeps[place] {
                    Keep::Number | Keep::Nodes | Keep::Arranged => tally.nodes.sort_unstable(),
                    Keep::Rows => (tally.nodes, tally.answer) = without_node_ids(answer),
                    Keep::Gathered => tally.answer = Some(answer),
                },
                Err(mut error) => {
                    if self.bound.program.queries[place].name.is_none() {
                        error.query = (self.first + place).to_string();
                    }
                    let fault = Fault::query(render_run(&error, SOURCE, &self.text).trim_end());
                    *tally = Tally { fault: Some(fault.clone()), ..Tally::default() };
                    first = first.and(Err(fault));
                }
            }
        }
        first
    }

    /// The fault for a call that the evaluator refused.
    #[cold]
    fn settle(&mut self, error: LiveError) -> Fault {
        match error {
            LiveError::Twins => self.give_up(Fault::query(error.to_string())),
            LiveError::NothingOpen => Fault::order(
                "a node was left that was never entered; each gtl_exitNode needs its gtl_enterNode",
            ),
            LiveError::SecondRoot => Fault::order(
                "a second root was entered; a tree has one, and gtl_openTree begins the next tree",
            ),
            LiveError::TooManyHeld { nodes_held_max } => self.give_up(Fault::limit(format!(
                "the queries from {} on would hold more than {nodes_held_max} nodes, because they read what is known \
                 only later; gtl_setQueryLimit sets the limit, or ask the log instead",
                self.first
            ))),
            LiveError::StillOpen(_) | LiveError::TooFewValues { .. } => {
                self.give_up(Fault::query(format!("the queries were given up: {error}")))
            }
        }
    }

    /// Gives up until the next tree: releases everything held.
    fn give_up(&mut self, fault: Fault) -> Fault {
        self.running = None;
        self.tallies.fill(Tally { fault: Some(fault.clone()), ..Tally::default() });
        fault
    }
}

/// Splits rows into the node_ids, which precede the requested columns, and the rows without them.
fn without_node_ids(answer: Answer) -> (Vec<u64>, Option<Answer>) {
    let Answer::Rows { mut columns, mut rows } = answer else { return (Vec::new(), Some(answer)) };
    columns.remove(0);
    let taken = rows.iter_mut().map(|row| match row.remove(0) {
        Some(Value::Integer(node)) => node as u64,
        other => unreachable!("a node_id is a whole number, and not {other:?}"),
    });
    (taken.collect(), Some(Answer::Rows { columns, rows }))
}

impl Running {
    fn new(bound: &Bound, nodes_held_max: usize) -> Result<Self, LiveError> {
        let delivered = Arc::new(Mutex::new(Vec::new()));
        // Matches are buffered until the evaluator is done, so that the engine's code never runs inside it.
        let list = Arc::clone(&delivered);
        let live = Live::new(Arc::clone(&bound.program))?.with_nodes_held_max(nodes_held_max).with_callback(
            move |found| {
                let mut list = list.lock().unwrap_or_else(PoisonError::into_inner);
                list.push((found.query, found.node_id));
            },
        );
        Ok(Self { live, delivered })
    }
}
