//! Games that are played at a table, by persons who are tests.

mod files;
mod turns;

use std::sync::mpsc::Receiver;
use std::time::Duration;

use gt_games::registry::{GameKind, Setup};
use gt_play::EngineOptions;
use gt_play::live::{Budget, Ending, Event, LiveGame, LiveOptions, Program, Seat, TimeControl};

/// A test that waits longer than this has failed.
const PATIENCE: Duration = Duration::from_secs(60);

struct Watched {
    game: LiveGame,
    events: Receiver<Event>,
}

impl Watched {
    fn start(kind: GameKind, seats: Vec<Seat>, control: TimeControl, options: LiveOptions) -> Self {
        let setup = Setup { players: (seats.len() > 2).then_some(seats.len()), ..Setup::default() };
        let game = LiveGame::new(kind, &setup, seats, control, options).unwrap();
        let events = game.events().unwrap();
        game.resume().unwrap();
        Self { game, events }
    }

    fn untimed(kind: GameKind, seats: Vec<Seat>) -> Self {
        Self::start(kind, seats, TimeControl::Untimed, LiveOptions::default())
    }

    /// Waits for an event that `choose` makes something of.
    #[track_caller]
    fn until<T>(&self, choose: impl Fn(&Event) -> Option<T>) -> T {
        loop {
            let event = self.events.recv_timeout(PATIENCE).expect("the event that was awaited never came");
            if let Some(chosen) = choose(&event) {
                return chosen;
            }
        }
    }

    #[track_caller]
    fn until_ply(&self, wanted: usize) {
        self.until(|event| matches!(event, Event::Moved { ply, .. } if *ply == wanted).then_some(()));
    }

    #[track_caller]
    fn until_over(&self) -> Ending {
        self.until(|event| match event {
            Event::Over(ending) => Some(ending.clone()),
            _ => None,
        })
    }

    fn moves(&self) -> Vec<String> {
        self.game.state().unwrap().moves.into_iter().map(|played| played.text).collect()
    }
}

fn program(kind: GameKind, players: usize, budget: Budget) -> Seat {
    let best = Program::best_for(kind, players);
    let engine = EngineOptions { table_bytes: 1 << 20, ..best.engine };
    Seat::Program(Program { engine, budget, ..best })
}

/// A program that never answers by itself, nor by a proof.
fn endless() -> Seat {
    program(GameKind::Chess, 2, Budget { depth: Some(200), ..Budget::default() })
}
