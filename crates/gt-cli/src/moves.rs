//! Moves as the game writes them, where the game is known; as numbers where it is not.

/// The text of a move in the log of this game.
pub(crate) fn move_text(game: &str, last_move: i64) -> String {
    let _ = game;
    last_move.to_string()
}

/// Moves of a line that are printed before its middle is left out, and after.
const LINE_ENDS: usize = 30;

/// A line of moves; of a very long one, the two ends.
pub(crate) fn line_text(game: &str, line: &[i64]) -> String {
    let text = |moves: &[i64]| moves.iter().map(|&mv| move_text(game, mv)).collect::<Vec<_>>().join(" ");
    if line.len() <= 2 * LINE_ENDS {
        return text(line);
    }
    let (first, rest) = line.split_at(LINE_ENDS);
    let (middle, last) = rest.split_at(rest.len() - LINE_ENDS);
    format!("{} … {} moves … {}", text(first), middle.len(), text(last))
}
