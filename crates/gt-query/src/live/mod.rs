//! The live evaluator: answers queries while a program searches, without a log.
//!
//! A search calls [`Live::enter`] with a move and [`Live::leave`] with the node's attributes. A match is delivered as
//! soon as everything that the query reads is known ([`Live::delivery`]), in preorder among those that become known
//! together:
//!
//! | the query reads | a match is delivered when | held in memory |
//! |---|---|---|
//! | the node, its descendants, `[<]`, `[0]`, `[-1]` | the node is left | the open path, and two siblings and the first child of each node on it |
//! | in `child:` a bare `x` together with `[]x` | the node is left | all children of the nodes on the path |
//! | `[>]` | its next sibling is left, or its parent | the open path, and three siblings |
//! | `[^]` | its parent is left | all children of the nodes on the path |
//! | `[^^]` | its grandparent is left | all grandchildren too |
//! | `[<k]`, `[k]`, `[-k]` | the node is left | `k` siblings or children instead of one |
//! | `[>k]` from `[>2]` on, `after:` | its parent is left | all children of the nodes on the path |
//! | `before:` | the node is left | nothing more; where a bare `x` stands with `[]x`, all children of the nodes on the path |
//! | `path:` over attributes, `tree:` | the root is left | every node that the other parts let through, and its ancestors |
//!
//! `twin:` is rejected: any node could be another's twin, so the whole tree would have to be held.
//!
//! Children must be held, because a search reports a node's attributes only when it leaves the node, after everything
//! below it. Values that `path:` reads from the moves alone (`last_move`, `@ply`, `@index`) are known on the way down
//! and delay nothing. [`Live::with_nodes_held_max`] limits the number of nodes held.

mod moment;
mod schedule;
mod settle;
mod store;

use std::fmt;
use std::sync::Arc;

use crate::answer::{Answer, Collector};
use crate::evaluate::RunError;
use crate::ir::Program;
use crate::value::Value;
use moment::Moment;
use schedule::Schedule;
use store::{Slot, Store};

/// A delivered match.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The query's index in the program.
    pub query: usize,
    /// The node.
    pub node_id: u64,
    /// The cells of `select`, if the query has it and does not group; an overflow is an error of that cell.
    pub cells: Vec<crate::evaluate::Evaluated>,
}

/// A node's marks, besides its attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Whether it was open when the search was stopped.
    pub unfinished: bool,
    /// The number of nodes below it that were left out.
    pub left_out: u64,
}

/// The time at which a query delivers its matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Delivery {
    /// When the node's ancestor this many levels up is left; 0 is the node itself.
    LeaveOfAncestor(u32),
    /// When the next sibling of that ancestor is left or, if there is none, its parent.
    LeaveAfterAncestor(u32),
    /// When the root is left.
    End,
}

impl fmt::Display for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeaveOfAncestor(0) => f.write_str("when the node is left"),
            Self::LeaveAfterAncestor(0) => f.write_str("when the node's next sibling is left"),
            Self::LeaveOfAncestor(1) => f.write_str("when the node's parent is left"),
            Self::LeaveOfAncestor(levels) => write!(f, "when the node's ancestor {levels} levels up is left"),
            Self::LeaveAfterAncestor(levels) => {
                write!(f, "when the next sibling of the node's ancestor {levels} levels up is left")
            }
            Self::End => f.write_str(
                "when the root is left: it reads attributes of all ancestors, or of the whole tree",
            ),
        }
    }
}

/// A call that does not fit the tree so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveError {
    /// A query has an aggregate over twins.
    Twins,
    /// `leave` without an open node.
    NothingOpen,
    /// A second root is entered.
    SecondRoot,
    /// `finish` with this many nodes open.
    StillOpen(usize),
    /// A node is left with too few attributes.
    TooFewValues {
        /// The number of attributes that the queries need.
        needed: usize,
        /// The number given.
        given: usize,
    },
    /// More nodes would have to be held than allowed.
    TooManyHeld {
        /// The maximum number of nodes held.
        nodes_held_max: usize,
    },
}

