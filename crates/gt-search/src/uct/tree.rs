//! The tree of UCT: nodes in the order of their making.
//!
//! Invariant: a node's parent lies before it; a node's visits are one more than its children's together, for its own
//! first playout (the root has had none, and a node at the end of the game or of the depth has one each time).

use super::CERTAIN_PER_MILLE;
use crate::game::Game;
use crate::observer::{Ended, NodeType, Observer, Record};

/// A node as it is handed out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row<M> {
    /// The row of its parent; `None` at the root.
    pub parent: Option<usize>,
    /// The move that leads to it; `None` at the root.
    pub last_move: Option<M>,
    /// How many playouts went through it.
    pub visits: u64,
    /// The mean reward, from 0 to 1, of the player who made the move; at the root, of the player to move.
    pub value: f64,
}

pub(super) struct Tree<M> {
    nodes: Vec<TreeNode<M>>,
    /// The sums of the rewards, `players` for each node.
    rewards: Vec<f64>,
    players: usize,
}

struct TreeNode<M> {
    parent: usize,
    last_move: Option<M>,
    /// The player to move here.
    to_move: usize,
    visits: u64,
    /// Moves without a node, the next one at the end.
    untried: Vec<M>,
    children: Vec<usize>,
    is_over: bool,
}

impl<M: Copy> Tree<M> {
    pub(super) const ROOT: usize = 0;

    pub(super) fn new<G: Game<Move = M>>(game: &G) -> Self {
        let mut tree = Self { nodes: Vec::new(), rewards: Vec::new(), players: game.players() };
        tree.add(Self::ROOT, None, game);
        tree
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn is_over(&self) -> bool {
        self.nodes[Self::ROOT].is_over
    }

    /// Plays from the root to a node that has just been made, or that has nothing below it.
    pub(super) fn descend<G: Game<Move = M>>(
        &mut self,
        game: &mut G,
        exploration: f64,
        depth_max: u16,
    ) -> usize {
        let mut at = Self::ROOT;
        for _ in 0..depth_max {
            if let Some(mv) = self.nodes[at].untried.pop() {
                game.make(mv);
                return self.add(at, Some(mv), game);
            }
            let Some(child) = self.select(at, exploration) else { break };
            if let Some(mv) = self.nodes[child].last_move {
                game.make(mv);
            }
            at = child;
        }
        at
    }

    /// Counts the rewards at the node and all above it.
    pub(super) fn back_up(&mut self, leaf: usize, rewards: &[f64]) {
        let mut at = leaf;
        loop {
            self.nodes[at].visits += 1;
            let sums = &mut self.rewards[at * self.players..][..self.players];
            sums.iter_mut().zip(rewards).for_each(|(sum, reward)| *sum += reward);
            if at == Self::ROOT {
                return;
            }
            at = self.nodes[at].parent;
        }
    }

    /// The value for the player to move.
    pub(super) fn value_per_mille(&self, at: usize) -> i32 {
        let mean = self.mean(at, self.nodes[at].to_move);
        ((2.0 * mean - 1.0) * f64::from(CERTAIN_PER_MILLE)).round() as i32
    }

    /// From the root the most visited child, as far as there is one.
    pub(super) fn principal_variation(&self) -> Vec<M> {
        let mut line = Vec::new();
        let mut at = Self::ROOT;
        while let Some(child) = self.most_visited(at) {
            line.extend(self.nodes[child].last_move);
            at = child;
        }
        line
    }

    pub(super) fn rows(&self) -> impl ExactSizeIterator<Item = Row<M>> + '_ {
        self.nodes.iter().enumerate().map(|(at, node)| {
            let is_root = at == Self::ROOT;
            let player = if is_root { node.to_move } else { self.nodes[node.parent].to_move };
            let parent = (!is_root).then_some(node.parent);
            Row { parent, last_move: node.last_move, visits: node.visits, value: self.mean(at, player) }
        })
    }

    /// Enters and leaves every node, depth-first.
    pub(super) fn show<O: Observer<M>>(&self, observer: &mut O) {
        // The open nodes: which, how many of its children are done, its place, and whether on the main line.
        let mut open = vec![(Self::ROOT, 0, 0, true)];
        observer.enter(None);
        while let Some(&mut (at, ref mut done, place, is_main)) = open.last_mut() {
            let index = *done;
            *done += 1;
            if let Some(&child) = self.nodes[at].children.get(index) {
                observer.enter(self.nodes[child].last_move);
                let is_main = is_main && self.most_visited(at) == Some(child);
                open.push((child, 0, index, is_main));
            } else {
                open.pop();
                observer.leave(&self.record(at, open.len(), place, is_main));
            }
        }
    }

    fn record(&self, at: usize, ply: usize, place: usize, is_main: bool) -> Record {
        let node = &self.nodes[at];
        let ended = if node.is_over {
            Ended::Terminal
        } else if node.children.is_empty() {
            Ended::Horizon
        } else if node.untried.is_empty() {
            Ended::Searched
        } else {
            Ended::Stopped
        };
        let best = self.value_per_mille(at);
        Record {
            ply: u16::try_from(ply).unwrap_or(u16::MAX),
            alpha: -CERTAIN_PER_MILLE,
            beta: CERTAIN_PER_MILLE,
            best,
            node_type: if is_main { NodeType::PV } else { NodeType::default() },
            move_index: u16::try_from(place).unwrap_or(u16::MAX),
            static_eval: (ended == Ended::Horizon).then_some(best),
            ended,
            ..Record::default()
        }
    }

    fn add<G: Game<Move = M>>(&mut self, parent: usize, last_move: Option<M>, game: &G) -> usize {
        let mut untried = Vec::new();
        game.moves(&mut untried);
        untried.reverse();
        let is_over = untried.is_empty();
        let at = self.nodes.len();
        let to_move = game.to_move();
        self.nodes.push(TreeNode {
            parent,
            last_move,
            to_move,
            visits: 0,
            untried,
            children: Vec::new(),
            is_over,
        });
        self.rewards.resize(self.nodes.len() * self.players, 0.0);
        if last_move.is_some() {
            self.nodes[parent].children.push(at);
        }
        at
    }

    /// The child with the highest upper confidence bound for the player to move; the first of several.
    fn select(&self, at: usize, exploration: f64) -> Option<usize> {
        let node = &self.nodes[at];
        let log_visits = (node.visits.max(1) as f64).ln();
        let bound = |child: usize| {
            let visits = self.nodes[child].visits.max(1) as f64;
            self.mean(child, node.to_move) + exploration * (log_visits / visits).sqrt()
        };
        first_highest(node.children.iter().map(|&child| (child, bound(child))))
    }

    fn most_visited(&self, at: usize) -> Option<usize> {
        let node = &self.nodes[at];
        // A mean is at most 1, so it only decides between equal visits.
        let worth = |child: usize| self.nodes[child].visits as f64 + 0.5 * self.mean(child, node.to_move);
        first_highest(node.children.iter().map(|&child| (child, worth(child))))
    }

    fn mean(&self, at: usize, player: usize) -> f64 {
        match self.nodes[at].visits {
            0 => 0.5,
            visits => self.rewards[at * self.players + player] / visits as f64,
        }
    }
}

fn first_highest(candidates: impl Iterator<Item = (usize, f64)>) -> Option<usize> {
    let higher = |best: (usize, f64), next: (usize, f64)| if next.1 > best.1 { next } else { best };
    candidates.reduce(higher).map(|(index, _)| index)
}
