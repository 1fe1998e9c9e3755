//! Games that are nothing but trees, made from a seed, and the plain recursions that searches are held against.

use gt_search::{Evaluate, EvaluateAll, Game, Outcome};
use proptest::prelude::*;

pub(crate) mod recorder;
pub(crate) mod tic_tac_toe;

/// A tree whose every property is a function of its seed and of the path to the node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RandomTree {
    pub(crate) shape: Shape,
    /// The node's identity and its ancestors', the root first.
    path: Vec<State>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) seed: u64,
    pub(crate) players: usize,
    pub(crate) branching_max: u64,
    /// Evaluations lie in `-values_max ..= values_max`: small numbers make ties.
    pub(crate) values_max: i32,
    /// One node in so many is the end of the game; 0 for none.
    pub(crate) ends_one_in: u64,
    /// Whether a node is known by the sum of its moves, which makes many paths meet.
    pub(crate) transposes: bool,
    /// Another order of the moves for those who follow hints.
    pub(crate) hint_seed: u64,
    /// Whether anybody may be next, the same player again as well; only for searches of many players.
    pub(crate) shuffles_turns: bool,
    /// How much lower than 0 every player may be worth, in the evaluation of all.
    pub(crate) debt_max: i32,
    /// The number of different hashes, so that those of some positions collide; 0 for no limit.
    pub(crate) hashes_max: u64,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            seed: 1,
            players: 2,
            branching_max: 3,
            values_max: 10,
            ends_one_in: 0,
            transposes: false,
            hint_seed: 0,
            shuffles_turns: false,
            debt_max: 0,
            hashes_max: 0,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    key: u64,
    sum: u64,
    ply: u64,
}

impl RandomTree {
    pub(crate) fn new(shape: Shape) -> Self {
        let mut tree = Self { shape, path: Vec::new() };
        tree.path.push(State { key: mix(shape.seed), sum: 0, ply: 0 });
        tree
    }

    fn state(&self) -> State {
        self.path[self.path.len() - 1]
    }

    /// The number of moves made, passes included.
    pub(crate) fn ply(&self) -> u64 {
        self.state().ply
    }

    pub(crate) fn random(&self, purpose: u64) -> u64 {
        mix(self.state().key ^ mix(purpose))
    }

    fn step(&mut self, mv: u64) {
        let State { key, sum, ply } = self.state();
        let (sum, ply) = (sum + mv, ply + 1);
        let key = if self.shape.transposes {
            mix(mix(self.shape.seed) ^ mix(sum << 32 | ply))
        } else {
            mix(key.wrapping_add(mix(mv + 77)))
        };
        self.path.push(State { key, sum, ply });
    }
}

const NULL_MOVE: u64 = 1000;

impl Game for RandomTree {
    type Move = u64;
    type Undo = ();

