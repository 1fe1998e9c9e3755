//! A tree under way: what happens when a node is entered and left, what is left out, and when a block is written.

use std::sync::Arc;

use super::clock::FlushClock;
use super::entry::Entries;
use super::open::{Open, OpenPath};
use super::options::{Options, Trigger};
use super::pipeline::Pipeline;
use super::sink::Sink;
use super::summary::{Marks, TreeSummary};
use crate::encode::{Position, RowLayout, Staging};
use crate::error::{Error, Result};
use crate::format::{DEPTH_MAX, NODES_MAX, put_metadata, status};
use crate::record::Row;
use crate::wire::put_unsigned;
use crate::{Metadata, Schema};

/// Why a record cannot be given as bytes.
const NOT_FILLED: &str = "it has texts, and those are no bytes of a record";

/// A tree under way.
///
/// The engine pushes what is here out of the nearest cache between two nodes. So the fields that every node asks for lie beside each
/// other, in as few lines of the cache as they fit: the path's last ones, those up to the clock's first one, the staging's first ones, and
/// the first ones of the entries where a search gives some.
#[repr(C, align(64))]
pub(super) struct State {
    path: OpenPath,
    /// Rows so far.
    rows: u64,
    /// With fewer rows and open nodes than this, a node is entered without a further look: 0 where a budget, a trigger or a
    /// subtree that is left out asks for one.
    nodes_free: u64,
    clock: FlushClock,
    staging: Staging,
    entries: Entries,
    schema: Schema,
    sink: Arc<Sink>,
    tree: u32,
    pub(super) pipeline: Pipeline,
    /// Those of blocks that have gone to the file, or are on their way.
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

impl State {
    pub(super) fn begin(
        sink: Arc<Sink>,
        schema: &Schema,
        metadata: &Metadata,
        options: Options,
    ) -> Result<Self> {
        if options.budget.bytes_max.is_some() {
            // What trees before this one take is known when they are in the file.
            sink.wait();
        }
        let mut head = Vec::new();
        put_metadata(&mut head, metadata);
        let tree = sink.begin_tree(&head)?;
        let pipeline = Pipeline::new(sink.clone(), tree, schema);
        let bytes_max = options.budget.bytes_max.unwrap_or(u64::MAX);
        let layout = RowLayout::new(schema);
        let mut state = Self {
            // Trees before this one may have spent it.
            bytes_spent: sink.bytes() >= bytes_max,
            sink,
            tree,
            schema: schema.clone(),
            staging: Staging::new(layout.clone(), options.flush.rows_max()),
            pipeline,
            path: OpenPath::default(),
            entries: Entries::new(layout),
            clock: FlushClock::new(options.flush.time_ms_max),
            rows: 0,
            rows_flushed: 0,
            nodes_free: 0,
            left_out: 0,
            nodes_max: options.budget.nodes_max.unwrap_or(NODES_MAX).clamp(1, NODES_MAX),
            bytes_max,
            trigger: options.trigger,
            skipped_depth: 0,
            skipped_nodes: 0,
        };
        state.renew_nodes_free();
        Ok(state)
    }

    fn renew_nodes_free(&mut self) {
        let looks = self.trigger.is_some() || self.bytes_spent || self.skipped_depth > 0;
        self.nodes_free = if looks { 0 } else { self.nodes_max };
    }

    #[inline]
    pub(super) fn enter(&mut self, last_move: i64) -> Result<()> {
        self.open_node(last_move, false)?;
        if self.clock.is_due() {
            self.flush()?;
        }
        Ok(())
    }

    /// Enters a node of which `store` puts what is known already.
    #[inline]
    pub(super) fn enter_with(
        &mut self,
        last_move: i64,
        store: impl FnOnce(&Schema, &mut Row<'_>) -> std::result::Result<(), String>,
    ) -> Result<()> {
        if self.open_node(last_move, true)? {
            let stored = self.entries.set(self.path.len() - 1, &self.schema, store);
            stored.map_err(|what| self.refuse_entry(what))?;
        }
        if self.clock.is_due() {
            self.flush()?;
        }
        Ok(())
    }

    /// The same with a record as bytes, which has no texts.
    #[inline(always)]
    pub(super) fn enter_filled(
        &mut self,
        last_move: i64,
        missing: &[u64],
        fill: impl FnOnce(&mut [u8]),
    ) -> Result<()> {
        if self.open_node(last_move, true)? {
            let place = self.path.len() - 1;
            match self.entries.place_of(place, missing) {
                Some(record) => fill(record),
                None => return Err(self.refuse_entry(NOT_FILLED.to_owned())),
            }
        }
        if self.clock.is_due() {
            self.flush()?;
        }
        Ok(())
    }

    /// Opens a node, unless it is left out: says which.
    #[inline(always)]
    fn open_node(&mut self, last_move: i64, has_entry: bool) -> Result<bool> {
        let open = self.path.len();
        if self.rows + open as u64 >= self.nodes_free || open == 0 || open >= DEPTH_MAX {
            return self.open_looking(last_move, has_entry);
        }
        let node = Open { last_move, start_row: self.rows, left_out: 0, inside: true, has_entry };
        self.path.push(node, false);
        Ok(true)
    }

    /// The same for a root, and where something may be left out.
    #[cold]
    fn open_looking(&mut self, last_move: i64, has_entry: bool) -> Result<bool> {
        if self.skipped_depth > 0 {
            self.skip();
            return Ok(false);
        }
        let (start_row, open) = (self.rows, self.path.len());
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
                Ok(false)
            };
        }
        let inside = match &self.trigger {
            None => true,
            Some(_) => self.path.top().is_some_and(|parent| parent.inside),
        };
        let node = Open { last_move, start_row, left_out: 0, inside, has_entry };
        self.path.push(node, self.trigger.is_some());
        if !inside {
            self.pull_trigger();
        }
        Ok(true)
    }

