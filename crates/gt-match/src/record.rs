//! Saves the games of a match to a file, each completely as soon as it ends.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use gt_games::registry::GameKind;
use gt_games::saved::{SavedGame, SavedMove};
use gt_search::{is_decided, win_distance_plies, written_value};

use crate::budget::Budget;
use crate::entrant::Entrant;
use crate::game::{PlayedGame, PlayedMove};

/// The destination of saved games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamesTarget {
    /// The file.
    pub path: PathBuf,
    /// Whether an existing file is continued; otherwise it is kept, and the match refused.
    pub append: bool,
}

/// The file that games are appended to.
pub(crate) struct GamesFile {
    path: PathBuf,
    file: File,
    /// Whether this match created it, and no game is in it yet.
    is_new: bool,
}

impl GamesFile {
    pub(crate) fn open(target: &GamesTarget) -> Result<Self, String> {
        let GamesTarget { path, append } = target;
        let about = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => {
                format!("{}: the file is there already; `--append` adds to it", path.display())
            }
            _ => format!("{}: {error}", path.display()),
        };
        let made = OpenOptions::new().append(true).create_new(true).open(path);
        match made {
            Ok(file) => Ok(Self { path: path.clone(), file, is_new: true }),
            Err(error) if *append && error.kind() == io::ErrorKind::AlreadyExists => {
                let mut file = OpenOptions::new().append(true).read(true).open(path).map_err(about)?;
                end_last_line(&mut file).map_err(about)?;
                Ok(Self { path: path.clone(), file, is_new: false })
            }
            Err(error) => Err(about(error)),
        }
    }

    /// Appends a game by one system call, so that a program that dies leaves no partial one.
    pub(crate) fn append(&mut self, game: &SavedGame) -> Result<(), String> {
        self.is_new = false;
        self.file
            .write_all(game.text().as_bytes())
            .map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

impl Drop for GamesFile {
    /// Removes the file of a match without a game.
    fn drop(&mut self) {
        if self.is_new {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Ends a line that a full disk may have cut short.
fn end_last_line(file: &mut File) -> io::Result<()> {
    if file.metadata()?.len() == 0 {
        return Ok(());
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    if last == *b"\n" { Ok(()) } else { file.write_all(b"\n") }
}

/// A game with its metadata.
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

/// The value, the depth, and the time of the move if that matters: `+35/7 120ms`.
fn comment(played: &PlayedMove, with_time: bool) -> Option<String> {
    let value = played.value.map(|value| match win_distance_plies(value).filter(|_| is_decided(value)) {
        Some(plies) if value > 0 => format!("+W{plies}"),
        Some(plies) => format!("-L{plies}"),
        None => format!("{:+}", written_value(value)),
    });
    let depth = played.depth.map_or(String::new(), |depth| format!("/{depth}"));
    let value = value.map(|value| value + &depth);
    let time = with_time.then(|| format!("{}ms", played.elapsed.as_millis()));
    let words: Vec<String> = value.into_iter().chain(time).collect();
    (!words.is_empty()).then(|| words.join(" "))
}
