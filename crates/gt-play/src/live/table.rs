//! The table of a game: position, moves, clocks, and seats.

mod saving;
mod searching;
mod view;

use std::ops::ControlFlow;
use std::sync::mpsc::Sender;
use std::time::Duration;

use gt_games::registry::{AnyGame, GameKind, Setup};

use super::LiveOptions;
use super::arbiter::Message;
use super::clocks::{Clocks, Readings, TimeControl};
use super::ending::Ending;
use super::logs::Logs;
use super::seat::{Program, Seat};
use super::state::{Event, Hint, PlayedMove, SearchSummary, Thinking, milliseconds};
use super::worker::Worker;
use crate::error::{Error, Result};
use crate::strength::Level;

type Listener = Box<dyn FnMut(&Event) -> ControlFlow<()> + Send>;

/// A seat, and the program in it.
struct OccupiedSeat {
    seat: Seat,
    worker: Option<Worker>,
}

/// A played move, and the clocks before it.
struct Turn {
    played: PlayedMove,
    before: Readings,
}

pub(super) struct Table {
    kind: GameKind,
    setup: Setup,
    /// The position at the start, as text.
    start: String,
    position: Box<dyn AnyGame>,
    /// The hashes of all positions so far.
    seen: Vec<u64>,
    turns: Vec<Turn>,
    chairs: Vec<OccupiedSeat>,
    control: TimeControl,
    clocks: Clocks,
    options: LiveOptions,
    logs: Option<Logs>,
    thinking: Option<Thinking>,
    adviser: Option<Worker>,
    hint_pending: bool,
    hint: Option<Hint>,
    ending: Option<Ending>,
    is_paused: bool,
    listeners: Vec<Listener>,
    version: u64,
    inbox: Sender<Message>,
    /// The number of workers so far.
    workers: u64,
}

impl Table {
    pub(super) fn new(
        kind: GameKind,
        setup: &Setup,
        seats: Vec<Seat>,
        control: TimeControl,
        options: LiveOptions,
        inbox: Sender<Message>,
    ) -> Result<Self> {
        let position = kind.open(setup)?;
        let players = position.players();
        if seats.len() != players {
            let sentence =
                format!("this game has {players} players, so it takes {players} seats, not {}", seats.len());
            return Err(Error::Unfit(sentence));
        }
        let mut table = Self {
            kind,
            setup: setup.clone(),
            start: position.position_text(),
            seen: vec![position.hash()],
            ending: Ending::by_rule(&*position, &[position.hash()]),
            position,
            turns: Vec::new(),
            chairs: Vec::new(),
            control,
            clocks: Clocks::new(control, players, options.time.clone()),
            logs: options.logs.clone().map(|place| Logs::new(kind, place)),
            options,
            thinking: None,
            adviser: None,
            hint_pending: false,
            hint: None,
            is_paused: true,
            listeners: Vec::new(),
            version: 0,
            inbox,
            workers: 0,
        };
        for seat in seats {
            let chair = table.chair(seat)?;
            table.chairs.push(chair);
        }
        Ok(table)
    }

    fn chair(&mut self, seat: Seat) -> Result<OccupiedSeat> {
        let worker = match &seat {
            Seat::Person { .. } => None,
            Seat::Program(program) => Some(self.hire(program)?),
        };
        Ok(OccupiedSeat { seat, worker })
    }

    fn players(&self) -> usize {
        self.chairs.len()
    }

    fn moves(&self) -> Vec<String> {
        self.turns.iter().map(|turn| turn.played.text.clone()).collect()
    }

    fn last_move(&self) -> Option<&str> {
        self.turns.last().map(|turn| turn.played.text.as_str())
    }

    pub(super) fn listen(&mut self, listener: Listener) {
        self.listeners.push(listener);
    }

    /// Sends an event to all listeners.
    fn tell(&mut self, event: &Event) {
        self.version += 1;
        self.listeners.retain_mut(|listener| listener(event).is_continue());
    }

    fn tell_clocks(&mut self) {
        if let Some(clocks) = self.clock_state() {
            self.tell(&Event::Clock(clocks));
        }
    }

    fn tell_trouble(&mut self, sentence: impl Into<String>) {
        self.tell(&Event::Trouble { sentence: sentence.into() });
    }

    pub(super) fn resume(&mut self) {
        if self.is_paused {
            self.is_paused = false;
            self.tell(&Event::Resumed);
            self.begin_turn();
        }
    }

    pub(super) fn pause(&mut self) {
        if !self.is_paused {
            self.is_paused = true;
            self.stop_all();
            self.tell_clocks();
            self.tell(&Event::Paused);
        }
    }

    /// Cancels all searches and stops the clocks.
    fn stop_all(&mut self) {
        self.clocks.stop();
        self.cancel_searches();
    }

    /// Begins the turn of the player to move.
    fn begin_turn(&mut self) {
        if self.is_paused || self.ending.is_some() {
            return;
        }
        let player = self.position.to_move();
        self.clocks.start(player);
        self.tell_clocks();
        if let Seat::Program(program) = &self.chairs[player].seat {
            let program = program.clone();
            self.begin_search(player, &program);
        }
    }

