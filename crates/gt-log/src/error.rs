//! What can go wrong with a log; each error has one sentence that names the place and what to do.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::SchemaError;
use crate::format::{DEPTH_MAX, NODES_MAX, VERSION_MAJOR, VERSION_MINOR};
use crate::wire::{Unreadable, Wire};

/// The result of a log's operations.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The system refused to read or write.
    Io(io::Error),
    /// The file does not start like a log.
    NotALog,
    /// The file was written by a later version of the format.
    NewerVersion {
        /// The version of the file.
        major: u16,
    },
    /// The file ends inside its header: no node was recorded.
    HeaderCut,
    /// A file exists already, and may not be replaced.
    Exists {
        /// The file's path.
        path: PathBuf,
    },
    /// The file exists, and its owner has protected it from being written.
    WriteProtected {
        /// The file's path.
        path: PathBuf,
    },
    /// Another writer has the log open.
    BeingWritten {
        /// The log's path.
        path: PathBuf,
    },
    /// The log has no index: it is still being written, or was cut off.
    NotClosed,
    /// A part of the file is not what it should be.
    Damaged {
        /// The part of the file.
        place: Place,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A part of the file says something that only a newer version of the format has.
    NewerPart {
        /// The part of the file.
        place: Place,
        /// What it has.
        what: &'static str,
    },
    /// A part of the file would take more memory than [`Limits`](crate::Limits) allow.
    TooLarge {
        /// The part of the file.
        place: Place,
        /// The number of bytes that the part would take.
        bytes: u64,
    },
    /// An attribute or alias cannot have this name.
    Schema(SchemaError),
    /// A node was left that was never entered.
    LeaveWithoutEnter {
        /// The tree.
        tree: u32,
        /// How many nodes had been left before.
        nodes_left: u64,
    },
    /// Nodes were still open when the tree was finished; they are in the log, marked unfinished.
    StillOpen {
        /// The tree.
        tree: u32,
        /// The number of open nodes.
        open: usize,
        /// The preorder number of the deepest one.
        deepest_node: u64,
        /// The move that led to that node.
        last_move: i64,
    },
    /// A second root was entered after the first had been left.
    SecondRoot {
        /// The tree.
        tree: u32,
        /// The move by which it was entered.
        last_move: i64,
    },
    /// A tree was finished before any node was left.
    NoNodes {
        /// The tree.
        tree: u32,
    },
    /// More than 2^20 nodes open at once.
    TooDeep,
    /// More than 2^40 nodes in a tree.
    TooManyNodes,
    /// A record does not fit the schema.
    WrongRecord {
        /// What is wrong.
        what: String,
    },
    /// The log that should be extended does not match.
    Unlike {
        /// How it differs.
        what: String,
    },
    /// The log was already closed.
    Closed,
    /// There is no such tree in this log.
    NoSuchTree {
        /// The number asked for.
        tree: usize,
        /// The number of trees in the log.
        trees: usize,
    },
    /// There is no such node in this tree.
    NoSuchNode {
        /// The number asked for.
        node: u64,
        /// The number of nodes in the tree.
        nodes: u64,
    },
    /// The parent that was given for a node has not been added.
    NoSuchParent {
        /// The number that was given for the parent.
        parent: u64,
        /// The number of nodes added so far.
        nodes: u64,
    },
    /// Nodes with given parents do not make one tree.
    NotATree {
        /// A node that shows the fault.
        node: u64,
        /// What is wrong with that node.
        what: &'static str,
    },
}

