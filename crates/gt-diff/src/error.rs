//! Errors of a comparison.

use std::fmt;

/// The reason why trees cannot be compared; each is one sentence for the user.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// One of the logs cannot be read, or the merged tree cannot be written.
    Log(gt_log::Error),
    /// The trees are of different games.
    Games {
        /// A's game.
        a: String,
        /// B's.
        b: String,
    },
    /// The trees are of different positions.
    Positions {
        /// A's position.
        a: String,
        /// B's.
        b: String,
    },
    /// A named attribute is not in both trees.
    UnknownAttribute {
        /// The name.
        name: String,
        /// The possible names.
        known: Vec<String>,
    },
    /// The requested key is not a whole number.
    KeyKind {
        /// The attribute.
        name: String,
    },
    /// A tree has too many nodes for a comparison.
    TooLarge {
        /// The number of its nodes.
        nodes: u64,
    },
    /// The merged tree would have a duplicate name.
    MergedName(gt_log::SchemaError),
}

/// The result of a comparison.
pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log(error) => write!(f, "{error}"),
            Self::Games { a, b } => {
                write!(f, "the trees are of different games, {a} and {b}; their moves mean different things")
            }
            Self::Positions { a, b } => {
                write!(
                    f,
                    "the trees start from different positions, so no line leads to the same node: {a} and {b}"
                )
            }
            Self::UnknownAttribute { name, known } => {
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                write!(
                    f,
                    "`{name}` is no attribute that both trees have with the same kind of values; these are: {known}"
                )
            }
            Self::KeyKind { name } => write!(f, "`{name}` cannot be a key: keys are whole numbers"),
            Self::TooLarge { nodes } => {
                write!(f, "a tree of {nodes} nodes is too large to compare; at most {} are", u32::MAX)
            }
            Self::MergedName(error) => write!(f, "the merged tree cannot be made: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Log(error) => Some(error),
            Self::MergedName(error) => Some(error),
            Self::Games { .. }
            | Self::Positions { .. }
            | Self::UnknownAttribute { .. }
            | Self::KeyKind { .. }
            | Self::TooLarge { .. } => None,
        }
    }
}

impl From<gt_log::Error> for Error {
    fn from(error: gt_log::Error) -> Self {
        Self::Log(error)
    }
}