    /// Rejects actions that are only for a person whose turn it is.
    fn check_person_to_move(&self) -> Result<()> {
        if self.ending.is_some() {
            return Err(Error::NotNow("the game is over"));
        }
        if self.is_paused {
            return Err(Error::NotNow("the game is paused"));
        }
        match self.chairs[self.position.to_move()].seat {
            Seat::Person { .. } => Ok(()),
            Seat::Program(_) => Err(Error::NotNow("it is a program's turn")),
        }
    }

    pub(super) fn play(&mut self, text: &str) -> Result<()> {
        self.look_at_clocks();
        self.check_person_to_move()?;
        let code = self.position.encode(text)?;
        self.make(code, None)
    }

    /// Plays a legal move for the player whose turn it is.
    fn make(&mut self, code: i64, search: Option<SearchSummary>) -> Result<()> {
        let player = self.position.to_move();
        let text = self.position.decode(code)?;
        self.position.play(&text)?;
        self.cancel_hint();
        let elapsed_ms = milliseconds(self.clocks.taken_now());
        let log = self.thinking.take().and_then(|thinking| thinking.log);
        let played = PlayedMove { text, code, player, elapsed_ms, search, log };
        self.turns.push(Turn { played: played.clone(), before: self.clocks.readings() });
        self.seen.push(self.position.hash());
        self.clocks.press();
        self.tell(&Event::Moved { ply: self.turns.len(), played });
        match Ending::by_rule(&*self.position, &self.seen) {
            Some(ending) => self.finish(ending),
            None => self.begin_turn(),
        }
        Ok(())
    }

    fn finish(&mut self, ending: Ending) {
        self.stop_all();
        self.tell_clocks();
        self.ending = Some(ending.clone());
        self.tell(&Event::Over(ending));
    }

    /// The last turn in which a person moved.
    fn persons_last_turn(&self) -> Option<usize> {
        self.turns.iter().rposition(|turn| self.chairs[turn.played.player].seat.is_person())
    }

    pub(super) fn take_back(&mut self) -> Result<()> {
        let ply = self.persons_last_turn().ok_or(Error::NotNow("there is no person's move to take back"))?;
        self.stop_all();
        self.clocks.restore(self.turns[ply].before.clone());
        self.turns.truncate(ply);
        self.replay()?;
        self.tell(&Event::TakenBack { ply });
        self.begin_turn();
        Ok(())
    }

    /// Replays all moves from the start: what chess counts of earlier positions must be right.
    fn replay(&mut self) -> Result<()> {
        let mut position = self.kind.open(&self.setup)?;
        let mut seen = vec![position.hash()];
        for turn in &self.turns {
            position.play(&turn.played.text)?;
            seen.push(position.hash());
        }
        self.ending = Ending::by_rule(&*position, &seen);
        (self.position, self.seen) = (position, seen);
        Ok(())
    }

    pub(super) fn resign(&mut self, player: usize) -> Result<()> {
        if player >= self.players() {
            return Err(Error::Unfit(format!("there is no player {player}")));
        }
        if self.ending.is_some() {
            return Err(Error::NotNow("the game is over"));
        }
        self.finish(Ending::lost(player, self.players(), "resigned"));
        Ok(())
    }

    pub(super) fn set_seat(&mut self, player: usize, seat: Seat) -> Result<()> {
        if player >= self.players() {
            return Err(Error::Unfit(format!("there is no player {player}")));
        }
        let chair = self.chair(seat)?;
        let before = std::mem::replace(&mut self.chairs[player], chair);
        self.dismiss(before.worker);
        self.tell(&Event::SeatChanged { player });
        if self.position.to_move() == player {
            self.thinking = None;
            self.begin_turn();
        }
        Ok(())
    }

    pub(super) fn set_level(&mut self, player: usize, level: Option<Level>) -> Result<()> {
        match self.chairs.get(player).map(|chair| &chair.seat) {
            Some(Seat::Program(program)) => {
                let program = Program { level, ..program.clone() };
                self.set_seat(player, Seat::Program(program))
            }
            Some(Seat::Person { .. }) | None => Err(Error::NotNow("no program sits there")),
        }
    }

    pub(super) fn new_game(&mut self) {
        self.stop_all();
        self.turns.clear();
        self.clocks = Clocks::new(self.control, self.players(), self.options.time.clone());
        self.forget_searches();
        if let Err(error) = self.replay() {
            // The setup was opened before.
            self.tell_trouble(error.to_string());
        }
        self.tell(&Event::Restarted);
        self.begin_turn();
    }

    pub(super) fn until_flag_falls(&self) -> Option<Duration> {
        self.clocks.until_fallen()
    }

    /// Ends the game if a player has no time left.
    pub(super) fn look_at_clocks(&mut self) {
        if let Some(player) = self.clocks.fallen() {
            self.finish(Ending::lost(player, self.players(), "time"));
        }
    }
}
