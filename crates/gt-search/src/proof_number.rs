//! Proof-number search: is the game won? The tree is an AND/OR tree, and every node's numbers say how far it is from
//! an answer.
//!
//! ```text
//!            OR  1/2          proof number: the fewest leaves that must come out well to prove the node;
//!           /   \             disproof number: the fewest that must come out badly to disprove it.
//!      AND 1/2  AND 2/1       At an OR node (the root's player moves) one child proves, all disprove;
//!       /       /    \        at an AND node it is the other way round.
//!      1/1    1/1    1/1
//! ```
//!
//! The search goes depth-first where the numbers are smallest (df-pn, Nagai 2002), and keeps them in a table of a
//! fixed size: memory is bounded, and forgotten nodes are searched again. Nodes are identified by position *and* ply,
//! so that in a game in which positions recur no line waits for itself.
//!
//! Whether a repetition is a draw depends on the way to it, which a table does not know. A proven win is a win all
//! the same. In a game whose positions recur, a *disproof* that has met a draw is not reported as one.
//!
//! **Invariant:** [`Verdict::Proven`] and [`Verdict::Disproven`] are the results of exhaustive minimax. A search that
//! was stopped, or reached its horizon, returns [`Verdict::Unknown`].

mod extract;
mod numbers;
mod search;
mod solve;

pub use extract::ProofRow;
pub use solve::{Solution, solve};

use std::time::{Duration, Instant};

use crate::game::{Game, Outcome};
use crate::limits::{Clock, Limits};
use numbers::{Numbers, ProofTable};

/// The claim to prove for the player to move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The player wins.
    Win,
    /// The player does not lose.
    Draw,
}

impl Goal {
    fn is_reached(self, outcome: Outcome, player: usize) -> bool {
        match (self, outcome) {
            (_, Outcome::Win(winner)) => winner == player,
            (Self::Win, Outcome::Draw) => false,
            (Self::Draw, Outcome::Draw) => true,
        }
    }
}

/// The result of a proof search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The goal can be reached against every defence.
    Proven,
    /// The goal cannot be reached against the best defence.
    Disproven,
    /// A limit was reached first.
    Unknown,
}

/// The findings of a proof search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<M> {
    /// The goal.
    pub goal: Goal,
    /// The result.
    pub verdict: Verdict,
    /// The proof number of the root; 0 if it is proven, `None` if it cannot be proven.
    pub proof_number: Option<u32>,
    /// The disproof number of the root; 0 if it is disproven, `None` if it cannot be disproven.
    pub disproof_number: Option<u32>,
    /// A line of the proof or disproof, in which the loser makes it hardest; the most promising line if nothing is
    /// proven.
    pub line: Vec<M>,
    /// The number of nodes entered, repeated visits included.
    pub nodes: u64,
    /// The duration of the search.
    pub elapsed: Duration,
    /// Whether a limit other than the depth ended the search.
    pub stopped: bool,
}

/// A search for proofs, with its table.
///
/// ```
/// use gt_games::TicTacToe;
/// use gt_search::{Goal, Limits, ProofSearch, Verdict};
///
/// let start = TicTacToe::new();
/// let win = ProofSearch::new(&start, Goal::Win, 1 << 20).search(&Limits::default());
/// let draw = ProofSearch::new(&start, Goal::Draw, 1 << 20).search(&Limits::default());
/// assert_eq!((win.verdict, draw.verdict), (Verdict::Disproven, Verdict::Proven));
/// ```
pub struct ProofSearch<G: Game> {
    root: G,
    goal: Goal,
    table: ProofTable,
    /// Whether a disproof may depend on a draw by repetition, or on the horizon.
    is_in_doubt: bool,
    repeats: bool,
}

impl<G: Game> ProofSearch<G> {
    /// A search from a position of a game for two, with a table of this many bytes.
    #[must_use]
    pub fn new(root: &G, goal: Goal, table_bytes: usize) -> Self {
        let table = ProofTable::new(table_bytes);
        Self { root: root.clone(), goal, table, is_in_doubt: false, repeats: root.positions_recur() }
    }

    /// Searches within the limits; the depth is a horizon, beyond which nothing is proven.
    pub fn search(&mut self, limits: &Limits) -> Proof<G::Move> {
        let started = Instant::now();
        let mut clock = Clock::start(limits);
        let numbers = self.prove_root(limits, &mut clock);
        let line = self.line(limits, &mut clock);
        let verdict = self.verdict(numbers);
        Proof {
            goal: self.goal,
            verdict,
            proof_number: numbers.shown_proof(),
            disproof_number: numbers.shown_disproof(),
            line,
            nodes: clock.nodes(),
            elapsed: started.elapsed(),
            stopped: clock.stopped() && verdict == Verdict::Unknown,
        }
    }

    fn verdict(&self, numbers: Numbers) -> Verdict {
        // A draw that counts for the player makes a proof doubtful; one that counts against him makes a disproof
        // doubtful.
        let is_in_doubt = self.is_in_doubt;
        match numbers {
            _ if numbers.is_proven() && !(is_in_doubt && self.goal == Goal::Draw) => Verdict::Proven,
            _ if numbers.is_disproven() && !is_in_doubt => Verdict::Disproven,
            _ => Verdict::Unknown,
        }
    }
}
