//! Iterative deepening: depth 1, depth 2 … until a limit is met or the game is decided.
//!
//! The answer is that of the last completed depth, or of the unfinished depth after it if that depth searches the best move first: when
//! stopped, it has found that move or a better one. A first iteration that is cut short still answers with the best move it has seen, or at
//! least with a legal move. Carrying state from one iteration to the next (an ordered root, a table, a stored tree) is up to the search
//! that deepens.

use std::time::{Duration, Instant};

use crate::limits::Limits;
use crate::value::win_distance_plies;

/// A line of moves and its value for the player to move at the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<M> {
    /// The value.
    pub value: i32,
    /// The moves.
    pub pv: Vec<M>,
}

impl<M> Default for Line<M> {
    fn default() -> Self {
        Self { value: 0, pv: Vec::new() }
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult<M> {
    /// The value of the position, from the view of the player to move.
    pub value: i32,
    /// The move to play; `None` if the game is over, or if only the position itself was evaluated.
    pub best_move: Option<M>,
    /// The principal variation; begins with the best move.
    pub pv: Vec<M>,
    /// The best moves of the root with their lines, best first, if a search finds more than one
    /// ([`Options::lines`](crate::Options::lines)); otherwise empty.
    pub lines: Vec<Line<M>>,
    /// The last completed depth; 0 if the first iteration was cut short.
    pub depth: u16,
    /// Nodes entered, all iterations together.
    pub nodes: u64,
    /// Positions evaluated, all iterations together.
    pub evaluations: u64,
    /// Nodes that a table of endgames answered ([`Endings`](crate::Endings)), all iterations together.
    pub endings: u64,
    /// How long the search took.
    pub elapsed: Duration,
    /// Whether a limit other than the depth ended the search.
    pub stopped: bool,
}

/// A completed iteration. Its counts are totals since the search began.
#[derive(Clone, Copy, Debug)]
pub struct Iteration<'a, M> {
    /// Its depth.
    pub depth: u16,
    /// The value it found.
    pub value: i32,
    /// The principal variation; begins with the best move.
    pub pv: &'a [M],
    /// As [`SearchResult::lines`].
    pub lines: &'a [Line<M>],
    /// Nodes entered so far.
    pub nodes: u64,
    /// Positions evaluated so far.
    pub evaluations: u64,
    /// Nodes that a table of endgames answered so far.
    pub endings: u64,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// The result of one iteration.
pub(crate) struct Iterated<M> {
    pub(crate) value: i32,
    pub(crate) pv: Vec<M>,
    pub(crate) nodes: u64,
    pub(crate) evaluations: u64,
    pub(crate) endings: u64,
    pub(crate) stopped: bool,
    /// Whether deeper iterations cannot change the value.
    pub(crate) settled: bool,
    /// Whether the line of a stopped iteration replaces the previous one: it begins with the move that was best
    /// there, or with a better one.
    pub(crate) counts_when_stopped: bool,
    pub(crate) lines: Vec<Line<M>>,
}

/// Runs `iterate` at `depth_first`, the depth after it, and so on. `any_move` is the answer when even the
/// first iteration found no move; if it is `None` the game is over, and a single iteration reports its value.
pub(crate) fn deepen<M: Copy>(
    limits: &Limits,
    depth_first: u16,
    any_move: Option<M>,
    iterate: &mut dyn FnMut(u16) -> Iterated<M>,
    on_iteration: &mut dyn FnMut(&Iteration<'_, M>),
) -> SearchResult<M> {
    let started = Instant::now();
    let mut result = SearchResult {
        value: 0,
        best_move: any_move,
        pv: any_move.into_iter().collect(),
        lines: Vec::new(),
        depth: 0,
        nodes: 0,
        evaluations: 0,
        endings: 0,
        elapsed: Duration::ZERO,
        stopped: false,
    };
    let depth_first = depth_first.max(limits.depth_first).min(limits.depth_max);
    for depth in depth_first..=limits.depth_max {
        let Iterated { value, pv, nodes, evaluations, endings, stopped, settled, counts_when_stopped, lines } =
            iterate(depth);
        (result.nodes, result.evaluations, result.endings, result.stopped) =
            (nodes, evaluations, endings, stopped);
        let is_first = result.depth == 0;
        if (!stopped || is_first || counts_when_stopped) && !pv.is_empty() {
            (result.best_move, result.pv) = (pv.first().copied(), pv);
            result.value = value;
            if let Some(first) = result.lines.first_mut() {
                *first = Line { value, pv: result.pv.clone() };
            }
        } else if !stopped {
            (result.best_move, result.pv, result.value) = (None, pv, value);
        }
        if stopped {
            break;
        }
        result.depth = depth;
        result.lines = if lines.len() > 1 { lines } else { Vec::new() };
        let elapsed = started.elapsed();
        on_iteration(&Iteration {
            depth,
            value,
            pv: &result.pv,
            lines: &result.lines,
            nodes,
            evaluations,
            endings,
            elapsed,
        });
        if any_move.is_none() || settled {
            break;
        }
        if limits.stop_requested() {
            result.stopped = true;
            break;
        }
    }
    result.elapsed = started.elapsed();
    result
}

/// Whether the game ends by force within the depth, so that deeper iterations cannot change the value.
pub(crate) fn is_settled(value: i32, depth: u16) -> bool {
    win_distance_plies(value).is_some_and(|plies| plies <= i32::from(depth))
}
