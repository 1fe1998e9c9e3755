//! Logs a tree.

use std::marker::PhantomData;
use std::sync::Arc;

use super::options::Options;
use super::sink::Sink;
use super::state::State;
use super::summary::{Marks, TreeSummary};
use crate::error::{Error, Result};
use crate::record::{Record, Row, Value, store_values};
use crate::{Metadata, Schema};

/// Records one tree: `enter` on the way down, `leave` on the way up.
///
/// An error never breaks the file: everything logged before it stays readable. When the system refuses to write (a full disk, say), the
/// call returns the error once and logging is off from then on; [`TreeWriter::finish`] returns the error again.
pub struct TreeWriter<R = Dynamic> {
    /// `None` when logging is off.
    state: Option<Box<State>>,
    failure: Option<String>,
    record: PhantomData<fn(&R)>,
}

/// The record type of trees whose attributes are known only at run time; see [`TreeWriter::leave_values`].
#[derive(Clone, Copy, Debug)]
pub struct Dynamic;

impl<R> TreeWriter<R> {
    pub(crate) fn begin(
        sink: Arc<Sink>,
        schema: &Schema,
        metadata: &Metadata,
        options: Options,
    ) -> Result<Self> {
        let state = State::begin(sink, schema, metadata, options)?;
        Ok(Self { state: Some(Box::new(state)), failure: None, record: PhantomData })
    }

    /// Sets whether a separate thread for the tree encodes and writes full blocks, so that the search pays little more than the copying of
    /// its records. Off by default; useful if a core is free.
    ///
    /// Blocks arrive in the file a little later: some forty thousand nodes, or forty blocks, can be on their way, and a process that is
    /// killed loses them in addition to the block that was being filled. A panic of the engine loses nothing. [`TreeWriter::flush`] and the
    /// end of the tree wait until everything is in the file. An error of the thread is returned when the next block is handed over, by
    /// `flush`, or at the end.
    ///
    /// ```
    /// use gt_log::{Header, LogWriter, Metadata, Schema};
    /// gt_log::record! { struct Node { best: i32 } }
    ///
    /// let log = LogWriter::to_memory(Header::new("nim", Schema::of::<Node>()?))?;
    /// let mut tree = log.tree::<Node>(&Metadata::new())?.background(true);
    /// tree.enter(0)?;
    /// tree.leave(&Node { best: 3 })?;
    /// tree.finish()?;
    /// # Ok::<(), gt_log::Error>(())
    /// ```
    #[must_use]
    pub fn background(mut self, background: bool) -> Self {
        if let Some(state) = &mut self.state {
            state.set_background(background);
        }
        self
    }

    /// Makes a writer that logs nothing: every call costs a branch.
    #[must_use]
    pub fn off() -> Self {
        Self { state: None, failure: None, record: PhantomData }
    }

    /// Whether nodes are being recorded.
    #[must_use]
    pub fn is_on(&self) -> bool {
        !cfg!(feature = "off") && self.state.is_some()
    }

    /// Records that the search goes down `last_move`; for the root, any number.
    #[inline]
    pub fn enter(&mut self, last_move: i64) -> Result<()> {
        if cfg!(feature = "off") {
            return Ok(());
        }
        self.on_state(|state| state.enter(last_move))
    }

    /// Enters a node like [`TreeWriter::enter`], with the values that are already known: the window, the depth.
    ///
    /// Use [`Value::Missing`] for values that are not. A node that is left without a value keeps the one from its entry, and so does a node
    /// that is never left.
    pub fn enter_values(&mut self, last_move: i64, values: &[Value]) -> Result<()> {
        self.enter_with(last_move, |schema, row| store_values(schema, values, row))
    }

