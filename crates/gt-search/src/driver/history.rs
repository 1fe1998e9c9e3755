//! What cut-offs teach about moves: killers by ply, history by move.
//!
//! A move is known to the history by a hash of its encoding: collisions make the order worse, never wrong.

use crate::game::Game;

#[derive(Debug)]
pub(super) struct History<M> {
    killers: Vec<[Option<M>; 2]>,
    scores: Box<[i16; SCORES]>,
}

const SCORES: usize = 1 << SCORE_BITS;
const SCORE_BITS: u32 = 14;
/// No score exceeds this in size.
pub(super) const SCORE_MAX: i32 = 1 << 14;

impl<M: Copy + Eq> History<M> {
    pub(super) fn new() -> Self {
        Self { killers: Vec::new(), scores: Box::new([0; SCORES]) }
    }

    /// Another root: its plies are not those of the killers, while good moves tend to stay good.
    pub(super) fn new_search(&mut self) {
        self.killers.clear();
        self.scores.iter_mut().for_each(|score| *score /= 8);
    }

    pub(super) fn killers(&self, ply: u16) -> [Option<M>; 2] {
        self.killers.get(usize::from(ply)).copied().unwrap_or_default()
    }

    #[inline]
    pub(super) fn score<G: Game<Move = M>>(&self, game: &G, mv: M) -> i32 {
        i32::from(self.scores[slot(game, mv)])
    }

    /// `mv` cut off at `ply`.
    pub(super) fn cut_off(&mut self, ply: u16, mv: M) {
        let ply = usize::from(ply);
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }

    /// Moves the score towards its end of the range; the nearer it is, the slower.
    pub(super) fn learn<G: Game<Move = M>>(&mut self, game: &G, mv: M, lesson: i32) {
        let score = &mut self.scores[slot(game, mv)];
        *score += (lesson - i32::from(*score) * lesson.abs() / SCORE_MAX) as i16;
    }
}

#[inline]
fn slot<G: Game>(game: &G, mv: G::Move) -> usize {
    let key = (game.encode(mv) as u64) << 1 | (game.to_move() as u64 & 1);
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SCORE_BITS)) as usize
}
