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
//! never dropped, nor is that of the result file which the server was started with.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::binding::Binding;
use super::check::query_errors;
use super::plan::Plan;
pub(crate) use super::run::{Origin, Question, Run, RunState, State};
use super::text::check_length;
use crate::error::{Answer, Kind, Refusal};
use crate::logs::Opened;

/// The maximum number of runs that are kept.
const RUNS_MAX: usize = 8;
/// The maximum number of runs under way at the same time.
const UNDER_WAY_MAX: usize = 4;
/// The maximum number of bytes that the results of finished runs take, without those of the latest run.
const BYTES_MAX: usize = 48 << 20;

/// All runs.
#[derive(Default)]
pub(crate) struct Runs(Mutex<KeptRuns>);

#[derive(Default)]
struct KeptRuns {
    next: u64,
    runs: BTreeMap<u64, Arc<Run>>,
}

impl Runs {
    /// Begins with the run of a result file.
    pub(crate) fn with_file(file: Option<Run>) -> Self {
        let runs: BTreeMap<u64, Arc<Run>> = file.into_iter().map(|run| (run.number, Arc::new(run))).collect();
        Self(Mutex::new(KeptRuns { next: runs.len() as u64, runs }))
    }

    /// The run of the result file that the server was started with.
    pub(crate) fn file(&self) -> Option<Arc<Run>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.runs.values().find(|run| run.is_kept()).cloned()
    }

    /// Begins a run; a text with an error begins none.
    pub(crate) fn start(&self, opened: Arc<Opened>, question: Question) -> Answer<Arc<Run>> {
        let plan = plan(&opened, &question)?;
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let under_way = kept.runs.values().filter(|run| run.is_under_way()).count();
        if under_way >= UNDER_WAY_MAX {
            let sentence = format!("{under_way} queries are running already; cancel one, or wait");
            return Err(Refusal::new(Kind::Conflict, sentence));
        }
        let run = Arc::new(Run::new(kept.next, opened, question));
        kept.next += 1;
        kept.runs.insert(run.number, Arc::clone(&run));
        kept.make_room();
        drop(kept);
        run.begin(plan)?;
        Ok(run)
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

    /// Cancels a run, or forgets one that has ended and is not kept; its state after that.
    pub(crate) fn end(&self, number: u64) -> Answer<RunState> {
        let run = self.get(number)?;
        if run.is_kept() {
            return Ok(run.state().summary());
        }
        run.cancel();
        if !run.is_under_way() {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).runs.remove(&number);
        }
        Ok(run.state().summary())
    }

    /// Cancels all runs.
    pub(crate) fn cancel_all(&self) {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.runs.values().for_each(|run| run.cancel());
    }
}

impl KeptRuns {
    /// Drops the oldest runs that are done, while there are too many or they are too large.
    fn make_room(&mut self) {
        let asked = || self.runs.iter().filter(|(_, run)| !run.is_kept());
        let mut left = (asked().count(), asked().map(|(_, run)| run.bytes()).sum::<usize>());
        let ended: Vec<u64> =
            asked().filter(|(_, run)| !run.is_under_way()).map(|(number, _)| *number).collect();
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
        let listed = query_errors(&errors, &question.text, opened.game);
        let first = errors.first().map_or_else(|| "it cannot be read".to_owned(), super::binding::message);
        let more = if errors.len() > 1 { format!(" (and {} more)", errors.len() - 1) } else { String::new() };
        let mut refusal = Refusal::bad("text", format!("{first}{more}"));
        refusal.errors = Some(listed);
        refusal
    })?;
    if program.queries.is_empty() {
        return Err(Refusal::bad("text", "there is no query in the text"));
    }
    Ok(Plan::new(program))
}
