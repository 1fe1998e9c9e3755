//! The programs at the table: their searches, and the handling of their answers.

use std::time::Duration;

use super::Table;
use crate::engine::{EngineOptions, Thought};
use crate::error::{Error, Result};
use crate::live::arbiter::Message;
use crate::live::logs::OpenLog;
use crate::live::seat::{Program, Seat};
use crate::live::state::{Event, Hint, SearchSummary, Thinking};
use crate::live::worker::{Order, Purpose, Search, Worker};
use crate::pace::{Allowance, Pace};
use crate::player;
use crate::strength::Level;

/// The time lost between a clock and the engine's thread.
const OVERHEAD: Duration = Duration::from_millis(10);

impl Table {
    /// Makes a worker for a program.
    pub(super) fn hire(&mut self, program: &Program) -> Result<Worker> {
        let strength = program.level.map_or(program.engine.strength, Level::strength);
        let engine = EngineOptions { strength, ..program.engine.clone() }.open(self.kind, &self.setup)?;
        self.workers += 1;
        let (id, inbox) = (self.workers, self.inbox.clone());
        Ok(Worker::new(id, engine, move |event| {
            // There is no receiver once the game has ended.
            let _ = inbox.send(Message::Heard { worker: id, event });
        }))
    }

    /// Ends a worker and discards its log.
    pub(super) fn dismiss(&mut self, worker: Option<Worker>) {
        for search in worker.into_iter().flat_map(Worker::end) {
            self.discard(search.log);
        }
    }

    pub(in crate::live) fn end(mut self) {
        let workers: Vec<_> = self.chairs.iter_mut().map(|chair| chair.worker.take()).collect();
        workers.into_iter().for_each(|worker| self.dismiss(worker));
        let adviser = self.adviser.take();
        self.dismiss(adviser);
    }

    /// Begins the search of a program that is to move.
    pub(super) fn begin_search(&mut self, player: usize, program: &Program) {
        let allowance = self.allowance(player, program);
        let last_move = self.last_move().unwrap_or_default().to_owned();
        let worker = self.chairs[player].worker.as_mut();
        let hit = worker.and_then(|worker| worker.ponder_hit(&last_move, allowance));
        let log = match hit {
            Some(search) => search.log.as_ref().map(|log| log.path.clone()),
            None => {
                let log = self.open_log(self.turns.len() + 1, self.last_move().map(str::to_owned));
                let path = log.as_ref().map(|log| log.path.clone());
                let order = self.order(Purpose::Move, self.moves(), program, allowance, log);
                self.begin(player, order);
                path
            }
        };
        let thinking = Thinking { player, search: None, log };
        self.thinking = Some(thinking.clone());
        self.tell(&Event::Thinking(thinking));
    }

    fn order(
        &self,
        purpose: Purpose,
        moves: Vec<String>,
        program: &Program,
        allowance: Option<Allowance>,
        log: Option<OpenLog>,
    ) -> Order {
        Order { purpose, setup: self.setup.clone(), moves, limits: program.budget.limits(), allowance, log }
    }

    fn begin(&mut self, player: usize, order: Order) {
        let Some(worker) = self.chairs[player].worker.as_mut() else { return };
        if let Err(error) = worker.begin(order) {
            self.tell_trouble(format!("{} cannot play: {error}", self.chairs[player].seat.name()));
            self.pause();
        }
    }

    /// The time a program may think about its next move.
    fn allowance(&self, player: usize, program: &Program) -> Option<Allowance> {
        let fixed = |time: Duration| Pace::Fixed(time).allowance(Duration::ZERO);
        let Some(pace) = self.clocks.pace(player) else { return program.budget.time_alone().and_then(fixed) };
        let by_clock = pace.allowance(OVERHEAD)?;
        let most = program.budget.time.unwrap_or(by_clock.hard);
        Some(Allowance { soft: by_clock.soft.min(most), hard: by_clock.hard.min(most) })
    }

    fn open_log(&mut self, ply: usize, last_move: Option<String>) -> Option<OpenLog> {
        match self.logs.as_ref()?.open(ply, last_move.as_deref()) {
            Ok(log) => Some(log),
            Err(sentence) => {
                self.tell_trouble(sentence);
                None
            }
        }
    }

    fn discard(&mut self, log: Option<OpenLog>) {
        if let (Some(logs), Some(log)) = (&mut self.logs, log) {
            logs.discard(log);
        }
    }

    fn keep(&mut self, log: Option<OpenLog>) {
        let (Some(logs), Some(log)) = (&mut self.logs, log) else { return };
        let (dropped, closed) = logs.keep(log);
        for turn in &mut self.turns {
            if turn.played.log.as_ref().is_some_and(|path| dropped.contains(path)) {
                turn.played.log = None;
            }
        }
        if let Err(sentence) = closed {
            self.tell_trouble(sentence);
        }
    }

