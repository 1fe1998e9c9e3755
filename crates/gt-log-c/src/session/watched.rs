//! The part of a session that feeds attached queries.
//!
//! The log comes first, then the queries, whatever happened to the log: a full disk, a budget or a trigger keeps nodes out of the file, but
//! not out of the answers.

use super::{Ending, Session, Stage};
use crate::boundary::Fault;
use crate::queries::{Surroundings, Tally};
use crate::reading::Table;

impl Session {
    /// Attaches the queries of a text, from the next tree on.
    pub(crate) fn attach_queries(&mut self, text: &str) -> Result<(), Fault> {
        let mut queries = self.queries.take().unwrap_or_default();
        let attached = queries.attach(text.to_owned(), self.surroundings());
        self.queries = (!queries.is_empty()).then_some(queries);
        attached
    }

    /// Removes all queries, and the callback.
    pub(crate) fn detach_queries(&mut self) {
        self.queries = None;
        self.settings.queries.callback = None;
    }

    /// The results of a query in the last tree.
    pub(crate) fn tally(&self, query: usize) -> Result<&Tally, Fault> {
        let tally = self.queries.as_ref().and_then(|queries| queries.tally(query));
        let tally = tally.ok_or_else(|| {
            let attached = self.queries.as_ref().map_or(0, |queries| queries.len());
            Fault::argument(format!(
                "there is no query {query}: {attached} are attached, and the first is number 0"
            ))
        })?;
        match &tally.fault {
            Some(fault) => Err(fault.clone()),
            None => Ok(tally),
        }
    }

    /// The answer to a query as a table.
    pub(crate) fn query_table(&self, query: usize) -> Result<Table, Fault> {
        self.tally(query)?;
        self.queries
            .as_ref()
            .map_or_else(|| Err(Fault::order("no query is attached")), |queries| queries.table(query))
    }

    /// Whether nodes are being watched, or would be.
    pub(super) fn is_watching(&self) -> bool {
        self.queries.as_ref().is_some_and(|queries| !self.is_in_tree || queries.is_running())
    }

    #[cold]
    #[inline(never)]
    pub(super) fn enter_watched(&mut self, last_move: i64) -> Result<(), Fault> {
        let logged = self.enter_log(last_move);
        let watched = self.queries.as_mut().map_or(Ok(()), |queries| queries.enter(last_move, None));
        Fault::first(logged, watched)
    }

    /// # Safety
    /// The record is as [`Session::enter_with`] requires.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn enter_watched_with(
        &mut self,
        last_move: i64,
        record: *const u8,
    ) -> Result<(), Fault> {
        // SAFETY: the record is NULL or matches the descriptor (caller).
        let (logged, known) =
            unsafe { (self.enter_log_with(last_move, record), self.plan.values_at_entry(record)) };
        // With a wrong record, the node is still entered, without values.
        let (known, read) = match known {
            Ok(known) => (Some(known), Ok(())),
            Err(what) => (None, Err(Fault::wrong_record(&what))),
        };
        let watched = self.queries.as_mut().map_or(Ok(()), |queries| queries.enter(last_move, known));
        Fault::first(logged, watched.and(read))
    }

    /// # Safety
    /// The record is as [`Session::leave`] requires.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn leave_watched(&mut self, record: *const u8) -> Result<(), Fault> {
        // SAFETY: the record is NULL or matches the descriptor (caller).
        let logged = unsafe { self.leave_log(record) };
        let settings = self.settings.queries;
        let watched = match &mut self.queries {
            // SAFETY: the record is NULL or matches the descriptor (caller).
            Some(queries) => unsafe { queries.leave(record, &self.plan, settings) },
            None => Ok(()),
        };
        Fault::first(logged, watched)
    }

    /// Begins a tree with the metadata stored for it.
    pub(super) fn begin_watching(&mut self) -> Result<(), Fault> {
        self.is_in_tree = true;
        let Some(mut queries) = self.queries.take() else { return Ok(()) };
        let begun = queries.begin(self.surroundings(), self.settings.queries);
        self.queries = Some(queries);
        begun
    }

    /// Ends the tree, if there is one.
    pub(super) fn end_watching(&mut self, ending: Ending) -> Result<(), Fault> {
        if matches!(self.stage, Stage::Idle) {
            return Ok(());
        }
        self.is_in_tree = false;
        let settings = self.settings.queries;
        self.queries.as_mut().map_or(Ok(()), |queries| queries.end(ending, &self.plan, settings))
    }

    fn surroundings(&self) -> Surroundings<'_> {
        Surroundings { schema: &self.header.schema, tree: &self.metadata, log: &self.header.metadata }
    }
}
