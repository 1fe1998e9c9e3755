//! The start of a game.

use crate::error::{ErrorKind, NotationError, Result};

/// The choices before the first move. By default the game's usual start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// A position as text; empty for the start.
    pub position: String,
    /// A board's size such as `6x6`, for games that have several.
    pub board: Option<String>,
    /// The number of players, for games that support several.
    pub players: Option<usize>,
}

impl Setup {
    /// Returns the setup of a position as text; empty for the start.
    pub fn position(text: &str) -> Self {
        Self { position: text.to_owned(), ..Self::default() }
    }

    /// The position's text, unless it is empty.
    pub(super) fn position_text(&self) -> Option<&str> {
        Some(self.position.as_str()).filter(|text| !text.trim().is_empty())
    }

    /// The width and height of the board, if given.
    pub(super) fn board_size(&self) -> Result<Option<(usize, usize)>> {
        let Some(text) = &self.board else { return Ok(None) };
        let sides = text
            .split_once('x')
            .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
        sides.map(Some).ok_or_else(|| {
            NotationError::new(ErrorKind::Syntax, text, "a board's size is written width x height, as in 6x6")
        })
    }

    /// Rejects a size if the game has only one board.
    pub(super) fn refuse_board(&self, game: &str) -> Result<()> {
        match &self.board {
            None => Ok(()),
            Some(text) => {
                let problem = format!("{game} has one board only; leave the size away");
                Err(NotationError::new(ErrorKind::UnknownName, text, problem))
            }
        }
    }

    /// Rejects a number of players other than `found`, that of the game or the position.
    pub(super) fn check_players(&self, game: &str, found: usize) -> Result<()> {
        match self.players {
            Some(players) if players != found => {
                let problem = format!("this position of {game} has {found} players");
                Err(NotationError::new(ErrorKind::UnknownName, players.to_string(), problem))
            }
            _ => Ok(()),
        }
    }
}
