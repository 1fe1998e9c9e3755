//! Perft: how many ways there are to play `depth` moves. The measure of a move generator's truth and speed.

use gt_search::Game;
use std::hint::black_box;

/// Counts the sequences of exactly `depth` legal moves, making and taking back every one of them.
///
/// ```
/// use gt_games::{TicTacToe, perft};
/// assert_eq!(perft(&mut TicTacToe::new(), 9), 127_872);
/// ```
pub fn perft<G: Game>(game: &mut G, depth: u32) -> u64 {
    let mut lists = vec![Vec::new(); depth as usize];
    count(game, &mut lists)
}

/// The count below each legal move, in the game's order of moves.
pub fn perft_divide<G: Game>(game: &mut G, depth: u32) -> Vec<(G::Move, u64)> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let mut lists = vec![Vec::new(); depth.saturating_sub(1) as usize];
    let mut counts = Vec::with_capacity(moves.len());
    for mv in moves {
        let undo = game.make(mv);
        counts.push((mv, count(game, &mut lists)));
        game.undo(mv, undo);
    }
    counts
}

/// One list of moves a ply, so that nothing is allocated once the lists have grown.
fn count<G: Game>(game: &mut G, lists: &mut [Vec<G::Move>]) -> u64 {
    let Some((moves, deeper)) = lists.split_first_mut() else { return 1 };
    moves.clear();
    game.moves(moves);
    if deeper.is_empty() {
        return make_each(game, moves);
    }
    let mut leaves = 0;
    for &mv in moves.iter() {
        let undo = game.make(mv);
        leaves += count(game, deeper);
        game.undo(mv, undo);
    }
    leaves
}

fn make_each<G: Game>(game: &mut G, moves: &[G::Move]) -> u64 {
    for &mv in moves {
        let undo = game.make(mv);
        // Keeps the leaf's making from being optimised away.
        black_box(&*game);
        game.undo(mv, undo);
    }
    moves.len() as u64
}
