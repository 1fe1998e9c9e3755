//! A program at the table: its engine's thread, and its searches.
//!
//! ```text
//! begin ──▶ [ stopped, nobody wants it ][ the one for the move ]     answers come in this order
//! ```
//!
//! A cancelled search still answers once; its answer is dropped.

use std::collections::VecDeque;

use gt_games::registry::Setup;
use gt_search::Limits;

use super::logs::OpenLog;
use crate::engine::Engine;
use crate::error::Result;
use crate::pace::Allowance;
use crate::player::{Event, Player};

/// The purpose of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The next move.
    Move,
    /// Advice for a person.
    Hint,
    /// The move after this expected one, which has not been played yet.
    Ponder(String),
    /// None any more.
    Cancelled,
}

/// A search that has not answered yet.
pub(super) struct Search {
    pub(super) purpose: Purpose,
    pub(super) log: Option<OpenLog>,
}

/// The order for a search.
pub(super) struct Order {
    pub(super) purpose: Purpose,
    pub(super) setup: Setup,
    pub(super) moves: Vec<String>,
    pub(super) limits: Limits,
    pub(super) allowance: Option<Allowance>,
    pub(super) log: Option<OpenLog>,
}

pub(super) struct Worker {
    /// Distinguishes it from earlier workers in the same seat.
    pub(super) id: u64,
    player: Player,
    searches: VecDeque<Search>,
}

impl Worker {
    pub(super) fn new(id: u64, engine: Box<dyn Engine>, tell: impl FnMut(Event) + Send + 'static) -> Self {
        Self { id, player: Player::new(engine, tell), searches: VecDeque::new() }
    }

    /// Begins a search, and cancels the others.
    pub(super) fn begin(&mut self, order: Order) -> Result<()> {
        self.cancel();
        let Order { purpose, setup, moves, limits, allowance, log } = order;
        let is_held = matches!(purpose, Purpose::Ponder(_));
        self.player.let_engine(move |engine| {
            // The moves were already played at the table.
            let _ = engine.set_position(&setup, &moves);
        })?;
        let writer = log.as_ref().map(|log| log.writer.clone());
        self.player.go(limits, allowance, is_held, Vec::new(), writer)?;
        self.searches.push_back(Search { purpose, log });
        Ok(())
    }

    /// The purpose of the running search.
    pub(super) fn purpose(&self) -> Option<&Purpose> {
        self.searches.front().map(|search| &search.purpose)
    }

    /// Turns a search on the expected move, which has been played, into one for the next move; returns its log, if it
    /// has one.
    pub(super) fn ponder_hit(&mut self, played: &str, allowance: Option<Allowance>) -> Option<&Search> {
        let search = self.searches.back_mut()?;
        if search.purpose != Purpose::Ponder(played.to_owned()) {
            return None;
        }
        search.purpose = Purpose::Move;
        self.player.start_clock(allowance);
        self.searches.back()
    }

    /// Removes the search that has answered.
    pub(super) fn answered(&mut self) -> Option<Search> {
        self.searches.pop_front()
    }

    /// Requests the answer now.
    pub(super) fn move_now(&mut self) {
        self.player.stop();
    }

    /// Cancels the running search.
    pub(super) fn cancel(&mut self) {
        for search in &mut self.searches {
            search.purpose = Purpose::Cancelled;
        }
        if !self.searches.is_empty() {
            self.player.stop();
        }
    }

    /// Ends the thread, and returns the searches that had not answered.
    pub(super) fn end(mut self) -> VecDeque<Search> {
        self.player.end();
        self.searches
    }

    pub(super) fn forget(&mut self) {
        // An engine that has ended has nothing to forget.
        let _ = self.player.let_engine(|engine| engine.forget());
    }
}