/// A part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The header at the start.
    Header,
    /// The index at the end.
    Index,
    /// The frame that starts at this byte.
    Frame {
        /// The byte at which it starts.
        offset: u64,
    },
    /// A block of nodes.
    Block {
        /// The tree.
        tree: u32,
        /// The block's number in its tree.
        block: usize,
    },
    /// One column of a block.
    Column {
        /// The tree.
        tree: u32,
        /// The block's number in its tree.
        block: usize,
        /// The column's number in the block (see the format document).
        column: usize,
    },
    /// A row of a tree.
    Row {
        /// The tree.
        tree: u32,
        /// Its row.
        row: u64,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Place::Header => write!(f, "the header"),
            Place::Index => write!(f, "the index at the end"),
            Place::Frame { offset } => write!(f, "the part at byte {offset}"),
            Place::Block { tree, block } => write!(f, "tree {tree}, block {block}"),
            Place::Column { tree, block, column } => {
                write!(f, "tree {tree}, block {block}, column {column}")
            }
            Place::Row { tree, row } => write!(f, "tree {tree}, row {row}"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(error) => write!(f, "{error}"),
            Error::NotALog => {
                write!(f, "this is not a game-tree log: it does not start with the bytes of one")
            }
            Error::NewerVersion { major } => write!(
                f,
                "this log was written by a newer version of GT-Tools: it has format version {major}, and this program reads \
                 versions up to {VERSION_MAJOR}.{VERSION_MINOR}"
            ),
            Error::HeaderCut => {
                write!(f, "this log breaks off inside its header: no node was recorded, nothing can be saved")
            }
            Error::Exists { path } => write!(f, "{} is there already and was left as it is", path.display()),
            Error::WriteProtected { path } => {
                write!(f, "{} is write-protected and was left as it is", path.display())
            }
            Error::BeingWritten { path } => {
                write!(
                    f,
                    "{} is being written by another program, or by another part of this one",
                    path.display()
                )
            }
            Error::NotClosed => write!(
                f,
                "this log was not closed: it is still being written, or was cut off; `gt recover` makes a whole one"
            ),
            Error::Damaged { place, what } => {
                write!(f, "{place} is damaged: {what}; `gt recover` saves the rest")
            }
            Error::NewerPart { place, what } => write!(
                f,
                "{place} was written by a newer version of GT-Tools: {what}; this program reads format versions up to \
                 {VERSION_MAJOR}.{VERSION_MINOR}"
            ),
            Error::TooLarge { place, bytes } => write!(
                f,
                "{place} would take {bytes} bytes of memory, which is more than this reader allows; raise its limit \
                 if the log is one of yours (for `gt`: the variable GT_PART_MIB_MAX)"
            ),
            Error::Schema(error) => write!(f, "{error}"),
            Error::LeaveWithoutEnter { tree, nodes_left } => write!(
                f,
                "tree {tree}: a node was left that was never entered ({nodes_left} had been left before); \
                 each leave needs its enter"
            ),
            Error::StillOpen { tree, open, deepest_node, last_move } => write!(
                f,
                "tree {tree} was finished with {open} nodes still open, the deepest node {deepest_node} \
                 (move {last_move}); they are in the log, marked unfinished"
            ),
            Error::SecondRoot { tree, last_move } => write!(
                f,
                "tree {tree}: a second root was entered (move {last_move}); a tree has one root, \
                 start a new tree for the next"
            ),
            Error::NoNodes { tree } => write!(f, "tree {tree} was finished before any node was entered"),
            Error::TooDeep => {
                write!(f, "more than {DEPTH_MAX} nodes are open at once; logging of this tree ends")
            }
            Error::TooManyNodes => {
                write!(f, "a tree has at most {NODES_MAX} nodes; logging of this tree ends")
            }
            Error::WrongRecord { what } => write!(f, "the record does not fit the log's schema: {what}"),
            Error::Unlike { what } => write!(f, "no trees can be added to this log: {what}"),
            Error::Closed => write!(f, "the log is closed"),
            Error::NoSuchTree { tree, trees } => {
                write!(f, "there is no tree {tree} in this log: it has {trees}, numbered from 0")
            }
            Error::NoSuchNode { node, nodes } => {
                write!(f, "there is no node {node} in this tree: it has {nodes}, numbered from 0")
            }
            Error::NoSuchParent { parent, nodes } => {
                write!(f, "the parent {parent} has not been added: there are {nodes} nodes")
            }
            Error::NotATree { node, what } => write!(f, "the nodes do not make a tree: node {node} {what}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io(error) => Some(error),
            Error::Schema(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Io(error)
    }
}

impl From<SchemaError> for Error {
    fn from(error: SchemaError) -> Self {
        Error::Schema(error)
    }
}

/// Adds the place of malformed bytes to an error.
pub(crate) trait At<T> {
    fn at(self, place: Place) -> Result<T>;
}

impl<T> At<T> for Wire<T> {
    fn at(self, place: Place) -> Result<T> {
        self.map_err(|unreadable| match unreadable {
            Unreadable::Malformed(what) => Error::Damaged { place, what },
            Unreadable::Newer(what) => Error::NewerPart { place, what },
            Unreadable::TooLarge(bytes) => Error::TooLarge { place, bytes },
        })
    }
}
