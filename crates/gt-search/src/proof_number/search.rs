//! The search itself: down to the node that is cheapest to prove or disprove, and up again once it costs more than
//! the next.

use super::numbers::{NEVER, Numbers, sum};
use super::{Goal, ProofSearch};
use crate::game::{Game, Outcome};
use crate::limits::{Clock, Limits};

/// A move below a node.
#[derive(Clone, Copy)]
pub(super) struct Child<M> {
    pub(super) mv: M,
    pub(super) key: u64,
    pub(super) numbers: Numbers,
    /// The work recorded in the table.
    pub(super) work: u32,
    /// Whether the numbers are final: the game is over, or the horizon is reached.
    pub(super) is_leaf: bool,
}

/// Thresholds: a node is searched while its numbers stay below these.
#[derive(Clone, Copy)]
struct Until {
    proof: u32,
    disproof: u32,
}

impl<G: Game> ProofSearch<G> {
    /// Searches until the root is decided or a limit is reached.
    pub(super) fn prove_root(&mut self, limits: &Limits, clock: &mut Clock) -> Numbers {
        let mut game = self.root.clone();
        if let Some(outcome) = game.outcome() {
            return self.leaf(outcome);
        }
        self.prove(&mut game, 0, limits, clock)
    }

    /// Searches a node until it is decided or a limit is reached.
    pub(super) fn prove(&mut self, game: &mut G, ply: u16, limits: &Limits, clock: &mut Clock) -> Numbers {
        loop {
            let numbers = self.node(game, ply, Until { proof: NEVER, disproof: NEVER }, (limits, clock));
            if numbers.is_decided() || clock.stopped() {
                return numbers;
            }
        }
    }

    fn leaf(&mut self, outcome: Outcome) -> Numbers {
        self.is_in_doubt |= self.repeats && outcome == Outcome::Draw;
        match self.goal.is_reached(outcome, self.root.to_move()) {
            true => Numbers::PROVEN,
            false => Numbers::DISPROVEN,
        }
    }

    /// Searches a node that has moves. Stores its numbers in the table, and returns them.
    fn node(
        &mut self,
        game: &mut G,
        ply: u16,
        until: Until,
        (limits, clock): (&Limits, &mut Clock),
    ) -> Numbers {
        clock.count_node();
        let nodes_before = clock.nodes();
        let is_or = game.to_move() == self.root.to_move();
        let key = self.key(game, ply);
        let mut children = self.children(game, ply, limits);
        loop {
            let numbers = combined(&children, is_or);
            let is_done = numbers.proof >= until.proof || numbers.disproof >= until.disproof;
            if numbers.is_decided() || is_done || clock.stopped() {
                let work = u32::try_from(clock.nodes() - nodes_before + 1).unwrap_or(u32::MAX);
                self.table.put(
                    key,
                    numbers,
                    work.saturating_add(self.table.get(key).map_or(0, |(_, work)| work)),
                );
                return numbers;
            }
            let (best, below) = next(&children, is_or, numbers, until);
            let mv = children[best].mv;
            let undo = game.make(mv);
            children[best].numbers = self.node(game, ply + 1, below, (limits, clock));
            game.undo(mv, undo);
            // Others may have been reached on the way.
            for child in children.iter_mut().filter(|child| !child.is_leaf) {
                if let Some((numbers, _)) = self.table.get(child.key) {
                    child.numbers = numbers;
                }
            }
        }
    }

    /// The moves of a node, with their numbers.
    pub(super) fn children(&mut self, game: &mut G, ply: u16, limits: &Limits) -> Vec<Child<G::Move>> {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let mut children = Vec::with_capacity(moves.len());
        for mv in moves {
            let undo = game.make(mv);
            children.push(self.child(game, mv, ply + 1, limits));
            game.undo(mv, undo);
        }
        children
    }

    fn child(&mut self, game: &G, mv: G::Move, ply: u16, limits: &Limits) -> Child<G::Move> {
        let key = self.key(game, ply);
        if let Some(outcome) = game.outcome() {
            return Child { mv, key, numbers: self.leaf(outcome), work: 0, is_leaf: true };
        }
        if ply >= limits.depth_max {
            // Nothing is proven beyond the horizon, for either side.
            self.is_in_doubt = true;
            let numbers = match self.goal {
                Goal::Win => Numbers::DISPROVEN,
                Goal::Draw => Numbers::PROVEN,
            };
            return Child { mv, key, numbers, work: 0, is_leaf: true };
        }
        let (numbers, work) = self.table.get(key).unwrap_or((Numbers::UNKNOWN, 0));
        Child { mv, key, numbers, work, is_leaf: false }
    }

    /// The key of a node in the table. If positions recur, it includes the ply.
    pub(super) fn key(&self, game: &G, ply: u16) -> u64 {
        let ply = if self.repeats { u64::from(ply) } else { 0 };
        game.hash() ^ ply.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

/// Combines the children's numbers into those of their node.
pub(super) fn combined<M>(children: &[Child<M>], is_or: bool) -> Numbers {
    let proofs = || children.iter().map(|child| child.numbers.proof);
    let disproofs = || children.iter().map(|child| child.numbers.disproof);
    match is_or {
        true => Numbers { proof: proofs().min().unwrap_or(NEVER), disproof: sum(disproofs()) },
        false => Numbers { proof: sum(proofs()), disproof: disproofs().min().unwrap_or(NEVER) },
    }
}

/// The child to search, and its thresholds: until another one is cheaper by a quarter, which avoids switching back
/// and forth, or the node exceeds its own thresholds.
fn next<M>(children: &[Child<M>], is_or: bool, numbers: Numbers, until: Until) -> (usize, Until) {
    // For the player who chooses, one child is enough for `ours`, and `theirs` takes all of them.
    let ours = |child: &Child<M>| if is_or { child.numbers.proof } else { child.numbers.disproof };
    let theirs = |child: &Child<M>| if is_or { child.numbers.disproof } else { child.numbers.proof };
    let (mut best, mut second) = (0, NEVER);
    for (at, child) in children.iter().enumerate().skip(1) {
        if ours(child) < ours(&children[best]) {
            second = ours(&children[best]);
            best = at;
        } else {
            second = second.min(ours(child));
        }
    }
    let (until_ours, until_theirs) = match is_or {
        true => (until.proof, until.disproof),
        false => (until.disproof, until.proof),
    };
    let total = if is_or { numbers.disproof } else { numbers.proof };
    let others = total.saturating_sub(theirs(&children[best]));
    let below_theirs = if until_theirs == NEVER { NEVER } else { until_theirs.saturating_sub(others).max(1) };
    let below_ours = until_ours.min(second.saturating_add(second / 4).saturating_add(1));
    let until = match is_or {
        true => Until { proof: below_ours, disproof: below_theirs },
        false => Until { proof: below_theirs, disproof: below_ours },
    };
    (best, until)
}
