//! A line of a log, played out.

use super::{AnyGame, GameKind, Setup};
use crate::error::Result;
use crate::notation::ROOT_CODE;

/// A line of a log, played out.
pub struct Replay {
    /// The text of each move; a node that repeats its parent's move has the parent's.
    pub moves: Vec<String>,
    /// The position at the end.
    pub game: Box<dyn AnyGame>,
}

/// Plays the `last_move` numbers of a log's line from a setup. The root's own number may come first.
///
/// ```
/// use gt_games::registry::{GameKind, Setup, replay};
///
/// let line = replay(GameKind::Chess, &Setup::default(), &[0, 12 | 28 << 6, 65_535, 6 | 21 << 6])?;
/// assert_eq!(line.moves, ["e2e4", "null", "g1f3"]);
/// assert_eq!(line.game.position_text(), "rnbqkbnr/pppppppp/8/8/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 2");
/// # Ok::<(), gt_games::NotationError>(())
/// ```
///
/// # Errors
/// Returns an error if the setup does not fit the game, or a number is not a move in its position.
pub fn replay(kind: GameKind, setup: &Setup, codes: &[i64]) -> Result<Replay> {
    let mut game = kind.open(setup)?;
    let codes = codes.strip_prefix(&[ROOT_CODE]).unwrap_or(codes);
    let mut moves = Vec::with_capacity(codes.len());
    for (index, &code) in codes.iter().enumerate() {
        let played = game.play_code(code);
        moves.push(played.map_err(|mut error| {
            error.problem = format!("{}, after {index} moves of the line", error.problem);
            error
        })?);
    }
    Ok(Replay { moves, game })
}
