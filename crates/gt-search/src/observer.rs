//! The records that a search reports about each node.

/// Flags of a node, with the meanings and numbers that logs use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NodeType(pub u8);

impl NodeType {
    /// Searched with an open window, expected on the principal variation.
    pub const PV: Self = Self(1);
    /// Expected to fail high.
    pub const CUT: Self = Self(2);
    /// Expected to fail low.
    pub const ALL: Self = Self(4);
    /// Inside a quiescence search, below its root.
    pub const QUIESCENCE: Self = Self(8);
    /// The root of a quiescence search (does not carry [`NodeType::QUIESCENCE`]).
    pub const QUIESCENCE_ROOT: Self = Self(16);
    /// Entered again with an open window after a null window failed.
    pub const RESEARCH: Self = Self(32);
    /// Reached by a null move.
    pub const NULL_MOVE: Self = Self(64);
    /// Entered in the test of a singular extension, in which the table's move is left out.
    pub const EXCLUDED: Self = Self(128);

    /// Both sets of flags.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    /// Whether any flag of `other` is set.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// Why a node was left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Ended {
    /// All its moves were searched.
    #[default]
    Searched = 0,
    /// A move failed high.
    Cutoff = 1,
    /// The depth was used up and the position was evaluated.
    Horizon = 2,
    /// The game is over here.
    Terminal = 3,
    /// The transposition table knew the answer.
    TableHit = 4,
    /// Standing pat was good enough (quiescence).
    StandPat = 5,
    /// A null move failed high.
    NullMove = 6,
    /// The position repeats or is a draw by rule.
    Draw = 7,
    /// A limit or the stop flag ended the search inside.
    Stopped = 8,
    /// A table of endgames knew the value ([`Endings`](crate::Endings)).
    Endgame = 9,
}

/// The state of a node when the search enters it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntryRecord {
    /// Distance from the root.
    pub ply: u16,
    /// Remaining depth, as passed in.
    pub depth: i16,
    /// Lower bound, as passed in.
    pub alpha: i32,
    /// Upper bound, as passed in.
    pub beta: i32,
    /// Flags.
    pub node_type: NodeType,
    /// The move's place in the parent's order, from 0.
    pub move_index: u16,
    /// Plies removed by late-move reduction.
    pub reduction: i8,
    /// Plies added by an extension.
    pub extension: i8,
}

/// The state of a node when the search leaves it. Values are from the view of the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Distance from the root.
    pub ply: u16,
    /// Remaining depth, as passed in.
    pub depth: i16,
    /// Lower bound, as passed in.
    pub alpha: i32,
    /// Upper bound, as passed in.
    pub beta: i32,
    /// The value returned.
    pub best: i32,
    /// Flags.
    pub node_type: NodeType,
    /// The move's place in the parent's order, from 0.
    pub move_index: u16,
    /// The static evaluation, if the position was evaluated; corrected if the search corrects evaluations.
    pub static_eval: Option<i32>,
    /// Whether the transposition table had an entry.
    pub table_hit: bool,
    /// The depth of that entry.
    pub table_depth: Option<i16>,
    /// Plies removed by late-move reduction.
    pub reduction: i8,
    /// Plies added by an extension.
    pub extension: i8,
    /// Why the node ended.
    pub ended: Ended,
}

/// Sees every node of a search: `enter` on the way down, `leave` on the way up, properly nested.
///
/// ```
/// use gt_games::tic_tac_toe::{Distance, TicTacToe};
/// use gt_search::{Ended, Observer, Record, alpha_beta};
///
/// #[derive(Default)]
/// struct Cutoffs {
///     first_move: u32,
///     later: u32,
///     children: Vec<u32>,
/// }
/// impl<M> Observer<M> for Cutoffs {
///     fn enter(&mut self, _: Option<M>) {
///         self.children.last_mut().map(|children| *children += 1);
///         self.children.push(0);
///     }
///     fn leave(&mut self, record: &Record) {
///         let children = self.children.pop();
///         match record.ended {
///             Ended::Cutoff if children == Some(1) => self.first_move += 1,
///             Ended::Cutoff => self.later += 1,
///             _ => (),
///         }
///     }
/// }
///
/// let mut cutoffs = Cutoffs::default();
/// alpha_beta(&TicTacToe::new(), &Distance, 4, &mut cutoffs);
/// assert!(cutoffs.first_move > 0 && cutoffs.later > 0);
/// ```
pub trait Observer<M> {
    /// Whether the observer is active; if `false`, searches skip work that only an observer needs.
    const ACTIVE: bool = true;
    /// Announces a new tree of this depth: each iteration of iterative deepening has its own.
    fn begin(&mut self, depth: i16) {
        let _ = depth;
    }
    /// Like [`Observer::begin`], in a search for several lines of the root: the tree is for the best move not among
    /// the first `line` lines.
    fn begin_line(&mut self, depth: i16, line: usize) {
        let _ = line;
        self.begin(depth);
    }
    /// The search goes down `last_move`; `None` at the root and below a null move.
    fn enter(&mut self, last_move: Option<M>);
    /// Like [`Observer::enter`], with more details: the node's state on entry, the move's number in logs
    /// ([`Game::encode_made`]; 0 without a move), and the position's [`Game::hash`].
    ///
    /// [`Game::encode_made`]: crate::Game::encode_made
    /// [`Game::hash`]: crate::Game::hash
    #[inline(always)]
    fn enter_known(
        &mut self,
        last_move: Option<M>,
        known: impl FnOnce() -> EntryRecord,
        code: impl FnOnce() -> i64,
        key: impl FnOnce() -> u64,
    ) {
        let _ = (known, code, key);
        self.enter(last_move);
    }
    /// The search leaves the node that it entered last.
    fn leave(&mut self, record: &Record);
    /// Like [`Observer::leave`], in a search that has a value for every player.
    #[inline(always)]
    fn leave_valued(&mut self, record: &Record, values: &[i32]) {
        let _ = values;
        self.leave(record);
    }
}

/// Observes nothing, at no cost.
impl<M> Observer<M> for () {
    const ACTIVE: bool = false;
    #[inline(always)]
    fn enter(&mut self, _: Option<M>) {}
    #[inline(always)]
    fn leave(&mut self, _: &Record) {}
}

/// Observes if there is an observer.
impl<M, O: Observer<M>> Observer<M> for Option<O> {
    fn begin(&mut self, depth: i16) {
        if let Some(observer) = self {
            observer.begin(depth);
        }
    }
    fn begin_line(&mut self, depth: i16, line: usize) {
        if let Some(observer) = self {
            observer.begin_line(depth, line);
        }
    }
    fn enter(&mut self, last_move: Option<M>) {
        if let Some(observer) = self {
            observer.enter(last_move);
        }
    }
    #[inline]
    fn enter_known(
        &mut self,
        last_move: Option<M>,
        known: impl FnOnce() -> EntryRecord,
        code: impl FnOnce() -> i64,
        key: impl FnOnce() -> u64,
    ) {
        if let Some(observer) = self {
            observer.enter_known(last_move, known, code, key);
        }
    }
    #[inline]
    fn leave(&mut self, record: &Record) {
        if let Some(observer) = self {
            observer.leave(record);
        }
    }
    #[inline]
    fn leave_valued(&mut self, record: &Record, values: &[i32]) {
        if let Some(observer) = self {
            observer.leave_valued(record, values);
        }
    }
}
