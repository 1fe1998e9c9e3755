//! Conversion between the game at the table and a saved game.

use gt_games::saved::{SavedGame, SavedMove, SavedResult};

use super::{Table, Turn};
use crate::error::{Error, Result};
use crate::live::clocks::{Clocks, TimeControl};
use crate::live::ending::Ending;
use crate::live::state::{Event, PlayedMove};

impl Table {
    pub(in crate::live) fn saved(&self) -> SavedGame {
        let mut saved = SavedGame::new(self.kind);
        saved.setup = self.setup.clone();
        saved.players = self.chairs.iter().map(|chair| chair.seat.title()).collect();
        saved.moves = self.turns.iter().map(|turn| saved_move(&turn.played)).collect();
        saved.result = self.ending.as_ref().map(|ending| SavedResult::ranked(&ending.places));
        saved.end = self.ending.as_ref().map(|ending| ending.reason.clone());
        saved.tags.extend(time_control_tag(self.control));
        saved
    }

    /// Goes to the end of a saved game, after replaying all of it.
    pub(in crate::live) fn load(&mut self, saved: &SavedGame) -> Result<()> {
        if saved.kind != self.kind {
            let sentence = format!("this is a game of {}, and {} is being played", saved.kind, self.kind);
            return Err(Error::Unfit(sentence));
        }
        let mut position = saved.kind.open(&saved.setup)?;
        if position.players() != self.players() {
            let (found, seats) = (position.players(), self.players());
            return Err(Error::Unfit(format!("this game has {found} players, and there are {seats} seats")));
        }
        let clocks = Clocks::new(self.control, self.players(), self.options.time.clone());
        let start = position.position_text();
        let mut turns = Vec::with_capacity(saved.moves.len());
        for mv in &saved.moves {
            let code = position.encode(&mv.text)?;
            let (text, player) = (position.decode(code)?, position.to_move());
            position.play(&text)?;
            let played = PlayedMove { text, code, player, elapsed_ms: 0, search: None, log: None };
            turns.push(Turn { played, before: clocks.readings() });
        }
        self.stop_all();
        self.forget_searches();
        (self.setup, self.start, self.turns, self.clocks) = (saved.setup.clone(), start, turns, clocks);
        self.replay()?;
        self.ending = self.ending.take().or_else(|| ending_of(saved));
        self.tell(&Event::Restarted);
        self.begin_turn();
        Ok(())
    }
}

fn saved_move(played: &PlayedMove) -> SavedMove {
    let found = played.search.as_ref();
    let comment = found.map(|search| format!("value {}, depth {}", search.value, search.depth));
    SavedMove { text: played.text.clone(), comment }
}

/// The time control in PGN's form: seconds, and the increment.
fn time_control_tag(control: TimeControl) -> Option<(String, String)> {
    let TimeControl::Clock { base, increment, moves } = control else { return None };
    let moves = moves.map_or(String::new(), |moves| format!("{moves}/"));
    Some(("TimeControl".to_owned(), format!("{moves}{}+{}", base.as_secs_f64(), increment.as_secs_f64())))
}

/// A resigned game has a result that its last position lacks.
fn ending_of(saved: &SavedGame) -> Option<Ending> {
    let result = saved.result.as_ref()?;
    let reason = saved.end.clone().unwrap_or_else(|| "agreed".to_owned());
    Some(Ending { places: result.places().to_vec(), reason })
}
