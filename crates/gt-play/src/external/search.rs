//! Waiting for a program's move, and telling it to stop when its time is up.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::line::{self, Info, Said};
use super::process::{Heard, Process};
use super::{Fault, Question};

/// How long a program may take to answer `stop`.
const STOP_GRACE: Duration = Duration::from_secs(1);
/// How often a wait looks at the flag that gives it up.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How often the CPU time of a program is looked at, when it may be used up at any moment.
const CPU_LOOK_EVERY: Duration = Duration::from_micros(200);

/// A search that runs.
pub(super) struct Search<'a> {
    pub(super) question: &'a Question<'a>,
    pub(super) started: Instant,
    /// The CPU time that the program had used before, where that limits the search.
    pub(super) cpu_before: Option<Duration>,
    /// When it was told to stop because its time was up.
    pub(super) stopped: Option<Instant>,
    pub(super) info: Info,
}

impl Search<'_> {
    /// The move, and when it was said.
    pub(super) fn await_best_move(&mut self, process: &mut Process) -> Result<(String, Instant), Fault> {
        loop {
            let wait = self.look(process)?;
            if let Heard::Line(line, at) = process.hear(wait)? {
                match line::parse(&line) {
                    Said::Info(info) => self.info.update(info),
                    Said::BestMove(None) => return Err(Fault::NoMove),
                    Said::BestMove(Some(best)) => return Ok((best.to_owned(), at)),
                    Said::Hello | Said::Ready | Said::Name(_) | Said::Setting(_) | Said::Else => (),
                }
            }
        }
    }

    /// Stops the search when its time is up, and says how long to wait before the next look.
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
        // A process with one thread uses no more CPU time than time.
        let cpu_wait = cpu_left.map_or(LOOK_EVERY, |left| left.max(CPU_LOOK_EVERY));
        Ok(LOOK_EVERY.min(left).min(cpu_wait))
    }

    fn cpu_left(&self, process: &Process) -> Option<Duration> {
        let used = process.cpu_time()?.saturating_sub(self.cpu_before?);
        Some(self.question.budget.cpu?.saturating_sub(used))
    }
}
