//! Openings in files: saved games, or one position per line.

use gt_games::registry::{GameKind, Setup};
use gt_games::saved::{self, SavedGame};

use super::Opening;

/// Openings, each with its place in the file.
pub(super) type Placed = Vec<(String, Opening)>;

/// Reads either format, recognised by its beginning.
pub(super) fn read(game: GameKind, text: &[u8]) -> Result<Placed, String> {
    let start = text.trim_ascii_start();
    let is_saved = start.starts_with(b"game=") || start.starts_with(b"[");
    if is_saved { saved_games(game, text) } else { positions(game, text) }
}

fn saved_games(game: GameKind, text: &[u8]) -> Result<Placed, String> {
    let opening = |(index, read): (usize, Result<SavedGame, saved::SavedError>)| {
        let SavedGame { setup, moves, .. } = read.map_err(|error| error.to_string())?;
        let moves = moves.into_iter().map(|saved| saved.text).collect();
        Ok((format!("game {}", index + 1), Opening { setup, moves }))
    };
    saved::read(text, Some(game)).enumerate().map(opening).collect()
}

/// One position per line, optionally followed by `moves` and some moves; in chess also EPD. `#` begins a
/// comment.
fn positions(game: GameKind, text: &[u8]) -> Result<Placed, String> {
    let text = std::str::from_utf8(text).map_err(|_| "it is not a text".to_owned())?;
    let lines = text.lines().enumerate().filter(|(_, line)| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    let opening = |(index, line): (usize, &str)| {
        let (position, moves) = line.split_once(" moves ").unwrap_or((line, ""));
        let position =
            if game == GameKind::Chess { without_operations(position) } else { position.trim().to_owned() };
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        (format!("line {}", index + 1), Opening { setup: Setup::position(&position), moves })
    };
    Ok(lines.map(opening).collect())
}

/// The position of a line of EPD, or of FEN with its two counters.
fn without_operations(line: &str) -> String {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let is_counter = |index: usize| fields.get(index).is_some_and(|field| field.parse::<u32>().is_ok());
    let kept = if is_counter(4) && is_counter(5) { 6 } else { 4 };
    fields[..fields.len().min(kept)].join(" ")
}
