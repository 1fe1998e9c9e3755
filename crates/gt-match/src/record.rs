//! Games of a match in a file, each written whole as soon as it ends.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use gt_games::registry::GameKind;
use gt_games::saved::{SavedGame, SavedMove};
use gt_search::{is_decided, win_distance_plies};

use crate::budget::Budget;
use crate::entrant::Entrant;
use crate::game::{PlayedGame, PlayedMove};

/// The file that games are appended to.
#[derive(Debug)]
pub struct GamesFile {
    path: PathBuf,
    file: File,
}

impl GamesFile {
    /// A new file; with `append`, one that is there is continued.
    ///
    /// # Errors
    /// The file is there and is not to be continued, or cannot be written.
    pub fn open(path: &Path, append: bool) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.append(true);
        let options = if append { options.create(true) } else { options.create_new(true) };
        Ok(Self { path: path.to_owned(), file: options.open(path)? })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a game by one call of the system, so that a program that dies leaves no half of one.
    pub(crate) fn append(&mut self, game: &SavedGame) -> io::Result<()> {
        self.file.write_all(game.text().as_bytes())
    }
}

/// A game with what is known about it.
pub(crate) fn saved(
    kind: GameKind,
    played: &PlayedGame,
    entrants: &[Entrant],
    budgets: &[Budget],
) -> SavedGame {
    let mut game = SavedGame::new(kind);
    game.setup = played.opening.setup.clone();
    let round = (played.plan.round + 1).to_string();
    game.tags = vec![("Event".to_owned(), "gt match".to_owned()), ("Round".to_owned(), round)];
    game.players = played.plan.seats.iter().map(|&entrant| entrants[entrant].name.clone()).collect();
    let with_times = budgets.iter().any(Budget::depends_on_time);
    let opening = played.opening.moves.iter().map(SavedMove::new);
    let commented =
        |played: &PlayedMove| SavedMove { text: played.text.clone(), comment: comment(played, with_times) };
    game.moves = opening.chain(played.moves.iter().map(commented)).collect();
    game.result = Some(played.ending.result.clone());
    game.end = Some(played.ending.reason.clone());
    game
}

/// Value, depth, and how long the move took where that matters: `+35/7 120ms`.
fn comment(played: &PlayedMove, with_time: bool) -> Option<String> {
    let value = played.value.map(|value| match win_distance_plies(value).filter(|_| is_decided(value)) {
        Some(plies) if value > 0 => format!("+W{plies}"),
        Some(plies) => format!("-L{plies}"),
        None => format!("{value:+}"),
    });
    let depth = played.depth.map_or(String::new(), |depth| format!("/{depth}"));
    let value = value.map(|value| value + &depth);
    let time = with_time.then(|| format!("{}ms", played.elapsed.as_millis()));
    let words: Vec<String> = value.into_iter().chain(time).collect();
    (!words.is_empty()).then(|| words.join(" "))
}
