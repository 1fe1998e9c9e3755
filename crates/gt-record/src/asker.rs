//! An observer that answers queries while the search runs, with or without a log.
//!
//! ```text
//! enter, leave ─▶ gt_query::live::Live ─▶ AskerEvent::Match, when a match is known
//!                                      └▶ AskerEvent::End, when the root is left
//! ```
//!
//! **Invariant:** an asker sees the trees that a [`Recorder`](crate::Recorder) of the same search writes, in the same
//! order, with the same values and marks, so the log gives the same answers.

use std::sync::{Arc, Mutex, PoisonError};

use gt_log::Metadata;
use gt_query::live::{Live, LiveError, Marks, Match};
use gt_query::{Answer, Program, RunError};
use gt_search::{Ended, EntryRecord, Observer, Record};

use crate::node::node_values;
use crate::{Extras, NULL_MOVE, TreeLabels};

/// The maximum number of nodes that the queries may hold because they read values that become known later.
const NODES_HELD_MAX: usize = 1 << 20;

/// The events that an asker reports.
#[derive(Debug)]
pub enum AskerEvent<'a> {
    /// A node matches a query.
    Match(&'a Match),
    /// The root was left.
    End {
        /// The number of nodes in the tree.
        nodes: u64,
        /// The number of matching nodes of each query.
        matches: Vec<u64>,
        /// The answer of each query.
        answers: Vec<Result<Answer, RunError>>,
    },
    /// This tree has no answers.
    GivenUp(LiveError),
}

/// Binds the queries to a tree with these metadata; returns `None` to skip the tree.
type Bind<'a> = Box<dyn FnMut(&Metadata) -> Option<Arc<Program>> + Send + 'a>;
/// Receives the events of a tree: its number from 0, and its labels.
type Tell<'a> = Box<dyn FnMut(usize, TreeLabels, AskerEvent<'_>) + Send + 'a>;

/// Answers queries on the trees that a search walks through, one tree after the other.
///
/// ```
/// use std::sync::Arc;
/// use gt_games::tic_tac_toe::{Distance, TicTacToe};
/// use gt_log::Metadata;
/// use gt_query::{Environment, compile};
/// use gt_record::{Asker, Extras, AskerEvent};
/// use gt_search::{Limits, Plain};
///
/// let header = gt_record::header("tic-tac-toe")?;
/// let program = compile("node: count(ended = Cutoff)", &Environment::new(&header.schema)).unwrap();
/// let program = Arc::new(program);
/// let mut trees = 0;
/// let tell = |_, _, told: AskerEvent<'_>| trees += usize::from(matches!(told, AskerEvent::End { .. }));
/// let mut asker = Asker::new(Extras::default(), Metadata::new(), |_| Some(program.clone()), tell);
/// Plain::AlphaBeta.search(&TicTacToe::new(), &Distance, &Limits::depth(3), &mut asker, |_| ());
/// drop(asker);
/// assert_eq!(trees, 3, "one for each iteration");
/// # Ok::<(), gt_log::Error>(())
/// ```
pub struct Asker<'a> {
    extras: Extras,
    metadata: Metadata,
    labels: TreeLabels,
    bind: Bind<'a>,
    tell: Tell<'a>,
    /// The number of trees begun.
    trees: usize,
    /// The number of open nodes of the tree, whether or not queries are asked of it.
    open: usize,
    /// The keys of the open nodes, if the log would have them.
    keys: Vec<u64>,
    asking: Option<Asking>,
    /// Empty between calls; kept to reuse its memory.
    values: Vec<Option<gt_query::Value>>,
}

/// The queries running on a tree.
struct Asking {
    live: Live,
    queries: usize,
    /// Empty between calls.
    delivered: Arc<Mutex<Vec<Match>>>,
}

