//! Rows that are passed on while they are found.
//!
//! ```text
//! step    crossing nodes that match ──▶ wait, by node_id ──┐
//! pass    inner nodes of block 0, 1, 2 … that match ───────┴──▶ rows in the order of node_id
//! ```
//!
//! The crossing nodes of a streamed query are settled before the pass that finds its inner nodes, so that only a few
//! rows per block wait.

use std::collections::VecDeque;

use super::Failure;
use super::collect::Found;
use super::sink::{RowSink, is_streamed_at_once};
use crate::answer::AnswerRows;
use crate::evaluate::Evaluated;
use crate::ir::{Outcome, Program};

use crate::value::Overflow;

/// The queries of a run whose rows go to a sink.
pub(super) struct Streams<'s> {
    sink: &'s mut dyn RowSink,
    /// By query, where rows are passed on while they are found.
    streams: Vec<Option<Stream>>,
}

#[derive(Default)]
struct Stream {
    waiting: VecDeque<(u64, Vec<Evaluated>)>,
    given: u64,
    limit: u64,
    overflow: Option<Overflow>,
}

impl<'s> Streams<'s> {
    pub(super) fn new(program: &Program, sink: &'s mut dyn RowSink) -> Self {
        let mut streams = Vec::new();
        for (place, query) in program.queries.iter().enumerate() {
            let Outcome::Rows { columns, arrangement } = &query.outcome else {
                streams.push(None);
                continue;
            };
            let limit = arrangement.limit.map_or(u64::MAX, |limit| limit as u64);
            sink.begin(place, columns);
            let is_at_once = is_streamed_at_once(&query.outcome);
            streams.push(is_at_once.then(|| Stream { limit, ..Stream::default() }));
        }
        Self { sink, streams }
    }

    /// The indices of the queries whose rows are passed on while they are found.
    pub(super) fn queries(&self) -> Vec<usize> {
        (0..self.streams.len()).filter(|query| self.streams[*query].is_some()).collect()
    }

    /// The number of rows that a query gave, if it is streamed.
    pub(super) fn given(&self, query: usize) -> Option<u64> {
        self.streams.get(query)?.as_ref().map(|stream| stream.given)
    }

    /// The overflow that left a query without an answer.
    pub(super) fn overflow(&self, query: usize) -> Option<Overflow> {
        self.streams.get(query)?.as_ref()?.overflow
    }

    /// Takes the matches of a query, if it is streamed: those of a block are passed on, after those before them.
    ///
    /// # Errors
    /// Returns an error if the sink breaks off.
    pub(super) fn take(&mut self, query: usize, found: &mut Found, is_crossing: bool) -> Result<(), Failure> {
        let Some(stream) = self.streams.get_mut(query).and_then(Option::as_mut) else { return Ok(()) };
        let rows = found.collector.as_mut().map_or_else(Vec::new, |collector| collector.drain_rows());
        if is_crossing {
            stream.waiting.extend(rows);
            return Ok(());
        }
        let mut merged = Vec::with_capacity(rows.len());
        for (node_id, cells) in rows {
            let waiting = stream.waiting.partition_point(|(waiting, _)| *waiting < node_id);
            merged.extend(stream.waiting.drain(..waiting).map(|(_, before)| before));
            merged.push(cells);
        }
        self.give(query, merged)
    }

    /// Passes on rows in the order of `order by`, after the last block.
    ///
    /// # Errors
    /// Returns an error if the sink breaks off.
    pub(super) fn give_ordered(&mut self, query: usize, rows: AnswerRows) -> Result<(), Failure> {
        if self.sink.rows(query, rows).is_break() { Err(Failure::Cancelled) } else { Ok(()) }
    }

    /// Passes on the waiting rows, after the last block.
    ///
    /// # Errors
    /// Returns an error if the sink breaks off.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        for query in self.queries() {
            let waiting = self.streams[query].as_mut().map(|stream| std::mem::take(&mut stream.waiting));
            self.give(query, waiting.into_iter().flatten().map(|(_, cells)| cells).collect())?;
        }
        Ok(())
    }

    fn give(&mut self, query: usize, rows: Vec<Vec<Evaluated>>) -> Result<(), Failure> {
        let Some(stream) = &mut self.streams[query] else { return Ok(()) };
        let left = stream.limit - stream.given;
        let mut sound = Vec::with_capacity(rows.len());
        for cells in rows.into_iter().take(usize::try_from(left).unwrap_or(usize::MAX)) {
            match cells.into_iter().collect::<Result<Vec<_>, Overflow>>() {
                Ok(cells) if stream.overflow.is_none() => sound.push(cells),
                Ok(_) => {}
                Err(overflow) => {
                    stream.overflow = Some(stream.overflow.map_or(overflow, |before| before.min(overflow)));
                }
            }
        }
        stream.given += sound.len() as u64;
        if !sound.is_empty() && self.sink.rows(query, sound).is_break() {
            return Err(Failure::Cancelled);
        }
        Ok(())
    }
}
