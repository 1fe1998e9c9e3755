//! The tree of UCT: nodes in the order of their creation.
//!
//! A node holds no list of its moves: the moves it has tried are its children, in the game's order, and the next one
//! is found by asking the game again. So a node takes some fifty bytes, whether the game has nine moves or two
//! thousand.
//!
//! ```text
//! node ── first ──▶ child ── next ──▶ child ── next ──▶ child     moves 0, 1, 2 of `moves`
//!   └──── last ─────────────────────────────────────────▲
//! ```
//!
//! Invariant: a node's parent lies before it; a node's visits are one more than its children's together, for its own
//! first playout (a root that never was a child has had none, and a node at the end of the game or of the depth has one
//! each time).

use super::candidates::Candidates;
use super::{CERTAIN_PER_MILLE, UctOptions};
use crate::game::{Evaluate, Game};
use crate::limits::Clock;
use crate::observer::{Ended, EntryRecord, NodeType, Observer, Record};

/// A node as callers see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row<M> {
    /// The row of its parent; `None` at the root.
    pub parent: Option<usize>,
    /// The move that leads to it; `None` at the root.
    pub last_move: Option<M>,
    /// The number of playouts that went through it.
    pub visits: u64,
    /// The mean reward, from 0 to 1, of the player who made the move; at the root, of the player to move.
    pub value: f64,
}

pub(super) struct Tree<M> {
    pub(super) nodes: Vec<TreeNode<M>>,
    /// The sums of the rewards, `players` for each node.
    pub(super) rewards: Vec<f64>,
    pub(super) players: usize,
    /// The moves of the current position.
    moves: Vec<M>,
    pub(super) candidates: Candidates<M>,
}

/// The rules by which a tree grows.
pub(super) struct Growth<'a, G> {
    pub(super) options: &'a UctOptions,
    /// Orders the moves, if present.
    pub(super) evaluation: Option<&'a dyn Evaluate<G>>,
    /// The maximum number of nodes.
    pub(super) nodes_max: usize,
}

pub(super) struct TreeNode<M> {
    pub(super) last_move: Option<M>,
    visits: u64,
    pub(super) parent: u32,
    /// The ends of the list of children; [`NOBODY`] if there are none.
    pub(super) first: u32,
    pub(super) last: u32,
    /// The parent's next child.
    pub(super) next: u32,
    /// The number of moves here, and how many of them have a node.
    moves: u32,
    tried: u32,
    /// The player to move here.
    to_move: u8,
}

impl<M> TreeNode<M> {
    pub(super) fn is_over(&self) -> bool {
        self.moves == 0
    }
    fn to_move(&self) -> usize {
        usize::from(self.to_move)
    }
}

/// A node, without its rewards: a tree holds one for each playout.
const _: () = assert!(size_of::<TreeNode<u32>>() == 48);

/// The number that stands for no node.
pub(super) const NOBODY: u32 = u32::MAX;

impl<M: Copy> Tree<M> {
    pub(super) const ROOT: usize = 0;

