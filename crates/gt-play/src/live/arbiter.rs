//! The thread of a game.

use std::sync::mpsc::{Receiver, RecvTimeoutError};

use super::table::Table;
use crate::player;

/// A message to the thread.
pub(super) enum Message {
    /// A request.
    Do(Box<dyn FnOnce(&mut Table) + Send>),
    /// An event from a worker's engine.
    Heard { worker: u64, event: player::Event },
    /// The game ends.
    End,
}

/// Handles one message after the other, and checks the clocks in between.
pub(super) fn serve(mut table: Table, messages: &Receiver<Message>) {
    loop {
        let message = match table.until_flag_falls() {
            None => messages.recv().map_err(RecvTimeoutError::from),
            Some(left) => messages.recv_timeout(left),
        };
        match message {
            Ok(Message::Do(job)) => job(&mut table),
            Ok(Message::Heard { worker, event }) => table.hear(worker, event),
            Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => return table.end(),
            Err(RecvTimeoutError::Timeout) => (),
        }
        table.look_at_clocks();
    }
}
