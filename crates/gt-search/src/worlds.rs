//! Hidden hands: several deals that fit a player's knowledge are searched as if they were open, and the move that
//! does best over all of them is played (perfect-information Monte Carlo).
//!
//! ```text
//!            deal 1   deal 2   deal 3     sum        every move of the root has an open window in every deal, so that its
//!   9c         -1       -3        0        -4        value is exact and can be added; the best sum is played
//!   Ac         -4       -2       -3        -9
//! ```
//!
//! Each deal is a separate tree, and each depth searches all deals. Every deal has the same moves at the root:
//! those of the player who thinks, who knows his own cards. The method never plays to learn the others' cards, nor to
//! hide its own.
//!
//! **Invariant:** the value of a move in a deal is the value that the search for many players finds when it is the
//! only move at the root.

mod one_move;

use std::time::Instant;

use crate::deepening::{Iteration, SearchResult};
use crate::game::{EvaluateAll, Game};
use crate::limits::Limits;
use crate::many_players::ManyPlayers;
use crate::observer::{Ended, EntryRecord, NodeType, Observer, Record};
use crate::value::INFINITE;
use crate::watched::Watched;
use one_move::{BelowRoot, Inner, OneMove};

/// Searches deals depth by depth within the limits and calls `on_iteration` for each completed depth. The observer at
/// a deal's index, if there is one, sees that deal. The value is the mean over the deals. Without deals there is
/// nothing to search, and no move.
pub fn search_worlds<G, E, O>(
    worlds: &[G],
    many: ManyPlayers,
    evaluation: &E,
    limits: &Limits,
    observers: &mut [O],
    mut on_iteration: impl FnMut(&Iteration<'_, G::Move>),
) -> SearchResult<G::Move>
where
    G: Game,
    E: EvaluateAll<G>,
    O: Observer<G::Move> + Send,
{
    let started = Instant::now();
    let mut round =
        Round { worlds, many, evaluation, limits, started, nodes: 0, evaluations: 0, stopped: false };
    let mut moves = Vec::new();
    if let Some(world) = worlds.first() {
        world.moves(&mut moves);
    }
    let mut result = SearchResult {
        value: 0,
        best_move: moves.first().copied(),
        pv: moves.first().copied().into_iter().collect(),
        lines: Vec::new(),
        depth: 0,
        nodes: 0,
        evaluations: 0,
        endings: 0,
        elapsed: started.elapsed(),
        stopped: false,
    };
    for depth in limits.depth_first.max(1)..=limits.depth_max {
        if moves.is_empty() {
            break;
        }
        let sums = round.search_depth(&moves, depth, observers);
        (result.nodes, result.evaluations, result.stopped) = (round.nodes, round.evaluations, round.stopped);
        let Some(Sums { values, is_settled }) = sums else { break };
        // The first of equals.
        let best = (0..moves.len()).rev().max_by_key(|&at| values[at]).unwrap_or(0);
        let mean = values[best] as f64 / worlds.len() as f64;
        (result.value, result.depth) = (mean.round() as i32, depth);
        (result.best_move, result.pv) = (Some(moves[best]), vec![moves[best]]);
        on_iteration(&Iteration {
            depth,
            value: result.value,
            pv: &result.pv,
            lines: &[],
            nodes: round.nodes,
            evaluations: round.evaluations,
            endings: 0,
            elapsed: started.elapsed(),
        });
        if is_settled {
            break;
        }
    }
    result.elapsed = started.elapsed();
    result
}

/// The result of a depth: for each move the sum of its values over the deals.
struct Sums {
    values: Vec<i64>,
    /// Whether all games ended before the horizon, so that no depth will change anything.
    is_settled: bool,
}

struct Round<'a, G, E> {
    worlds: &'a [G],
    many: ManyPlayers,
    evaluation: &'a E,
    limits: &'a Limits,
    started: Instant,
    nodes: u64,
    evaluations: u64,
    stopped: bool,
}

impl<G: Game, E: EvaluateAll<G>> Round<'_, G, E> {
    /// Searches every move in every deal; returns nothing if a limit was reached first.
    fn search_depth<O: Observer<G::Move> + Send>(
        &mut self,
        moves: &[G::Move],
        depth: u16,
        observers: &mut [O],
    ) -> Option<Sums> {
        let mut values = vec![0_i64; moves.len()];
        let evaluations_before = self.evaluations;
        for (at, world) in self.worlds.iter().enumerate() {
            let mut observer = Watched::by_some(observers.get_mut(at));
            self.search_world(world, moves, depth, &mut observer, &mut values);
            if self.stopped {
                return None;
            }
        }
        Some(Sums { values, is_settled: self.evaluations == evaluations_before })
    }

    /// Adds the value of each move in a deal to the sums.
    fn search_world(
        &mut self,
        world: &G,
        moves: &[G::Move],
        depth: u16,
        observer: &mut Watched<'_, G::Move>,
        values: &mut [i64],
    ) {
        let entry = root_entry(depth);
        observer.begin(entry.depth);
        observer.enter_known(None, || entry, || 0, || world.hash());
        let mut best = -INFINITE;
        for (at, &mv) in moves.iter().enumerate() {
            let value = self.search_move(world, (mv, at), depth, observer);
            if self.stopped {
                break;
            }
            values[at] += i64::from(value);
            best = best.max(value);
        }
        observer.leave(&root_record(entry, best, self.stopped));
    }

    /// The value of one move in one deal, for the player who thinks.
    fn search_move(
        &mut self,
        world: &G,
        (mv, place): (G::Move, usize),
        depth: u16,
        observer: &mut Watched<'_, G::Move>,
    ) -> i32 {
        let limits = Limits {
            depth_first: depth,
            depth_max: depth,
            nodes_max: self.limits.nodes_max.saturating_sub(self.nodes),
            time_max: self.limits.time_max.map(|time| time.saturating_sub(self.started.elapsed())),
            ..self.limits.clone()
        };
        let game = OneMove::new(world, mv);
        let mut below = BelowRoot::new(observer, place);
        let found = self.many.search(&game, &Inner(self.evaluation), &limits, &mut below, |_| ());
        self.nodes += found.nodes;
        self.evaluations += found.evaluations;
        self.stopped = found.stopped || limits.nodes_max == 0;
        found.value
    }
}

fn root_entry(depth: u16) -> EntryRecord {
    EntryRecord {
        ply: 0,
        depth: i16::try_from(depth).unwrap_or(i16::MAX),
        alpha: -INFINITE,
        beta: INFINITE,
        node_type: NodeType::default(),
        move_index: 0,
        reduction: 0,
        extension: 0,
    }
}

fn root_record(entry: EntryRecord, best: i32, stopped: bool) -> Record {
    let ended = if stopped { Ended::Stopped } else { Ended::Searched };
    Record { depth: entry.depth, alpha: entry.alpha, beta: entry.beta, best, ended, ..Record::default() }
}
