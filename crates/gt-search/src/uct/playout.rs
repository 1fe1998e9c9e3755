//! The value of a new node: random games drawn from a seed, or some random plies and an evaluation.

use crate::game::{Evaluate, Game, Outcome};
use crate::limits::Clock;

/// The number of moves listed per unit of work.
const MOVES_PER_WORK: u64 = 16;

/// Plays positions to the end, or until the length limit.
pub(super) struct Playout<M> {
    random: Random,
    plies_max: u32,
    moves: Vec<M>,
    rewards: Vec<f64>,
}

impl<M: Copy> Playout<M> {
    pub(super) fn new(seed: u64, plies_max: u32, players: usize) -> Self {
        Self { random: Random(seed), plies_max, moves: Vec::new(), rewards: vec![0.0; players] }
    }

    /// Every player's reward from a random game: 1 for a win, 0 for a loss, a draw is shared. A game that is broken
    /// off, because it is too long or the search must end, is a draw.
    pub(super) fn run<G: Game<Move = M>>(&mut self, game: &mut G, clock: &mut Clock) -> &[f64] {
        self.play(game, self.plies_max, clock);
        self.share_out(game.outcome())
    }

    /// Both players' rewards from an evaluation after some random plies: the probability of winning whose log-odds
    /// are the value over `scale`. A game that ends during those plies counts as in a whole playout.
    pub(super) fn evaluate<G: Game<Move = M>>(
        &mut self,
        game: &mut G,
        evaluation: &dyn Evaluate<G>,
        (plies, scale): (u32, f64),
        clock: &mut Clock,
    ) -> &[f64] {
        self.play(game, plies, clock);
        let outcome = game.outcome();
        if outcome.is_some() {
            return self.share_out(outcome);
        }
        clock.work();
        let chance = 1.0 / (1.0 + (-f64::from(evaluation.evaluate(game)) / scale).exp());
        for (player, reward) in self.rewards.iter_mut().enumerate() {
            *reward = if player == game.to_move() { chance } else { 1.0 - chance };
        }
        &self.rewards
    }

    fn play<G: Game<Move = M>>(&mut self, game: &mut G, plies: u32, clock: &mut Clock) {
        for _ in 0..plies {
            if clock.stopped() {
                break;
            }
            self.moves.clear();
            game.moves(&mut self.moves);
            // Listing the moves is nearly all of the work.
            clock.work_of(1 + self.moves.len() as u64 / MOVES_PER_WORK);
            if self.moves.is_empty() {
                break;
            }
            let mv = self.moves[self.random.below(self.moves.len())];
            game.make(mv);
        }
    }

    fn share_out(&mut self, outcome: Option<Outcome>) -> &[f64] {
        let share = 1.0 / self.rewards.len() as f64;
        for (player, reward) in self.rewards.iter_mut().enumerate() {
            *reward = match outcome {
                Some(Outcome::Win(winner)) => f64::from(u8::from(winner == player)),
                Some(Outcome::Draw) | None => share,
            };
        }
        &self.rewards
    }
}

/// SplitMix64: small, fast, and the same on every platform.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; `end` must not be 0.
    fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }
}
