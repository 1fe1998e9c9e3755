//! Moves and values of a search as people read them.

use gt_games::registry::Playable;
use gt_report::Mates;

/// The moves of a line in the game's notation.
pub(super) fn line<G: Playable>(game: &G, moves: &[G::Move]) -> Vec<String> {
    let mut game = game.clone();
    moves
        .iter()
        .map(|&mv| {
            let text = game.move_text(mv);
            game.make(mv);
            text
        })
        .collect()
}

/// A value of a game's position as people read it: `mate in 3`, `won in 5 plies`, `won`.
pub(super) fn value_text<G: Playable>(value: i32) -> String {
    Mates::of_searches(G::NAME).text(i128::from(value), 0).unwrap_or_else(|| value.to_string())
}
