//! NegaScout over a stored tree, which grows and gets sorted on the way.

use super::stem::{Branch, Stem};
use crate::deepening::{Iterated, is_settled};
use crate::game::{Evaluate, Game};
use crate::limits::Limits;
use crate::node::{Node, Note};
use crate::observer::{Ended, Observer};
use crate::table::{Bound, Entry};
use crate::value::{INFINITE, final_value, from_node};
use crate::walk::Walk;

/// One search of the tree. Boards belong to the stems; the walk counts and reports.
pub(super) struct Growth<'a, G: Game, E, O> {
    walk: Walk<'a, G, E, O>,
    nodes: usize,
    nodes_max: usize,
}

impl<'a, G: Game, E: Evaluate<G>, O: Observer<G::Move>> Growth<'a, G, E, O> {
    pub(super) fn new(
        root: &G,
        evaluation: &'a E,
        limits: &Limits,
        observer: &'a mut O,
        nodes: usize,
        nodes_max: usize,
    ) -> Self {
        Self { walk: Walk::new(root, evaluation, limits, observer), nodes, nodes_max }
    }

    pub(super) fn nodes_stored(&self) -> usize {
        self.nodes
    }

    pub(super) fn iterate(&mut self, root: &mut Stem<G>, depth: u16) -> Iterated<G::Move> {
        let node = Node::root(depth);
        let open_ends = self.walk.open_ends;
        self.walk.observer.begin(node.depth);
        self.walk.enter(None, node);
        self.walk.variation.clear(0);
        let value = if self.walk.stopped() {
            self.walk.conclude(node.alpha, Ended::Stopped)
        } else if node.depth <= 0 || root.children.is_empty() {
            let game = self.walk.game.clone();
            self.leaf(&game, node)
        } else {
            let mut game = self.walk.game.clone();
            self.stem(root, &mut game, node)
        };
        self.walk.leave(node, value);
        Iterated {
            value,
            pv: self.walk.variation.root().to_vec(),
            nodes: self.walk.nodes(),
            evaluations: self.walk.evaluations,
            endings: 0,
            stopped: self.walk.stopped(),
            settled: is_settled(value, depth) || self.walk.open_ends == open_ends,
            // Children are sorted: the first one searched was the best of the last iteration.
            counts_when_stopped: true,
            lines: Vec::new(),
        }
    }

    /// Scouts the children of an expanded node, whose position is `game`, then sorts them.
    fn stem(&mut self, stem: &mut Stem<G>, game: &mut G, node: Node) -> i32 {
        let mut highest = -INFINITE;
        let mut ended = Ended::Searched;
        for (index, child) in stem.children.iter_mut().enumerate() {
            let alpha = node.alpha.max(highest);
            let value = self.scout(game, child, node, index, alpha);
            if self.walk.stopped() {
                ended = Ended::Stopped;
                break;
            }
            if value > alpha && node.is_open() {
                self.walk.variation.prefer(node.ply, child.mv);
            }
            highest = highest.max(value);
            if highest >= node.beta {
                ended = Ended::Cutoff;
                break;
            }
        }
        stem.sort_children();
        self.walk.conclude(highest, ended)
    }

    /// Searches the first child with the whole window, the others with a null window and again if that fails
    /// high.
    fn scout(&mut self, board: &mut G, child: &mut Branch<G>, node: Node, index: usize, alpha: i32) -> i32 {
        let bound = if index == 0 { node.beta } else { alpha + 1 };
        let value = -self.branch(board, child, node.child(index, alpha, bound));
        if alpha < value && value < node.beta && bound < node.beta && !self.walk.stopped() {
            return -self.branch(board, child, node.child(index, alpha, node.beta).again());
        }
        value
    }

    /// A child: known, a leaf, or expanded and searched.
    fn branch(&mut self, parent: &mut G, branch: &mut Branch<G>, node: Node) -> i32 {
        self.walk.enter_tentative(parent, branch.mv, node);
        let open_ends = self.walk.open_ends;
        if node.is_open() {
            self.walk.variation.clear(node.ply);
        }
        let value = if self.walk.stopped() {
            self.walk.conclude(node.alpha, Ended::Stopped)
        } else if let Some((known, value)) =
            branch.known.and_then(|known| Some((known, known.answer(node, false)?)))
        {
            self.walk.open_ends += u64::from(!known.is_final_at(node.depth));
            let note = Note { ended: Ended::TableHit, static_eval: None, table_depth: Some(known.depth) };
            self.walk.conclude_noting(value, note)
        } else {
            let value = if node.depth <= 0 {
                self.tentative(parent, branch.mv, node)
            } else {
                self.expanded(parent, branch, node)
            };
            self.remember(branch, node, value, self.walk.open_ends == open_ends);
            value
        };
        self.walk.leave(node, value);
        value
    }

    /// A leaf: uses the parent's board and makes the tentative move on it temporarily.
    fn tentative(&mut self, parent: &mut G, mv: G::Move, node: Node) -> i32 {
        let undo = parent.make(mv);
        let value = self.leaf(parent, node);
        parent.undo(mv, undo);
        value
    }

    fn remember(&mut self, branch: &mut Branch<G>, node: Node, value: i32, is_whole: bool) {
        if self.walk.stopped() {
            return;
        }
        let bound = if node.depth <= 0 { Bound::Exact } else { Bound::of(value, node.alpha, node.beta) };
        let value = from_node(value, node.ply);
        branch.known = Some(Entry { value, move_index: None, depth: node.depth, bound, is_whole });
    }

    fn expanded(&mut self, parent: &G, branch: &mut Branch<G>, node: Node) -> i32 {
        let may_keep = branch.stem.is_some() || self.nodes < self.nodes_max;
        let nodes_before = self.nodes;
        let mut stem = branch.stem.take().unwrap_or_else(|| {
            let stem = Stem::after(parent, branch.mv);
            self.nodes += stem.children.len();
            Box::new(stem)
        });
        let mut game = stem.board.unpacked().unwrap_or_else(|| after(parent, branch.mv));
        let value = if stem.children.is_empty() {
            self.leaf(&game, node)
        } else {
            self.stem(&mut stem, &mut game, node)
        };
        if may_keep {
            branch.stem = Some(stem);
        } else {
            self.nodes = nodes_before;
        }
        value
    }

    /// A board with nothing to search below it: the game is over, or the depth is used up.
    fn leaf(&mut self, board: &G, node: Node) -> i32 {
        if let Some(outcome) = board.outcome() {
            let value = final_value(board, outcome, board.to_move(), node.ply);
            return self.walk.conclude(value, Ended::Terminal);
        }
        self.walk.count_evaluation();
        self.walk.open_ends += 1;
        let value = self.walk.evaluation.evaluate(board);
        self.walk.conclude_noting(
            value,
            Note { ended: Ended::Horizon, static_eval: Some(value), table_depth: None },
        )
    }
}

fn after<G: Game>(game: &G, mv: G::Move) -> G {
    let mut game = game.clone();
    game.make(mv);
    game
}
