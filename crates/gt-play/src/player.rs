//! An engine in a thread of its own.
//!
//! ```text
//! who plays ── position, go ──▶ queue ──▶ thread: Engine::think ──▶ events
//!           ── stop, hit ──────▶ the search's own flag and clock
//! ```
//!
//! Each search has a flag of its own, so that a clock that is late stops no other.

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

/// What a player tells while it thinks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An iteration is done.
    Progress(Progress),
    /// The search is done.
    Done(Thought),
}

/// An engine that thinks while others do something else.
pub struct Player {
    orders: Option<Sender<Order>>,
    thread: Option<JoinHandle<()>>,
    /// The search that was begun last.
    search: Option<Arc<Search>>,
}

type Job = Box<dyn FnOnce(&mut dyn Engine) + Send>;

enum Order {
    Do(Job),
    Think { limits: Limits, root_moves: Vec<String>, log: Option<Arc<LogWriter>>, search: Arc<Search> },
}

/// What can be changed about a search that runs.
#[derive(Default)]
struct Search {
    stop: Arc<AtomicBool>,
    state: Mutex<State>,
    /// The state is another.
    changed: Condvar,
}

#[derive(Clone, Copy, Default)]
struct State {
    clock: Option<Clock>,
    /// The answer waits: whoever thinks while others move is not asked yet.
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

    /// What is left of the allowance.
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

    /// Waits until the answer is asked for; the search is done then.
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
    /// Starts the engine's thread; `tell` is called from it.
    pub fn new(mut engine: Box<dyn Engine>, mut tell: impl FnMut(Event) + Send + 'static) -> Self {
        let (orders, queue) = channel();
        let thread = std::thread::spawn(move || serve(&mut *engine, &queue, &mut tell));
        Self { orders: Some(orders), thread: Some(thread), search: None }
    }

    /// Has the engine do something, once it is free.
    ///
    /// # Errors
    /// The engine has ended.
    pub fn let_engine(&mut self, job: impl FnOnce(&mut dyn Engine) + Send + 'static) -> Result<()> {
        self.order(Order::Do(Box::new(job)))
    }

    /// Begins a search, once the engine is free. Without an allowance it ends by its limits alone. If its answer is held,
    /// it is not told before [`Player::stop`] or [`Player::start_clock`].
    ///
    /// # Errors
    /// The engine has ended.
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

    /// Time counts for the search from now on: what was expected has been played.
    pub fn start_clock(&mut self, allowance: Option<Allowance>) {
        let Some(search) = self.search.clone() else { return };
        let clock = allowance.map(Clock::start);
        search.change(|state| (state.clock, state.is_held) = (clock, false));
        if let Some(clock) = clock {
            std::thread::spawn(move || search.watch(clock));
        }
    }

    /// Ends the search: its answer is told.
    pub fn stop(&mut self) {
        if let Some(search) = &self.search {
            search.stop();
        }
    }

    /// Waits for the answer of a search that was stopped; `false` if none was.
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

    /// Whether the last search that was begun has not told its answer.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        self.search.as_ref().is_some_and(|search| !search.state().is_done)
    }

    fn order(&self, order: Order) -> Result<()> {
        self.orders.as_ref().ok_or(Error::Gone)?.send(order).map_err(|_| Error::Gone)
    }

    /// Ends the search and the thread, when all that was ordered is done. Further orders are refused.
    pub fn end(&mut self) {
        self.stop();
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // A panic was told on standard error already.
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
                // Whoever is told can close the log.
                drop(log);
                search.end();
                tell(Event::Done(thought));
            }
        }
    }
}
