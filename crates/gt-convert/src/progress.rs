//! The progress of a conversion, and the caller's way to stop it.

use std::ops::ControlFlow;

use crate::{ErrorKind, Result};

/// The stage of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading for the columns' names and types.
    Looking,
    /// Reading rows.
    Reading,
    /// Writing rows.
    Writing,
}

/// The progress of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The current stage.
    pub stage: Stage,
    /// The amount done: bytes or rows, depending on the format.
    pub done: u64,
    /// The total amount.
    pub total: u64,
}

/// A callback that a conversion calls every few thousand rows. [`ControlFlow::Break`] ends it with
/// [`ErrorKind::Stopped`]; no part of its output is left in a file.
pub type OnProgress<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

/// An [`OnProgress`] for callers that neither watch nor stop a conversion.
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
