//! Both questions in turn: is the game won, and if not, is it at least not lost?

use super::{Goal, Proof, ProofSearch, Verdict};
use crate::deepening::SearchResult;
use crate::game::Game;
use crate::limits::Limits;
use crate::value::WIN;

/// The proven result of a position, for the player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<M> {
    /// Whether the player wins.
    pub win: Proof<M>,
    /// Whether the player does not lose; `None` if he wins, or if a limit was reached first.
    pub draw: Option<Proof<M>>,
}

/// Asks whether the player to move wins and, if that is disproven, whether he draws. Each question has a table of
/// `table_bytes`, and the limits apply to both together.
pub fn solve<G: Game>(game: &G, table_bytes: usize, limits: &Limits) -> Solution<G::Move> {
    let win = ProofSearch::new(game, Goal::Win, table_bytes).search(limits);
    let draw = (win.verdict == Verdict::Disproven).then(|| {
        let left = Limits {
            nodes_max: limits.nodes_max.saturating_sub(win.nodes),
            time_max: limits.time_max.map(|time| time.saturating_sub(win.elapsed)),
            ..limits.clone()
        };
        ProofSearch::new(game, Goal::Draw, table_bytes).search(&left)
    });
    Solution { win, draw }
}

impl<M: Copy> Solution<M> {
    /// The proof that answers: of the win, or else of the draw or the loss.
    #[must_use]
    pub fn last(&self) -> &Proof<M> {
        self.draw.as_ref().unwrap_or(&self.win)
    }

    /// The result in the form of other searches: a win or loss by the length of its line, 0 for a draw and for an
    /// unknown result. `any_move` is played if nothing is known.
    #[must_use]
    pub fn result(&self, any_move: Option<M>) -> SearchResult<M> {
        let last = self.last();
        let plies = i32::try_from(last.line.len()).unwrap_or(i32::MAX).min(9_999);
        let value = match (last.goal, last.verdict) {
            (Goal::Win, Verdict::Proven) => WIN - plies,
            (Goal::Draw, Verdict::Disproven) => plies - WIN,
            (Goal::Win | Goal::Draw, _) => 0,
        };
        let best_move = last.line.first().copied().or(any_move);
        SearchResult {
            value,
            best_move,
            pv: if last.line.is_empty() { best_move.into_iter().collect() } else { last.line.clone() },
            lines: Vec::new(),
            depth: last.line.len() as u16,
            nodes: self.win.nodes + self.draw.as_ref().map_or(0, |draw| draw.nodes),
            evaluations: 0,
            endings: 0,
            elapsed: self.win.elapsed + self.draw.as_ref().map_or_else(Default::default, |draw| draw.elapsed),
            stopped: last.stopped,
        }
    }
}
