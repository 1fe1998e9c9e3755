//! The value of a position after each of its moves: a complete search one move deep.

use crate::error::Result;
use crate::registry::AnyGame;
use gt_search::Outcome;

/// A move and its consequences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveValue {
    /// The move, in the game's notation.
    pub text: String,
    /// The value for each player after it.
    pub values: Vec<i32>,
    /// The result, if the move ends the game; the values do not count then.
    pub outcome: Option<Outcome>,
}

/// Returns every legal move with the values after it, the best for the mover first: winning moves, then by the
/// mover's value (a draw is worth 0), then losing ones.
///
/// # Errors
/// Returns an error if the game has no such evaluation.
pub fn after_each_move(game: &dyn AnyGame, evaluation: Option<&str>) -> Result<Vec<MoveValue>> {
    let mover = game.to_move();
    let mut moves = Vec::new();
    for mv in game.moves() {
        let mut after = game.boxed_clone();
        after.play(&mv.text)?;
        moves.push(MoveValue {
            text: mv.text,
            values: after.evaluate(evaluation)?,
            outcome: after.outcome(),
        });
    }
    moves.sort_by_key(|mv| std::cmp::Reverse(rank(mv, mover)));
    Ok(moves)
}

/// The sort key of a move: whether it wins or loses, then its value.
fn rank(mv: &MoveValue, mover: usize) -> (i32, i32) {
    match mv.outcome {
        Some(Outcome::Win(winner)) if winner == mover => (1, 0),
        Some(Outcome::Win(_)) => (-1, 0),
        Some(Outcome::Draw) => (0, 0),
        None => (0, mv.values.get(mover).copied().unwrap_or(0)),
    }
}