impl fmt::Display for LiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Twins => f.write_str(
                "`twin` looks at nodes anywhere in the tree, so the whole tree would have to be held; ask the log instead",
            ),
            Self::NothingOpen => f.write_str("a node is left, but none is open; enter it first"),
            Self::SecondRoot => {
                f.write_str("the root was left already; begin a new evaluation for a new tree")
            }
            Self::StillOpen(nodes) => write!(f, "{nodes} nodes are still open; leave them first"),
            Self::TooFewValues { needed, given } => {
                write!(f, "a node is left with {given} attributes, but the queries read {needed}")
            }
            Self::TooManyHeld { nodes_held_max } => write!(
                f,
                "the queries would have to hold more than {nodes_held_max} nodes, because they read what is known \
                 only later; raise the limit or ask the log instead"
            ),
        }
    }
}

impl std::error::Error for LiveError {}

/// An evaluation of queries on a running search.
///
/// ```
/// use std::sync::Arc;
/// use gt_log::{Kind, Schema};
/// use gt_query::live::Live;
/// use gt_query::{Answer, Environment, Value, compile};
///
/// let schema = Schema::new([("best", Kind::I32)])?;
/// let program = compile("child: count([]best > 0) = 1", &Environment::new(&schema)).unwrap();
/// let mut live = Live::new(Arc::new(program))?;
/// live.enter(0)?;
/// live.enter(7)?;
/// live.leave(&[Value::Integer(3)])?;
/// live.leave(&[Value::Integer(-3)])?;
/// assert_eq!(live.finish()?, [Ok(Answer::Nodes(vec![0]))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Live {
    program: Arc<Program>,
    schedule: Schedule,
    store: Store,
    /// The open nodes, the root first.
    path: Vec<Slot>,
    nodes_entered: u64,
    nodes_held_max: usize,
    nodes_held_most: usize,
    /// Set once a node could not be held: from then on, this tree differs from the search's.
    failed: Option<LiveError>,
    collectors: Vec<Collector>,
    matches: Vec<u64>,
    callback: Option<Callback>,
    /// Empty between calls; kept to reuse its memory.
    affected: Vec<(Slot, Moment)>,
    /// Empty between calls; kept to reuse its memory.
    candidates: Vec<Slot>,
}

type Callback = Box<dyn FnMut(&Match) + Send>;

impl Live {
    /// Makes an evaluation of all queries of a program, for one tree.
    ///
    /// # Errors
    /// Returns an error if a query has an aggregate over twins, which would have to hold the whole tree.
    pub fn new(program: Arc<Program>) -> Result<Self, LiveError> {
        if !program.twins.is_empty() {
            return Err(LiveError::Twins);
        }
        let queries = program.queries.len();
        Ok(Self {
            schedule: Schedule::new(&program),
            store: Store::new(&program),
            path: Vec::new(),
            nodes_entered: 0,
            nodes_held_max: usize::MAX,
            nodes_held_most: 0,
            failed: None,
            collectors: (0..queries).map(|query| Collector::new(&program, query)).collect(),
            matches: vec![0; queries],
            callback: None,
            affected: Vec::new(),
            candidates: Vec::new(),
            program,
        })
    }

    /// Calls `callback` with each match when it is delivered.
    #[must_use]
    pub fn with_callback(mut self, callback: impl FnMut(&Match) + Send + 'static) -> Self {
        self.callback = Some(Box::new(callback));
        self
    }

    /// Limits the number of nodes held; beyond it, the evaluation ends without answers.
    #[must_use]
    pub const fn with_nodes_held_max(mut self, nodes_held_max: usize) -> Self {
        self.nodes_held_max = nodes_held_max;
        self
    }

