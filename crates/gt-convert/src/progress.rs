//! How far a conversion has come, and the caller's say in whether it goes on.

use std::ops::ControlFlow;

use crate::{ErrorKind, Result};

/// What a conversion is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading for the columns' names and types.
    Looking,
    /// Reading rows.
    Reading,
    /// Writing rows.
    Writing,
}

/// How far a conversion has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// How much of it is done: bytes or rows, as the format counts.
    pub done: u64,
    /// How much there is.
    pub total: u64,
}

/// What a conversion calls every few thousand rows. [`ControlFlow::Break`] ends it with [`ErrorKind::Stopped`];
/// nothing of what it wrote is left in a file.
pub type OnProgress<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

/// An [`OnProgress`] for callers who neither watch nor stop a conversion.
pub fn unwatched(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Reports progress to the caller; an error if the caller wants to stop.
pub(crate) fn report(on_progress: &mut OnProgress<'_>, progress: Progress) -> Result<()> {
    match on_progress(progress) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(ErrorKind::Stopped.into()),
    }
}
