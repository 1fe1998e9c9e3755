//! Searches for any number of players.
//!
//! ```text
//! max^n        everyone wants the most for himself          values are vectors, one number a player
//! paranoid     everyone is against the player at the root   values are numbers, alpha-beta prunes
//! best reply   only the opponent who hurts most replies     as paranoid, the others pass
//! ```
//!
//! A finished game is worth `WIN - ply` to the winner, `ply - WIN` to everybody else, and 0 to all if drawn.
//! **Ties:** of several moves with the same value for the player who chooses, the first in the game's order wins. So
//! the vector of max^n is well defined, and pruning must not change it.
//!
//! Records are from the view of the player to move. In paranoid and best-reply search there are two sides, the root's
//! player and all others, and a child of the same side has its parent's window, not the negated one.
//! With two players and opposite evaluations all three find the value of negamax.
//!
//! Every node has a value for every player. In max^n it is the value that the players settle on; in the others it is
//! that of the position at the end of the line that decides for the side to move.

mod best_reply;
mod max_n;
mod paranoid;
mod sides;

pub use best_reply::best_reply;
pub use max_n::{EvaluationBounds, max_n};
pub use paranoid::paranoid;

use crate::deepening::{Iterated, Iteration, SearchResult, deepen};
use crate::game::{EvaluateAll, Game, Outcome};
use crate::limits::Limits;
use crate::node::{Node, Note};
use crate::observer::{Ended, Observer};
use crate::value::final_value;
use crate::walk::Walk;

/// The result of a search for many players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuedResult<M> {
    /// The search result; its value is that of the player to move.
    pub search: SearchResult<M>,
    /// The value for every player; empty if no iteration found a move.
    pub values: Vec<i32>,
}

/// The searches for many players by name, run under any limits by iterative deepening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManyPlayers {
    /// [`max_n`], pruned if the bounds of the evaluation are known.
    MaxN(Option<EvaluationBounds>),
    /// [`paranoid`]
    Paranoid,
    /// [`best_reply`]
    BestReply,
}

impl ManyPlayers {
    /// Searches depth 1, depth 2 … within the limits and calls `on_iteration` for each completed depth.
    pub fn search<G, E, O>(
        self,
        game: &G,
        evaluation: &E,
        limits: &Limits,
        observer: &mut O,
        on_iteration: impl FnMut(&Iteration<'_, G::Move>),
    ) -> SearchResult<G::Move>
    where
        G: Game,
        E: EvaluateAll<G>,
        O: Observer<G::Move>,
    {
        self.search_valued(game, evaluation, limits, observer, on_iteration).search
    }

    /// Like [`ManyPlayers::search`], with the value for every player.
    pub fn search_valued<G, E, O>(
        self,
        game: &G,
        evaluation: &E,
        limits: &Limits,
        observer: &mut O,
        on_iteration: impl FnMut(&Iteration<'_, G::Move>),
    ) -> ValuedResult<G::Move>
    where
        G: Game,
        E: EvaluateAll<G>,
        O: Observer<G::Move>,
    {
        let mut round = Round::new(game, evaluation, limits, observer);
        let search = match self {
            Self::MaxN(bounds) => {
                round.deepen(1, limits, on_iteration, |round, node| round.max_n_root(node, bounds))
            }
            Self::Paranoid => round.deepen(1, limits, on_iteration, Round::paranoid_root),
            Self::BestReply => round.deepen(1, limits, on_iteration, Round::best_reply_root),
        };
        ValuedResult { search, values: round.root_values }
    }
}

/// A walk that also holds a value for every player at every ply.
struct Round<'a, G: Game, E, O> {
    walk: Walk<'a, G, E, O>,
    players: usize,
    root_player: usize,
    /// `values[ply * players ..][.. players]` are the values of the node at `ply`.
    values: Vec<i32>,
    /// The root's values in the iteration that answers.
    root_values: Vec<i32>,
}

impl<'a, G: Game, E: EvaluateAll<G>, O: Observer<G::Move>> Round<'a, G, E, O> {
    fn new(game: &G, evaluation: &'a E, limits: &Limits, observer: &'a mut O) -> Self {
        let walk = Walk::new(game, evaluation, limits, observer);
        Self {
            walk,
            players: game.players(),
            root_player: game.to_move(),
            values: Vec::new(),
            root_values: Vec::new(),
        }
    }