impl<'a> Asker<'a> {
    /// Makes an asker of nodes with these extras. `bind` is called for every tree, with the metadata it would have in
    /// a log whose trees all carry `metadata`.
    #[must_use]
    pub fn new(
        extras: Extras,
        metadata: Metadata,
        bind: impl FnMut(&Metadata) -> Option<Arc<Program>> + Send + 'a,
        tell: impl FnMut(usize, TreeLabels, AskerEvent<'_>) + Send + 'a,
    ) -> Self {
        Self {
            extras,
            metadata,
            labels: TreeLabels::default(),
            bind: Box::new(bind),
            tell: Box::new(tell),
            trees: 0,
            open: 0,
            keys: Vec::new(),
            asking: None,
            values: Vec::new(),
        }
    }

    #[cold]
    fn begin_tree(&mut self) {
        let metadata = self.labels.next_root(&self.metadata);
        self.trees += 1;
        self.asking = match (self.bind)(&metadata).map(Asking::new) {
            None => None,
            Some(Ok(asking)) => Some(asking),
            Some(Err(error)) => self.give_up(error),
        };
    }

    #[cold]
    fn end_tree(&mut self) {
        let Some(Asking { live, queries, .. }) = self.asking.take() else { return };
        let nodes = live.nodes_entered();
        let matches = (0..queries).map(|query| live.matches(query)).collect();
        match live.finish() {
            Ok(answers) => self.say(AskerEvent::End { nodes, matches, answers }),
            Err(error) => self.say(AskerEvent::GivenUp(error)),
        }
    }

    fn say(&mut self, told: AskerEvent<'_>) {
        (self.tell)(self.trees - 1, self.labels, told);
    }

    #[cold]
    fn give_up(&mut self, error: LiveError) -> Option<Asking> {
        self.say(AskerEvent::GivenUp(error));
        None
    }

    /// Reports the matches that became known.
    fn deliver(&mut self) {
        let Some(asking) = &self.asking else { return };
        let delivered = Arc::clone(&asking.delivered);
        let mut delivered = delivered.lock().unwrap_or_else(PoisonError::into_inner);
        delivered.drain(..).for_each(|found| self.say(AskerEvent::Match(&found)));
    }
}

impl Asking {
    fn new(program: Arc<Program>) -> Result<Self, LiveError> {
        let queries = program.queries.len();
        let delivered = Arc::new(Mutex::new(Vec::new()));
        let list = Arc::clone(&delivered);
        let live = Live::new(program)?.with_nodes_held_max(NODES_HELD_MAX).with_callback(move |found| {
            list.lock().unwrap_or_else(PoisonError::into_inner).push(found.clone());
        });
        Ok(Self { live, queries, delivered })
    }
}

impl<M> Observer<M> for Asker<'_> {
    fn begin(&mut self, depth: i16) {
        self.labels.begin(depth);
    }

    fn begin_line(&mut self, depth: i16, line: usize) {
        self.labels.begin_line(depth, line);
    }

    fn enter(&mut self, last_move: Option<M>) {
        self.enter_known(last_move, EntryRecord::default, || 0, || 0);
    }

    fn enter_known(
        &mut self,
        last_move: Option<M>,
        _: impl FnOnce() -> EntryRecord,
        code: impl FnOnce() -> i64,
        key: impl FnOnce() -> u64,
    ) {
        if self.open == 0 {
            self.begin_tree();
        }
        let code = match last_move {
            Some(_) => code(),
            None if self.open > 0 => NULL_MOVE,
            None => 0,
        };
        self.open += 1;
        if self.extras.key {
            self.keys.push(key());
        }
        if let Some(asking) = &mut self.asking
            && let Err(error) = asking.live.enter(code)
        {
            self.asking = self.give_up(error);
        }
    }

    fn leave(&mut self, record: &Record) {
        Observer::<M>::leave_valued(self, record, &[]);
    }

    fn leave_valued(&mut self, record: &Record, values: &[i32]) {
        let key = if self.extras.key { self.keys.pop().unwrap_or_default() } else { 0 };
        self.open = self.open.saturating_sub(1);
        let Some(asking) = &mut self.asking else { return };
        node_values(record, self.extras, key, values, &mut self.values);
        let marks = Marks { unfinished: record.ended == Ended::Stopped, left_out: 0 };
        if let Err(error) = asking.live.leave_lacking(&self.values, marks) {
            self.asking = self.give_up(error);
        }
        self.deliver();
        if self.open == 0 {
            self.end_tree();
        }
    }
}
