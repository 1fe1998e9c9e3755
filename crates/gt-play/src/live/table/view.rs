//! The table as its clients see it.

use gt_games::registry::AnyGame;

use super::Table;
use crate::algorithm::Algorithm;
use crate::live::clocks::TimeControl;
use crate::live::seat::{Seat, side_name};
use crate::live::state::{ClockState, LegalMove, SeatState, State, milliseconds};

impl Table {
    pub(in crate::live) fn state(&self) -> State {
        State {
            version: self.version,
            game: self.kind.name(),
            start: self.start.clone(),
            position: self.position.position_text(),
            to_move: self.position.to_move(),
            legal_moves: self.legal_moves(),
            moves: self.turns.iter().map(|turn| turn.played.clone()).collect(),
            seats: (0..self.players()).map(|player| self.seat_state(player)).collect(),
            control: (self.control != TimeControl::Untimed).then(|| self.control.to_string()),
            clocks: self.clock_state(),
            paused: self.is_paused,
            thinking: self.thinking.clone(),
            hint_pending: self.hint_pending,
            hint: self.hint.clone(),
            can_take_back: self.persons_last_turn().is_some(),
            result: self.ending.clone(),
        }
    }

    pub(in crate::live) fn position(&self) -> Box<dyn AnyGame> {
        self.position.boxed_clone()
    }

    pub(in crate::live) fn seats(&self) -> Vec<Seat> {
        self.chairs.iter().map(|chair| chair.seat.clone()).collect()
    }

    pub(super) fn clock_state(&self) -> Option<ClockState> {
        let left_ms = self.clocks.left()?.into_iter().map(milliseconds).collect();
        Some(ClockState { left_ms, running: self.clocks.running() })
    }

    fn legal_moves(&self) -> Vec<LegalMove> {
        if self.ending.is_some() {
            return Vec::new();
        }
        let legal = self.position.moves().into_iter();
        legal.map(|mv| LegalMove { text: mv.text, code: mv.code }).collect()
    }

    fn seat_state(&self, player: usize) -> SeatState {
        let seat = &self.chairs[player].seat;
        let program = match seat {
            Seat::Person { .. } => None,
            Seat::Program(program) => Some(program),
        };
        let best = Algorithm::best_for(self.kind, self.players());
        SeatState {
            side: side_name(self.kind, player),
            name: seat.name().to_owned(),
            is_person: seat.is_person(),
            algorithm: program.map(|program| program.engine.algorithm.unwrap_or(best).name()),
            level: program.and_then(|program| program.level).map(|level| level.number()),
        }
    }
}
