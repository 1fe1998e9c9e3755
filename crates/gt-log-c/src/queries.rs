//! Queries attached to a handle: answered while the engine searches, with or without a log.
//!
//! ```text
//! gtl_enterNode ─┬▶ log, if there is one
//! gtl_exitNode   └▶ Queries ─▶ Attached, one for each text ─▶ gt_query::live::Live ─▶ Tally: count, node_ids
//!                                                                      └▶ the engine's callback          and, at the end, tables
//! ```
//!
//! **Invariant:** the evaluators get the nodes that a complete log has, in the same order and with the same marks,
//! for any order of calls, so the log gives the same answers.
//!
//! This crate does not decide what a match is.

mod attached;
mod bound;
mod settings;

use gt_query::Value;

use self::attached::Attached;
pub(crate) use self::attached::Tally;
pub(crate) use self::bound::Surroundings;
pub(crate) use self::settings::{QueryCallback, QuerySettings};
use crate::boundary::Fault;
use crate::ending::Ending;
use crate::plan::Plan;
use crate::reading::Table;

/// All queries of a handle. Those of one text are numbered in its order, after those of earlier texts.
#[derive(Default)]
pub(crate) struct Queries {
    attached: Vec<Attached>,
    /// For each attribute, whether a query reads it.
    is_read: Vec<bool>,
    /// Empty between calls; kept to reuse its memory.
    values: Vec<Value>,
    /// The values with which the nodes of the open path were entered.
    entered: Vec<Known>,
}

/// The values of a node before it is left: none at all, or a value or none for each attribute.
type Known = Option<Box<[Option<Value>]>>;

impl Queries {
    /// Adds the queries of a text, from the next tree on.
    pub(crate) fn attach(&mut self, text: String, surroundings: Surroundings<'_>) -> Result<(), Fault> {
        self.attached.push(Attached::new(self.len(), text, surroundings)?);
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.attached.is_empty()
    }

    /// The number of queries.
    pub(crate) fn len(&self) -> usize {
        self.attached.last().map_or(0, Attached::end_number)
    }

    /// Whether a tree is being watched.
    pub(crate) fn is_running(&self) -> bool {
        self.attached.iter().any(Attached::is_running)
    }

    pub(crate) fn tally(&self, query: usize) -> Option<&Tally> {
        self.attached.iter().find_map(|attached| attached.tally(query))
    }

    /// The answer to a query as a table, as far as it is known.
    pub(crate) fn table(&self, query: usize) -> Result<Table, Fault> {
        let attached = self.attached.iter().find(|attached| attached.tally(query).is_some());
        attached.map_or_else(|| Err(Fault::order("no query is attached")), |attached| attached.table(query))
    }

    /// Begins a tree: all queries start anew.
    pub(crate) fn begin(
        &mut self,
        surroundings: Surroundings<'_>,
        settings: QuerySettings,
    ) -> Result<(), Fault> {
        self.entered.clear();
        let begun = self.each(|attached| attached.begin(surroundings, settings.nodes_held_max));
        self.is_read = vec![false; surroundings.schema.attributes().len()];
        for attached in &self.attached {
            attached.mark_read(&mut self.is_read);
        }
        begun
    }

    /// Enters a node, with its known values.
    pub(crate) fn enter(&mut self, last_move: i64, known: Option<Vec<Option<Value>>>) -> Result<(), Fault> {
        let entered = self.each(|attached| attached.enter(last_move));
        if !entered.as_ref().is_err_and(Fault::is_order) {
            self.entered.push(known.map(Vec::into_boxed_slice));
        }
        entered
    }

    /// Leaves a node; if the record is wrong, or NULL though there are attributes, the node is unfinished.
    ///
    /// # Safety
    /// The record is NULL or matches the plan.
    pub(crate) unsafe fn leave(
        &mut self,
        record: *const u8,
        plan: &Plan,
        settings: QuerySettings,
    ) -> Result<(), Fault> {
        let is_unknown = record.is_null() && !plan.is_empty();
        let read = if is_unknown || !self.is_running() {
            Ok(())
        } else {
            // SAFETY: the record matches the plan (caller); a plan without attributes reads nothing.
            unsafe { plan.values(record, &self.is_read, &mut self.values) }
        };
        let known = self.entered.pop().flatten();
        let left = if is_unknown || read.is_err() {
            let known = known.unwrap_or_else(|| vec![None; plan.attributes()].into());
            self.each(|attached| attached.leave_unfinished(&known, settings.callback))
        } else {
            let values = std::mem::take(&mut self.values);
            let left = self.each(|attached| attached.leave(&values, settings.callback));
            self.values = values;
            left
        };
        self.values.clear();
        match (left, read) {
            (Err(fault), _) => Err(fault),
            (Ok(()), Err(what)) => Err(Fault::wrong_record(&what)),
            (Ok(()), Ok(())) => Ok(()),
        }
    }

    /// Ends a tree; open nodes are left unfinished. The answers stay.
    pub(crate) fn end(&mut self, ending: Ending, plan: &Plan, settings: QuerySettings) -> Result<(), Fault> {
        let entered = std::mem::take(&mut self.entered);
        let nothing = vec![None; plan.attributes()];
        let known = |node: &Known| node.as_deref().unwrap_or(&nothing).to_vec();
        let known: Vec<Vec<Option<Value>>> = entered.iter().rev().map(known).collect();
        self.each(|attached| attached.end(ending, (&known, &nothing), settings.callback))
    }

    /// Calls `work` on every attached text, even after faults, and returns the first fault.
    fn each(&mut self, mut work: impl FnMut(&mut Attached) -> Result<(), Fault>) -> Result<(), Fault> {
        let mut first = Ok(());
        for attached in &mut self.attached {
            let done = work(attached);
            first = first.and(done);
        }
        first
    }
}
