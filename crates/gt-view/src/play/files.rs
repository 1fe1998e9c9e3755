//! The game in files: saved as a download, loaded from a text.

use gt_games::registry::GameKind;
use gt_games::saved::{self, SavedGame};
use gt_play::LiveGame;
use gt_play::live::{LiveOptions, Program, Seat, TimeControl};

use super::{Current, Play, PlayState};
use crate::error::{Answer, Refusal};
use crate::logs::Logs;

/// A file to download.
pub(crate) struct GameFile {
    pub(crate) name: String,
    pub(crate) content_type: &'static str,
    pub(crate) text: String,
}

impl Play {
    /// The game so far: PGN for chess, else one line.
    pub(crate) fn save(&self) -> Answer<GameFile> {
        let saved = self.with(|current| Ok(current.game.saved()?))?;
        let (ending, content_type) = match saved.kind {
            GameKind::Chess => ("pgn", "application/x-chess-pgn"),
            GameKind::TicTacToe
            | GameKind::ConnectFour
            | GameKind::Amazons
            | GameKind::ChineseCheckers
            | GameKind::Thorns
            | GameKind::Tree => ("txt", "text/plain; charset=utf-8"),
        };
        Ok(GameFile { name: format!("{}.{ending}", saved.kind), content_type, text: saved.text() })
    }

    /// Goes on from the first game of a text. Where it is of another kind than the one that is played, or for another
    /// number of players, a person sits down with the first player, and programs with the others.
    pub(crate) fn load(&self, logs: &Logs, text: &str) -> Answer<PlayState> {
        let first = saved::read(text, None).next();
        let game = first.ok_or_else(|| Refusal::bad("text", "there is no game in this file"))?;
        let game = game.map_err(|error| Refusal::bad("text", error.to_string()))?;
        self.with(|current| {
            if current.fits(&game)? {
                current.game.load(game)?;
            } else {
                let other = opened(&game, &self.options.live)?;
                other.load(game)?;
                self.replace(logs, current, other)?;
            }
            current.answer(logs)
        })
    }
}

impl Current {
    /// Whether the seats are right for a game.
    fn fits(&self, saved: &SavedGame) -> Answer<bool> {
        let state = self.game.state()?;
        let players = saved.position().map_err(gt_play::Error::from)?.players();
        Ok(state.game == saved.kind.name() && state.seats.len() == players)
    }
}

/// A game of the kind of a saved one.
fn opened(saved: &SavedGame, options: &LiveOptions) -> Answer<LiveGame> {
    let players = saved.kind.open(&saved.setup).map_err(gt_play::Error::from)?.players();
    let program = || Seat::Program(Program::best_for(saved.kind, players));
    let seats = (0..players).map(|player| if player == 0 { Seat::person() } else { program() }).collect();
    Ok(LiveGame::new(saved.kind, &saved.setup, seats, TimeControl::Untimed, options.clone())?)
}
