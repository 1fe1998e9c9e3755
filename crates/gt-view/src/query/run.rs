//! One run: a question, the thread that answers it, and how it stands.
//!
//! **Invariant:** a run ends once; what it has become then stays.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use gt_query::Answer as Found;
use gt_query::engine::{self, Failure, Finding, NodeSet, Options};
use gt_query::gti::Stamp;
use gt_query::stream::Progress;
use serde::Serialize;
use tokio::sync::watch;

use super::memory;
use super::orders::Orders;
use super::plan::Plan;
use super::results::ResultSet;
use crate::error::{Answer, Kind, Refusal};
use crate::logs::Opened;

/// A query text, and the tree that it asks about.
pub(crate) struct Question {
    pub(crate) log: usize,
    pub(crate) tree: usize,
    pub(crate) text: String,
    pub(crate) parameters: Vec<(String, String)>,
}

/// Where a run's results come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A query that was asked.
    Asked,
    /// A result file: its name, and what it calls its log.
    File { name: String, log_name: String },
}

/// A run, under way or done.
pub(crate) struct Run {
    pub(crate) number: u64,
    pub(crate) question: Question,
    pub(crate) origin: Origin,
    /// When the query was asked.
    pub(crate) stamp: Stamp,
    pub(crate) opened: Arc<Opened>,
    pub(crate) orders: Arc<Orders>,
    started: Instant,
    progress: Mutex<Option<Progress>>,
    cancel: AtomicBool,
    /// Whether its thread is at work.
    is_under_way: AtomicBool,
    state: Mutex<State>,
    has_ended: watch::Sender<bool>,
}

/// How a run stands.
#[derive(Clone)]
pub(crate) enum State {
    Running,
    Done { seconds: f64, results: Arc<Vec<ResultSet>> },
    Cancelled { seconds: f64 },
    Failed { seconds: f64, sentence: String },
}

impl State {
    pub(crate) const fn summary(&self) -> RunState {
        match self {
            Self::Running => RunState::Running,
            Self::Done { .. } => RunState::Done,
            Self::Cancelled { .. } => RunState::Cancelled,
            Self::Failed { .. } => RunState::Failed,
        }
    }
}

/// How a run stands, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum RunState {
    Running,
    Done,
    Cancelled,
    Failed,
}

