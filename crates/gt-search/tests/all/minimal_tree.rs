//! With the best move always first, alpha-beta visits the minimal tree and nothing else; and the small trees whose
//! values the literature spells out.

use crate::trees::mix;
use crate::trees::recorder::Recorder;
use gt_search::{Ended, Evaluate, Game, NodeType, Outcome, alpha_beta, minimax, negamax, negascout};

/// A tree written down: numbers at the leaves, from the view of the player at the root.
#[derive(Clone, Debug)]
enum Tree {
    Leaf(i32),
    Inner(Vec<Tree>),
}

#[derive(Clone)]
struct Drawn {
    nodes: Vec<Tree>,
}

impl Drawn {
    fn new(root: Tree) -> Self {
        Self { nodes: vec![root] }
    }
    fn node(&self) -> &Tree {
        &self.nodes[self.nodes.len() - 1]
    }
}

impl Game for Drawn {
    type Move = usize;
    type Undo = ();
    fn to_move(&self) -> usize {
        (self.nodes.len() - 1) % 2
    }
    fn outcome(&self) -> Option<Outcome> {
        None
    }
    fn moves(&self, moves: &mut Vec<usize>) {
        if let Tree::Inner(children) = self.node() {
            moves.extend(0..children.len());
        }
    }
    fn make(&mut self, mv: usize) {
        let Tree::Inner(children) = self.node() else { panic!("a leaf has no moves") };
        self.nodes.push(children[mv].clone());
    }
    fn undo(&mut self, _: usize, (): ()) {
        self.nodes.pop();
    }
    fn hash(&self) -> u64 {
        0
    }
    fn encode(&self, mv: usize) -> i64 {
        mv as i64
    }
}

struct AtLeaves;
impl Evaluate<Drawn> for AtLeaves {
    fn evaluate(&self, game: &Drawn) -> i32 {
        let Tree::Leaf(value) = game.node() else { panic!("evaluated above the horizon") };
        if game.to_move() == 0 { *value } else { -value }
    }
}

fn inner<const N: usize>(children: [Tree; N]) -> Tree {
    Tree::Inner(children.into())
}

fn leaves<const N: usize>(values: [i32; N]) -> Tree {
    Tree::Inner(values.map(Tree::Leaf).into())
}

/// A uniform tree with random leaves, every node's best child first.
fn best_first(branching: usize, depth: u32, seed: u64, spread: u64) -> Tree {
    fn grow(branching: usize, depth: u32, maximizes: bool, seed: u64, spread: u64) -> (i32, Tree) {
        if depth == 0 {
            let value = (mix(seed) % spread) as i32;
            return (value, Tree::Leaf(value));
        }
        let child = |index| grow(branching, depth - 1, !maximizes, mix(seed ^ mix(index as u64)), spread);
        let mut children: Vec<_> = (0..branching).map(child).collect();
        children.sort_by_key(|(value, _)| if maximizes { -value } else { *value });
        (children[0].0, Tree::Inner(children.into_iter().map(|(_, child)| child).collect()))
    }
    grow(branching, depth, true, seed, spread).1
}

fn evaluated<M>(recorder: &Recorder<M>) -> u64 {
    recorder.count(|seen| seen.record.ended == Ended::Horizon)
}

/// Knuth and Moore (1975): `b^⌈d/2⌉ + b^⌊d/2⌋ − 1` leaves.
#[test]
fn perfect_order_visits_the_minimal_tree() {
    for (branching, depth) in [(1, 5), (2, 6), (3, 4), (3, 5), (5, 4), (8, 3), (40, 2), (7, 1), (4, 0)] {
        for (seed, spread) in [(1, 1 << 16), (2, 1 << 16), (3, 3), (4, 1)] {
            let game = Drawn::new(best_first(branching, depth, seed, spread));
            let b = branching as u64;
            let expected = b.pow(depth.div_ceil(2)) + b.pow(depth / 2) - 1;
            let depth = depth as u16;
            for search in [alpha_beta, negascout] {
                let mut recorder = Recorder::default();
                let result = search(&game, &AtLeaves, depth, &mut recorder);
                assert_eq!(evaluated(&recorder), expected, "branching {branching}, depth {depth}");
                assert_eq!(result.evaluations, expected);
                recorder.for_each_node(|seen| assert_expectation_met(&seen.record));
            }
        }
    }
}

/// In a minimal tree every expectation comes true.
fn assert_expectation_met(record: &gt_search::Record) {
    if record.node_type.has(NodeType::CUT) {
        assert!(record.best >= record.beta, "{record:?}");
    } else if record.node_type.has(NodeType::ALL) {
        assert!(record.best <= record.alpha, "{record:?}");
    } else {
        assert!(record.alpha < record.best && record.best < record.beta, "{record:?}");
    }
}

/// max(3, min(1, X)) is 3 whatever X is, and alpha-beta never looks at X.
#[test]
fn the_article_s_minimum_is_cut_off() {
    for unknown in [-100, 1, 2, 3, 100] {
        let game = Drawn::new(inner([leaves([3]), leaves([1, unknown])]));
        for search in [minimax, negamax, alpha_beta, negascout] {
            let result = search(&game, &AtLeaves, 2, &mut ());
            assert_eq!((result.value, result.best_move), (3, Some(0)), "X = {unknown}");
        }
        let mut recorder = Recorder::default();
        alpha_beta(&game, &AtLeaves, 2, &mut recorder);
        assert_eq!(evaluated(&recorder), 2, "3 and 1, but not X = {unknown}");
    }
    let game = Drawn::new(inner([leaves([3]), leaves([1, 2])]));
    assert_eq!(negamax(&game, &AtLeaves, 2, &mut ()).evaluations, 3);
}
