//! Where full blocks are encoded: on the thread that searches, or on one of their own.
//!
//! ```text
//! search ──full Batch──▶ thread: BlockWriter ──frame──▶ Sink
//!    ◀──emptied Staging, what came of it──
//! ```
//!
//! Blocks are written in the order they were handed over. There are [`STAGINGS_MAX`] stagings for each tree,
//! so a search that is faster than the encoder waits for it rather than filling the memory.
//!
//! The thread starts with the first block that fills up, so that a small tree costs none; where the system
//! gives no thread, blocks are encoded on the searching one.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use super::block::{BlockEncoder, Position};
use super::sink::Sink;
use super::staging::Staging;
use crate::Schema;
use crate::columns::Effort;
use crate::error::{Error, Result};

/// One that is being filled, one that is being encoded, one between them.
const STAGINGS_MAX: usize = 3;

/// The rows of a block on their way to the thread.
struct Batch {
    staging: Staging,
    position: Position,
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
        let schema = schema.clone();
        let writer = Box::new(BlockWriter { sink, tree, schema, encoder, columns: Vec::new() });
        Self::Here { writer, background: false }
    }

    /// Says whether the next full block starts a thread. One that has started goes on.
    pub(crate) fn set_background(&mut self, wanted: bool) {
        if let Self::Here { background, .. } = self {
            *background = wanted;
        }
    }

    /// Takes a full block and leaves its staging empty. An error may be that of an earlier block.
    pub(crate) fn write(&mut self, staging: &mut Staging, position: Position) -> Result<()> {
        self.start_thread();
        match self {
            Self::Here { writer, .. } => writer.write(staging, position),
            Self::There(worker) => worker.write(staging, position),
        }
    }

    /// The same, and waits until every block is in the file. No thread is started for it.
    pub(crate) fn write_through(&mut self, staging: &mut Staging, position: Position) -> Result<()> {
        match self {
            Self::Here { writer, .. } => writer.write(staging, position),
            Self::There(worker) => {
                worker.write(staging, position)?;
                worker.wait()
            }
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
    /// The columns of the last block, kept for their memory.
    columns: Vec<Vec<i64>>,
}

impl BlockWriter {
    /// Writes the block and empties its staging.
    fn write(&mut self, staging: &mut Staging, position: Position) -> Result<()> {
        let (head, body) = staging.take_block(&mut self.encoder, &mut self.columns, position);
        self.sink.append_block(self.tree, &head.to_bytes(&self.schema), &body)
    }
}

/// The thread, seen from the search. Dropping it waits for what was handed over.
pub(crate) struct Worker {
    /// `None` only while it is dropped.
    batches: Option<Sender<Batch>>,
    done: Receiver<Result<Staging>>,
    spare: Vec<Staging>,
    /// Batches handed over and not heard of since.
    in_flight: usize,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// A thread that goes on with what `writer` knows, unless the system gives none.
    fn start(writer: &mut BlockWriter) -> Option<Self> {
        let (batches, incoming) = channel::<Batch>();
        let (outgoing, done) = channel();
        let mut writer = BlockWriter {
            sink: writer.sink.clone(),
            tree: writer.tree,
            schema: writer.schema.clone(),
            encoder: writer.encoder.clone(),
            columns: Vec::new(),
        };
        let work = move || {
            for Batch { mut staging, position } in incoming {
                let written = writer.write(&mut staging, position);
                let failed = written.is_err();
                if outgoing.send(written.map(|()| staging)).is_err() || failed {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name("gt-log".to_owned()).spawn(work).ok()?;
        Some(Self { batches: Some(batches), done, spare: Vec::new(), in_flight: 0, thread: Some(thread) })
    }

    fn write(&mut self, staging: &mut Staging, position: Position) -> Result<()> {
        while let Ok(done) = self.done.try_recv() {
            self.take_back(done)?;
        }
        while self.in_flight + 1 >= STAGINGS_MAX {
            self.hear()?;
        }
        let next = self.spare.pop().unwrap_or_else(|| staging.empty_like());
        let batch = Batch { staging: std::mem::replace(staging, next), position };
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

    fn take_back(&mut self, done: Result<Staging>) -> Result<()> {
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
