//! Perft: the number of ways to play `depth` moves. It tests and times a move generator.

use gt_search::Game;
use std::hint::black_box;

/// Counts the sequences of exactly `depth` legal moves, making and taking back every one of them.
///
/// ```
/// use gt_games::{TicTacToe, perft};
/// assert_eq!(perft(&mut TicTacToe::new(), 9), 127_872);
/// ```
pub fn perft<G: Game>(game: &mut G, depth: u32) -> u64 {
    count(game, depth, &mut Vec::new())
}

/// Returns the count below each legal move, in the game's order of moves; `depth` includes that move, and is at least
/// 1.
pub fn perft_divide<G: Game>(game: &mut G, depth: u32) -> Vec<(G::Move, u64)> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let mut spare = Vec::new();
    let mut counts = Vec::with_capacity(moves.len());
    for mv in moves {
        let undo = game.make(mv);
        counts.push((mv, count(game, depth.saturating_sub(1), &mut spare)));
        game.undo(mv, undo);
    }
    counts
}

/// `spare` holds unused lists of moves, so that nothing is allocated once they have grown.
fn count<G: Game>(game: &mut G, depth: u32, spare: &mut Vec<Vec<G::Move>>) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = spare.pop().unwrap_or_default();
    moves.clear();
    game.moves(&mut moves);
    let leaves =
        if depth == 1 { make_each(game, &moves) } else { count_below(game, &moves, depth - 1, spare) };
    spare.push(moves);
    leaves
}

fn count_below<G: Game>(game: &mut G, moves: &[G::Move], depth: u32, spare: &mut Vec<Vec<G::Move>>) -> u64 {
    let mut leaves = 0;
    for &mv in moves {
        let undo = game.make(mv);
        leaves += count(game, depth, spare);
        game.undo(mv, undo);
    }
    leaves
}

fn make_each<G: Game>(game: &mut G, moves: &[G::Move]) -> u64 {
    for &mv in moves {
        let undo = game.make(mv);
        // Keeps the move to the leaf from being optimised away.
        black_box(&*game);
        game.undo(mv, undo);
    }
    moves.len() as u64
}