impl Run {
    pub(super) fn new(number: u64, opened: Arc<Opened>, question: Question) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        Self {
            number,
            question,
            origin: Origin::Asked,
            stamp: Stamp::of_unix_seconds(now.try_into().unwrap_or(0)),
            opened,
            orders: Arc::default(),
            started: Instant::now(),
            progress: Mutex::new(None),
            cancel: AtomicBool::new(false),
            is_under_way: AtomicBool::new(true),
            state: Mutex::new(State::Running),
            has_ended: watch::Sender::new(false),
        }
    }

    /// A run that is done: the result of a file.
    pub(super) fn of_file(
        opened: Arc<Opened>,
        question: Question,
        origin: Origin,
        (stamp, time): (Stamp, Duration),
        result: ResultSet,
    ) -> Self {
        let results = Arc::new(vec![result]);
        Self {
            origin,
            stamp,
            is_under_way: AtomicBool::new(false),
            state: Mutex::new(State::Done { seconds: time.as_secs_f64(), results }),
            has_ended: watch::Sender::new(true),
            ..Self::new(0, opened, question)
        }
    }

    /// Whether it is kept as long as the server runs.
    pub(super) fn is_kept(&self) -> bool {
        self.origin != Origin::Asked
    }

    /// Begins to answer, on a thread of its own.
    pub(super) fn begin(self: &Arc<Self>, plan: Plan) -> Answer<()> {
        let run = Arc::clone(self);
        let spawned = std::thread::Builder::new().name("query".to_owned()).spawn(move || run.execute(&plan));
        spawned.map(|_| ()).map_err(|error| {
            let sentence = format!("the query's thread cannot be started: {error}");
            self.is_under_way.store(false, Ordering::Release);
            self.end(State::Failed { seconds: 0.0, sentence: sentence.clone() });
            Refusal::new(Kind::Conflict, sentence)
        })
    }

    pub(crate) fn state(&self) -> State {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until the run has ended, or the time has come.
    pub(crate) async fn ended_until(&self, until: tokio::time::Instant) {
        let mut ended = self.has_ended.subscribe();
        // The sender is the run's own: it does not go while we wait.
        let _ = tokio::time::timeout_at(until, ended.wait_for(|ended| *ended)).await;
    }

    pub(crate) fn seconds(&self) -> f64 {
        match self.state() {
            State::Running => self.started.elapsed().as_secs_f64(),
            State::Done { seconds, .. } | State::Cancelled { seconds } | State::Failed { seconds, .. } => {
                seconds
            }
        }
    }

    /// The share of the blocks that are done, over all passes; nothing of a run that has ended or only just begun.
    pub(crate) fn progress(&self) -> Option<f64> {
        let progress = (*self.progress.lock().unwrap_or_else(PoisonError::into_inner))?;
        let share = progress.blocks_done as f64 / progress.blocks.max(1) as f64;
        matches!(self.state(), State::Running).then_some(share)
    }

    /// The results, once there are any.
    pub(crate) fn results(&self) -> Answer<Arc<Vec<ResultSet>>> {
        match self.state() {
            State::Done { results, .. } => Ok(results),
            State::Running => Err(Refusal::new(Kind::Conflict, "the query is still running")),
            State::Cancelled { .. } => Err(Refusal::new(Kind::Conflict, "the query was cancelled")),
            State::Failed { sentence, .. } => Err(Refusal::new(Kind::Conflict, sentence)),
        }
    }

    /// Ends a run that has not ended yet.
    pub(crate) fn cancel(&self) {
        self.stop();
        self.end(State::Cancelled { seconds: self.started.elapsed().as_secs_f64() });
    }

    /// Tells the run's thread to stop.
    fn stop(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_under_way(&self) -> bool {
        self.is_under_way.load(Ordering::Acquire)
    }

    pub(crate) fn cancel_flag(&self) -> &AtomicBool {
        &self.cancel
    }

    /// About how much memory its results take.
    pub(super) fn bytes(&self) -> usize {
        match self.state() {
            State::Done { results, .. } => {
                results.iter().map(ResultSet::bytes).sum::<usize>() + self.orders.bytes()
            }
            _ => 0,
        }
    }

    fn execute(self: Arc<Self>, plan: &Plan) {
        let watch = {
            let (asked, stopped) = (Arc::clone(&self), Arc::clone(&self));
            memory::Watch::start(move || asked.is_under_way(), move || stopped.stop())
        };
        let answered = catch_unwind(AssertUnwindSafe(|| self.answer(plan)));
        let seconds = self.started.elapsed().as_secs_f64();
        let too_large = watch.was_too_large();
        self.end(match answered {
            Ok(Ok(results)) => State::Done { seconds, results: Arc::new(results) },
            Ok(Err(Failure::Cancelled)) if too_large => {
                State::Failed { seconds, sentence: memory::too_large_sentence() }
            }
            Ok(Err(Failure::Cancelled)) => State::Cancelled { seconds },
            Ok(Err(failure)) => State::Failed { seconds, sentence: failure.to_string() },
            Err(_) => State::Failed {
                seconds,
                sentence: "the viewer failed to answer this; please report it".to_owned(),
            },
        });
        self.is_under_way.store(false, Ordering::Release);
    }

    fn answer(&self, plan: &Plan) -> Result<Vec<ResultSet>, Failure> {
        let tree = self.opened.log.tree(self.question.tree)?;
        let note = |progress| *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
        let options = Options { cancel: Some(&self.cancel), progress: Some(&note), ..Options::default() };
        let findings = engine::find(&plan.program, tree, &options)?;
        let mut answers = Vec::new();
        let mut sets: BTreeMap<usize, NodeSet> = BTreeMap::new();
        for (query, found) in findings.found.into_iter().enumerate() {
            answers.push(match found {
                Ok(Finding::Matches(matches)) => {
                    sets.insert(query, matches.into_ids(&options)?);
                    Ok(Found::Nodes(Vec::new()))
                }
                Ok(Finding::Answer(answer)) => Ok(answer),
                Err(error) => Err(error),
            });
        }
        let asked = answers.into_iter().take(plan.queries.len()).enumerate();
        Ok(asked
            .map(|(index, answer)| {
                let all = plan.queries[index].matches.and_then(|query| sets.remove(&query));
                ResultSet::new(plan, index, answer, all, tree.nodes())
            })
            .collect())
    }

    /// Sets how the run has ended, once.
    fn end(&self, state: State) {
        let mut current = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*current, State::Running) {
            *current = state;
        }
        drop(current);
        self.has_ended.send_replace(true);
    }
}
