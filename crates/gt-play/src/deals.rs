//! The deals that a player considers when hands are hidden.
//!
//! **Invariant:** the same position and seed give the same deals, so that a log can reproduce them. They do not
//! depend on anything hidden from the player.

use gt_games::registry::Playable;

/// The number of deals searched for a move.
pub const DEALS: usize = 20;

/// Returns deals that fit what the player to move knows; if nothing is hidden, the position itself.
pub fn deals<G: Playable>(game: &G, seed: u64) -> Vec<G> {
    let viewer = game.to_move();
    // Each position gets other deals, or the same mistake would be repeated all game. The player's own moves
    // distinguish positions, and use nothing that he does not know.
    let known = game.legal_moves().iter().fold(seed, |known, &mv| {
        (known ^ game.encode(mv) as u64).wrapping_mul(0xD134_2543_DE82_EF95).rotate_left(23)
    });
    let seed = |number: u64| known.wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let dealt: Option<Vec<G>> =
        (1..=DEALS as u64).map(|number| game.dealt_anew(viewer, seed(number))).collect();
    dealt.unwrap_or_else(|| vec![game.clone()])
}
