//! A tree that is being logged.

use std::marker::PhantomData;
use std::sync::Arc;

use super::clock::FlushClock;
use super::open::{Open, OpenPath};
use super::options::{Options, Trigger};
use super::pipeline::{Pipeline, Position};
use super::sink::Sink;
use super::staging::Staging;
use crate::builder::store_values;
use crate::error::{Error, Result};
use crate::format::{DEPTH_MAX, NODES_MAX, put_metadata, status};
use crate::record::{Record, Row, Value};
use crate::wire::put_unsigned;
use crate::{Metadata, Schema};

/// Records one tree: `enter` on the way down, `leave` on the way up.
///
/// An error never breaks the file: what was logged up to it stays readable. When the system refuses to write
/// (a full disk, say) the error is returned once and logging is off from then on; [`TreeWriter::finish`]
/// returns it again.
pub struct TreeWriter<R = Dynamic> {
    /// `None` when logging is off.
    state: Option<Box<State>>,
    failure: Option<String>,
    record: PhantomData<fn(&R)>,
}

/// The record type of trees whose attributes are known only at run time; see [`TreeWriter::leave_values`].
#[derive(Clone, Copy, Debug)]
pub struct Dynamic;

/// What a node is known to lack, when a tree is copied from elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// It was open when its log ended.
    pub unfinished: bool,
    /// How many nodes were left out right below it.
    pub left_out: u64,
}

/// What a finished tree came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeSummary {
    /// Its number in the log.
    pub tree: u32,
    /// How many rows it has.
    pub nodes: u64,
    /// How many nodes were left out, by the budget or outside the trigger.
    pub left_out: u64,
}

struct State {
    sink: Arc<Sink>,
    tree: u32,
    schema: Schema,
    staging: Staging,
    pipeline: Pipeline,
    path: OpenPath,
    clock: FlushClock,
    /// Rows that have gone to the file, or are on their way.
    rows_flushed: u64,
    left_out: u64,
    nodes_max: u64,
    bytes_max: u64,
    /// Whether the file has reached `bytes_max`.
    bytes_spent: bool,
    trigger: Option<Trigger>,
    /// How deep the search is in a subtree that is left out, and how many nodes it has had.
    skipped_depth: u64,
    skipped_nodes: u64,
}

impl<R> TreeWriter<R> {
    pub(crate) fn begin(
        sink: Arc<Sink>,
        schema: &Schema,
        metadata: &Metadata,
        options: Options,
    ) -> Result<Self> {
        let mut head = Vec::new();
        put_metadata(&mut head, metadata);
        let tree = sink.begin_tree(&head)?;
        let pipeline = Pipeline::new(sink.clone(), tree, schema);
        let bytes_max = options.budget.bytes_max.unwrap_or(u64::MAX);
        let state = State {
            // Trees before this one may have spent it.
            bytes_spent: sink.bytes() >= bytes_max,
            sink,
            tree,
            schema: schema.clone(),
            staging: Staging::new(schema, options.flush.rows_max()),
            pipeline,
            path: OpenPath::default(),
            clock: FlushClock::new(options.flush.time_ms_max),
            rows_flushed: 0,
            left_out: 0,
            nodes_max: options.budget.nodes_max.unwrap_or(NODES_MAX).clamp(1, NODES_MAX),
            bytes_max,
            trigger: options.trigger,
            skipped_depth: 0,
            skipped_nodes: 0,
        };
        Ok(Self { state: Some(Box::new(state)), failure: None, record: PhantomData })
    }

