//! An engine in its own thread.
//!
//! ```text
//! who plays ── position, go ──▶ queue ──▶ thread: Engine::think ──▶ events
//!           ── stop, hit ──────▶ the search's own flag and clock
//! ```
//!
//! Each search has its own flag, so that a late clock stops no other search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use gt_log::LogWriter;
use gt_search::Limits;

use crate::engine::{Engine, Progress, Request, Thought};
use crate::error::{Error, Result};
use crate::pace::Allowance;

/// An event of a player that thinks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An iteration is done.
    Progress(Progress),
    /// The search is done.
    Done(Thought),
}

/// An engine that thinks in the background.
pub struct Player {
    orders: Option<Sender<Order>>,
    thread: Option<JoinHandle<()>>,
    /// The last search begun.
    search: Option<Arc<Search>>,
}

type Job = Box<dyn FnOnce(&mut dyn Engine) + Send>;

enum Order {
    Do(Job),
    Think { limits: Limits, root_moves: Vec<String>, log: Option<Arc<LogWriter>>, search: Arc<Search> },
}

/// The mutable state of a running search.
#[derive(Default)]
struct Search {
    stop: Arc<AtomicBool>,
    state: Mutex<State>,
    /// Signals a change of the state.
    changed: Condvar,
}

#[derive(Clone, Copy, Default)]
struct State {
    clock: Option<Clock>,
    /// Whether the answer is held back while pondering.
    is_held: bool,
    is_done: bool,
}

/// Runs from the moment that the time of the search counts.
#[derive(Clone, Copy)]
struct Clock {
    started: Instant,
    allowance: Allowance,
}

impl Clock {
    fn start(allowance: Allowance) -> Self {
        Self { started: Instant::now(), allowance }
    }

    /// The rest of the allowance.
    fn left(&self) -> Duration {
        self.allowance.hard.saturating_sub(self.started.elapsed())
    }
}

impl Search {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is too late for another iteration.
    fn is_enough(&self) -> bool {
        self.state().clock.is_some_and(|clock| clock.started.elapsed() >= clock.allowance.soft)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.changed.notify_all();
    }

    /// Waits until the answer is no longer held, and marks the search as done.
    fn end(&self) {
        let asked = self.changed.wait_while(self.state(), |state| state.is_held);
        asked.unwrap_or_else(PoisonError::into_inner).is_done = true;
        self.changed.notify_all();
    }

    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.change(|state| state.is_held = false);
    }

    /// Stops the search when the clock has run down, unless it is done before.
    fn watch(&self, clock: Clock) {
        let state = self.state();
        let waited = self.changed.wait_timeout_while(state, clock.left(), |state| !state.is_done);
        drop(waited);
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Player {
    /// Starts the engine's thread, which calls `tell`.
    pub fn new(mut engine: Box<dyn Engine>, mut tell: impl FnMut(Event) + Send + 'static) -> Self {
        let (orders, queue) = channel();
        let thread = std::thread::spawn(move || serve(&mut *engine, &queue, &mut tell));
        Self { orders: Some(orders), thread: Some(thread), search: None }
    }

    /// Runs a job on the engine, once it is free.
    ///
    /// # Errors
    /// Returns an error if the engine has ended.
    pub fn let_engine(&mut self, job: impl FnOnce(&mut dyn Engine) + Send + 'static) -> Result<()> {
        self.order(Order::Do(Box::new(job)))
    }

    /// Begins a search, once the engine is free. Without an allowance, only its limits end it. A held answer is not
    /// reported before [`Player::stop`] or [`Player::start_clock`].
    ///
    /// # Errors
    /// Returns an error if the engine has ended.
    pub fn go(
        &mut self,
        limits: Limits,
        allowance: Option<Allowance>,
        is_held: bool,
        root_moves: Vec<String>,
        log: Option<Arc<LogWriter>>,
    ) -> Result<()> {
        let search = Arc::new(Search::default());
        search.change(|state| {
            state.clock = allowance.map(Clock::start);
            state.is_held = is_held;
        });
        self.search = Some(search.clone());
        self.order(Order::Think { limits, root_moves, log, search })
    }

    /// Starts the clock of the search: the expected move was played.
    pub fn start_clock(&mut self, allowance: Option<Allowance>) {
        let Some(search) = self.search.clone() else { return };
        let clock = allowance.map(Clock::start);
        search.change(|state| (state.clock, state.is_held) = (clock, false));
        if let Some(clock) = clock {
            std::thread::spawn(move || search.watch(clock));
        }
    }

    /// Ends the search, which then reports its answer.
    pub fn stop(&mut self) {
        if let Some(search) = &self.search {
            search.stop();
        }
    }

    /// Waits for the answer of a stopped search; returns `false` if none was stopped.
    pub fn wait_if_stopped(&self) -> bool {
        let Some(search) = &self.search else { return false };
        if !search.stop.load(Ordering::Relaxed) {
            return false;
        }
        drop(search.changed.wait_while(search.state(), |state| !state.is_done));
        true
    }

    /// Waits for the answer, unless it is held.
    pub fn wait(&self) {
        if let Some(search) = &self.search {
            drop(search.changed.wait_while(search.state(), |state| !state.is_done && !state.is_held));
        }
    }

    /// Whether the last search begun has not yet reported its answer.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        self.search.as_ref().is_some_and(|search| !search.state().is_done)
    }

    fn order(&self, order: Order) -> Result<()> {
        self.orders.as_ref().ok_or(Error::Gone)?.send(order).map_err(|_| Error::Gone)
    }

    /// Ends the search and the thread, after all ordered jobs. Further orders are refused.
    pub fn end(&mut self) {
        self.stop();
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // A panic was already reported on standard error.
            let _ = thread.join();
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.end();
    }
}

fn serve(engine: &mut dyn Engine, orders: &Receiver<Order>, tell: &mut dyn FnMut(Event)) {
    for order in orders {
        match order {
            Order::Do(job) => job(engine),
            Order::Think { mut limits, root_moves, log, search } => {
                limits.stop = Some(search.stop.clone());
                limits.time_max = search.state().clock.map(|clock| clock.left()).or(limits.time_max);
                let request = Request { limits, root_moves, log: log.as_deref() };
                let thought = engine.think(&request, &mut |progress| {
                    tell(Event::Progress(progress.clone()));
                    if search.is_enough() {
                        search.stop.store(true, Ordering::Relaxed);
                    }
                });
                // The receiver of the answer can then close the log.
                drop(log);
                search.end();
                tell(Event::Done(thought));
            }
        }
    }
}
