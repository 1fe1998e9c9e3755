//! The switches of the full-strength search.

use super::{Breadth, Fault};

/// The features of a [`Searcher`](super::Searcher) beyond plain principal variation search.
///
/// The defaults make a search fast and keep the value at a fixed depth equal to negamax's. The fields marked
/// "Selective" are off by default, because they change it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The size of the transposition table; 0 for none.
    pub table_bytes: usize,
    /// Whether depths 1, 2 … are searched before the last one.
    pub iterative: bool,
    /// How many moves of the root get their own value and line, the best first.
    pub lines: usize,
    /// Half the width of the window around an expected value; `None` for an open window at the root.
    pub aspiration: Option<i32>,
    /// Order: try the moves that cut off a sibling's subtree at the same ply.
    pub killers: bool,
    /// Order: try the moves that cut off often, anywhere.
    pub history: bool,
    /// Order: try the reply that last cut off after the same move.
    pub refutations: bool,
    /// Order: try the moves that refuted the move just played ([`Game::theme`](crate::Game::theme)).
    pub continuation_history: bool,
    /// Cache evaluations; useful if an evaluation takes longer than a lookup.
    pub evaluation_cache: bool,
    /// Selective: correct evaluations by what searches of similar positions have found
    /// ([`Game::structures`](crate::Game::structures)).
    pub corrections: bool,
    /// Selective: use the table's value instead of an evaluation that it contradicts, to decide what needs no search.
    pub table_estimates: bool,
    /// Order: the weight of the game's own hints against history.
    pub hint_weight: i32,
    /// Order: two or more plies above the horizon, at nodes with at least this many moves, evaluate the position after each move that is
    /// neither the table's nor a killer, and try the best first. With so many moves, this costs little compared with searching the wrong
    /// ones.
    pub evaluate_to_order_moves_min: Option<usize>,

    /// Selective: accept a deeper entry of the table for the requested depth.
    pub table_deeper: bool,
    /// Selective: at the horizon follow noisy moves, at most this many plies; `None` to evaluate at once.
    pub quiescence_plies_max: Option<u16>,
    /// Selective: quiescence skips moves that lose material ([`Game::exchange`](crate::Game::exchange)), and those
    /// whose gain plus this margin stays below alpha; `None` to follow every noisy move.
    pub quiescence_margin: Option<i32>,
    /// Selective: the number of plies of quiescence that also follow threats
    /// ([`Game::threatening_moves`](crate::Game::threatening_moves)).
    pub quiescence_threat_plies: u16,
    /// Selective: quiescence reads and writes the table.
    pub quiescence_table: bool,
    /// Selective: the most that a quiet move is assumed to gain, per ply of remaining depth. Near the horizon, quiet
    /// moves are skipped in a position that lies further than this below alpha.
    pub futility_margin: Option<i32>,
    /// Selective: near the horizon, a position whose evaluation lies this far above beta, per ply of remaining depth,
    /// is not searched.
    pub reverse_futility_margin: Option<i32>,
    /// Selective: near the horizon only the first quiet moves are tried.
    pub late_move_pruning: bool,
    /// Selective: near the horizon, moves that lose much material are skipped.
    pub exchange_pruning: bool,
    /// Selective: search the table's move one ply deeper if all others are much worse, and end a node if another move refutes it too.
    pub singular_extensions: bool,
    /// Selective: search a position one ply shallower if the table has no move for it, or two plies at larger depths if a cut-off is
    /// expected.
    pub internal_reductions: bool,
    /// Selective: let the opponent move twice, and search the rest this many plies shallower, or more if depth or evaluation allows it.
    pub null_move_reduction: Option<i16>,
    /// Selective: search late moves shallower at first.
    pub late_move_reductions: bool,
    /// Selective: the number of moves of a wide node that are searched, the best by evaluation; `None` for all.
    pub breadth: Option<Breadth>,
    /// Selective: search a ply deeper after a check that loses no material.
    pub check_extensions: bool,
    /// Selective: search one ply deeper if passing would lose the game at once.
    pub threat_extensions: bool,
    /// Selective: treat a position that occurred before, on the line or in the game, as a draw.
    pub repetition_draws: bool,

    /// A mistake to make on purpose, to test tools that look for mistakes.
    pub fault: Option<Fault>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            table_bytes: 32 << 20,
            iterative: true,
            lines: 1,
            aspiration: None,
            killers: true,
            history: true,
            refutations: false,
            continuation_history: false,
            evaluation_cache: false,
            corrections: false,
            table_estimates: false,
            hint_weight: 4096,
            evaluate_to_order_moves_min: Some(100),
            table_deeper: false,
            quiescence_plies_max: None,
            quiescence_margin: None,
            quiescence_threat_plies: 0,
            quiescence_table: false,
            futility_margin: None,
            reverse_futility_margin: None,
            late_move_pruning: false,
            exchange_pruning: false,
            singular_extensions: false,
            internal_reductions: false,
            null_move_reduction: None,
            late_move_reductions: false,
            breadth: None,
            check_extensions: false,
            threat_extensions: false,
            repetition_draws: false,
            fault: None,
        }
    }
}

impl Options {
    /// Whether an enabled option needs the evaluation of positions above the horizon.
    pub(super) fn is_evaluating_inner_nodes(&self) -> bool {
        self.null_move_reduction.is_some()
            || self.futility_margin.is_some()
            || self.reverse_futility_margin.is_some()
            || self.late_move_pruning
            || self.exchange_pruning
    }

    /// Principal variation search with nothing added but the iterations.
    #[must_use]
    pub fn bare() -> Self {
        Self {
            table_bytes: 0,
            killers: false,
            history: false,
            hint_weight: 0,
            evaluate_to_order_moves_min: None,
            ..Self::default()
        }
    }

    /// The options for a strong engine in games with many, quiet moves.
    #[must_use]
    pub fn broad() -> Self {
        Self { breadth: Some(Breadth { base: 120, per_ply: 60 }), ..Self::default() }
    }

    /// The options for a strong chess engine.
    #[must_use]
    pub fn selective() -> Self {
        Self {
            aspiration: Some(20),
            continuation_history: true,
            evaluation_cache: true,
            corrections: true,
            table_estimates: true,
            table_deeper: true,
            quiescence_plies_max: Some(64),
            quiescence_margin: Some(150),
            quiescence_threat_plies: 1,
            quiescence_table: true,
            futility_margin: Some(65),
            reverse_futility_margin: Some(62),
            late_move_pruning: true,
            exchange_pruning: true,
            singular_extensions: true,
            internal_reductions: true,
            null_move_reduction: Some(3),
            late_move_reductions: true,
            check_extensions: true,
            threat_extensions: true,
            repetition_draws: true,
            ..Self::default()
        }
    }
}
