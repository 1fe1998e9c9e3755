//! Max^n: every player chooses the best move for himself.
//!
//! ```text
//! player 0          (4, 3, 2)          prefers the 4 to the 1
//!                  /         \
//! player 1    (4, 3, 2)   (1, 6, 2)    prefers the 3 to the 2, the 6 to the 1
//!              /    \       /    \
//!           4,3,2  5,2,2  1,6,2  7,1,1
//! ```
//!
//! Two kinds of pruning keep the vector at the root, its ties included:
//! - *immediate*: a win with the next move cannot be beaten;
//! - *shallow*: where the sum of an evaluation is bounded, the more a node's player has, the less is left for its
//!   parent's. Once that is no more than the parent already has, the node is irrelevant. This does not hold deeper
//!   than one ply: a node's value may decide between two others without ever reaching the root.
//!
//! A record's `beta` is the value at which its node is pruned; `alpha` is always open. Nodes have no type, because
//! max^n expects nothing of them.

use super::{Round, ValuedResult};
use crate::game::{EvaluateAll, Game};
use crate::limits::Limits;
use crate::node::Node;
use crate::observer::{Ended, NodeType, Observer};
use crate::value::{INFINITE, WIN, WIN_MIN};

/// Bounds on an evaluation of all players; without them max^n cannot prune by sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationBounds {
    /// The lowest value that any player can have.
    pub lowest: i32,
    /// The highest sum of all players' values.
    pub sum_max: i32,
}

/// Searches every line of `depth` plies, except those that are pruned.
///
/// ```
/// use gt_games::chinese_checkers::{ChineseCheckers, Distance};
/// use gt_search::max_n;
///
/// let result = max_n(&ChineseCheckers::start(3)?, &Distance, None, 2, &mut ());
/// assert_eq!(result.values.len(), 3);
/// # Ok::<(), gt_games::NotationError>(())
/// ```
pub fn max_n<G, E, O>(
    game: &G,
    evaluation: &E,
    bounds: Option<EvaluationBounds>,
    depth: u16,
    observer: &mut O,
) -> ValuedResult<G::Move>
where
    G: Game,
    E: EvaluateAll<G>,
    O: Observer<G::Move>,
{
    let limits = Limits::depth(depth);
    let mut round = Round::new(game, evaluation, &limits, observer);
    let search = round.deepen(depth, &limits, |_| (), |round, node| round.max_n_root(node, bounds));
    ValuedResult { search, values: round.root_values }
}

impl<G: Game, E: EvaluateAll<G>, O: Observer<G::Move>> Round<'_, G, E, O> {
    pub(super) fn max_n_root(&mut self, node: Node, bounds: Option<EvaluationBounds>) -> i32 {
        let node = Node { beta: win_next(node), node_type: NodeType::default(), ..node };
        self.observe(None, node, |round, node| round.max_n(node, bounds))
    }

    /// Leaves the node's vector in [`Round::values_at`] its ply, and returns the mover's part of it.
    fn max_n(&mut self, node: Node, bounds: Option<EvaluationBounds>) -> i32 {
        let mover = self.walk.game.to_move();
        if let Some(ended) = self.leaf(node) {
            let value = if ended == Ended::Stopped { node.alpha } else { self.values_at(node.ply)[mover] };
            return self.conclude_leaf(value, ended);
        }
        let mut highest = -INFINITE;
        let mut ended = Ended::Searched;
        let moves = self.walk.open();
        for (index, at) in moves.clone().enumerate() {
            let mv = self.walk.moves[at];
            let mut child = node.child(index, -INFINITE, INFINITE);
            let undo = self.walk.game.make(mv);
            child.beta = win_next(child);
            if self.walk.game.to_move() != mover {
                child.beta = child.beta.min(self.share_that_prunes(highest, bounds));
            }
            self.observe(Some(mv), child, |round, node| round.max_n(node, bounds));
            self.walk.game.undo(mv, undo);
            if self.walk.stopped() {
                ended = Ended::Stopped;
                break;
            }
            let value = self.values_at(child.ply)[mover];
            if value > highest {
                highest = value;
                self.take_values(child.ply);
                self.walk.variation.prefer(node.ply, mv);
            }
            if highest >= node.beta {
                ended = Ended::Cutoff;
                break;
            }
        }
        self.walk.close(&moves);
        self.walk.conclude(highest, ended)
    }

    /// The lowest value of a child's player that leaves the parent's player no more than `highest`.
    ///
    /// Evaluated leaves give the parent's player at most `sum_max - share - (players - 2) * lowest`. A drawn game
    /// gives everybody 0; a game won by the parent's player gives the child's a loss, less than any share.
    fn share_that_prunes(&self, highest: i32, bounds: Option<EvaluationBounds>) -> i32 {
        let Some(EvaluationBounds { lowest, sum_max }) = bounds else { return INFINITE };
        if highest <= -WIN_MIN {
            return INFINITE;
        }
        let others = i32::try_from(self.players).unwrap_or(i32::MAX) - 2;
        let left_for_two = sum_max.saturating_sub(others.saturating_mul(lowest));
        let share = left_for_two.saturating_sub(highest);
        let share = if highest < 0 { share.max(1) } else { share };
        share.clamp(1 - WIN_MIN, INFINITE)
    }
}

/// The value of winning with the next move.
fn win_next(node: Node) -> i32 {
    WIN - i32::from(node.ply) - 1
}
