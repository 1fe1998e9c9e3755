//! A position's value by a network.

use super::sums::{Sums, with_last};
use super::weights::Network;
use crate::chess::Chess;
use crate::chess::evaluate::SixTerms;
use cozy_chess::{Board, Color};
use gt_search::Evaluate;

/// A network's evaluation, from the mover's view.
#[derive(Clone, Copy, Debug)]
pub struct ByNetwork(pub &'static Network);

impl Evaluate<Chess> for ByNetwork {
    #[inline]
    fn evaluate(&self, game: &Chess) -> i32 {
        let board = game.board();
        if has_bare_king(board) { SixTerms.evaluate(game) } else { value(self.0, board) }
    }
}

/// Whether a player has nothing but the king. The king is then driven to where he can be mated, as [`SixTerms`] does:
/// games between good players do not last so long, and teach nothing about it.
#[must_use]
pub fn has_bare_king(board: &Board) -> bool {
    Color::ALL.iter().any(|&color| board.colors(color).len() == 1)
}

#[inline]
fn value(network: &'static Network, board: &Board) -> i32 {
    with_last(|last| value_after(network, board, last))
}

/// The mover's value, given the sums of another position. Most machines have wider vectors than the compiler may assume,
/// so the code is compiled a second time for those; a call of `LocalKey::with` in there would not be.
#[inline]
fn value_after(network: &'static Network, board: &Board, last: &mut Sums) -> i32 {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
        fn value_in_wide_vectors(network: &'static Network, board: &Board, last: &mut Sums) -> i32 {
            network.output(board, last.of(network, board))
        }
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("lzcnt")
        {
            // SAFETY: `value_in_wide_vectors` requires the CPU features that `is_x86_feature_detected!` has just
            // confirmed.
            return unsafe { value_in_wide_vectors(network, board, last) };
        }
    }
    network.output(board, last.of(network, board))
}
