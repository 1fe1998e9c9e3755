//! A tree that the search has ended, and that is on its way to the file.

use std::sync::mpsc::Receiver;
use std::thread::JoinHandle;

use crate::encode::RowBuffer;
use crate::error::Result;

/// A thread that writes the rest of a tree after the search has ended it. Dropping this waits for the thread.
pub(crate) struct Ending {
    /// The thread goes on as long as this receiver exists.
    done: Receiver<Result<RowBuffer>>,
    spare: Vec<RowBuffer>,
    thread: Option<JoinHandle<()>>,
}

impl Ending {
    pub(crate) fn new(
        done: Receiver<Result<RowBuffer>>,
        spare: Vec<RowBuffer>,
        thread: Option<JoinHandle<()>>,
    ) -> Self {
        Self { done, spare, thread }
    }

    /// Whether the tree is in the file, or refused.
    pub(crate) fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// The buffers that came back; the next tree uses them.
    pub(crate) fn spare(&mut self) -> impl Iterator<Item = RowBuffer> {
        self.spare.drain(..).chain(self.done.try_iter().flatten())
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
