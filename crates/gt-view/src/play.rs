//! A game that is played on the page.
//!
//! ```text
//! http::play ──▶ Play ──▶ gt_play::LiveGame: rules, clocks, programs
//!                 │  ◀── its events ──▶ /api/events
//!                 └─▶ Logs: the search of every program's move, shown as any other log
//! ```
//!
//! **Invariant:** calls come one at a time, on a lane of their own; what is refused has changed nothing.

mod events;
mod files;
mod games;
mod position;
mod search;
mod state;
mod wishes;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use gt_games::registry::{AnyGame, GameKind, Setup};
use gt_play::LiveGame;
use gt_play::live::{LiveOptions, PlayedMove, State};
use tokio::sync::broadcast;

use crate::changes::{Change, GameEvent, LogEvent};
use crate::error::{Answer, Kind, Refusal};
use crate::logs::{Logs, Shown};
use events::listen;
pub(crate) use games::{GameChoices, games};
pub(crate) use position::PlayedPosition;
pub(crate) use state::PlayState;
pub(crate) use wishes::{NewGame, SeatWish};

/// What the games of a server have in common.
#[derive(Clone, Debug, Default)]
pub struct PlayOptions {
    /// What can be chosen about every game; its folder of logs among it.
    pub live: LiveOptions,
    /// Whether the logs go when another game begins.
    pub has_scratch_logs: bool,
}

/// The game, and what is needed for the next one.
pub(crate) struct Play {
    options: PlayOptions,
    /// Nothing once the server has stopped.
    current: Mutex<Option<Current>>,
}

struct Current {
    /// Counts the games of this server, from 1.
    number: u64,
    game: LiveGame,
    /// Tells those who follow.
    changes: broadcast::Sender<Change>,
    /// The paths of logs by their numbers on the shelf.
    shelved: Vec<(PathBuf, usize)>,
}

/// The maximum number of logs of a game that are shown, the last ones: each keeps its file open.
const LOGS_MAX: usize = 400;

impl Play {
    pub(crate) fn begin(
        game: LiveGame,
        options: PlayOptions,
        changes: broadcast::Sender<Change>,
    ) -> gt_play::Result<Self> {
        listen(&game, &changes, 1)?;
        game.resume()?;
        let current = Current { number: 1, game, changes, shelved: Vec::new() };
        Ok(Self { options, current: Mutex::new(Some(current)) })
    }

    /// Ends the game: its searches are stopped, its logs closed.
    pub(crate) fn end(&self) {
        let ended = self.lock().take();
        drop(ended);
    }

    /// The game as it stands.
    pub(crate) fn state(&self, logs: &Logs) -> Answer<PlayState> {
        self.with(|current| current.answer(logs))
    }

    /// The position after some moves of the game.
    pub(crate) fn position(&self, ply: usize) -> Answer<PlayedPosition> {
        let state = self.with(|current| Ok(current.game.state()?))?;
        PlayedPosition::after(kind_of(&state)?, &state.start, moves_until(&state, ply)?)
    }

    /// The position after some moves of the game, to be played on from.
    pub(crate) fn game_after(&self, ply: usize) -> Answer<Box<dyn AnyGame>> {
        let state = self.with(|current| Ok(current.game.state()?))?;
        let mut game = kind_of(&state)?.open(&Setup::position(&state.start)).map_err(gt_play::Error::from)?;
        for played in moves_until(&state, ply)? {
            game.play(&played.text).map_err(gt_play::Error::from)?;
        }
        Ok(game)
    }

    /// Does something with the game, and tells how it stands then.
    pub(crate) fn act(
        &self,
        logs: &Logs,
        action: impl FnOnce(&LiveGame) -> gt_play::Result<()>,
    ) -> Answer<PlayState> {
        self.with(|current| {
            action(&current.game)?;
            current.answer(logs)
        })
    }

    /// Plays a move that was chosen when `ply` moves had been played.
    pub(crate) fn play(&self, logs: &Logs, text: &str, ply: Option<u64>) -> Answer<PlayState> {
        self.with(|current| {
            let played = current.game.state()?.moves.len() as u64;
            if ply.is_some_and(|ply| ply != played) {
                let sentence = format!("the game has gone on: {played} moves have been played");
                return Err(Refusal::new(Kind::Conflict, sentence).at("ply"));
            }
            current.game.play(text).map_err(|error| Refusal::from(error).at("text"))?;
            current.answer(logs)
        })
    }