    /// What was to be known of the node on top cannot be taken: the node stays, without it.
    #[cold]
    fn refuse_entry(&mut self, what: String) -> Error {
        if let Some(top) = self.path.top() {
            top.has_entry = false;
        }
        Error::WrongRecord { what }
    }

    /// The node that is being entered belongs to a subtree that is left out.
    fn skip(&mut self) {
        self.skipped_depth += 1;
        self.skipped_nodes += 1;
        self.nodes_free = 0;
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
    pub(super) fn leave(
        &mut self,
        marks: Marks,
        store: impl FnOnce(&Schema, &mut Row<'_>) -> std::result::Result<(), String>,
    ) -> Result<()> {
        if self.leave_skipped() {
            return Ok(());
        }
        // Field by field: they were written so, most often a moment ago, and cannot be read as a whole before that has settled.
        let Some(&Open { last_move, start_row, left_out, inside, has_entry }) = self.path.last() else {
            return Err(self.no_open_node());
        };
        let (mut next, texts) = self.staging.next_row();
        let mut row = next.as_row(texts);
        let stored = store(&self.schema, &mut row);
        if let Some(what) = stored.err().or(row.fault()) {
            return Err(Error::WrongRecord { what });
        }
        let lacks = next.missing.iter().any(|&word| word != 0);
        if !inside || left_out > 0 || marks != Marks::default() || lacks && has_entry {
            return self.leave_marked(marks);
        }
        next.put_head(last_move, self.rows + 1 - start_row, self.path.shorten());
        self.count_row()
    }

    /// Leaves a node whose record has been put, and of which there is more to say.
    #[inline(never)]
    fn leave_marked(&mut self, marks: Marks) -> Result<()> {
        if let Some(top) = self.path.top() {
            top.left_out = top.left_out.saturating_add(marks.left_out);
            self.left_out = self.left_out.saturating_add(marks.left_out);
        }
        self.close_known(if marks.unfinished { status::UNFINISHED } else { 0 })
    }

    /// The same with a record as bytes, which has no texts and lacks nothing.
    #[inline(always)]
    pub(super) fn leave_filled(&mut self, fill: impl FnOnce(&mut [u8])) -> Result<()> {
        if self.leave_skipped() {
            return Ok(());
        }
        let Some(&Open { last_move, start_row, left_out, inside, .. }) = self.path.last() else {
            return Err(self.no_open_node());
        };
        if self.staging.has_texts() {
            return Err(Error::WrongRecord { what: NOT_FILLED.to_owned() });
        }
        let (mut next, _) = self.staging.next_row();
        next.lack_nothing();
        fill(next.record);
        if !inside || left_out > 0 {
            return self.close_known(0);
        }
        next.put_head(last_move, self.rows + 1 - start_row, self.path.shorten());
        self.count_row()
    }

    #[cold]
    fn no_open_node(&self) -> Error {
        Error::LeaveWithoutEnter { tree: self.tree, nodes_left: self.rows }
    }

    pub(super) fn leave_unfinished(&mut self) -> Result<()> {
        if self.leave_skipped() {
            return Ok(());
        }
        if self.path.len() == 0 {
            return Err(self.no_open_node());
        }
        self.staging.put_known(&[]);
        self.close_known(status::UNFINISHED)
    }

    /// Leaves a node of a subtree that is left out, if the search is in one.
    #[inline(always)]
    fn leave_skipped(&mut self) -> bool {
        // Nodes are free in no subtree that is left out.
        self.nodes_free == 0 && self.is_leaving_skipped()
    }

    #[cold]
    fn is_leaving_skipped(&mut self) -> bool {
        if self.skipped_depth == 0 {
            return false;
        }
        self.skipped_depth -= 1;
        if self.skipped_depth == 0 {
            self.renew_nodes_free();
            let nodes = std::mem::take(&mut self.skipped_nodes);
            self.left_out = self.left_out.saturating_add(nodes);
            if let Some(top) = self.path.top() {
                top.left_out = top.left_out.saturating_add(nodes);
            }
        }
        true
    }

    /// Pops the node on top and writes its row; its record has been put, and gets what it lacks and the node was entered with.
    #[inline(never)]
    fn close_known(&mut self, status: u8) -> Result<()> {
        let Some(&node) = self.path.last() else { return Ok(()) };
        let place = self.path.shorten();
        if node.has_entry {
            let entry = self.entries.get(place);
            self.staging
                .fill_from(entry.missing, entry.record, |attribute, code| entry.text(attribute, code));
        }
        self.close_node(node, status)
    }

    /// Writes the row of a node that has been popped; its record is complete.
    fn close_node(&mut self, node: Open, mut status: u8) -> Result<()> {
        let row = self.rows;
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
        if status != 0 {
            self.staging.mark_row(status, node.left_out);
        }
        self.staging.next_row().0.put_head(node.last_move, row + 1 - node.start_row, ply);
        self.count_row()
    }

    /// A row has been put.
    #[inline(always)]
    fn count_row(&mut self) -> Result<()> {
        self.staging.count_row();
        self.rows += 1;
        if self.staging.is_full() || self.clock.is_due() {
            self.hand_over()?;
        }
        Ok(())
    }

    /// Some rows are ready, or it is time: sends them to where blocks are made, or a block on its way to the file.
    #[cold]
    fn hand_over(&mut self) -> Result<()> {
        if self.staging.is_full() && !self.staging.is_block_full() {
            self.pipeline.take_rows(&mut self.staging)
        } else {
            self.flush()
        }
    }

    /// Sends the rows on their way to the file.
    #[cold]
    pub(super) fn flush(&mut self) -> Result<()> {
        if let Some(position) = self.next_position() {
            self.pipeline.write(&mut self.staging, position)?;
            self.look_at_bytes();
        }
        Ok(())
    }

    /// Sends the rows to the file and waits until they are there.
    pub(super) fn flush_through(&mut self) -> Result<()> {
        match self.next_position() {
            Some(position) => self.pipeline.write_through(&mut self.staging, position)?,
            None => self.pipeline.wait()?,
        }
        self.look_at_bytes();
        Ok(())
    }

    fn look_at_bytes(&mut self) {
        self.bytes_spent = self.sink.bytes() >= self.bytes_max;
        self.renew_nodes_free();
    }

    /// Where the rows of the staging belong, if there is anything new to write. They count as flushed then.
    fn next_position(&mut self) -> Option<Position> {
        self.clock.restart();
        if self.rows == self.rows_flushed && !self.path.has_changed() {
            return None;
        }
        let (path_kept, path_added) = self.path.record();
        let entry_values = self.entries.values(self.path.entries(path_kept), path_kept);
        let first_row = std::mem::replace(&mut self.rows_flushed, self.rows);
        Some(Position { first_row, path_kept, path_added, entry_values })
    }

    pub(super) fn end(&mut self, metadata: &Metadata) -> Result<TreeSummary> {
        self.leave_open_nodes()?;
        self.flush_through()?;
        self.sink.end_tree(self.tree, &self.end_head(metadata))?;
        Ok(self.summary())
    }

    /// The same, and where blocks are made on a thread of their own, does not wait for it.
    pub(super) fn end_later(&mut self, metadata: &Metadata) -> Result<TreeSummary> {
        self.leave_open_nodes()?;
        let position = self.next_position();
        let head = self.end_head(metadata);
        self.pipeline.end_later(&mut self.staging, position, head)?;
        Ok(self.summary())
    }

    fn leave_open_nodes(&mut self) -> Result<()> {
        while self.skipped_depth > 0 || self.path.len() > 0 {
            self.leave_unfinished()?;
        }
        Ok(())
    }

    /// What the tree ends with; all rows have been flushed.
    fn end_head(&self, metadata: &Metadata) -> Vec<u8> {
        let mut head = Vec::new();
        put_unsigned(&mut head, self.rows_flushed);
        put_metadata(&mut head, metadata);
        head
    }

    fn summary(&self) -> TreeSummary {
        TreeSummary { tree: self.tree, nodes: self.rows_flushed, left_out: self.left_out }
    }

    /// How many nodes are open, those that are left out included.
    pub(super) fn open_nodes(&self) -> usize {
        self.path.len() + self.skipped_depth as usize
    }

    /// Whether nodes are open. Where some are left out, the root is open above them.
    #[inline(always)]
    pub(super) fn has_open_nodes(&self) -> bool {
        self.path.len() > 0
    }

    /// Whether a node has been entered, also one that is left out.
    pub(super) fn has_nodes(&self) -> bool {
        self.open_nodes() > 0 || self.rows > 0 || self.left_out > 0
    }

    /// That nodes are still open, if some are.
    pub(super) fn still_open(&self) -> Option<Error> {
        let open = self.path.len();
        (open > 0).then(|| Error::StillOpen {
            tree: self.tree,
            open: self.open_nodes(),
            deepest_node: self.rows + open as u64 - 1,
            last_move: self.path.peek_move(),
        })
    }
}
