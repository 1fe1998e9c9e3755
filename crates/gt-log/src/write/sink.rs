//! The destination of frames: one file, to which any number of trees append from any number of threads.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::ending::Ending;
use crate::encode::{BlockMaker, RowBuffer};
use crate::error::{Error, Result};
use crate::format::{FrameKind, IndexEntry, frame_bytes, put_index_entry, trailer_bytes};

pub(crate) struct Sink {
    state: Mutex<State>,
    bytes: AtomicU64,
    /// Trees that their searches have ended and that are on their way to the file.
    endings: Mutex<Vec<Ending>>,
    /// Empty buffers of such trees.
    spare: Mutex<Vec<RowBuffer>>,
    /// The block makers of trees that have ended.
    makers: Mutex<Vec<BlockMaker>>,
}

/// The maximum number of trees on their way to the file after their end; one more tree waits for the first of them.
const ENDINGS_MAX: usize = 4;
/// The maximum number of buffers that are kept for the next tree.
const SPARE_MAX: usize = 32;
/// The maximum number of block makers that are kept: each has the memory of a block's columns.
const MAKERS_MAX: usize = 4;

struct State {
    target: Box<dyn Write + Send>,
    offset: u64,
    index: Vec<u8>,
    trees: u32,
    trees_open: u32,
    end: Option<End>,
}

/// The reason why nothing is appended any more.
enum End {
    Closed,
    /// The target refused a frame. Every tree of the log gets this error, not only the tree of that frame.
    Refused(io::Error),
}

impl State {
    fn check_open(&self) -> Result<()> {
        match &self.end {
            None => Ok(()),
            Some(End::Closed) => Err(Error::Closed),
            Some(End::Refused(error)) => Err(Error::Io(same_error(error))),
        }
    }

    /// Writes a whole frame. A partial frame ends the log: a reader could not find what follows it.
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let written = self.target.write_all(bytes).and_then(|()| self.target.flush());
        written.map_err(|error| {
            self.end = Some(End::Refused(same_error(&error)));
            Error::Io(error)
        })
    }
}

fn same_error(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

impl Sink {
    pub(crate) fn new(mut target: Box<dyn Write + Send>, header: &[u8]) -> Result<Self> {
        target.write_all(header)?;
        target.flush()?;
        let offset = header.len() as u64;
        let state = State { target, offset, index: Vec::new(), trees: 0, trees_open: 0, end: None };
        Ok(Self::of(state))
    }

    /// Continues behind the frames of a log: `index` lists them, and `offset` is where they end.
    pub(super) fn behind(target: Box<dyn Write + Send>, offset: u64, index: Vec<u8>, trees: u32) -> Self {
        let state = State { target, offset, index, trees, trees_open: 0, end: None };
        Self::of(state)
    }

    fn of(state: State) -> Self {
        let bytes = AtomicU64::new(state.offset);
        Self {
            state: Mutex::new(state),
            bytes,
            endings: Mutex::default(),
            spare: Mutex::default(),
            makers: Mutex::default(),
        }
    }

    /// The number of bytes written so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Begins a tree and returns its number.
    pub(crate) fn begin_tree(&self, head: &[u8]) -> Result<u32> {
        let mut state = self.lock();
        let tree = state.trees;
        self.append_locked(&mut state, FrameKind::TreeBegin, tree, head, &[])?;
        state.trees += 1;
        state.trees_open += 1;
        Ok(tree)
    }

    pub(crate) fn end_tree(&self, tree: u32, head: &[u8]) -> Result<()> {
        let mut state = self.lock();
        state.trees_open = state.trees_open.saturating_sub(1);
        self.append_locked(&mut state, FrameKind::TreeEnd, tree, head, &[])
    }

    pub(crate) fn append_block(&self, tree: u32, head: &[u8], body: &[u8]) -> Result<()> {
        self.append_locked(&mut self.lock(), FrameKind::Block, tree, head, body)
    }

    pub(crate) fn append_names(&self, head: &[u8]) -> Result<()> {
        self.append_locked(&mut self.lock(), FrameKind::Names, 0, head, &[])
    }

    /// Takes a thread that writes the rest of a tree; the sink waits for it before the log is closed.
    pub(crate) fn wait_for_later(&self, ending: Ending) {
        let mut endings = self.endings.lock().unwrap_or_else(PoisonError::into_inner);
        self.keep_spare(endings.iter_mut().flat_map(Ending::spare));
        endings.retain(|ending| !ending.is_over());
        while endings.len() >= ENDINGS_MAX {
            endings.remove(0);
        }
        endings.push(ending);
    }

    fn keep_spare(&self, buffers: impl Iterator<Item = RowBuffer>) {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        spare.extend(buffers);
        spare.truncate(SPARE_MAX);
    }

    /// An empty row buffer that another tree has left, if there is one.
    pub(crate) fn spare_rows(&self) -> Option<RowBuffer> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// The block maker of the tree that ended last, unless another tree has it.
    pub(crate) fn spare_maker(&self) -> Option<BlockMaker> {
        self.makers.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Keeps a block maker, which has begun no block, for the next tree.
    pub(crate) fn keep_maker(&self, maker: BlockMaker) {
        let mut makers = self.makers.lock().unwrap_or_else(PoisonError::into_inner);
        if makers.len() < MAKERS_MAX {
            makers.push(maker);
        }
    }

    /// Waits until every tree that has ended is in the file.
    pub(crate) fn wait(&self) {
        self.endings.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Waits until every tree that has ended is in the file; an error if the target has refused something.
    pub(crate) fn wait_and_check(&self) -> Result<()> {
        self.wait();
        self.lock().check_open()
    }

    /// Writes the index; nothing can be appended afterwards.
    pub(crate) fn close(&self) -> Result<u64> {
        self.wait();
        let mut state = self.lock();
        state.check_open()?;
        let offset = state.offset;
        let index = std::mem::take(&mut state.index);
        let mut bytes = frame_bytes(FrameKind::Index, 0, &[], &index);
        bytes.extend_from_slice(&trailer_bytes(offset, crc32c::crc32c(&index)));
        state.end = Some(End::Closed);
        state.write(&bytes)?;
        Ok(offset + bytes.len() as u64)
    }

    /// Whether some tree has begun and not ended.
    pub(crate) fn has_open_trees(&self) -> bool {
        self.wait();
        self.lock().trees_open > 0
    }

    fn append_locked(
        &self,
        state: &mut State,
        kind: FrameKind,
        tree: u32,
        head: &[u8],
        body: &[u8],
    ) -> Result<()> {
        state.check_open()?;
        let bytes = frame_bytes(kind, tree, head, body);
        state.write(&bytes)?;
        let entry = IndexEntry { kind, tree, offset: state.offset, body_bytes: body.len() as u64, head };
        put_index_entry(&mut state.index, entry);
        state.offset += bytes.len() as u64;
        self.bytes.store(state.offset, Ordering::Relaxed);
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        // A panic elsewhere does not invalidate what was written.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
