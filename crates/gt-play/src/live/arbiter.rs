//! The thread that a game lives in.

use std::sync::mpsc::{Receiver, RecvTimeoutError};

use super::table::Table;
use crate::player;

/// What the thread is told.
pub(super) enum Message {
    /// Somebody asks for something.
    Do(Box<dyn FnOnce(&mut Table) + Send>),
    /// A worker's engine tells something.
    Heard { worker: u64, event: player::Event },
    /// The game is given up.
    End,
}

/// Does what it is told, one thing after the other, and looks at the clocks in between.
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