    /// Returns when the query at this index delivers its matches.
    #[must_use]
    pub fn delivery(&self, query: usize) -> Option<Delivery> {
        Some(match *self.schedule.deliveries.get(query)? {
            Moment::END => Delivery::End,
            Moment(moment) if moment % 2 == 1 => Delivery::LeaveOfAncestor(moment / 2),
            Moment(moment) => Delivery::LeaveAfterAncestor((moment / 2).saturating_sub(1)),
        })
    }

    /// Enters the node that a move leads to.
    ///
    /// # Errors
    /// Returns an error if the root was already left, or too many nodes would be held.
    pub fn enter(&mut self, last_move: i64) -> Result<(), LiveError> {
        self.still_whole()?;
        let parent = self.path.last().copied();
        if parent.is_none() && self.nodes_entered > 0 {
            return Err(LiveError::SecondRoot);
        }
        if self.store.held() >= self.nodes_held_max {
            self.failed = Some(LiveError::TooManyHeld { nodes_held_max: self.nodes_held_max });
        }
        self.still_whole()?;
        let slot = self.store.add(parent, self.nodes_entered, last_move);
        self.nodes_entered += 1;
        self.nodes_held_most = self.nodes_held_most.max(self.store.held());
        self.path.push(slot);
        self.begin(slot);
        Ok(())
    }

    /// Leaves the last entered node, whose attributes are `values`, in the order of the schema.
    ///
    /// # Errors
    /// Returns an error if no node is open, or attributes that the queries read are missing.
    pub fn leave(&mut self, values: &[Value]) -> Result<(), LiveError> {
        self.leave_marked(values, Marks::default())
    }

    /// Like [`Live::leave`], for a node with marks.
    ///
    /// # Errors
    /// Returns the errors of [`Live::leave`].
    pub fn leave_marked(&mut self, values: &[Value], marks: Marks) -> Result<(), LiveError> {
        self.leave_with(values.len(), values.iter().map(Some), marks)
    }

    /// Like [`Live::leave_marked`], for a node that lacks some values.
    ///
    /// # Errors
    /// Returns the errors of [`Live::leave`].
    pub fn leave_lacking(&mut self, values: &[Option<Value>], marks: Marks) -> Result<(), LiveError> {
        self.leave_with(values.len(), values.iter().map(Option::as_ref), marks)
    }

    fn leave_with<'v>(
        &mut self,
        given: usize,
        values: impl Iterator<Item = Option<&'v Value>>,
        marks: Marks,
    ) -> Result<(), LiveError> {
        self.still_whole()?;
        let needed = self.schedule.attribute_places.len();
        if given < needed {
            return Err(LiveError::TooFewValues { needed, given });
        }
        let slot = self.path.pop().ok_or(LiveError::NothingOpen)?;
        self.complete(slot, values, marks);
        self.settle(slot);
        Ok(())
    }

    /// Returns the number of matches that the query at this index has delivered so far.
    #[must_use]
    pub fn matches(&self, query: usize) -> u64 {
        self.matches.get(query).copied().unwrap_or(0)
    }

    /// Returns the number of nodes entered so far.
    #[must_use]
    pub const fn nodes_entered(&self) -> u64 {
        self.nodes_entered
    }

    /// Returns the highest number of nodes held at once.
    #[must_use]
    pub const fn nodes_held_most(&self) -> usize {
        self.nodes_held_most
    }

    /// Returns the answers, once the root was left (or nothing was entered).
    ///
    /// # Errors
    /// Returns an error if nodes are still open, or too many would have been held. An individual answer is an error
    /// if its query overflowed.
    pub fn finish(self) -> Result<Vec<Result<Answer, RunError>>, LiveError> {
        self.still_whole()?;
        if !self.path.is_empty() {
            return Err(LiveError::StillOpen(self.path.len()));
        }
        Ok(self.collectors.into_iter().map(|collector| collector.finish(&self.program)).collect())
    }

    fn still_whole(&self) -> Result<(), LiveError> {
        self.failed.map_or(Ok(()), Err)
    }
}
