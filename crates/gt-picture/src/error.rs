//! Errors of a picture.

use std::fmt;

use gt_query::engine::Failure;

/// The reason why there is no picture.
#[derive(Debug)]
pub enum Error {
    /// The tree has no such node.
    NoNode {
        /// The requested node.
        node: u64,
        /// The number of nodes in the tree.
        nodes: u64,
    },
    /// The colour is not an expression over a node.
    Color {
        /// The expression.
        expression: String,
        /// The problem with it.
        sentence: String,
    },
    /// The log could not be read, or the run was cancelled.
    Engine(Failure),
    /// The log could not be read.
    Log(gt_log::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNode { node, nodes } => {
                write!(f, "there is no node {node}: the tree has {nodes}, counted from 0")
            }
            Self::Color { expression, sentence } => {
                write!(f, "the colour `{}`: {sentence}", expression.escape_debug())
            }
            Self::Engine(failure) => failure.fmt(f),
            Self::Log(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self::Engine(failure)
    }
}

impl From<gt_log::Error> for Error {
    fn from(error: gt_log::Error) -> Self {
        Self::Log(error)
    }
}
