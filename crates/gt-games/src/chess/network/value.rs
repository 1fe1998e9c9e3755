//! A network's value of a position.

use super::sums::{Sums, with_last};
use super::weights::Network;
use crate::chess::Chess;
use crate::chess::evaluate::SixTerms;
use crate::chess::position::Position;
use cozy_chess::{Board, Color};
use gt_search::Evaluate;

/// The number of units that are computed at once in vectors of 16 bytes.
const LANES: usize = 64;

/// A network's evaluation, from the mover's view.
#[derive(Clone, Copy, Debug)]
pub struct ByNetwork(pub &'static Network);

impl Evaluate<Chess> for ByNetwork {
    #[inline]
    fn evaluate(&self, game: &Chess) -> i32 {
        if has_bare_king(game.board()) { SixTerms.evaluate(game) } else { value(self.0, &game.position) }
    }
}

/// Whether a player has nothing but the king. The king is then driven to where he can be mated, as in [`SixTerms`]: games between good
/// players do not last that long and teach nothing about it.
#[must_use]
pub fn has_bare_king(board: &Board) -> bool {
    Color::ALL.iter().any(|&color| board.colors(color).len() == 1)
}

#[inline]
fn value(network: &'static Network, position: &Position) -> i32 {
    with_last(|last| value_after(network, position, last))
}

/// The mover's value, given the sums of another position. Most machines have wider vectors than the compiler may assume, so the code is
/// compiled again for those machines; code inside a call of `LocalKey::with` would not be.
#[inline]
fn value_after(network: &'static Network, position: &Position, last: &mut Sums) -> i32 {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi1,lzcnt,popcnt")]
        fn value_in_widest_vectors(network: &'static Network, position: &Position, last: &mut Sums) -> i32 {
            network.output(position.board(), last.of::<{ 4 * LANES }>(network, position))
        }
        #[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
        fn value_in_wide_vectors(network: &'static Network, position: &Position, last: &mut Sums) -> i32 {
            network.output(position.board(), last.of::<{ 2 * LANES }>(network, position))
        }
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("lzcnt")
        {
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
            {
                // SAFETY: `value_in_widest_vectors` requires the CPU features that `is_x86_feature_detected!` has just
                // confirmed.
                return unsafe { value_in_widest_vectors(network, position, last) };
            }
            // SAFETY: `value_in_wide_vectors` requires the CPU features that `is_x86_feature_detected!` has just
            // confirmed.
            return unsafe { value_in_wide_vectors(network, position, last) };
        }
    }
    network.output(position.board(), last.of::<LANES>(network, position))
}
