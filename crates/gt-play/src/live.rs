//! A game in progress, between any mix of persons and programs.
//!
//! ```text
//! terminal, web server ── play, take_back, hint … ──▶ LiveGame ──▶ the game's own thread: Table
//!                      ◀── Event, State ────────────────────────────┤ clocks, logs, moves so far
//!                                                  engines' threads ┘ a Worker for each program
//! ```
//!
//! ```
//! use gt_games::registry::{GameKind, Setup};
//! use gt_play::live::{Budget, Event, LiveGame, LiveOptions, Program, Seat, TimeControl};
//!
//! let kind = GameKind::TicTacToe;
//! let program = Program { budget: Budget::nodes(1000), ..Program::best_for(kind, 2) };
//! let seats = vec![Seat::person(), Seat::Program(program)];
//! let game = LiveGame::new(kind, &Setup::default(), seats, TimeControl::Untimed, LiveOptions::default())?;
//! let events = game.events()?;
//! game.resume()?;
//! game.play("b2")?;
//! let moved = events.iter().filter(|event| matches!(event, Event::Moved { .. })).take(2).count();
//! assert_eq!((moved, game.state()?.moves.len()), (2, 2));
//! # Ok::<(), gt_play::Error>(())
//! ```
//!
//! **Invariant:** only the game's own thread changes a game, one request or answer at a time, and it never waits for
//! a search.

mod arbiter;
mod clocks;
mod ending;
mod logs;
mod seat;
mod seat_text;
mod state;
mod table;
mod worker;

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use gt_games::registry::{AnyGame, GameKind, Setup};
use gt_games::saved::SavedGame;

pub use clocks::{TimeControl, TimeSource};
pub use ending::{Ending, reason_of};
pub use logs::LogFolder;
pub use seat::{Budget, Program, Seat, side_name};
pub use seat_text::PROGRAM_WORDS;
pub use state::{ClockState, Event, Hint, LegalMove, PlayedMove, SearchSummary, SeatState, State, Thinking};

use crate::error::{Error, Result};
use crate::strength::Level;
use arbiter::Message;
use table::Table;

/// The options of a game beside its seats.
#[derive(Clone, Debug, Default)]
pub struct LiveOptions {
    /// The folder for the logs of the programs' searches; none by default.
    pub logs: Option<LogFolder>,
    /// The program that gives hints; by default the engine that fits the game best.
    pub adviser: Option<Program>,
    /// The time source of the clocks.
    pub time: TimeSource,
}

/// A game in progress. Every call returns within milliseconds; slower results arrive as events.
///
/// A new game is paused, so that no listener misses an event: [`LiveGame::resume`] begins it.
pub struct LiveGame {
    inbox: Sender<Message>,
    thread: Option<JoinHandle<()>>,
}

impl LiveGame {
    /// Sets up a game with one seat for each player.
    ///
    /// # Errors
    /// Returns an error if the setup is not one of the game's, there are too few or too many seats, or a program does
    /// not support this game.
    pub fn new(
        kind: GameKind,
        setup: &Setup,
        seats: Vec<Seat>,
        control: TimeControl,
        options: LiveOptions,
    ) -> Result<Self> {
        let (inbox, messages) = channel();
        let table = Table::new(kind, setup, seats, control, options, inbox.clone())?;
        let thread = std::thread::spawn(move || arbiter::serve(table, &messages));
        Ok(Self { inbox, thread: Some(thread) })
    }

    /// Returns everything that a client draws.
    ///
    /// # Errors
    /// Returns an error if the game's thread has ended.
    pub fn state(&self) -> Result<State> {
        self.ask(|table| table.state())
    }

    /// Returns the position, for drawing ([`gt_games::board::Board::of`]).
    ///
    /// # Errors
    /// Returns an error if the game's thread has ended.
    pub fn position(&self) -> Result<Box<dyn AnyGame>> {
        self.ask(|table| table.position())
    }

    /// Returns the events from now on.
    ///
    /// # Errors
    /// Returns an error if the game's thread has ended.
    pub fn events(&self) -> Result<Receiver<Event>> {
        let (sender, receiver) = channel();
        self.listen(move |event| match sender.send(event.clone()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        })?;
        Ok(receiver)
    }

    /// Calls `listener` with every event from now on, until it breaks off. It runs in the game's own thread, so it
    /// must neither wait nor call this game.
    ///
    /// # Errors
    /// Returns an error if the game's thread has ended.
    pub fn listen(&self, listener: impl FnMut(&Event) -> ControlFlow<()> + Send + 'static) -> Result<()> {
        self.ask(move |table| table.listen(Box::new(listener)))
    }

