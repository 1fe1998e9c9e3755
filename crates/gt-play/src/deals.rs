//! The deals that a player with hidden hands around him thinks about.
//!
//! **Invariant:** the same position and seed give the same deals, so that whoever logs them knows which they were.

use gt_games::registry::Playable;

/// How many deals are searched for a move.
pub const DEALS: usize = 20;

/// Deals that fit what the player to move knows; where nothing is hidden, the position itself.
pub fn deals<G: Playable>(game: &G, seed: u64) -> Vec<G> {
    let viewer = game.to_move();
    // Another position has other deals, or the same mistake would be made all game long.
    let seed = |number: u64| (seed ^ game.hash()).wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let dealt: Option<Vec<G>> =
        (1..=DEALS as u64).map(|number| game.dealt_anew(viewer, seed(number))).collect();
    dealt.unwrap_or_else(|| vec![game.clone()])
}
