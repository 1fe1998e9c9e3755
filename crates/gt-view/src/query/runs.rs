//! Runs: queries that are answered in the background.
//!
//! ```text
//! POST ──▶ Run, a thread of its own ──▶ running ──▶ done | cancelled | failed
//!                                          └── DELETE sets `cancel`; the watch does where memory grows too far
//! ```
//!
//! A cancelled run says so at once; its thread stops at its next look at `cancel`, and counts as under way until then.
//!
//! **Invariant:** at most [`RUNS_MAX`] runs are kept, and of their results no more than a budget; a run under way is
//! never dropped.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use gt_query::Answer as Found;
use gt_query::engine::{self, Failure, Finding, NodeSet, Options};
use tokio::sync::watch;

use super::binding::Binding;
use super::check::wrong;
use super::memory;
use super::order::Orders;
use super::plan::Plan;
use super::results::ResultSet;
use super::text::check_length;
use crate::error::{Answer, Kind, Refusal};
use crate::logs::Opened;

/// So many runs are kept.
const RUNS_MAX: usize = 8;
/// So many may be under way at once.
const UNDER_WAY_MAX: usize = 4;
/// What the results of runs that are done may take, but for the latest.
const BYTES_MAX: usize = 48 << 20;

/// What is asked.
pub(crate) struct Question {
    pub(crate) log: usize,
    pub(crate) tree: usize,
    pub(crate) text: String,
    pub(crate) parameters: Vec<(String, String)>,
}

/// A run, under way or done.
pub(crate) struct Run {
    pub(crate) number: u64,
    pub(crate) question: Question,
    pub(crate) opened: Arc<Opened>,
    pub(crate) orders: Orders,
    started: Instant,
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
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Done { .. } => "done",
            Self::Cancelled { .. } => "cancelled",
            Self::Failed { .. } => "failed",
        }
    }
}

/// All runs.
#[derive(Default)]
pub(crate) struct Runs(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    next: u64,
    runs: BTreeMap<u64, Arc<Run>>,
}

impl Runs {
    /// Begins a run; a text with an error begins none.
    pub(crate) fn start(&self, opened: Arc<Opened>, question: Question) -> Answer<Arc<Run>> {
        let plan = plan(&opened, &question)?;
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let under_way = kept.runs.values().filter(|run| run.is_under_way()).count();
        if under_way >= UNDER_WAY_MAX {
            let sentence = format!("{under_way} queries are running already; cancel one, or wait");
            return Err(Refusal::new(Kind::Conflict, sentence));
        }
        let run = Arc::new(Run {
            number: kept.next,
            question,
            opened,
            orders: Orders::default(),
            started: Instant::now(),
            cancel: AtomicBool::new(false),
            is_under_way: AtomicBool::new(true),
            state: Mutex::new(State::Running),
            has_ended: watch::Sender::new(false),
        });
        kept.next += 1;
        kept.runs.insert(run.number, Arc::clone(&run));
        kept.make_room();
        drop(kept);
        let background = Arc::clone(&run);
        let spawned =
            std::thread::Builder::new().name("query".to_owned()).spawn(move || background.execute(&plan));
        match spawned {
            Ok(_) => Ok(run),
            Err(error) => {
                let sentence = format!("the query's thread cannot be started: {error}");
                run.is_under_way.store(false, Ordering::Release);
                run.end(State::Failed { seconds: 0.0, sentence: sentence.clone() });
                Err(Refusal::new(Kind::Conflict, sentence))
            }
        }
    }

    pub(crate) fn get(&self, number: u64) -> Answer<Arc<Run>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match kept.runs.get(&number) {
            Some(run) => Ok(Arc::clone(run)),
            None if number < kept.next => {
                let sentence =
                    format!("run {number} was dropped: only the latest are kept; run the query again");
                Err(Refusal::new(Kind::Gone, sentence).at("run"))
            }
            None => Err(Refusal::missing("run", format!("there is no run {number}"))),
        }
    }

    /// Cancels a run, or forgets one that has ended; its state after that.
    pub(crate) fn end(&self, number: u64) -> Answer<&'static str> {
        let run = self.get(number)?;
        run.cancel();
        if !run.is_under_way() {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).runs.remove(&number);
        }
        Ok(run.state().name())
    }

    /// Cancels all runs.
    pub(crate) fn cancel_all(&self) {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.runs.values().for_each(|run| run.cancel());
    }
}

impl Kept {
    /// Drops the oldest runs that are done, while there are too many or they are too large.
    fn make_room(&mut self) {
        let bytes: usize = self.runs.values().map(|run| run.bytes()).sum();
        let mut left = (self.runs.len(), bytes);
        let ended: Vec<u64> =
            self.runs.iter().filter(|(_, run)| !run.is_under_way()).map(|(number, _)| *number).collect();
        for number in ended {
            if left.0 <= RUNS_MAX && left.1 <= BYTES_MAX {
                return;
            }
            if let Some(run) = self.runs.remove(&number) {
                left = (left.0 - 1, left.1 - run.bytes().min(left.1));
            }
        }
    }
}

/// Binds the text to its tree.
fn plan(opened: &Opened, question: &Question) -> Answer<Plan> {
    check_length(&question.text)?;
    let tree = opened.tree(question.tree)?;
    let binding = Binding::new(opened, tree).with_parameters(question.parameters.clone());
    let program = binding.compile(&question.text).map_err(|errors| {
        let listed = wrong(&errors, &question.text, opened.game);
        let first = errors.first().map_or_else(|| "it cannot be read".to_owned(), super::binding::message);
        let more = if errors.len() > 1 { format!(" (and {} more)", errors.len() - 1) } else { String::new() };
        let mut refusal = Refusal::bad("text", format!("{first}{more}"));
        refusal.errors = serde_json::to_value(listed).ok().map(Box::new);
        refusal
    })?;
    if program.queries.is_empty() {
        return Err(Refusal::bad("text", "there is no query in the text"));
    }
    Ok(Plan::new(program))
}

impl Run {
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
    pub(super) fn stop(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_under_way(&self) -> bool {
        self.is_under_way.load(Ordering::Acquire)
    }

    pub(crate) fn cancel_flag(&self) -> &AtomicBool {
        &self.cancel
    }

    fn bytes(&self) -> usize {
        match self.state() {
            State::Done { results, .. } => {
                results.iter().map(ResultSet::bytes).sum::<usize>() + self.orders.bytes()
            }
            _ => 0,
        }
    }

    fn execute(self: Arc<Self>, plan: &Plan) {
        let watch = memory::Watch::start(Arc::clone(&self));
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
        let options = Options { cancel: Some(&self.cancel), ..Options::default() };
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
