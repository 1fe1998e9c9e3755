//! Where blocks are made: on the searching thread, or on a separate one.
//!
//! ```text
//! search ──Batch: rows, the end of a block──▶ thread: BlockWriter ──frame──▶ Sink
//!    ◀──the emptied buffer, what came of it──
//! ```
//!
//! A block's rows are handed over a few thousand at a time, so that they are read while they are in a cache. Blocks are written in the
//! order in which they were handed over. At most [`BATCHES_MAX`] batches of each tree are in flight, so a search that is faster than the
//! encoder waits for it and does not fill the memory. A buffer that comes back is the next one to be filled: if the encoder keeps up, the
//! same few buffers are used all the time.
//!
//! The thread starts with the first rows that are handed over, so that a small tree starts none; if the system provides no thread, the
//! searching thread encodes the blocks. A tree that ends later leaves its thread and its buffers to the sink: the next tree fills the same
//! buffers, which are mapped and in a cache. Every tree leaves its block maker to the sink; by then the block maker knows which encodings
//! suit the log's columns.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use super::ending::Ending;
use super::sink::Sink;
use crate::Schema;
use crate::encode::{BlockEnd, BlockMaker, Position, RowBuffer, Staging};
use crate::error::{Error, Result};

/// The batches of a block, and some more that can be filled while a block is encoded.
const BATCHES_MAX: usize = 40;

/// With fewer rows than this, no thread is started at a tree's end.
const ROWS_FOR_THREAD: usize = 64;

/// Rows on their way to the thread.
struct Batch {
    rows: RowBuffer,
    /// Set if the rows are the last of their block.
    end: Option<BlockEnd>,
    /// Set if the rows are the last of their tree: the head of the tree's end.
    tree_end: Option<Vec<u8>>,
}

/// Takes the blocks of one tree.
pub(crate) enum Pipeline {
    /// On the searching thread, whether or not a separate thread is wanted.
    Here {
        /// Boxed: the other variant is small.
        writer: Box<BlockWriter>,
        background: bool,
    },
    /// On a separate thread.
    There(Worker),
}

impl Pipeline {
    pub(crate) fn new(sink: Arc<Sink>, tree: u32, schema: &Schema) -> Self {
        let maker = Some(sink.spare_maker().unwrap_or_else(|| BlockMaker::new(schema)));
        let writer = BlockWriter { sink, tree, schema: schema.clone(), maker };
        Self::Here { writer: Box::new(writer), background: false }
    }

    /// Sets whether the next block starts a thread. A thread that has started goes on.
    pub(crate) fn set_background(&mut self, wanted: bool) {
        if let Self::Here { background, .. } = self {
            *background = wanted;
        }
    }

    /// Takes rows of an incomplete block. The error may be that of an earlier block.
    pub(crate) fn take_rows(&mut self, staging: &mut Staging) -> Result<()> {
        self.start_thread();
        self.take(staging, None)
    }

    /// Takes the rest of a block and empties the staging. The error may be that of an earlier block.
    pub(crate) fn write(&mut self, staging: &mut Staging, position: Position) -> Result<()> {
        self.start_thread();
        self.take(staging, Some(position))
    }

    /// Takes the rest of a block like [`Pipeline::write`], and waits until every block is in the file. Starts no thread.
    pub(crate) fn write_through(&mut self, staging: &mut Staging, position: Position) -> Result<()> {
        self.take(staging, Some(position))?;
        self.wait()
    }

    /// Takes the rest of a tree and the head of its end, without waiting until they are in the file: the sink waits before the log is
    /// closed. Without a thread, this waits.
    pub(crate) fn end_later(
        &mut self,
        staging: &mut Staging,
        position: Option<Position>,
        tree_end: Vec<u8>,
    ) -> Result<()> {
        // Starting a thread takes about as long as encoding this few rows.
        if staging.rows() >= ROWS_FOR_THREAD {
            self.start_thread();
        }
        match self {
            Self::Here { writer, .. } => {
                if position.is_some() {
                    writer.take_from(staging, position)?;
                }
                writer.sink.end_tree(writer.tree, &tree_end)
            }
            Self::There(worker) => worker.end_later(staging, position, tree_end),
        }
    }