    pub(super) fn new<G: Game<Move = M>>(game: &G) -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            rewards: Vec::new(),
            players: game.players(),
            moves: Vec::new(),
            candidates: Candidates::new(),
        };
        tree.add(Self::ROOT, None, game);
        tree
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The bytes of a node, rewards included.
    pub(super) fn node_bytes(&self) -> usize {
        size_of::<TreeNode<M>>() + self.players * size_of::<f64>()
    }

    pub(super) fn is_over(&self) -> bool {
        self.nodes[Self::ROOT].is_over()
    }

    /// Whether no playout has gone through it.
    pub(super) fn is_fresh(&self) -> bool {
        self.nodes[Self::ROOT].visits == 0
    }

    /// Plays from the root to a newly created node, or to one that has nothing below it.
    pub(super) fn descend<G: Game<Move = M>>(
        &mut self,
        game: &mut G,
        growth: &Growth<'_, G>,
        depth_max: u16,
        clock: &mut Clock,
    ) -> usize {
        let mut at = Self::ROOT;
        for _ in 0..depth_max {
            if let Some(mv) = self.next_untried(at, game, growth, clock) {
                game.make(mv);
                return self.add(at, Some(mv), game);
            }
            let Some(child) = self.select(at, growth.options.exploration) else { break };
            if let Some(mv) = self.nodes[child].last_move {
                game.make(mv);
            }
            at = child;
        }
        at
    }

    /// The next move of the position that has no node yet; `None` if the node may not have more children for now, or the tree no more
    /// nodes.
    fn next_untried<G: Game<Move = M>>(
        &mut self,
        at: usize,
        game: &G,
        growth: &Growth<'_, G>,
        clock: &mut Clock,
    ) -> Option<M> {
        let node = &self.nodes[at];
        let is_full = self.nodes.len() >= growth.nodes_max.min(NOBODY as usize);
        if node.tried == node.moves || is_full {
            return None;
        }
        let tried = node.tried as usize;
        let Some(evaluation) = growth.evaluation else {
            self.moves.clear();
            game.moves(&mut self.moves);
            return self.moves.get(tried).copied();
        };
        if tried >= growth.options.children_max(node.visits) {
            return None;
        }
        self.candidates.next(at as u32, tried, game, evaluation, clock)
    }

    /// Adds the rewards to the node and all nodes above it.
    pub(super) fn back_up(&mut self, leaf: usize, rewards: &[f64]) {
        let mut at = leaf;
        loop {
            self.nodes[at].visits += 1;
            let sums = &mut self.rewards[at * self.players..][..self.players];
            sums.iter_mut().zip(rewards).for_each(|(sum, reward)| *sum += reward);
            if at == Self::ROOT {
                return;
            }
            at = self.nodes[at].parent as usize;
        }
    }

    /// The value for the player to move.
    pub(super) fn value_per_mille(&self, at: usize) -> i32 {
        let mean = self.mean(at, self.nodes[at].to_move());
        ((2.0 * mean - 1.0) * f64::from(CERTAIN_PER_MILLE)).round() as i32
    }

    /// The line of most visited children, from the root as far as it goes.
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
            let above = node.parent as usize;
            let player = if is_root { node.to_move() } else { self.nodes[above].to_move() };
            let parent = (!is_root).then_some(above);
            Row { parent, last_move: node.last_move, visits: node.visits, value: self.mean(at, player) }
        })
    }

    /// Enters and leaves every node, depth-first, playing from the position at the root.
    pub(super) fn show<G: Game<Move = M>, O: Observer<M>>(&self, root: &G, observer: &mut O) {
        // The open nodes: the node, its next child, its place, and whether it is on the main line.
        let mut open = vec![(Self::ROOT, self.nodes[Self::ROOT].first, 0, true)];
        let mut game = root.clone();
        let mut made: Vec<(M, G::Undo)> = Vec::new();
        let mut place = 0;
        observer.enter_known(None, EntryRecord::default, || 0, || game.hash());
        while let Some(&mut (at, ref mut next, own_place, is_main)) = open.last_mut() {
            let child = *next;
            if child == NOBODY {
                open.pop();
                observer.leave(&self.record(at, open.len(), own_place, is_main));
                if let Some((mv, undo)) = made.pop() {
                    game.undo(mv, undo);
                }
                place = own_place + 1;
                continue;
            }
            let node = &self.nodes[child as usize];
            *next = node.next;
            if let Some(mv) = node.last_move {
                let code = game.encode(mv);
                made.push((mv, game.make(mv)));
                observer.enter_known(Some(mv), EntryRecord::default, || code, || game.hash());
            }
            let is_main = is_main && self.most_visited(at) == Some(child as usize);
            open.push((child as usize, node.first, place, is_main));
            place = 0;
        }
    }

    fn record(&self, at: usize, ply: usize, place: usize, is_main: bool) -> Record {
        let node = &self.nodes[at];
        let ended = if node.is_over() {
            Ended::Terminal
        } else if node.first == NOBODY {
            Ended::Horizon
        } else if node.tried == node.moves {
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
        self.moves.clear();
        game.moves(&mut self.moves);
        let at = self.nodes.len();
        self.nodes.push(TreeNode {
            last_move,
            visits: 0,
            parent: parent as u32,
            first: NOBODY,
            last: NOBODY,
            next: NOBODY,
            moves: self.moves.len() as u32,
            tried: 0,
            to_move: game.to_move() as u8,
        });
        self.rewards.resize(self.nodes.len() * self.players, 0.0);
        if last_move.is_some() {
            self.append_child(parent, at as u32);
        }
        at
    }

    fn append_child(&mut self, parent: usize, child: u32) {
        let node = &mut self.nodes[parent];
        node.tried += 1;
        let before = std::mem::replace(&mut node.last, child);
        match before {
            NOBODY => node.first = child,
            before => self.nodes[before as usize].next = child,
        }
    }

    pub(super) fn children(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let known = |child: u32| (child != NOBODY).then_some(child as usize);
        std::iter::successors(known(self.nodes[at].first), move |&child| known(self.nodes[child].next))
    }

    /// The child with the highest upper confidence bound for the player to move; the first of several.
    fn select(&self, at: usize, exploration: f64) -> Option<usize> {
        let node = &self.nodes[at];
        let log_visits = (node.visits.max(1) as f64).ln();
        let bound = |child: usize| {
            let visits = self.nodes[child].visits.max(1) as f64;
            self.mean(child, node.to_move()) + exploration * (log_visits / visits).sqrt()
        };
        first_highest(self.children(at).map(|child| (child, bound(child))))
    }

    fn most_visited(&self, at: usize) -> Option<usize> {
        let node = &self.nodes[at];
        // A mean is at most 1, so it only breaks ties between equal visits.
        let worth = |child: usize| self.nodes[child].visits as f64 + 0.5 * self.mean(child, node.to_move());
        first_highest(self.children(at).map(|child| (child, worth(child))))
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
