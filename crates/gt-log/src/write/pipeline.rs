//! Where blocks are made: on the thread that searches, or on one of their own.
//!
//! ```text
//! search ──Batch: rows, the end of a block──▶ thread: BlockWriter ──frame──▶ Sink
//!    ◀──the emptied buffer, what came of it──
//! ```
//!
//! A block's rows are handed over by the few thousand, so that they are read while they are in a cache. Blocks are written in the
//! order they were handed over. At most [`BATCHES_MAX`] batches are under way for each tree, so a search that is faster than the
//! encoder waits for it rather than filling the memory. A buffer that comes back is the next to be filled: where the encoder keeps
//! up, the same few are used all the time.
//!
//! The thread starts with the first rows that are handed over, so that a small tree costs none; where the system gives no
//! thread, blocks are encoded on the searching one.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use super::sink::Sink;
use crate::Schema;
use crate::columns::Effort;
use crate::encode::{BlockEncoder, BlockEnd, Gathered, Position, RowBuffer, RowLayout, Staging};
use crate::error::{Error, Result};

/// As many as a block has, and some: they can be filled while a block is encoded.
const BATCHES_MAX: usize = 20;

/// Rows on their way to the thread.
struct Batch {
    rows: RowBuffer,
    /// Where they are the last of their block.
    end: Option<BlockEnd>,
}

/// Takes the blocks of one tree.
pub(crate) enum Pipeline {
    /// On the searching thread, with a thread wanted or not.
    Here {
        /// Boxed: the other variant is small.
        writer: Box<BlockWriter>,
        background: bool,
    },
    /// On a thread of its own.
    There(Worker),
}

impl Pipeline {
    pub(crate) fn new(sink: Arc<Sink>, tree: u32, schema: &Schema) -> Self {
        let encoder = BlockEncoder::new(schema, Effort::Light);
        let gathered = Gathered::new(RowLayout::new(schema));
        let schema = schema.clone();
        let writer = Box::new(BlockWriter { sink, tree, schema, encoder, gathered });
        Self::Here { writer, background: false }
    }

    /// Says whether the next block starts a thread. One that has started goes on.
    pub(crate) fn set_background(&mut self, wanted: bool) {
        if let Self::Here { background, .. } = self {
            *background = wanted;
        }
    }

    /// Takes rows of a block that is not complete. An error may be that of an earlier block.
    pub(crate) fn take_rows(&mut self, staging: &mut Staging) -> Result<()> {
        self.start_thread();
        self.take(staging, None)
    }

    /// Takes the rest of a block and leaves its staging empty. An error may be that of an earlier block.
    pub(crate) fn write(&mut self, staging: &mut Staging, position: Position) -> Result<()> {
        self.start_thread();
        self.take(staging, Some(position))
    }

    /// The same, and waits until every block is in the file. No thread is started for it.
    pub(crate) fn write_through(&mut self, staging: &mut Staging, position: Position) -> Result<()> {
        self.take(staging, Some(position))?;
        self.wait()
    }

    fn take(&mut self, staging: &mut Staging, position: Option<Position>) -> Result<()> {
        match self {
            Self::Here { writer, .. } => writer.take_from(staging, position),
            Self::There(worker) => worker.take_from(staging, position),
        }
    }

    /// Waits until every block is in the file.
    pub(crate) fn wait(&mut self) -> Result<()> {
        match self {
            Self::Here { .. } => Ok(()),
            Self::There(worker) => worker.wait(),
        }
    }

    fn start_thread(&mut self) {
        if let Self::Here { writer, background } = self
            && writer.gathered.is_empty()
            && std::mem::take(background)
            && let Some(worker) = Worker::start(writer)
        {
            *self = Self::There(worker);
        }
    }
}

/// Encodes blocks and appends them to the file.
pub(crate) struct BlockWriter {
    sink: Arc<Sink>,
    tree: u32,
    schema: Schema,
    encoder: BlockEncoder,
    /// The columns of the block so far.
    gathered: Gathered,
}

impl BlockWriter {
    /// Takes rows from the staging and, at the end of a block, writes it.
    fn take_from(&mut self, staging: &mut Staging, position: Option<Position>) -> Result<()> {
        let mut rows = staging.take_rows(RowBuffer::default());
        let end = position.map(|position| staging.end_block(position));
        let taken = self.take(&rows, end);
        rows.clear();
        staging.give_back(rows);
        taken
    }

    fn take(&mut self, rows: &RowBuffer, end: Option<BlockEnd>) -> Result<()> {
        self.gathered.append(rows);
        let Some(end) = end else { return Ok(()) };
        let (head, body) = self.gathered.encode(&mut self.encoder, end);
        self.sink.append_block(self.tree, &head.to_bytes(&self.schema), &body)
    }
}

/// The thread, seen from the search. Dropping it waits for what was handed over.
pub(crate) struct Worker {
    /// `None` only while it is dropped.
    batches: Option<Sender<Batch>>,
    done: Receiver<Result<RowBuffer>>,
    spare: Vec<RowBuffer>,
    /// Batches handed over and not heard of since.
    in_flight: usize,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// A thread that goes on with what `writer` knows, unless the system gives none. No block is begun.
    fn start(writer: &mut BlockWriter) -> Option<Self> {
        let (batches, incoming) = channel::<Batch>();
        let (outgoing, done) = channel();
        let mut writer = BlockWriter {
            sink: writer.sink.clone(),
            tree: writer.tree,
            schema: writer.schema.clone(),
            encoder: writer.encoder.clone(),
            gathered: writer.gathered.like(),
        };
        let work = move || {
            for Batch { mut rows, end } in incoming {
                let taken = writer.take(&rows, end);
                let failed = taken.is_err();
                rows.clear();
                if outgoing.send(taken.map(|()| rows)).is_err() || failed {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name("gt-log".to_owned()).spawn(work).ok()?;
        Some(Self { batches: Some(batches), done, spare: Vec::new(), in_flight: 0, thread: Some(thread) })
    }

    fn take_from(&mut self, staging: &mut Staging, position: Option<Position>) -> Result<()> {
        while let Ok(done) = self.done.try_recv() {
            self.take_back(done)?;
        }
        while self.in_flight >= BATCHES_MAX {
            self.hear()?;
        }
        let rows = staging.take_rows(self.spare.pop().unwrap_or_default());
        let batch = Batch { rows, end: position.map(|position| staging.end_block(position)) };
        self.in_flight += 1;
        if self.batches.as_ref().is_some_and(|batches| batches.send(batch).is_ok()) {
            return Ok(());
        }
        // The thread has ended over an error, which is the last thing it said.
        self.wait().and(Err(stopped()))
    }

    fn wait(&mut self) -> Result<()> {
        while self.in_flight > 0 {
            self.hear()?;
        }
        Ok(())
    }

    fn hear(&mut self) -> Result<()> {
        let done = self.done.recv().map_err(|_| stopped())?;
        self.take_back(done)
    }

    fn take_back(&mut self, done: Result<RowBuffer>) -> Result<()> {
        self.in_flight -= 1;
        self.spare.push(done?);
        Ok(())
    }
}

fn stopped() -> Error {
    Error::Io(std::io::Error::other("the thread that encodes blocks has stopped"))
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.batches = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
