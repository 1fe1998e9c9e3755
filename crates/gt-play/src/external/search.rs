//! Waits for a program's move, and tells it to stop when its time is up.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::line::{self, EngineLine, Info};
use super::process::{Process, ReadOutcome};
use super::{Fault, Question};

/// The time a program gets to answer `stop`.
const STOP_GRACE: Duration = Duration::from_secs(1);
/// The interval at which a wait checks the stop flag.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// The interval at which a program's CPU time is checked, when it may run out at any moment.
const CPU_LOOK_EVERY: Duration = Duration::from_micros(200);

/// A running search.
pub(super) struct Search<'a> {
    pub(super) question: &'a Question<'a>,
    pub(super) started: Instant,
    /// The CPU time that the program had used before, if that limits the search.
    pub(super) cpu_before: Option<Duration>,
    /// The time when it was told to stop because its time was up.
    pub(super) stopped: Option<Instant>,
    pub(super) info: Info,
}

impl Search<'_> {
    /// The move, and the time when it was reported.
    pub(super) fn await_best_move(&mut self, process: &mut Process) -> Result<(String, Instant), Fault> {
        loop {
            let wait = self.look(process)?;
            if let ReadOutcome::Line(line, at) = process.hear(wait)? {
                match line::parse(&line) {
                    EngineLine::Info(info) => self.info.update(info),
                    EngineLine::BestMove(None) => return Err(Fault::NoMove),
                    EngineLine::BestMove(Some(best)) => return Ok((best.to_owned(), at)),
                    EngineLine::Hello
                    | EngineLine::Ready
                    | EngineLine::Name(_)
                    | EngineLine::Setting(_)
                    | EngineLine::Else => (),
                }
            }
        }
    }

    /// Stops the search when its time is up, and returns the time to wait before the next check.
    fn look(&mut self, process: &mut Process) -> Result<Duration, Fault> {
        if self.question.stop.load(Ordering::Relaxed) {
            return Err(Fault::GivenUp);
        }
        if let Some(stopped) = self.stopped {
            if stopped.elapsed() >= STOP_GRACE {
                let waited = self.started.elapsed();
                return Err(Fault::Hangs { asked: "go", waited, words: process.last_words() });
            }
            return Ok(LOOK_EVERY);
        }
        let left = self.question.patience.saturating_sub(self.started.elapsed());
        let cpu_left = self.cpu_left(process);
        if left.is_zero() || cpu_left.is_some_and(|left| left.is_zero()) {
            process.say("stop")?;
            self.stopped = Some(Instant::now());
            return Ok(LOOK_EVERY);
        }
        // A process with one thread uses no more CPU time than wall time.
        let cpu_wait = cpu_left.map_or(LOOK_EVERY, |left| left.max(CPU_LOOK_EVERY));
        Ok(LOOK_EVERY.min(left).min(cpu_wait))
    }

    fn cpu_left(&self, process: &Process) -> Option<Duration> {
        let used = process.cpu_time()?.saturating_sub(self.cpu_before?);
        Some(self.question.budget.cpu?.saturating_sub(used))
    }
}
