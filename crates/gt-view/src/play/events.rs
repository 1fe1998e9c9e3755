//! The events of a game, sent to the clients of `/api/events`.

use std::ops::ControlFlow;

use gt_play::LiveGame;
use gt_play::live::Event;
use tokio::sync::broadcast;

use crate::changes::{Change, GameEvent, TroubleEvent};

/// Passes the events of a game on to the clients of `/api/events`.
pub(super) fn listen(
    game: &LiveGame,
    changes: &broadcast::Sender<Change>,
    number: u64,
) -> gt_play::Result<()> {
    let changes = changes.clone();
    game.listen(move |event| {
        // An error means that no client listens.
        let _ = changes.send(change(number, event));
        ControlFlow::Continue(())
    })
}

fn change(game: u64, event: &Event) -> Change {
    let what = match event {
        Event::Trouble { sentence } => {
            return Change::Trouble(TroubleEvent { game, sentence: sentence.clone() });
        }
        Event::Thinking(_) => "thinking",
        Event::Moved { .. } => "moved",
        Event::TakenBack { .. } => "taken_back",
        Event::Restarted => "restarted",
        Event::SeatChanged { .. } => "seat_changed",
        Event::Paused => "paused",
        Event::Resumed => "resumed",
        Event::Hint(_) => "hint",
        Event::Clock(_) => "clock",
        Event::Over(_) => "over",
    };
    Change::Game(GameEvent { game, what })
}