    fn deepen(
        &mut self,
        depth_first: u16,
        limits: &Limits,
        mut on_iteration: impl FnMut(&Iteration<'_, G::Move>),
        root: impl Fn(&mut Self, Node) -> i32,
    ) -> SearchResult<G::Move> {
        let any_move = self.walk.game.first_move();
        let mut iterate = |depth| {
            let node = Node::root(depth);
            let open_ends = self.walk.open_ends;
            self.walk.observer.begin(node.depth);
            let value = root(self, node);
            if !self.walk.stopped() || (self.root_values.is_empty() && !self.walk.variation.root().is_empty())
            {
                self.root_values = self.values_at(0).to_vec();
            }
            Iterated {
                value,
                pv: self.walk.variation.root().to_vec(),
                nodes: self.walk.nodes(),
                evaluations: self.walk.evaluations,
                endings: 0,
                stopped: self.walk.stopped(),
                // Choices of other players further on can change everything, unless the game ends on every
                // line.
                settled: self.walk.open_ends == open_ends,
                counts_when_stopped: false,
                lines: Vec::new(),
            }
        };
        deepen(limits, depth_first, any_move, &mut iterate, &mut on_iteration)
    }

    fn observe(
        &mut self,
        last_move: Option<G::Move>,
        node: Node,
        body: impl FnOnce(&mut Self, Node) -> i32,
    ) -> i32 {
        self.walk.enter(last_move, node);
        self.walk.variation.clear(node.ply);
        let value = body(self, node);
        let stopped = self.walk.stopped();
        self.values_at(node.ply);
        let start = usize::from(node.ply) * self.players;
        let values: &[i32] = if stopped { &[] } else { &self.values[start..start + self.players] };
        self.walk.leave_valued(node, value, values);
        value
    }

    /// Fills in the node's values if there is nothing to search below it, and returns the reason.
    fn leaf(&mut self, node: Node) -> Option<Ended> {
        if self.walk.stopped() {
            return Some(Ended::Stopped);
        }
        if let Some(outcome) = self.walk.game.outcome() {
            self.fill_outcome(node.ply, outcome);
            return Some(Ended::Terminal);
        }
        (node.depth <= 0).then(|| {
            self.fill_evaluation(node.ply);
            Ended::Horizon
        })
    }

    fn fill_outcome(&mut self, ply: u16, outcome: Outcome) {
        self.values_at(ply);
        let start = usize::from(ply) * self.players;
        for (player, value) in self.values[start..start + self.players].iter_mut().enumerate() {
            *value = final_value(&self.walk.game, outcome, player, ply);
        }
    }

    fn fill_evaluation(&mut self, ply: u16) {
        self.values_at(ply);
        let start = usize::from(ply) * self.players;
        let values = &mut self.values[start..start + self.players];
        self.walk.count_evaluation();
        self.walk.open_ends += 1;
        self.walk.evaluation.evaluate_all(&self.walk.game, values);
    }

    /// The values of the node at `ply`.
    fn values_at(&mut self, ply: u16) -> &mut [i32] {
        let start = usize::from(ply) * self.players;
        if self.values.len() < start + self.players {
            self.values.resize(start + self.players, 0);
        }
        &mut self.values[start..start + self.players]
    }

    /// Copies the values of the node at `ply` to its parent.
    fn take_values(&mut self, ply: u16) {
        let start = usize::from(ply) * self.players;
        self.values.copy_within(start..start + self.players, start - self.players);
    }

    /// Ends a leaf: in the record its value is also its static evaluation, if it was evaluated.
    fn conclude_leaf(&mut self, value: i32, ended: Ended) -> i32 {
        let static_eval = (ended == Ended::Horizon).then_some(value);
        self.walk.conclude_noting(value, Note { ended, static_eval, table_depth: None })
    }
}