    /// Handles an event from a worker's engine.
    pub(in crate::live) fn hear(&mut self, id: u64, event: player::Event) {
        let is_it = |worker: &Worker| worker.id == id;
        let player = self.chairs.iter().position(|chair| chair.worker.as_ref().is_some_and(is_it));
        let worker = match player {
            Some(player) => self.chairs[player].worker.as_mut(),
            None => self.adviser.as_mut().filter(|adviser| adviser.id == id),
        };
        // A replaced worker may have sent something before.
        let Some(worker) = worker else { return };
        match event {
            player::Event::Progress(progress) => {
                if worker.purpose() == Some(&Purpose::Move) {
                    self.tell_thinking(SearchSummary::from(&progress));
                }
            }
            player::Event::Done(thought) => {
                if let Some(search) = worker.answered() {
                    self.take_answer(player, search, &thought);
                }
            }
        }
    }

    fn tell_thinking(&mut self, search: SearchSummary) {
        if let Some(thinking) = &mut self.thinking {
            thinking.search = Some(search);
            let thinking = thinking.clone();
            self.tell(&Event::Thinking(thinking));
        }
    }

    fn take_answer(&mut self, player: Option<usize>, search: Search, thought: &Thought) {
        match (search.purpose, player) {
            (Purpose::Move, Some(player)) => {
                if thought.is_from_book {
                    self.discard(search.log);
                    self.thinking = None;
                } else {
                    self.keep(search.log);
                }
                if let Some(error) = &thought.log_error {
                    self.tell_trouble(format!("the log is not whole: {error}"));
                }
                self.program_moves(player, thought);
            }
            (Purpose::Hint, _) => self.tell_hint(thought),
            (Purpose::Move, None) | (Purpose::Ponder(_) | Purpose::Cancelled, _) => self.discard(search.log),
        }
    }

    fn program_moves(&mut self, player: usize, thought: &Thought) {
        self.look_at_clocks();
        if self.ending.is_some() {
            return;
        }
        let chosen = thought.best.as_deref().map(|text| self.position.encode(text));
        let made = match chosen {
            Some(Ok(code)) => {
                self.make(code, (!thought.is_from_book).then(|| SearchSummary::from(&thought.progress)))
            }
            Some(Err(error)) => Err(error.into()),
            None => Err(Error::NotNow("it found no move")),
        };
        match made {
            Ok(()) => self.ponder(player, thought),
            Err(error) => {
                self.tell_trouble(format!("{} cannot play: {error}", self.chairs[player].seat.name()));
                self.pause();
            }
        }
    }

    /// Lets a program that has moved think on about the reply that it expects.
    fn ponder(&mut self, player: usize, thought: &Thought) {
        let Seat::Program(program) = &self.chairs[player].seat else { return };
        let is_idle = self.ending.is_none() && !self.is_paused && self.position.to_move() != player;
        let (true, true, Some(expected)) =
            (program.ponder && is_idle, self.players() == 2, &thought.expected)
        else {
            return;
        };
        let program = program.clone();
        let mut moves = self.moves();
        moves.push(expected.clone());
        let log = self.open_log(moves.len() + 1, Some(expected.clone()));
        let order = self.order(Purpose::Ponder(expected.clone()), moves, &program, None, log);
        self.begin(player, order);
    }

    pub(in crate::live) fn hint(&mut self) -> Result<()> {
        self.check_person_to_move()?;
        let players = self.players();
        let adviser = self.options.adviser.clone();
        let program = adviser.unwrap_or_else(|| Program::best_for(self.kind, players));
        if self.adviser.is_none() {
            self.adviser = Some(self.hire(&program)?);
        }
        let fixed = |time: Duration| Pace::Fixed(time).allowance(Duration::ZERO);
        let allowance = program.budget.time_alone().and_then(fixed);
        let order = self.order(Purpose::Hint, self.moves(), &program, allowance, None);
        if let Some(adviser) = &mut self.adviser {
            adviser.begin(order)?;
        }
        (self.hint, self.hint_pending) = (None, true);
        Ok(())
    }

    fn tell_hint(&mut self, thought: &Thought) {
        self.hint_pending = false;
        if let Some(text) = thought.best.clone() {
            let hint = Hint { text, search: SearchSummary::from(&thought.progress) };
            self.hint = Some(hint.clone());
            self.tell(&Event::Hint(hint));
        }
    }

    pub(super) fn cancel_hint(&mut self) {
        (self.hint, self.hint_pending) = (None, false);
        if let Some(adviser) = &mut self.adviser {
            adviser.cancel();
        }
    }

    pub(super) fn cancel_searches(&mut self) {
        self.thinking = None;
        self.chairs.iter_mut().filter_map(|chair| chair.worker.as_mut()).for_each(Worker::cancel);
        self.cancel_hint();
    }

    /// Forgets all searches, because another game begins.
    pub(super) fn forget_searches(&mut self) {
        self.chairs.iter_mut().filter_map(|chair| chair.worker.as_mut()).for_each(Worker::forget);
    }

    pub(in crate::live) fn move_now(&mut self) -> Result<()> {
        let thinker = match (&self.thinking, self.hint_pending) {
            (Some(thinking), _) => self.chairs[thinking.player].worker.as_mut(),
            (None, true) => self.adviser.as_mut(),
            (None, false) => None,
        };
        thinker.map(Worker::move_now).ok_or(Error::NotNow("no program thinks"))
    }
}
