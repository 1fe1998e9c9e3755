//! The state of a tree that is being logged: handles nodes entered and left, subtrees left out, and blocks that are due.

mod lane;

use std::sync::Arc;

use super::clock::FlushClock;
use super::entry::{self, EntryTexts};
use super::open::{Last, Open, OpenPath, flag};
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

/// The reason why a record cannot be given as bytes.
const NOT_FILLED: &str = "it has texts, and those are no bytes of a record";

/// The state of a tree that is being logged.
///
/// Between two nodes, the engine pushes the state out of the nearest cache. So the fields that every node needs are in two cache lines:
/// those up to the clock's first field, and the staging's first fields.
#[repr(C, align(64))]
pub struct State {
    path: OpenPath,
    /// The number of rows so far.
    rows: u64,
    /// With fewer rows and open nodes than this, a node is entered without a further check: 0 if a root, a budget, a trigger or a left-out
    /// subtree needs one.
    nodes_free: u64,
    clock: FlushClock,
    staging: Staging,
    entry_texts: EntryTexts,
    schema: Schema,
    sink: Arc<Sink>,
    tree: u32,
    pipeline: Pipeline,
    /// The moves of the open nodes except the root's, if a trigger looks at them.
    line: Vec<i64>,
    /// The number of nodes of the path recorded last.
    path_recorded: usize,
    /// The number of rows of blocks that are in the file or on their way.
    rows_flushed: u64,
    left_out: u64,
    nodes_max: u64,
    bytes_max: u64,
    /// Whether the file has reached `bytes_max`.
    bytes_spent: bool,
    trigger: Option<Trigger>,
    /// How deep the search is in a left-out subtree, and how many nodes that has had.
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
            // How many bytes earlier trees take is known only when they are in the file.
            sink.wait();
        }
        let mut head = Vec::new();
        put_metadata(&mut head, metadata);
        let tree = sink.begin_tree(&head)?;
        let pipeline = Pipeline::new(sink.clone(), tree, schema);
        let bytes_max = options.budget.bytes_max.unwrap_or(u64::MAX);
        let layout = RowLayout::new(schema);
        Ok(Self {
            // Earlier trees may have spent it.
            bytes_spent: sink.bytes() >= bytes_max,
            sink,
            tree,
            schema: schema.clone(),
            path: OpenPath::new(&layout),
            staging: Staging::new(layout, options.flush.rows_max()),
            pipeline,
            entry_texts: EntryTexts::default(),
            line: Vec::new(),
            path_recorded: 0,
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
        })
    }

    /// Sets whether blocks are made on a separate thread.
    pub(super) fn set_background(&mut self, background: bool) {
        self.pipeline.set_background(background);
        self.staging.set_background(background);
    }

    fn renew_nodes_free(&mut self) {
        let looks =
            self.path.len() == 0 || self.trigger.is_some() || self.bytes_spent || self.skipped_depth > 0;
        self.nodes_free = if looks { 0 } else { self.nodes_max };
    }

    #[inline]
    pub(super) fn enter(&mut self, last_move: i64) -> Result<()> {
        let opened = if self.is_free() { self.path.push(last_move, self.rows, 0) } else { None };
        if opened.is_none() {
            self.open_looking(last_move, 0)?;
        }
        self.flush_if_due()
    }

    /// Enters a node; `store` puts the values that are already known.
    #[inline]
    pub(super) fn enter_with(
        &mut self,
        last_move: i64,
        store: impl FnOnce(&Schema, &mut Row<'_>) -> std::result::Result<(), String>,
    ) -> Result<()> {
        let place = self.path.len();
        let pushed =
            if self.is_free() { self.path.push(last_move, self.rows, flag::HAS_ENTRY) } else { None };
        let entry = match pushed {
            Some(entry) => entry,
            None => match self.open_looking(last_move, flag::HAS_ENTRY)? {
                true => self.path.last_entry_mut(),
                false => return self.flush_if_due(),
            },
        };
        // `store` is called in only one place, so that the compiler puts a record's fields straight into the frame.
        let layout = self.staging.layout();
        let texts = match layout.has_texts() {
            true => self.entry_texts.cleared(place, layout),
            false => &mut [],
        };
        if let Err(what) = entry::set(entry, layout, texts, &self.schema, store) {
            return Err(self.refuse_entry(what));
        }
        self.flush_if_due()
    }

    /// Enters a node with a record given as bytes, which has no texts.
    #[inline(never)]
    pub(super) fn enter_filled(
        &mut self,
        last_move: i64,
        missing: &[u64],
        fill: impl FnOnce(&mut [u8]),
    ) -> Result<()> {
        let opened =
            if self.is_free() { self.path.push(last_move, self.rows, flag::HAS_ENTRY) } else { None };
        if opened.is_some() || self.open_looking(last_move, flag::HAS_ENTRY)? {
            let layout = self.staging.layout();
            match entry::place_of(self.path.last_entry_mut(), layout, missing) {
                Some(record) if !layout.has_texts() => fill(record),
                _ => return Err(self.refuse_entry(NOT_FILLED.to_owned())),
            }
        }
        self.flush_if_due()
    }

    /// Whether a node may be entered without a further check, if there is room for it.
    #[inline(always)]
    fn is_free(&self) -> bool {
        self.rows + (self.path.len() as u64) < self.nodes_free
    }

    #[inline(always)]
    fn flush_if_due(&mut self) -> Result<()> {
        if self.clock.is_due() {
            self.flush()?;
        }
        Ok(())
    }

    /// Opens a node that needs a further check, unless it is left out; returns whether it was opened.
    #[cold]
    fn open_looking(&mut self, last_move: i64, flags: u64) -> Result<bool> {
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
        let is_outside = match (&self.trigger, self.path.last()) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(_), Some(last)) => last.flags & flag::OUTSIDE != 0,
        };
        let mut flags = flags;
        if is_outside {
            flags |= flag::OUTSIDE;
        }
        if open == 0 {
            flags |= flag::ROOT;
        } else if self.trigger.is_some() {
            flags |= flag::IN_LINE;
            self.line.push(last_move);
        }
        if self.path.push(last_move, start_row, flags).is_none() {
            self.path.make_room();
            self.path.push(last_move, start_row, flags);
        }
        self.renew_nodes_free();
        if is_outside {
            self.pull_trigger();
        }
        Ok(true)
    }

    /// Refuses the values with which the node on top was entered: the node stays, without them.
    #[cold]
    fn refuse_entry(&mut self, what: String) -> Error {
        self.path.flag_top(0, flag::HAS_ENTRY);
        Error::WrongRecord { what }
    }

    /// Counts the node that is being entered as part of a left-out subtree.
    fn skip(&mut self) {
        self.skipped_depth += 1;
        self.skipped_nodes += 1;
        self.nodes_free = 0;
        self.path.flag_top(flag::SKIPPING, 0);
    }

    /// Starts logging at the node on top of the path if the trigger holds there.
    fn pull_trigger(&mut self) {
        let Some(trigger) = &mut self.trigger else { return };
        if trigger.holds(&self.line) {
            if trigger.once {
                *trigger = Trigger::when(|_| false);
            }
            self.path.flag_top(0, flag::OUTSIDE);
        }
    }

    #[inline]
    pub(super) fn leave(
        &mut self,
        marks: Marks,
        store: impl FnOnce(&Schema, &mut Row<'_>) -> std::result::Result<(), String>,
    ) -> Result<()> {
        let Some(Last { last_move, start_row, flags, lacking }) = self.path.last() else {
            return Err(self.no_open_node());
        };
        if flags & flag::SKIPPING != 0 {
            self.leave_skipped();
            return Ok(());
        }
        let (mut next, texts) = self.staging.next_row();
        let mut row = next.as_row(texts);
        let missing = match store(&self.schema, &mut row).and_then(|()| row.end()) {
            Ok(missing) => missing,
            Err(what) => return Err(Error::WrongRecord { what }),
        };
        next.put_missing(missing);
        // Most of what a node lacks it also lacked at entry: only the values that it did have then must be copied.
        let may_get_more =
            flags & flag::HAS_ENTRY != 0 && (missing & !lacking != 0 || next.has_more_missing());
        if flags & flag::LOOK != 0 || marks != Marks::default() || may_get_more {
            return self.leave_marked(marks);
        }
        next.put_head(last_move, self.rows + 1 - start_row, self.path.shorten());
        self.count_row()
    }

    /// Leaves a node whose record has been put, with marks.
    #[inline(never)]
    fn leave_marked(&mut self, marks: Marks) -> Result<()> {
        self.path.leave_out(marks.left_out);
        self.left_out = self.left_out.saturating_add(marks.left_out);
        self.close_known(if marks.unfinished { status::UNFINISHED } else { 0 })
    }

    /// Leaves a node with a record given as bytes, which has no texts and lacks nothing.
    #[inline(never)]
    pub(super) fn leave_filled(&mut self, fill: impl FnOnce(&mut [u8])) -> Result<()> {
        let Some(last) = self.path.last() else { return Err(self.no_open_node()) };
        if last.flags & flag::SKIPPING != 0 {
            self.leave_skipped();
            return Ok(());
        }
        if self.staging.layout().has_texts() {
            return Err(Error::WrongRecord { what: NOT_FILLED.to_owned() });
        }
        let (mut next, _) = self.staging.next_row();
        next.lack_nothing();
        fill(next.record);
        self.close_known(0)
    }

    #[cold]
    fn no_open_node(&self) -> Error {
        Error::LeaveWithoutEnter { tree: self.tree, nodes_left: self.rows }
    }

    pub(super) fn leave_unfinished(&mut self) -> Result<()> {
        if self.skipped_depth > 0 {
            self.leave_skipped();
            return Ok(());
        }
        if self.path.len() == 0 {
            return Err(self.no_open_node());
        }
        self.staging.put_known(&[]);
        self.close_known(status::UNFINISHED)
    }

    /// Leaves a node of a left-out subtree.
    #[cold]
    fn leave_skipped(&mut self) {
        self.skipped_depth = self.skipped_depth.saturating_sub(1);
        if self.skipped_depth == 0 {
            self.path.flag_top(0, flag::SKIPPING);
            self.renew_nodes_free();
            let nodes = std::mem::take(&mut self.skipped_nodes);
            self.left_out = self.left_out.saturating_add(nodes);
            self.path.leave_out(nodes);
        }
    }

    /// Pops the node on top and writes its row: its record, which has been put, gets the values that it lacks but the node was entered
    /// with.
    #[inline(never)]
    fn close_known(&mut self, status: u8) -> Result<()> {
        let Some(node) = self.path.top() else { return Ok(()) };
        let place = self.path.shorten();
        if node.flags & flag::IN_LINE != 0 {
            self.line.pop();
        }
        if node.flags & flag::HAS_ENTRY != 0 {
            let entry = self.entry_texts.entry(&self.path, place, self.staging.layout());
            self.staging
                .fill_from(entry.missing, entry.record, |attribute, code| entry.text(attribute, code));
        }
        self.close_node(node, status)
    }

    /// Writes the row of a node that has been popped; its record is complete.
    fn close_node(&mut self, node: Open, mut status: u8) -> Result<()> {
        let row = self.rows;
        let ply = self.path.len();
        if ply == 0 {
            self.renew_nodes_free();
        } else if node.flags & flag::OUTSIDE != 0 && node.start_row == row {
            // It is outside the trigger, with nothing logged below: the node above it counts it.
            self.left_out += 1;
            self.path.leave_out(node.left_out.saturating_add(1));
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

    /// Counts the row that has been put.
    #[inline(always)]
    fn count_row(&mut self) -> Result<()> {
        self.staging.count_row();
        self.rows += 1;
        if self.staging.is_full() || self.clock.is_due() {
            self.hand_over()?;
        }
        Ok(())
    }

    /// Sends ready rows to where blocks are made, or, if it is time, sends a block on its way to the file.
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

    /// The position of the staging's rows, if there is anything new to write. These rows then count as flushed.
    fn next_position(&mut self) -> Option<Position> {
        self.clock.restart();
        if self.rows == self.rows_flushed && !self.path.has_changed(self.path_recorded) {
            return None;
        }
        let (path_kept, path_added) = self.path.record();
        self.path_recorded = self.path.len();
        let entry_values = self.entry_texts.values(&self.path, path_kept, self.staging.layout());
        let first_row = std::mem::replace(&mut self.rows_flushed, self.rows);
        Some(Position { first_row, path_kept, path_added, entry_values })
    }

    pub(super) fn end(&mut self, metadata: &Metadata) -> Result<TreeSummary> {
        self.leave_open_nodes()?;
        self.flush_through()?;
        self.sink.end_tree(self.tree, &self.end_head(metadata))?;
        Ok(self.summary())
    }

    /// Ends the tree like [`State::end`], but does not wait if blocks are made on a separate thread.
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

    /// The head of the tree's end; all rows have been flushed.
    fn end_head(&self, metadata: &Metadata) -> Vec<u8> {
        let mut head = Vec::new();
        put_unsigned(&mut head, self.rows_flushed);
        put_metadata(&mut head, metadata);
        head
    }

    fn summary(&self) -> TreeSummary {
        TreeSummary { tree: self.tree, nodes: self.rows_flushed, left_out: self.left_out }
    }

    /// The number of open nodes, including those that are left out.
    pub(super) fn open_nodes(&self) -> usize {
        self.path.len() + self.skipped_depth as usize
    }

    /// Whether nodes are open. Above nodes that are left out, the root is open.
    #[inline(always)]
    pub(super) fn has_open_nodes(&self) -> bool {
        self.path.len() > 0
    }

    /// Whether a node has been entered, even if it was left out.
    pub(super) fn has_nodes(&self) -> bool {
        self.open_nodes() > 0 || self.rows > 0 || self.left_out > 0
    }

    /// The error that nodes are still open, if some are.
    pub(super) fn still_open(&self) -> Option<Error> {
        let open = self.path.len();
        (open > 0).then(|| Error::StillOpen {
            tree: self.tree,
            open: self.open_nodes(),
            deepest_node: self.rows + open as u64 - 1,
            last_move: self.path.last().map_or(0, |last| last.last_move),
        })
    }
}