    /// Begins the game, or continues it after a pause.
    ///
    /// # Errors
    /// Returns an error if the game's thread has ended.
    pub fn resume(&self) -> Result<()> {
        self.ask(Table::resume)
    }

    /// Stops the clocks and the thinking program, until the game is resumed.
    ///
    /// # Errors
    /// Returns an error if the game's thread has ended.
    pub fn pause(&self) -> Result<()> {
        self.ask(Table::pause)
    }

    /// Plays a move for the person whose turn it is.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if it is no person's turn, or the move is not legal.
    pub fn play(&self, text: &str) -> Result<()> {
        let text = text.to_owned();
        self.ask(move |table| table.play(&text))?
    }

    /// Takes back a person's last move, and all that followed. A running search is aborted, and the clocks go back to
    /// what they showed then.
    ///
    /// # Errors
    /// Returns an error if no person has moved.
    pub fn take_back(&self) -> Result<()> {
        self.ask(Table::take_back)?
    }

    /// Lets a program look for a move for the person; [`Event::Hint`] reports it.
    ///
    /// # Errors
    /// Returns an error if it is no person's turn.
    pub fn hint(&self) -> Result<()> {
        self.ask(Table::hint)?
    }

    /// Makes the thinking program move, or give its hint, at once.
    ///
    /// # Errors
    /// Returns an error if no program is thinking.
    pub fn move_now(&self) -> Result<()> {
        self.ask(Table::move_now)?
    }

    /// Resigns for a player: the others share the first place, and the game is over.
    ///
    /// # Errors
    /// Returns an error if there is no such player, or the game is over.
    pub fn resign(&self, player: usize) -> Result<()> {
        self.ask(move |table| table.resign(player))?
    }

    /// Changes the occupant of a seat, at any time; a search that runs there is aborted.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if there is no such seat, or the program does not support this
    /// game.
    pub fn set_seat(&self, player: usize, seat: Seat) -> Result<()> {
        self.ask(move |table| table.set_seat(player, seat))?
    }

    /// Sets the level of the program in a seat; `None` is full strength.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if there is no program.
    pub fn set_level(&self, player: usize, level: Option<Level>) -> Result<()> {
        self.ask(move |table| table.set_level(player, level))?
    }

    /// Returns the seats, by player number.
    ///
    /// # Errors
    /// Returns an error if the game's thread has ended.
    pub fn seats(&self) -> Result<Vec<Seat>> {
        self.ask(|table| table.seats())
    }

    /// Begins again from the start, with the same seats and full clocks.
    ///
    /// # Errors
    /// Returns an error if the game's thread has ended.
    pub fn new_game(&self) -> Result<()> {
        self.ask(Table::new_game)
    }

    /// Returns the game so far, for saving.
    ///
    /// # Errors
    /// Returns an error if the game's thread has ended.
    pub fn saved(&self) -> Result<SavedGame> {
        self.ask(|table| table.saved())
    }

    /// Continues from the end of a saved game, with the same seats and full clocks.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if it is a game of another kind, or for another number of
    /// players.
    pub fn load(&self, saved: SavedGame) -> Result<()> {
        self.ask(move |table| table.load(&saved))?
    }

    /// Checks whether a flag has fallen. The game does that by itself unless its time is advanced manually
    /// ([`TimeSource::by_hand`]).
    ///
    /// # Errors
    /// Returns an error if the game's thread has ended.
    pub fn look_at_clocks(&self) -> Result<()> {
        self.ask(Table::look_at_clocks)
    }

    /// Runs a job in the game's thread, and waits for its result.
    fn ask<T: Send + 'static>(&self, job: impl FnOnce(&mut Table) -> T + Send + 'static) -> Result<T> {
        let (sender, receiver) = channel();
        let job = move |table: &mut Table| {
            // The caller waits for this.
            let _ = sender.send(job(table));
        };
        self.inbox.send(Message::Do(Box::new(job))).map_err(|_| Error::Gone)?;
        receiver.recv().map_err(|_| Error::Gone)
    }
}

impl Drop for LiveGame {
    /// Stops the running search, and ends all threads.
    fn drop(&mut self) {
        let _ = self.inbox.send(Message::End);
        if let Some(thread) = self.thread.take() {
            // A panic was already reported on standard error.
            let _ = thread.join();
        }
    }
}