    /// Says whether full blocks are encoded and written by a thread of the tree's own, so that the search
    /// pays little more than the copying of its records. For machines with a core to spare; off by default.
    ///
    /// Blocks arrive in the file a little later: up to two are on their way, and a process that is killed
    /// loses those beside the one that was being filled. A panic of the engine loses nothing.
    /// [`TreeWriter::flush`] and the end of the tree wait until all is in the file. An error of the thread is
    /// returned when the next block is handed over, by `flush` or at the end.
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
            state.pipeline.set_background(background);
        }
        self
    }

    /// A writer that logs nothing: every call is a branch.
    #[must_use]
    pub fn off() -> Self {
        Self { state: None, failure: None, record: PhantomData }
    }

    /// Whether nodes are being recorded.
    #[must_use]
    pub fn is_on(&self) -> bool {
        !cfg!(feature = "off") && self.state.is_some()
    }

    /// The search goes down `last_move`; for the root, any number.
    #[inline]
    pub fn enter(&mut self, last_move: i64) -> Result<()> {
        if cfg!(feature = "off") {
            return Ok(());
        }
        match &mut self.state {
            None => Ok(()),
            Some(state) => {
                let entered = state.enter(last_move);
                self.settle(entered)
            }
        }
    }

    /// Leaves the node entered last, with these values for its attributes.
    pub fn leave_values(&mut self, values: &[Value]) -> Result<()> {
        self.leave_with(|schema, row| store_values(schema, values, row))
    }

    /// Leaves the node entered last, with the record that `store` puts into the row: one value for each
    /// attribute, in order.
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

    /// The same for a node that is copied from another log, with its marks.
    #[inline]
    pub fn leave_marked(
        &mut self,
        marks: Marks,
        store: impl FnOnce(&Schema, &mut Row<'_>) -> std::result::Result<(), String>,
    ) -> Result<()> {
        match &mut self.state {
            None => Ok(()),
            Some(state) => {
                let left = state.leave(marks, store);
                self.settle(left)
            }
        }
    }

    /// Leaves the node entered last with its attributes not known: it is marked unfinished.
    pub fn leave_unfinished(&mut self) -> Result<()> {
        match &mut self.state {
            None => Ok(()),
            Some(state) => {
                let left = state.leave_unfinished();
                self.settle(left)
            }
        }
    }

    /// How many nodes are open.
    #[must_use]
    pub fn open_nodes(&self) -> usize {
        self.state.as_ref().map_or(0, |state| state.path.len() + state.skipped_depth as usize)
    }

    /// Sends everything to the file now, and returns when it is there.
    pub fn flush(&mut self) -> Result<()> {
        match &mut self.state {
            None => Ok(()),
            Some(state) => {
                let flushed = state.flush_through();
                self.settle(flushed)
            }
        }
    }

    /// Ends the tree. Nodes that are still open are completed, marked unfinished, and reported as an error.
    pub fn finish(self) -> Result<TreeSummary> {
        self.finish_with(&Metadata::new())
    }

    /// Ends the tree with more to say about it: its value, the best move, the time it took.
    pub fn finish_with(mut self, metadata: &Metadata) -> Result<TreeSummary> {
        let open = self.still_open();
        let summary = self.end(metadata)?;
        match open {
            Some(error) => Err(error),
            None => Ok(summary),
        }
    }

    /// Ends a tree whose search was broken off: open nodes are completed and marked unfinished.
    pub fn abandon(mut self, metadata: &Metadata) -> Result<TreeSummary> {
        self.end(metadata)
    }

    fn end(&mut self, metadata: &Metadata) -> Result<TreeSummary> {
        if let Some(failure) = self.failure.take() {
            return Err(Error::Io(std::io::Error::other(failure)));
        }
        match self.state.take() {
            None => Ok(TreeSummary::default()),
            Some(mut state) => state.end(metadata),
        }
    }

    fn still_open(&self) -> Option<Error> {
        let state = self.state.as_ref()?;
        let open = state.path.len();
        (open > 0).then(|| Error::StillOpen {
            tree: state.tree,
            open: open + state.skipped_depth as usize,
            deepest_node: state.next_row() + open as u64 - 1,
            last_move: state.path.peek_move(),
        })
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
    /// A writer that goes out of scope (a panic, an early return) ends its tree as abandoned.
    fn drop(&mut self) {
        let _ = self.end(&Metadata::new());
    }
}

impl State {
    fn next_row(&self) -> u64 {
        self.rows_flushed + self.staging.rows() as u64
    }

    #[inline]
    fn enter(&mut self, last_move: i64) -> Result<()> {
        if self.skipped_depth > 0 {
            self.skip();
            return Ok(());
        }
        let start_row = self.next_row();
        let open = self.path.len();
        if open == 0 && start_row > 0 {
            return Err(Error::SecondRoot { tree: self.tree, last_move });
        }
        if open >= DEPTH_MAX {
            self.skip();
            return Err(Error::TooDeep);
        }
        if start_row + open as u64 >= self.nodes_max || self.bytes_spent && open > 0 {
            self.skip();
            return if self.nodes_max == NODES_MAX && !self.bytes_spent {
                Err(Error::TooManyNodes)
            } else {
                Ok(())
            };
        }
        let inside = match &self.trigger {
            None => true,
            Some(_) => self.path.top().is_some_and(|parent| parent.inside),
        };
        let node = Open { last_move, start_row, left_out: 0, inside };
        self.path.push(node, self.trigger.is_some());
        if !inside {
            self.pull_trigger();
        }
        if self.clock.is_due() {
            self.flush()?;
        }
        Ok(())
    }

    /// The node that is being entered belongs to a subtree that is left out.
    fn skip(&mut self) {
        self.skipped_depth += 1;
        self.skipped_nodes += 1;
    }

    /// Whether logging sets in at the node on top of the path.
    fn pull_trigger(&mut self) {
        let Some(trigger) = &mut self.trigger else { return };
        if trigger.holds(self.path.line()) {
            if trigger.once {
                *trigger = Trigger::when(|_| false);
            }
            if let Some(top) = self.path.top() {
                top.inside = true;
            }
        }
    }

    #[inline]
    fn leave(
        &mut self,
        marks: Marks,
        store: impl FnOnce(&Schema, &mut Row<'_>) -> std::result::Result<(), String>,
    ) -> Result<()> {
        if self.leave_skipped() {
            return Ok(());
        }
        if self.path.len() == 0 {
            return Err(Error::LeaveWithoutEnter { tree: self.tree, nodes_left: self.next_row() });
        }
        let mut row = self.staging.new_row();
        let stored = store(&self.schema, &mut row);
        if let Some(what) = stored.err().or(row.fault()) {
            return Err(Error::WrongRecord { what });
        }
        if marks.left_out > 0
            && let Some(top) = self.path.top()
        {
            top.left_out = top.left_out.saturating_add(marks.left_out);
            self.left_out = self.left_out.saturating_add(marks.left_out);
        }
        self.close_node(if marks.unfinished { status::UNFINISHED } else { 0 })
    }

    fn leave_unfinished(&mut self) -> Result<()> {
        if self.leave_skipped() {
            return Ok(());
        }
        if self.path.len() == 0 {
            return Err(Error::LeaveWithoutEnter { tree: self.tree, nodes_left: self.next_row() });
        }
        self.staging.put_blank_record();
        self.close_node(status::UNFINISHED)
    }

    /// Leaves a node of a subtree that is left out, if the search is in one.
    #[inline(always)]
    fn leave_skipped(&mut self) -> bool {
        if self.skipped_depth == 0 {
            return false;
        }
        self.skipped_depth -= 1;
        if self.skipped_depth == 0 {
            let nodes = std::mem::take(&mut self.skipped_nodes);
            self.left_out = self.left_out.saturating_add(nodes);
            if let Some(top) = self.path.top() {
                top.left_out = top.left_out.saturating_add(nodes);
            }
        }
        true
    }

    /// Pops the node on top and writes its row; its record has been put.
    #[inline]
    fn close_node(&mut self, mut status: u8) -> Result<()> {
        let Some(node) = self.path.pop() else { return Ok(()) };
        let row = self.next_row();
        let ply = self.path.len();
        if !node.inside && node.start_row == row && ply > 0 {
            // Outside the trigger, with nothing logged below: the node above answers for it.
            self.left_out += 1;
            if let Some(parent) = self.path.top() {
                parent.left_out = parent.left_out.saturating_add(1).saturating_add(node.left_out);
            }
            return Ok(());
        }
        if node.left_out > 0 {
            status |= status::LEFT_OUT;
        }
        self.staging.push(row + 1 - node.start_row, node.last_move, ply, status, node.left_out);
        if self.staging.is_full() || self.clock.is_due() {
            self.flush()?;
        }
        Ok(())
    }

    /// Sends the rows on their way to the file.
    #[cold]
    fn flush(&mut self) -> Result<()> {
        if let Some(position) = self.next_position() {
            self.pipeline.write(&mut self.staging, position)?;
            self.bytes_spent = self.sink.bytes() >= self.bytes_max;
        }
        Ok(())
    }

    /// Sends the rows to the file and waits until they are there.
    fn flush_through(&mut self) -> Result<()> {
        match self.next_position() {
            Some(position) => self.pipeline.write_through(&mut self.staging, position)?,
            None => self.pipeline.wait()?,
        }
        self.bytes_spent = self.sink.bytes() >= self.bytes_max;
        Ok(())
    }

    /// Where the rows of the staging belong, if there is anything new to write. They count as flushed then.
    fn next_position(&mut self) -> Option<Position> {
        self.clock.restart();
        let rows = self.staging.rows();
        if rows == 0 && !self.path.has_changed() {
            return None;
        }
        let (path_kept, path_added) = self.path.record();
        let first_row = self.rows_flushed;
        self.rows_flushed += rows as u64;
        Some(Position { first_row, path_kept, path_added })
    }

    fn end(&mut self, metadata: &Metadata) -> Result<TreeSummary> {
        while self.skipped_depth > 0 || self.path.len() > 0 {
            self.leave_unfinished()?;
        }
        self.flush_through()?;
        let nodes = self.rows_flushed;
        let mut head = Vec::new();
        put_unsigned(&mut head, nodes);
        put_metadata(&mut head, metadata);
        self.sink.end_tree(self.tree, &head)?;
        Ok(TreeSummary { tree: self.tree, nodes, left_out: self.left_out })
    }
}
