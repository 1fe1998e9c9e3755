//! Errors of an explanation.

use std::fmt;

/// The problem with the log, or with the request.
#[derive(Debug)]
pub enum Error {
    /// The log cannot be read, or has no such tree.
    Log(gt_log::Error),
    /// The log has no tree with a node in it.
    NoTree,
    /// The requested tree has no node.
    EmptyTree {
        /// Its number.
        tree: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log(error) => error.fmt(f),
            Self::NoTree => {
                f.write_str("the log has no tree with a node in it, so there is nothing to explain")
            }
            Self::EmptyTree { tree } => {
                write!(f, "tree {tree} has no node, so there is nothing to explain")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Log(error) => Some(error),
            Self::NoTree | Self::EmptyTree { .. } => None,
        }
    }
}

impl From<gt_log::Error> for Error {
    fn from(error: gt_log::Error) -> Self {
        Self::Log(error)
    }
}