    fn take(&mut self, staging: &mut Staging, position: Option<Position>) -> Result<()> {
        match self {
            Self::Here { writer, .. } => writer.take_from(staging, position),
            Self::There(worker) => worker.take_from(staging, position, None),
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
            && writer.is_between_blocks()
            && std::mem::take(background)
            && let Some((worker, task)) = Worker::start(writer.sink.clone())
            && let Self::Here { writer, .. } = std::mem::replace(self, Self::There(worker))
        {
            // The thread waits for the writer.
            let _ = task.send(writer);
        }
    }
}

/// Encodes blocks and appends them to the file.
pub(crate) struct BlockWriter {
    sink: Arc<Sink>,
    tree: u32,
    schema: Schema,
    /// `None` only while the writer is being dropped.
    maker: Option<BlockMaker>,
}

impl BlockWriter {
    /// Takes rows from the staging, and writes the block if it ends here.
    fn take_from(&mut self, staging: &mut Staging, position: Option<Position>) -> Result<()> {
        let mut rows = staging.take_rows(RowBuffer::default());
        let end = position.map(|position| staging.end_block(position));
        let taken = self.take(&rows, end);
        rows.clear();
        staging.give_back(rows);
        taken
    }

    fn take(&mut self, rows: &RowBuffer, end: Option<BlockEnd>) -> Result<()> {
        let maker = self.maker.get_or_insert_with(|| BlockMaker::new(&self.schema));
        maker.append(rows);
        let Some(end) = end else { return Ok(()) };
        let (head, body) = maker.end_block(end);
        self.sink.append_block(self.tree, &head.to_bytes(&self.schema), &body)
    }

    fn is_between_blocks(&self) -> bool {
        self.maker.as_ref().is_none_or(BlockMaker::is_empty)
    }
}

impl Drop for BlockWriter {
    fn drop(&mut self) {
        // A maker that has begun a block, because its tree ends with an error, is of no use to another tree.
        if let Some(maker) = self.maker.take().filter(BlockMaker::is_empty) {
            self.sink.keep_maker(maker);
        }
    }
}

/// The search's end of the thread. Dropping it waits for everything that was handed over.
pub(crate) struct Worker {
    /// `None` only while the worker is being dropped.
    batches: Option<Sender<Batch>>,
    done: Receiver<Result<RowBuffer>>,
    spare: Vec<RowBuffer>,
    /// The number of batches that were handed over and have not come back.
    in_flight: usize,
    thread: Option<JoinHandle<()>>,
    sink: Arc<Sink>,
}

impl Worker {
    /// Starts a thread that waits for the writer to be sent to it; `None` if the system provides no thread.
    fn start(sink: Arc<Sink>) -> Option<(Self, Sender<Box<BlockWriter>>)> {
        let (batches, incoming) = channel::<Batch>();
        let (outgoing, done) = channel();
        let (task, tasks) = channel::<Box<BlockWriter>>();
        let work = move || {
            let Ok(mut writer) = tasks.recv() else { return };
            for Batch { mut rows, end, tree_end } in incoming {
                let mut taken = writer.take(&rows, end);
                if let (Ok(()), Some(head)) = (&taken, tree_end) {
                    taken = writer.sink.end_tree(writer.tree, &head);
                }
                let failed = taken.is_err();
                rows.clear();
                if outgoing.send(taken.map(|()| rows)).is_err() || failed {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name("gt-log".to_owned()).spawn(work).ok()?;
        let (batches, thread) = (Some(batches), Some(thread));
        Some((Self { batches, done, spare: Vec::new(), in_flight: 0, thread, sink }, task))
    }

    fn end_later(
        &mut self,
        staging: &mut Staging,
        position: Option<Position>,
        tree_end: Vec<u8>,
    ) -> Result<()> {
        self.take_from(staging, position, Some(tree_end))?;
        self.batches = None;
        let (_, nothing) = channel();
        let done = std::mem::replace(&mut self.done, nothing);
        let spare = std::mem::take(&mut self.spare);
        self.sink.wait_for_later(Ending::new(done, spare, self.thread.take()));
        Ok(())
    }

    fn take_from(
        &mut self,
        staging: &mut Staging,
        position: Option<Position>,
        tree_end: Option<Vec<u8>>,
    ) -> Result<()> {
        while let Ok(done) = self.done.try_recv() {
            self.take_back(done)?;
        }
        while self.in_flight >= BATCHES_MAX {
            self.hear()?;
        }
        let empty = self.spare.pop().or_else(|| self.sink.spare_rows());
        let rows = staging.take_rows(empty.unwrap_or_default());
        let batch = Batch { rows, end: position.map(|position| staging.end_block(position)), tree_end };
        self.in_flight += 1;
        if self.batches.as_ref().is_some_and(|batches| batches.send(batch).is_ok()) {
            return Ok(());
        }
        // The thread has ended because of an error, the last thing it sent.
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
