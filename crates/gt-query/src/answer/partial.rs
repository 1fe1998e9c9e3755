//! Partial answers: what some trees contribute to one answer over more trees.
//!
//! ```text
//! tree ──gather──▶ Partial ─╮
//! tree ──gather──▶ Partial ─┴merge──▶ Partial ──finish──▶ Answer
//!                     └──encode──▶ bytes ──decode──▶ Partial, on another machine
//! ```
//!
//! A partial answer contains no nodes, only counts, aggregates and groups of aggregates.

use std::fmt;

use super::{Answer, Collector, GroupList, Keys, MemoryUse, State, run_error};
use crate::accumulator::{Accumulator, share};
use crate::accumulators::Accumulators;
use crate::evaluate::RunError;
use crate::ir::{Expr, Outcome, Program};
use crate::value::{Overflow, Value};
use crate::vocabulary::Function;
use crate::wire::{Bytes, Wire, put_length};

/// The contribution of some trees to the answer to a program's first query.
#[derive(Clone, Debug)]
pub struct Partial {
    form: String,
    collector: Collector,
}

/// The reason why a query's answers cannot be joined, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unjoinable(pub String);

impl fmt::Display for Unjoinable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The reason why two partial answers cannot be merged: their queries have different aggregates or keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherForm;

/// The index of the query in its program.
const FIRST: usize = 0;

impl Partial {
    /// Makes the partial answer of no trees.
    ///
    /// # Errors
    /// Returns an error if the query lists nodes or rows, or an aggregate depends on the order of the nodes.
    pub fn new(program: &Program) -> Result<Self, Unjoinable> {
        Ok(Self { form: form(program)?, collector: Collector::new(program, FIRST) })
    }

    /// Makes the partial answer of a tree from what a run has found.
    pub(crate) fn of(program: &Program, collector: Collector) -> Result<Self, Unjoinable> {
        Ok(Self { form: form(program)?, collector })
    }

    /// Lets `threads` threads merge groups.
    pub fn use_threads(&mut self, threads: usize) {
        self.collector.use_threads(threads);
    }

    /// Adds the partial answer of other trees.
    ///
    /// # Errors
    /// Returns an error if the other's query has another form: the names in it mean something else in that log.
    pub fn merge(&mut self, program: &Program, other: Self) -> Result<(), OtherForm> {
        if self.form != other.form {
            return Err(OtherForm);
        }
        self.collector.merge(program, other.collector);
        Ok(())
    }

    /// Returns the kind of memory that it holds, and its approximate size in bytes, if that is more than `memory`.
    #[must_use]
    pub fn exceeds(&mut self, memory: usize) -> Option<(MemoryUse, usize)> {
        let is_over = |collector: &Collector| collector.held().filter(|(_, bytes)| *bytes > memory);
        is_over(&self.collector)?;
        self.collector.settle();
        is_over(&self.collector)
    }

    /// Returns the overflow that leaves the trees without an answer.
    #[must_use]
    pub fn failure(&mut self, program: &Program) -> Option<RunError> {
        self.collector.settle();
        let spans = self.collector.aggregates().iter().map(|id| program.aggregates[id.0].origin.0);
        let met = match &self.collector.state {
            State::Aggregate(_, accumulator) => spans.filter_map(|span| accumulator.failure(span)).min(),
            State::Groups { groups, .. } => {
                let columns = groups.shares.iter().flat_map(|share| spans.clone().zip(share.accumulators()));
                columns.filter_map(|(span, accumulators)| accumulators.failure(span)).min()
            }
            State::Count(_) | State::Nodes(_) | State::Rows(_) => None,
        };
        let overflow: Overflow = self.collector.overflow.into_iter().chain(met).min()?;
        Some(run_error(program, FIRST, overflow))
    }

    /// Returns the answer.
    ///
    /// # Errors
    /// Returns an overflow, for instance that of a sum over all trees.
    pub fn finish(self, program: &Program) -> Result<Answer, RunError> {
        self.collector.finish(program)
    }

