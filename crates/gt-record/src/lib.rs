//! Searches into logs: an observer that writes every node it sees.
//!
//! ```
//! use gt_games::tic_tac_toe::{Distance, TicTacToe};
//! use gt_log::{Log, LogWriter, Metadata};
//! use gt_record::Recorder;
//! use gt_search::{Limits, Plain};
//!
//! let log = LogWriter::to_memory(gt_record::header("tic-tac-toe")?)?;
//! let mut recorder = Recorder::new(&log, Metadata::new().with("engine", "doctest"));
//! let result =
//!     Plain::AlphaBeta.search(&TicTacToe::new(), &Distance, &Limits::depth(3), &mut recorder, |_| ());
//! recorder.finish()?;
//!
//! let log = Log::from_bytes(log.into_memory()?)?;
//! assert_eq!(log.tree_count(), 3, "a tree for each iteration");
//! assert_eq!(log.trees().map(|tree| tree.nodes()).sum::<u64>(), result.nodes);
//! # Ok::<(), gt_log::Error>(())
//! ```
//!
//! **Invariant:** this crate knows no particular game.

use gt_log::{Error, Header, LogWriter, Marks, Metadata, Options, Result, Schema, TreeWriter};
use gt_search::{Ended, EntryRecord, Observer, Record};

/// The number of a null move in `last_move`.
pub const NULL_MOVE: i64 = 65_535;

gt_log::record! {
    /// What a log of these searches says of a node: the fields of [`gt_search::Record`]. What is not known when the search
    /// enters a node may be missing: a node that the search never finishes keeps the rest.
    #[derive(Clone, Copy, Debug)]
    pub struct Node {
        /// Distance from the root.
        pub ply: u16,
        /// Remaining depth, as passed in.
        pub depth: i16,
        /// Lower bound, as passed in.
        pub alpha: i32,
        /// Upper bound, as passed in.
        pub beta: i32,
        /// The value returned; missing where the search was stopped inside.
        pub best: Option<i32>,
        /// Flags: PVNode, CutNode …
        pub r#type: u8,
        /// The move's place in the parent's order.
        pub move_index: u16,
        /// The static evaluation; missing where none was made.
        pub static_eval: Option<i32>,
        /// Whether the transposition table had an entry.
        pub table_hit: Option<bool>,
        /// Plies taken off by late-move reduction.
        pub reduction: i8,
        /// Plies added by an extension.
        pub extension: i8,
        /// Why the node ended: Searched, Cutoff …
        pub ended: Option<u8>,
    }
}

impl From<&Record> for Node {
    #[inline]
    fn from(record: &Record) -> Self {
        Self {
            ply: record.ply,
            depth: record.depth,
            alpha: record.alpha,
            beta: record.beta,
            // What a stopped node returns is no value of its position.
            best: (record.ended != Ended::Stopped).then_some(record.best),
            r#type: record.node_type.0,
            move_index: record.move_index,
            static_eval: record.static_eval,
            table_hit: Some(record.table_hit),
            reduction: record.reduction,
            extension: record.extension,
            ended: Some(record.ended as u8),
        }
    }
}

impl From<&EntryRecord> for Node {
    #[inline]
    fn from(entry: &EntryRecord) -> Self {
        Self {
            ply: entry.ply,
            depth: entry.depth,
            alpha: entry.alpha,
            beta: entry.beta,
            best: None,
            r#type: entry.node_type.0,
            move_index: entry.move_index,
            static_eval: None,
            table_hit: None,
            reduction: entry.reduction,
            extension: entry.extension,
            ended: None,
        }
    }
}

/// Names for the flags of `type`.
const TYPES: [(&str, i64); 7] = [
    ("PVNode", 1),
    ("CutNode", 2),
    ("AllNode", 4),
    ("QNode", 8),
    ("QRootNode", 16),
    ("ResearchNode", 32),
    ("NullMove", 64),
];

/// Names for the numbers of `ended`.
const ENDS: [(&str, i64); 9] = [
    ("Searched", 0),
    ("Cutoff", 1),
    ("Horizon", 2),
    ("Terminal", 3),
    ("TableHit", 4),
    ("StandPat", 5),
    ("NullMoveCutoff", 6),
    ("DrawByRule", 7),
    ("Stopped", 8),
];

/// The header of a log of searches of this game.
pub fn header(game: &str) -> Result<Header> {
    let schema = Schema::of::<Node>()?.with_aliases_of("type", TYPES)?.with_aliases_of("ended", ENDS)?;
    Ok(Header::new(game, schema))
}

