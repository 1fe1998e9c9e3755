//! The file that trees go to.

use std::path::Path;
use std::sync::Arc;

use super::log_file::{LogFile, SharedFile};
use crate::file_name::Pattern;

/// The destination of trees.
pub(super) enum Target {
    Closed,
    /// All trees in one file, which other handles may share.
    One(Arc<SharedFile>),
    PerTree(Pattern, Option<Box<LogFile>>),
}

impl Target {
    /// The file that trees go to now.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Closed | Self::PerTree(_, None) => None,
            Self::One(file) => Some(file.path()),
            Self::PerTree(_, Some(file)) => Some(file.path()),
        }
    }
}
