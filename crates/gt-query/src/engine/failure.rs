//! Why a run can fail as a whole.

use std::fmt;

use crate::answer::MemoryUse;

/// The reason why a run gave no answers at all.
#[derive(Debug)]
pub enum Failure {
    /// The log could not be read, or is damaged.
    Log(gt_log::Error),
    /// The run was cancelled.
    Cancelled,
    /// The program was bound to another schema: the tree has fewer attributes.
    OtherSchema,
    /// The data that a query gathers takes more than [`Options::memory`](super::Options::memory).
    TooLarge {
        /// The kind of data that takes most of it.
        what: MemoryUse,
        /// The approximate number of bytes in total.
        bytes: usize,
    },
    /// Too many nodes have the same key, and would have to be compared pairwise as twins.
    TooManyTwins {
        /// The number of nodes.
        nodes: u64,
    },
}

impl From<gt_log::Error> for Failure {
    fn from(error: gt_log::Error) -> Self {
        Self::Log(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log(error) => error.fmt(f),
            Self::Cancelled => f.write_str("the query was stopped"),
            Self::OtherSchema => {
                f.write_str("the queries were bound to another log's attributes; bind them to this one's")
            }
            Self::TooLarge { what, bytes } => {
                let (what, mend) = match what {
                    MemoryUse::Rows => ("rows that `order by` sorts", "add `limit N` after it"),
                    MemoryUse::Groups => ("groups", "group by a coarser key"),
                    MemoryUse::Values => ("values that the query keeps", "make them coarser (`A / 100`)"),
                    MemoryUse::Twins => {
                        ("keys and values of twins", "ask fewer aggregates over twins at once")
                    }
                };
                let mebibytes = bytes.div_ceil(1 << 20);
                write!(
                    f,
                    "the {what} take {mebibytes} MiB and more; {mend}, or allow more: `gt query --memory SIZE`"
                )
            }
            Self::TooManyTwins { nodes } => write!(
                f,
                "{nodes} nodes have one key, and the query would compare each of them with each; use a key that tells more \
                 nodes apart"
            ),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Log(error) => Some(error),
            Self::Cancelled | Self::OtherSchema | Self::TooLarge { .. } | Self::TooManyTwins { .. } => None,
        }
    }
}
