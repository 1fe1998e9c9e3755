//! Proof-number search: is the game won? The tree is one of AND and OR, and every node says how far it is from an answer.
//!
//! ```text
//!            OR  1/2          proof number: the fewest leaves that must come out well to prove the node;
//!           /   \             disproof number: the fewest that must come out badly to disprove it.
//!      AND 1/2  AND 2/1       At an OR node (the root's player moves) one child proves, all disprove;
//!       /       /    \        at an AND node it is the other way round.
//!      1/1    1/1    1/1
//! ```
//!
//! The search goes depth-first where the numbers are smallest (df-pn, Nagai 2002), and keeps them in a table of a fixed size: memory is
//! bounded, and what the table forgets is searched again. Nodes are known by position *and* ply, so that no line of a game in which
//! positions recur ever waits for itself.
//!
//! What a repetition makes a draw depends on the way to it, which a table does not know. A win that is proven is a win all the same; in
//! a game whose positions recur a *disproof* that has met a draw is not called one.
//!
//! **Invariant:** [`Verdict::Proven`] and [`Verdict::Disproven`] are what exhaustive minimax finds; a search that was stopped, or that
//! met its horizon, says [`Verdict::Unknown`].

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

/// What is to be proven of the player to move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// He wins.
    Win,
    /// He does not lose.
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

/// What came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The goal is reached against every defence.
    Proven,
    /// It is not, against the best one.
    Disproven,
    /// A limit came first.
    Unknown,
}

/// What a search for a proof found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<M> {
    /// The goal.
    pub goal: Goal,
    /// What came out.
    pub verdict: Verdict,
    /// The proof number of the root; 0 where it is proven, `None` where that is impossible.
    pub proof_number: Option<u32>,
    /// Its disproof number; 0 where it is disproven, `None` where that is impossible.
    pub disproof_number: Option<u32>,
    /// A line of the proof or disproof, where the loser holds out against most work; the most promising one where nothing is proven.
    pub line: Vec<M>,
    /// How many nodes were entered, again and again where they were.
    pub nodes: u64,
    /// How long it took.
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
    /// Whether a disproof may rest on where a draw was met, or on the horizon.
    is_in_doubt: bool,
    repeats: bool,
}

impl<G: Game> ProofSearch<G> {
    /// A search of a position of a game for two, with a table of so many bytes.
    #[must_use]
    pub fn new(root: &G, goal: Goal, table_bytes: usize) -> Self {
        let table = ProofTable::new(table_bytes);
        Self { root: root.clone(), goal, table, is_in_doubt: false, repeats: root.positions_recur() }
    }

    /// Searches within the limits; the depth is a horizon, behind which nothing is proven.
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
        // A draw that counts for the player is in doubt where it proves, one that counts against him where it disproves.
        let is_in_doubt = self.is_in_doubt;
        match numbers {
            _ if numbers.is_proven() && !(is_in_doubt && self.goal == Goal::Draw) => Verdict::Proven,
            _ if numbers.is_disproven() && !is_in_doubt => Verdict::Disproven,
            _ => Verdict::Unknown,
        }
    }
}