    /// Enters a node like [`TreeWriter::enter_values`], with what `store` puts into the row: one value for each attribute, in order.
    #[inline]
    pub fn enter_with(
        &mut self,
        last_move: i64,
        store: impl FnOnce(&Schema, &mut Row<'_>) -> std::result::Result<(), String>,
    ) -> Result<()> {
        if cfg!(feature = "off") {
            return Ok(());
        }
        self.on_state(|state| state.enter_with(last_move, store))
    }

    /// Enters a node like [`TreeWriter::enter_with`], with a record without texts that is given as bytes.
    ///
    /// `fill` gets the place of the record, in which the attributes are adjacent and little-endian; a boolean is false if its byte is 0.
    /// `missing` has a bit for each attribute that is not known, 64 per word; the bytes of such an attribute mean nothing.
    #[doc(hidden)]
    pub fn enter_filled(
        &mut self,
        last_move: i64,
        missing: &[u64],
        fill: impl FnOnce(&mut [u8]),
    ) -> Result<()> {
        if cfg!(feature = "off") {
            return Ok(());
        }
        self.on_state(|state| state.enter_filled(last_move, missing, fill))
    }

    /// Leaves the node entered last, with the record that `fill` puts (see [`TreeWriter::enter_filled`]). All its attributes are known.
    #[doc(hidden)]
    pub fn leave_filled(&mut self, fill: impl FnOnce(&mut [u8])) -> Result<()> {
        if cfg!(feature = "off") {
            return Ok(());
        }
        self.on_state(|state| state.leave_filled(fill))
    }

    /// The short way to enter and leave nodes whose records have this many bytes, if there is one: see [`Lane`](crate::Lane). The writer's
    /// other calls do everything else that a node needs.
    #[doc(hidden)]
    pub fn lane(&mut self, record_bytes: usize) -> Option<&mut State> {
        if cfg!(feature = "off") {
            return None;
        }
        self.state.as_deref_mut().filter(|state| state.is_plain(record_bytes))
    }

    /// Leaves the node entered last, with these values for its attributes.
    pub fn leave_values(&mut self, values: &[Value]) -> Result<()> {
        self.leave_with(|schema, row| store_values(schema, values, row))
    }

    /// Leaves the node entered last, with the record that `store` puts into the row: one value for each attribute, in order.
    #[inline]
    pub fn leave_with(
        &mut self,
        store: impl FnOnce(&Schema, &mut Row<'_>) -> std::result::Result<(), String>,
    ) -> Result<()> {
        if cfg!(feature = "off") {
            return Ok(());
        }
        self.leave_marked(Marks::default(), store)
    }

    /// Leaves a node that is copied from another log like [`TreeWriter::leave_with`], with its marks.
    #[inline]
    pub fn leave_marked(
        &mut self,
        marks: Marks,
        store: impl FnOnce(&Schema, &mut Row<'_>) -> std::result::Result<(), String>,
    ) -> Result<()> {
        self.on_state(|state| state.leave(marks, store))
    }

    /// Leaves the node entered last without its attributes: it is marked unfinished.
    pub fn leave_unfinished(&mut self) -> Result<()> {
        self.on_state(State::leave_unfinished)
    }

    /// How many nodes are open.
    #[must_use]
    pub fn open_nodes(&self) -> usize {
        self.state.as_ref().map_or(0, |state| state.open_nodes())
    }

    /// Whether nodes are open.
    #[must_use]
    #[inline(always)]
    pub fn has_open_nodes(&self) -> bool {
        self.state.as_ref().is_some_and(|state| state.has_open_nodes())
    }

    /// Whether a node has been entered.
    #[must_use]
    pub fn has_nodes(&self) -> bool {
        self.state.as_ref().is_some_and(|state| state.has_nodes())
    }

    /// Sends everything to the file now, and waits until it is there.
    pub fn flush(&mut self) -> Result<()> {
        self.on_state(State::flush_through)
    }

    /// Ends the tree. Nodes that are still open are completed, marked unfinished, and reported as an error.
    pub fn finish(self) -> Result<TreeSummary> {
        self.finish_with(&Metadata::new())
    }

    /// Ends the tree with more metadata: its value, the best move, the time it took.
    pub fn finish_with(self, metadata: &Metadata) -> Result<TreeSummary> {
        self.finish_by(|state| state.end(metadata))
    }

    /// Ends a tree whose search was broken off: open nodes are completed and marked unfinished.
    pub fn abandon(mut self, metadata: &Metadata) -> Result<TreeSummary> {
        self.end(metadata)
    }

    /// Ends the tree like [`TreeWriter::finish_with`], but does not wait for a tree in the [background](TreeWriter::background).
    ///
    /// The rest of such a tree goes to the file while the engine searches the next one. The end of the log waits for it, and the next tree
    /// or the end of the log reports an error that occurs meanwhile. A process that is killed loses what was not yet written.
    ///
    /// ```
    /// use gt_log::{Header, LogWriter, Metadata, Schema};
    /// gt_log::record! { struct Node { best: i32 } }
    ///
    /// let log = LogWriter::to_memory(Header::new("nim", Schema::of::<Node>()?))?;
    /// for depth in 1..4 {
    ///     let mut tree = log.tree::<Node>(&Metadata::new())?.background(true);
    ///     tree.enter(0)?;
    ///     tree.leave(&Node { best: depth })?;
    ///     tree.finish_later(&Metadata::new())?;
    /// }
    /// assert_eq!(gt_log::Log::from_bytes(log.into_memory()?)?.tree_count(), 3);
    /// # Ok::<(), gt_log::Error>(())
    /// ```
    pub fn finish_later(self, metadata: &Metadata) -> Result<TreeSummary> {
        self.finish_by(|state| state.end_later(metadata))
    }

    /// Ends the tree of a search that was broken off like [`TreeWriter::abandon`], but waits as little as [`TreeWriter::finish_later`].
    pub fn abandon_later(mut self, metadata: &Metadata) -> Result<TreeSummary> {
        self.end_with(|state| state.end_later(metadata))
    }

    /// Calls `work` with the tree, if it is being logged; an error that ends the log turns logging off.
    #[inline(always)]
    fn on_state(&mut self, work: impl FnOnce(&mut State) -> Result<()>) -> Result<()> {
        match &mut self.state {
            None => Ok(()),
            Some(state) => {
                let worked = work(state);
                self.settle(worked)
            }
        }
    }

    /// Ends the tree; nodes that are open are an error.
    fn finish_by(mut self, end: impl FnOnce(&mut State) -> Result<TreeSummary>) -> Result<TreeSummary> {
        let open = self.still_open();
        let summary = self.end_with(end)?;
        open.map_or(Ok(summary), Err)
    }

    fn end(&mut self, metadata: &Metadata) -> Result<TreeSummary> {
        self.end_with(|state| state.end(metadata))
    }

    fn end_with(&mut self, end: impl FnOnce(&mut State) -> Result<TreeSummary>) -> Result<TreeSummary> {
        if let Some(failure) = self.failure.take() {
            return Err(Error::Io(std::io::Error::other(failure)));
        }
        match self.state.take() {
            None => Ok(TreeSummary::default()),
            Some(mut state) => end(&mut state),
        }
    }

    fn still_open(&self) -> Option<Error> {
        self.state.as_ref()?.still_open()
    }

    /// Turns logging off when the system refuses to write; other errors concern one call.
    #[inline(always)]
    fn settle(&mut self, outcome: Result<()>) -> Result<()> {
        match outcome {
            Ok(()) => Ok(()),
            Err(error) => Err(self.fail(error)),
        }
    }

    #[cold]
    fn fail(&mut self, error: Error) -> Error {
        if matches!(error, Error::Io(_) | Error::Closed) {
            self.failure = Some(error.to_string());
            self.state = None;
        }
        error
    }
}

impl<R: Record> TreeWriter<R> {
    /// Enters a node like [`TreeWriter::enter_values`], with a record whose unknown fields are `None`.
    ///
    /// ```
    /// use gt_log::{Header, Log, LogWriter, Metadata, Schema, Value, Walker};
    /// gt_log::record! { struct Node { alpha: Option<i32>, best: Option<i32> } }
    ///
    /// let log = LogWriter::to_memory(Header::new("nim", Schema::of::<Node>()?))?;
    /// let mut tree = log.tree::<Node>(&Metadata::new())?;
    /// tree.enter_record(0, &Node { alpha: Some(-7), best: None })?;
    /// tree.abandon(&Metadata::new())?; // the search is broken off
    /// let log = Log::from_bytes(log.into_memory()?)?;
    /// let mut walker = Walker::new(log.tree(0)?);
    /// assert_eq!(walker.value(0, 0)?, Value::Int(-7));
    /// assert_eq!(walker.value(0, 1)?, Value::Missing);
    /// # Ok::<(), gt_log::Error>(())
    /// ```
    #[inline]
    pub fn enter_record(&mut self, last_move: i64, record: &R) -> Result<()> {
        self.enter_with(last_move, |_, row| {
            record.store(row);
            Ok(())
        })
    }

    /// Leaves the node entered last.
    #[inline]
    pub fn leave(&mut self, record: &R) -> Result<()> {
        self.leave_with(|_, row| {
            record.store(row);
            Ok(())
        })
    }
}

impl<R> Drop for TreeWriter<R> {
    /// Ends the tree as abandoned when its writer goes out of scope (a panic, an early return).
    fn drop(&mut self) {
        let _ = self.end(&Metadata::new());
    }
}