    /// Returns the partial answer as bytes. It must have [no failure](Self::failure).
    #[must_use]
    pub fn encode(mut self) -> Vec<u8> {
        self.collector.settle();
        let mut bytes = Vec::new();
        put_length(self.form.len(), &mut bytes);
        bytes.extend(self.form.as_bytes());
        match &self.collector.state {
            State::Count(count) => count.put(&mut bytes),
            State::Aggregate(_, accumulator) => accumulator.put(&mut bytes),
            State::Groups { groups, .. } => {
                put_length(groups.len(), &mut bytes);
                for share in &groups.shares {
                    for group in 0..share.len() {
                        share.keys().iter().for_each(|keys| keys.get(group).put(&mut bytes));
                        share.accumulators().iter().for_each(|column| column.get(group).put(&mut bytes));
                    }
                }
            }
            // `form` refuses queries with these states.
            State::Nodes(_) | State::Rows(_) => {}
        }
        bytes
    }

    /// Reads what [`Partial::encode`] has written for the same query; `None` for other bytes.
    #[must_use]
    pub fn decode(program: &Program, bytes: &[u8]) -> Option<Self> {
        let mut partial = Self::new(program).ok()?;
        let mut bytes = Bytes(bytes);
        let length = bytes.length()?;
        let form = bytes.slice(length).filter(|form| *form == partial.form.as_bytes());
        form?;
        let of_id = |place: usize| &program.aggregates[partial.collector.aggregates()[place].0];
        let aggregates: Vec<_> = (0..partial.collector.aggregates().len()).map(of_id).collect();
        match &mut partial.collector.state {
            State::Count(count) => *count = u64::read(&mut bytes)?,
            State::Aggregate(_, accumulator) => {
                *accumulator = Accumulator::read(aggregates.first()?, &mut bytes)?;
            }
            State::Groups { groups, .. } => {
                let Outcome::Groups { keys, .. } = &program.queries[FIRST].outcome else { return None };
                let count = bytes.length().filter(|count| !keys.is_empty() || *count <= 1)?;
                let mut keys = vec![Keys::default(); keys.len()];
                let mut columns = vec![Vec::new(); aggregates.len()];
                for _ in 0..count {
                    for keys in &mut keys {
                        keys.push(Option::<Value>::read(&mut bytes)?);
                    }
                    for (column, aggregate) in columns.iter_mut().zip(&aggregates) {
                        column.push(Accumulator::read(aggregate, &mut bytes)?);
                    }
                }
                let columns = columns.into_iter().map(Accumulators::States).collect();
                groups.add_list(GroupList::new(count, keys, columns));
            }
            State::Nodes(_) | State::Rows(_) => return None,
        }
        bytes.0.is_empty().then_some(partial)
    }
}

/// What partial answers must have in common: the types of the keys, the aggregates, and the place of each aggregate. 1
/// and 1.0 are different keys, and different values.
fn form(program: &Program) -> Result<String, Unjoinable> {
    let outcome = &program.queries[FIRST].outcome;
    let ids = outcome.aggregates();
    let mut form = match outcome {
        Outcome::Count => "count".to_owned(),
        Outcome::Aggregate(_) => "aggregate".to_owned(),
        Outcome::Groups { key_types, columns, arrangement, .. } => {
            let mut places = Vec::new();
            columns.iter().map(|column| &column.expr).chain(arrangement.each()).for_each(|expr| {
                expr.leaves(&mut |leaf| {
                    if let Expr::Aggregate(id) = leaf {
                        places.extend(ids.iter().position(|other| other == id));
                    }
                });
            });
            format!("groups by {key_types:?}, {places:?}")
        }
        Outcome::Nodes(_) | Outcome::Rows { .. } => {
            let sentence = "the query lists nodes, and these cannot be joined; ask for count(…), another aggregate, or \
                            groups";
            return Err(Unjoinable(sentence.to_owned()));
        }
    };
    for id in ids {
        let aggregate = &program.aggregates[id.0];
        if let Function::First | Function::Last = aggregate.function {
            let name = if aggregate.function == Function::First { "first" } else { "last" };
            return Err(Unjoinable(format!(
                "`{name}` of many trees has no meaning: their nodes have no common order; `arg_min` and `arg_max` can be \
                 joined"
            )));
        }
        form += &format!(", {:?} {:?}", aggregate.function, aggregate.value_type);
        match aggregate.function {
            Function::Quantile => form += &format!(" {}", share(aggregate)),
            Function::Distinct => form += &format!(" {:?}", aggregate.argument_type),
            _ => {}
        }
    }
    Ok(form)
}
