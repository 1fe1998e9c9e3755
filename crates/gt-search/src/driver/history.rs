//! Move-ordering statistics from cut-offs: killers by ply, history by move, and replies by the moves before
//! them.
//!
//! The history identifies a move by a hash of its encoding: a collision makes the order worse, never wrong. Replies
//! are identified by their theme ([`Game::theme`]) and those of the last two moves: `replies[0]` answers the
//! opponent's last move, `replies[1]` follows the player's own.

use crate::game::{Game, THEMES};

#[derive(Debug)]
pub(super) struct History<M> {
    killers: Vec<[Option<M>; 2]>,
    scores: Box<[i16; SCORES]>,
    /// Empty until the first reply is learnt.
    replies: [Vec<i16>; 2],
}

/// The themes of the last two moves, the latest first; 0 if there is no such move.
pub(super) type Before = [u16; 2];

const THEME_COUNT: usize = THEMES as usize + 1;

const SCORES: usize = 1 << SCORE_BITS;
const SCORE_BITS: u32 = 14;
/// The largest absolute value of a score.
pub(super) const SCORE_MAX: i32 = 1 << 14;

/// The scores of replies by their themes: to the last move, and to the one before.
#[derive(Clone, Copy)]
pub(super) struct Replies<'a>([&'a [i16; THEME_COUNT]; 2]);

impl Replies<'_> {
    #[inline]
    pub(super) fn score(&self, theme: u16) -> i32 {
        let theme = usize::from(theme.min(THEMES));
        i32::from(self.0[0][theme]) + i32::from(self.0[1][theme])
    }
}

impl<M: Copy + Eq> History<M> {
    pub(super) fn new() -> Self {
        Self { killers: Vec::new(), scores: Box::new([0; SCORES]), replies: [Vec::new(), Vec::new()] }
    }

    /// Prepares for another root: killers belong to the old plies and are dropped, while good moves tend to
    /// stay good.
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

    /// The scores of all replies after moves with the themes `before`.
    #[inline]
    pub(super) fn replies(&self, before: Before) -> Replies<'_> {
        static NONE: [i16; THEME_COUNT] = [0; THEME_COUNT];
        let to = |place: usize| {
            let start = reply_slot(before[place], 0);
            self.replies[place].get(start..).and_then(|rest| rest.first_chunk()).unwrap_or(&NONE)
        };
        Replies([to(0), to(1)])
    }

    /// Records that `mv` cut off at `ply`.
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

    pub(super) fn learn<G: Game<Move = M>>(&mut self, game: &G, mv: M, lesson: i32) {
        approach(&mut self.scores[slot(game, mv)], lesson);
    }

    pub(super) fn learn_reply(&mut self, before: Before, theme: u16, lesson: i32) {
        for (replies, before) in self.replies.iter_mut().zip(before) {
            if before == 0 || theme == 0 {
                continue;
            }
            if replies.is_empty() {
                replies.resize(THEME_COUNT * THEME_COUNT, 0);
            }
            approach(&mut replies[reply_slot(before, theme)], lesson);
        }
    }
}

/// Moves a score towards its end of the range, more slowly the nearer it is.
#[inline]
fn approach(score: &mut i16, lesson: i32) {
    *score += (lesson - i32::from(*score) * lesson.abs() / SCORE_MAX) as i16;
}

#[inline]
fn reply_slot(before: u16, theme: u16) -> usize {
    usize::from(before.min(THEMES)) * THEME_COUNT + usize::from(theme.min(THEMES))
}

#[inline]
fn slot<G: Game>(game: &G, mv: G::Move) -> usize {
    let key = (game.encode(mv) as u64) << 1 | (game.to_move() as u64 & 1);
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SCORE_BITS)) as usize
}