    fn players(&self) -> usize {
        self.shape.players
    }
    fn to_move(&self) -> usize {
        let turn = if self.shape.shuffles_turns { self.random(9) } else { self.state().ply };
        turn as usize % self.shape.players
    }
    fn outcome(&self) -> Option<Outcome> {
        let is_over = self.shape.ends_one_in > 0
            && self.state().ply > 0
            && self.random(1).is_multiple_of(self.shape.ends_one_in);
        let winner = self.random(2) as usize % (self.shape.players + 1);
        is_over.then_some(if winner == self.shape.players { Outcome::Draw } else { Outcome::Win(winner) })
    }
    fn moves(&self, moves: &mut Vec<u64>) {
        if self.outcome().is_none() {
            moves.extend(0..1 + self.random(3) % self.shape.branching_max);
        }
    }
    fn make(&mut self, mv: u64) {
        self.step(mv);
    }
    fn undo(&mut self, _: u64, (): ()) {
        self.path.pop();
    }
    fn hash(&self) -> u64 {
        let key = self.state().key;
        if self.shape.hashes_max > 0 { key % self.shape.hashes_max } else { key }
    }
    fn encode(&self, mv: u64) -> i64 {
        mv as i64
    }
    fn noisy_moves(&self, moves: &mut Vec<u64>) {
        let start = moves.len();
        self.moves(moves);
        let mut at = start;
        while at < moves.len() {
            if (self.random(4) >> moves[at]).is_multiple_of(3) { at += 1 } else { _ = moves.remove(at) }
        }
    }
    fn threatening_moves(&self, moves: &mut Vec<u64>) {
        let mut noisy = Vec::new();
        self.noisy_moves(&mut noisy);
        let start = moves.len();
        self.moves(moves);
        let mut at = start;
        while at < moves.len() {
            let mv = moves[at];
            if self.threatens(mv) && !noisy.contains(&mv) { at += 1 } else { _ = moves.remove(at) }
        }
    }
    fn threatens(&self, mv: u64) -> bool {
        (self.random(10) >> mv).is_multiple_of(5)
    }
    fn exchange(&self, mv: u64) -> Option<i32> {
        Some((mix(self.random(11).wrapping_add(mv)) % 9) as i32 - 4)
    }
    fn in_check(&self) -> bool {
        self.random(5).is_multiple_of(7)
    }
    fn make_null(&mut self) -> Option<()> {
        let allowed = !self.random(6).is_multiple_of(4);
        allowed.then(|| self.step(NULL_MOVE))
    }
    fn undo_null(&mut self, (): ()) {
        self.path.pop();
    }
    fn order_hint(&self, mv: u64) -> i32 {
        (mix(self.random(8) ^ self.shape.hint_seed.wrapping_add(mv)) % 10) as i32 - 5
    }
}

/// The tree's own numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaves;

impl Evaluate<RandomTree> for Leaves {
    fn evaluate(&self, game: &RandomTree) -> i32 {
        let range = 2 * game.shape.values_max as u64 + 1;
        (game.random(7) % range) as i32 - game.shape.values_max
    }
}

/// Shares of `values_max` that sum up to at most that, less the debt that every player has.
impl EvaluateAll<RandomTree> for Leaves {
    fn evaluate_all(&self, game: &RandomTree, values: &mut [i32]) {
        let mut left = game.shape.values_max;
        for (player, value) in values.iter_mut().enumerate() {
            *value = (game.random(20 + player as u64) % (left as u64 + 1)) as i32;
            left -= *value;
        }
        let first = game.random(30) as usize % values.len();
        values.rotate_left(first);
        values.iter_mut().for_each(|value| *value -= game.shape.debt_max);
    }
}

pub(crate) fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 30).wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ value >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ value >> 31
}

/// Trees of two players with many ties.
pub(crate) fn two_player_trees() -> impl Strategy<Value = RandomTree> {
    shapes().prop_map(RandomTree::new)
}

/// Trees in which many lines end soon, and many paths meet: wins and losses at all distances.
pub(crate) fn trees_of_wins() -> impl Strategy<Value = RandomTree> {
    (shapes(), 2..6u64).prop_map(|(shape, ends_one_in)| {
        RandomTree::new(Shape {
            ends_one_in,
            transposes: true,
            branching_max: shape.branching_max.max(3),
            ..shape
        })
    })
}

/// Trees of any number of players, whose turns may come in any order.
pub(crate) fn trees(players: std::ops::Range<usize>) -> impl Strategy<Value = RandomTree> {
    (shapes(), players, any::<bool>(), 0..8i32).prop_map(|(shape, players, shuffles_turns, debt_max)| {
        let shuffles_turns = shuffles_turns && players > 2;
        RandomTree::new(Shape { players, shuffles_turns, debt_max, ..shape })
    })
}

fn shapes() -> impl Strategy<Value = Shape> {
    let parts = (any::<u64>(), 1..6u64, 0..12i32, 0..9u64, any::<bool>(), any::<u64>());
    parts.prop_map(|(seed, branching_max, values_max, ends_one_in, transposes, hint_seed)| {
        let ends_one_in = if ends_one_in < 2 { 0 } else { ends_one_in };
        Shape { seed, branching_max, values_max, ends_one_in, transposes, hint_seed, ..Shape::default() }
    })
}