    /// Begins another game in the place of this one.
    pub(crate) fn begin_another(&self, logs: &Logs, beginning: &NewGame) -> Answer<PlayState> {
        let game = beginning.open(&self.options.live)?;
        self.with(|current| {
            self.replace(logs, current, game)?;
            current.answer(logs)
        })
    }

    /// Another game takes the place of the one that is played.
    fn replace(&self, logs: &Logs, current: &mut Current, game: LiveGame) -> Answer<()> {
        let before = std::mem::replace(&mut current.game, game);
        // Its searches have ended, and its logs are closed, when this returns.
        drop(before);
        self.clear_logs(logs, current);
        current.number += 1;
        listen(&current.game, &current.changes, current.number)?;
        current.game.resume()?;
        // An error means that no client listens.
        let _ = current.changes.send(Change::Game(GameEvent { game: current.number, what: "restarted" }));
        Ok(())
    }

    /// Seats somebody else.
    pub(crate) fn seat(&self, logs: &Logs, player: usize, wish: &SeatWish) -> Answer<PlayState> {
        self.with(|current| {
            let state = current.game.state()?;
            let seat = wish.seat(kind_of(&state)?, state.seats.len())?;
            current.game.set_seat(player, seat)?;
            current.answer(logs)
        })
    }

    /// Removes the logs of an earlier game, where nobody asked to keep them.
    fn clear_logs(&self, logs: &Logs, current: &mut Current) {
        let Some(place) = self.options.live.logs.as_ref().filter(|_| self.options.has_scratch_logs) else {
            return;
        };
        for (_, log) in current.shelved.drain(..) {
            logs.take_away(log);
        }
        // What cannot be removed now goes with the folder, at the end.
        let _ = std::fs::remove_dir_all(&place.folder);
    }

    fn with<T>(&self, action: impl FnOnce(&mut Current) -> Answer<T>) -> Answer<T> {
        let mut current = self.lock();
        let current = current.as_mut().ok_or_else(|| Refusal::new(Kind::Gone, "the game has ended"))?;
        action(current)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Current>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Current {
    fn answer(&mut self, logs: &Logs) -> Answer<PlayState> {
        let state = self.game.state()?;
        let kind = kind_of(&state)?;
        let position = self.game.position()?;
        let growing = state.thinking.as_ref().and_then(|thinking| thinking.log.clone());
        PlayState::new(self.number, kind, state, &*position, |path| {
            self.shelve(logs, path, growing.as_deref() == Some(path))
        })
    }

    /// The number of a log on the shelf; nothing if it cannot be read yet, or any more.
    fn shelve(&mut self, logs: &Logs, path: &Path, grows: bool) -> Option<usize> {
        if let Some((_, log)) = self.shelved.iter().find(|(known, _)| known == path) {
            let shown = logs.get(*log).ok()?;
            // The search has ended since the log was looked at last: nobody is to miss its end.
            let generation = if !grows && shown.opened().is_growing() { shown.refresh() } else { None };
            if let Some(generation) = generation {
                let _ = self.changes.send(Change::Log(LogEvent { log: *log, generation }));
            }
            return Some(*log);
        }
        let log = logs.add(Shown::open(path, &[]).ok()?);
        self.shelved.push((path.to_owned(), log));
        if let Some(oldest) = self.shelved.len().checked_sub(LOGS_MAX + 1) {
            logs.take_away(self.shelved[oldest].1);
        }
        Some(log)
    }
}

/// The first moves of the game.
fn moves_until(state: &State, ply: usize) -> Answer<&[PlayedMove]> {
    state.moves.get(..ply).ok_or_else(|| {
        let sentence = format!("there is no move {ply}: {} have been played", state.moves.len());
        Refusal::missing("ply", sentence)
    })
}

fn kind_of(state: &State) -> Answer<GameKind> {
    state.game.parse().map_err(|error: gt_games::NotationError| Refusal::new(Kind::Log, error.to_string()))
}

/// What the game refuses is the client's to mend, or comes at the wrong moment.
impl From<gt_play::Error> for Refusal {
    fn from(error: gt_play::Error) -> Self {
        let kind = match &error {
            gt_play::Error::Notation(_) | gt_play::Error::Unfit(_) | gt_play::Error::Book { .. } => Kind::Bad,
            gt_play::Error::NotNow(_) => Kind::Conflict,
            gt_play::Error::Gone => Kind::Gone,
        };
        Self::new(kind, error.to_string())
    }
}