/// Writes what a search does into a log with [`header`]: a tree for each iteration, and one more for each root that is
/// searched again with another window.
///
/// A log that can no longer be written never stops the search; [`Recorder::finish`] tells of it.
pub struct Recorder<'a> {
    log: &'a LogWriter,
    metadata: Metadata,
    tree: Option<TreeWriter<Node>>,
    depth: i16,
    /// How many roots the iteration has had.
    roots: u32,
    background: bool,
    error: Option<Error>,
    /// The system refused to write: nothing more is tried.
    is_off: bool,
    on_error: Option<OnError<'a>>,
}

type OnError<'a> = Box<dyn FnMut(&Error) + Send + 'a>;

impl<'a> Recorder<'a> {
    /// A recorder whose trees all carry this metadata, beside their `nominal_depth`. It takes the search to
    /// have one thread; see [`Recorder::searching_threads`].
    #[must_use]
    pub fn new(log: &'a LogWriter, metadata: Metadata) -> Self {
        let background = has_more_cores_than(1);
        Self {
            log,
            metadata,
            tree: None,
            depth: 0,
            roots: 0,
            background,
            error: None,
            is_off: false,
            on_error: None,
        }
    }

    /// Says how many threads search at once: nodes are encoded [in the background](TreeWriter::background) if
    /// the machine has more cores than that.
    #[must_use]
    pub fn searching_threads(self, count: usize) -> Self {
        self.background(has_more_cores_than(count))
    }

    /// Says whether nodes are encoded in the background, whatever the machine has.
    #[must_use]
    pub fn background(mut self, background: bool) -> Self {
        self.background = background;
        self
    }

    /// Calls `tell` with the first error, as soon as it is met: a search can be long, and a disk full early.
    #[must_use]
    pub fn on_error(mut self, tell: impl FnMut(&Error) + Send + 'a) -> Self {
        self.on_error = Some(Box::new(tell));
        self
    }

    /// Ends the last tree; the first error that was met, if any.
    pub fn finish(mut self) -> Result<()> {
        self.end_tree();
        self.error.take().map_or(Ok(()), Err)
    }

    fn end_tree(&mut self) {
        if let Some(tree) = self.tree.take() {
            let ended = tree.finish().map(|_| ());
            self.keep(ended);
        }
    }

    #[cold]
    fn begin_tree(&mut self) {
        self.end_tree();
        self.roots += 1;
        let mut metadata = self.metadata.clone();
        metadata.set("nominal_depth", self.depth);
        if self.roots > 1 {
            metadata.set("window", self.roots);
        }
        match self.log.tree_with(&metadata, Options::default()) {
            Ok(tree) => self.tree = Some(tree.background(self.background)),
            Err(error) => self.keep(Err(error)),
        }
    }

    #[cold]
    fn keep(&mut self, outcome: Result<()>) {
        let Err(error) = outcome else { return };
        self.is_off |= matches!(error, Error::Io(_) | Error::Closed);
        if self.error.is_none() {
            if let Some(tell) = &mut self.on_error {
                tell(&error);
            }
            self.error = Some(error);
        }
    }
}

/// A node that the search was stopped in is unfinished.
#[cold]
fn leave_stopped(tree: &mut TreeWriter<Node>, node: &Node) -> Result<()> {
    tree.leave_marked(Marks { unfinished: true, left_out: 0 }, |_, row| {
        gt_log::Record::store(node, row);
        Ok(())
    })
}

fn has_more_cores_than(threads: usize) -> bool {
    std::thread::available_parallelism().is_ok_and(|cores| cores.get() > threads)
}

impl<M> Observer<M> for Recorder<'_> {
    fn begin(&mut self, depth: i16) {
        self.end_tree();
        self.depth = depth;
        self.roots = 0;
    }

    fn enter(&mut self, last_move: Option<M>) {
        self.enter_known(last_move, EntryRecord::default, || 0);
    }

    #[inline]
    fn enter_known(
        &mut self,
        last_move: Option<M>,
        known: impl FnOnce() -> EntryRecord,
        code: impl FnOnce() -> i64,
    ) {
        if self.tree.as_ref().is_none_or(|tree| tree.open_nodes() == 0) {
            if self.is_off {
                return;
            }
            self.begin_tree();
        }
        let Some(tree) = &mut self.tree else { return };
        let code = match last_move {
            Some(_) => code(),
            None if tree.open_nodes() > 0 => NULL_MOVE,
            None => 0,
        };
        if let Err(error) = tree.enter_record(code, &Node::from(&known())) {
            self.keep(Err(error));
        }
    }

    #[inline]
    fn leave(&mut self, record: &Record) {
        let Some(tree) = &mut self.tree else { return };
        let node = Node::from(record);
        let left = match record.ended {
            Ended::Stopped => leave_stopped(tree, &node),
            _ => tree.leave(&node),
        };
        if let Err(error) = left {
            self.keep(Err(error));
        }
    }
}
