//! The report's evaluation: a player's distance from winning.

mod explain;

use super::{LINES, TicTacToe};
use gt_search::{Evaluate, Game};

/// The number of moves the opponent is away from a line, minus the mover's.
///
/// The report values a board for one player by minus his distance, and subtracts the other player's value. A
/// player whose every line is blocked is four moves away, one more than on an empty board.
#[derive(Clone, Copy, Debug, Default)]
pub struct Distance;

impl Evaluate<TicTacToe> for Distance {
    fn evaluate(&self, game: &TicTacToe) -> i32 {
        let mover = game.to_move();
        distance(game, 1 - mover) - distance(game, mover)
    }
}

fn distance(game: &TicTacToe, player: usize) -> i32 {
    let (own, other) = (game.marks[player], game.marks[1 - player]);
    let open = LINES.iter().filter(|line| *line & other == 0);
    open.map(|line| 3 - (line & own).count_ones() as i32).min().unwrap_or(4)
}
