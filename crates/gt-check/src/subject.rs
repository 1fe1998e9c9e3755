//! From a subject to an opened log: an engine's run, or an existing file.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use gt_log::{Log, SchemaError};
use gt_report::missing_text;

use crate::process::{End, Start, Task, run};
use crate::suite::{Engine, Slots, Source, Subject, Suite};

/// The data for making a log of a subject.
pub(crate) struct LogMaker<'a> {
    pub(crate) suite: &'a Suite,
    /// The folder for logs of searches.
    pub(crate) folder: &'a Path,
    /// The program `gt`.
    pub(crate) own: &'a Path,
    pub(crate) limits: gt_log::Limits,
    pub(crate) other_names: &'a [String],
    pub(crate) stop: &'a AtomicBool,
    pub(crate) start: &'a Start<'a>,
}

/// The reason why a subject has no log.
#[derive(Debug)]
pub(crate) enum NoLog {
    /// The engine failed: the suite's other subjects can still be processed.
    Engine(String),
    /// The suite names something that does not exist, or is not a log.
    Suite(String),
    /// The run was stopped.
    Stopped,
}

impl LogMaker<'_> {
    /// The log of a subject, and its path.
    pub(crate) fn log(&self, number: usize, subject: &Subject) -> Result<(PathBuf, Log), NoLog> {
        let (path, engine) = match &subject.source {
            Source::Log(path) => (path.clone(), None),
            Source::Search(position) => {
                let path = self.folder.join(format!("{:02}-{}.gtf", number + 1, file_name(&subject.name)));
                let Some(engine) = &self.suite.engine else {
                    return Err(NoLog::Suite("there is no `[engine]`".to_owned()));
                };
                self.search(engine, &Slots { position, log: &path, own: self.own })?;
                (path, Some(engine))
            }
        };
        let blame = |sentence: String| match engine {
            Some(_) => NoLog::Engine(sentence),
            None => NoLog::Suite(format!("{}: {sentence}", path.display())),
        };
        if engine.is_some() && !path.exists() {
            return Err(blame("the engine ended without writing a log".to_owned()));
        }
        let mut log = Log::open_with(&path, self.limits).map_err(|error| match engine {
            Some(_) => blame(format!("the engine's log cannot be read: {error}")),
            None => blame(error.to_string()),
        })?;
        // A name that the log lacks is the caller's mistake, whatever wrote the log.
        give_names(&mut log, self.other_names)
            .map_err(|error| NoLog::Suite(format!("{}: {error}", path.display())))?;
        if let Some(missing) = missing_text(log.condition()) {
            return Err(blame(format!("{missing}; half a log proves nothing")));
        }
        Ok((path, log))
    }

    fn search(&self, engine: &Engine, slots: &Slots<'_>) -> Result<(), NoLog> {
        let words = engine.words(slots);
        let output = slots.log.with_extension("out");
        let limits = &slots.position.limits;
        let task =
            Task { words: &words, folder: &self.suite.folder, output: &output, patience: limits.patience() };
        let end = run(&task, self.stop, self.start).map_err(|error| {
            let program = words.first().map_or("", String::as_str);
            NoLog::Suite(format!("the engine `{program}` cannot be started: {error}"))
        })?;
        let sentence = match end {
            End::Done => return Ok(()),
            End::Stopped => return Err(NoLog::Stopped),
            End::Failed(status) => format!("the engine failed, {status}"),
            End::TimedOut => {
                let seconds = task.patience.as_secs_f64();
                format!("the engine had not ended after {seconds} s and was stopped")
            }
        };
        Err(NoLog::Engine(sentence + &last_words(&output)))
    }
}

/// Gives the attributes and aliases of a log other names.
pub(crate) fn give_names(log: &mut Log, other_names: &[String]) -> Result<(), SchemaError> {
    other_names.iter().try_for_each(|pairs| log.set_other_names(pairs))
}

/// The end of a program's output, as the end of a sentence.
fn last_words(output: &Path) -> String {
    const LINES: usize = 3;
    const CHARACTERS: usize = 300;
    let bytes = std::fs::read(output).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines = lines.split_off(lines.len().saturating_sub(LINES));
    if lines.is_empty() {
        return "; it printed nothing".to_owned();
    }
    let said: String = lines.join(" / ").chars().take(CHARACTERS).collect();
    format!("; it printed last: {said}")
}

/// A file name made from a subject's name.
fn file_name(name: &str) -> String {
    const CHARACTERS: usize = 60;
    let harmless =
        |letter: char| if letter.is_ascii_alphanumeric() || ".-_".contains(letter) { letter } else { '-' };
    name.chars().take(CHARACTERS).map(harmless).collect()
}

/// The engine's own version: the first line that its `version` command prints.
pub(crate) fn version(log_maker: &LogMaker<'_>, words: &[String]) -> Option<String> {
    let output = log_maker.folder.join("version.out");
    let patience = std::time::Duration::from_secs(10);
    let task = Task { words, folder: &log_maker.suite.folder, output: &output, patience };
    let Ok(End::Done) = run(&task, log_maker.stop, log_maker.start) else { return None };
    let bytes = std::fs::read(&output).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}
