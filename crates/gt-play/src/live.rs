//! A game that is being played, by any mix of persons and programs.
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
//! **Invariant:** only the game's own thread changes a game, one request or answer at a time, and it never waits for a
//! search.

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

/// What can be chosen about a game beside its seats.
#[derive(Clone, Debug, Default)]
pub struct LiveOptions {
    /// Where the programs' searches are logged; nowhere unless a folder is named.
    pub logs: Option<LogFolder>,
    /// Who gives hints; the engine that fits the game best unless another is named.
    pub adviser: Option<Program>,
    /// What the clocks are read off.
    pub time: TimeSource,
}

/// A game that is being played. Every call is answered within milliseconds; what takes longer is told by events.
///
/// A new game is paused, so that nobody who wants to listen misses something: [`LiveGame::resume`] begins it.
pub struct LiveGame {
    inbox: Sender<Message>,
    thread: Option<JoinHandle<()>>,
}

impl LiveGame {
    /// Sets up a game; one seat for each player.
    ///
    /// # Errors
    /// The setup is not one of the game's, the seats are too few or too many, or a program is not for this game.
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

    /// Everything that a client draws.
    ///
    /// # Errors
    /// The game's thread has ended.
    pub fn state(&self) -> Result<State> {
        self.ask(|table| table.state())
    }

    /// The position, for drawing ([`gt_games::board::Board::of`]).
    ///
    /// # Errors
    /// The game's thread has ended.
    pub fn position(&self) -> Result<Box<dyn AnyGame>> {
        self.ask(|table| table.position())
    }

    /// Events from now on.
    ///
    /// # Errors
    /// The game's thread has ended.
    pub fn events(&self) -> Result<Receiver<Event>> {
        let (sender, receiver) = channel();
        self.listen(move |event| match sender.send(event.clone()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        })?;
        Ok(receiver)
    }

    /// Calls `listener` with every event from now on, until it breaks off. It is called in the game's own thread, so
    /// that it must neither wait nor call this game.
    ///
    /// # Errors
    /// The game's thread has ended.
    pub fn listen(&self, listener: impl FnMut(&Event) -> ControlFlow<()> + Send + 'static) -> Result<()> {
        self.ask(move |table| table.listen(Box::new(listener)))
    }

    /// Lets the game begin, or go on after a pause.
    ///
    /// # Errors
    /// The game's thread has ended.
    pub fn resume(&self) -> Result<()> {
        self.ask(Table::resume)
    }

    /// Stops the clocks and the program that thinks, until the game is resumed.
    ///
    /// # Errors
    /// The game's thread has ended.
    pub fn pause(&self) -> Result<()> {
        self.ask(Table::pause)
    }

    /// Plays a move for the person whose turn it is.
    ///
    /// # Errors
    /// It is no person's turn, or the move is not legal; nothing is changed.
    pub fn play(&self, text: &str) -> Result<()> {
        let text = text.to_owned();
        self.ask(move |table| table.play(&text))?
    }

    /// Takes back a person's last move, and all that followed. A search that runs is given up, and the clocks show
    /// what they showed then.
    ///
    /// # Errors
    /// No person has moved.
    pub fn take_back(&self) -> Result<()> {
        self.ask(Table::take_back)?
    }

    /// Has a program look for a move in the person's place; [`Event::Hint`] tells it.
    ///
    /// # Errors
    /// It is no person's turn.
    pub fn hint(&self) -> Result<()> {
        self.ask(Table::hint)?
    }

    /// Has the program that thinks move at once, or the hint told.
    ///
    /// # Errors
    /// No program thinks.
    pub fn move_now(&self) -> Result<()> {
        self.ask(Table::move_now)?
    }

    /// A player gives up: the others share the first place, and the game is over.
    ///
    /// # Errors
    /// There is no such player, or the game is over.
    pub fn resign(&self, player: usize) -> Result<()> {
        self.ask(move |table| table.resign(player))?
    }

    /// Seats somebody else, at any time; a search that runs there is given up.
    ///
    /// # Errors
    /// There is no such seat, or the program is not for this game; nothing is changed.
    pub fn set_seat(&self, player: usize, seat: Seat) -> Result<()> {
        self.ask(move |table| table.set_seat(player, seat))?
    }

    /// Has the program of a seat play at another level; `None` is full strength.
    ///
    /// # Errors
    /// There is no program; nothing is changed.
    pub fn set_level(&self, player: usize, level: Option<Level>) -> Result<()> {
        self.ask(move |table| table.set_level(player, level))?
    }

    /// Who plays, by player number.
    ///
    /// # Errors
    /// The game's thread has ended.
    pub fn seats(&self) -> Result<Vec<Seat>> {
        self.ask(|table| table.seats())
    }

    /// Begins again from the start, with the same seats and full clocks.
    ///
    /// # Errors
    /// The game's thread has ended.
    pub fn new_game(&self) -> Result<()> {
        self.ask(Table::new_game)
    }

    /// The game so far, to be written to a file.
    ///
    /// # Errors
    /// The game's thread has ended.
    pub fn saved(&self) -> Result<SavedGame> {
        self.ask(|table| table.saved())
    }

    /// Goes on from the end of a saved game, with the same seats and full clocks.
    ///
    /// # Errors
    /// It is a game of another kind, or for another number of players; nothing is changed.
    pub fn load(&self, saved: SavedGame) -> Result<()> {
        self.ask(move |table| table.load(&saved))?
    }

    /// Looks whether a flag has fallen. The game does that by itself unless its time goes by hand
    /// ([`TimeSource::by_hand`]).
    ///
    /// # Errors
    /// The game's thread has ended.
    pub fn look_at_clocks(&self) -> Result<()> {
        self.ask(Table::look_at_clocks)
    }

    /// Has the game's thread do something, and waits for what it gives.
    fn ask<T: Send + 'static>(&self, job: impl FnOnce(&mut Table) -> T + Send + 'static) -> Result<T> {
        let (sender, receiver) = channel();
        let job = move |table: &mut Table| {
            // Whoever asked waits for this.
            let _ = sender.send(job(table));
        };
        self.inbox.send(Message::Do(Box::new(job))).map_err(|_| Error::Gone)?;
        receiver.recv().map_err(|_| Error::Gone)
    }
}

impl Drop for LiveGame {
    /// Stops what is being searched, and ends all threads.
    fn drop(&mut self) {
        let _ = self.inbox.send(Message::End);
        if let Some(thread) = self.thread.take() {
            // A panic was told on standard error already.
            let _ = thread.join();
        }
    }
}
