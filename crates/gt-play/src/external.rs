//! Another program as an engine, over UCI (chess) or the line protocol of `docs/play.md` (the other games).
//!
//! ```text
//! External::start ── uci, setoption, isready ──▶ program      a time limit for each answer
//!          new_game ── ucinewgame, isready ────▶
//!          think ───── position, go ───────────▶
//!                ◀──── info … score, bestmove ──  checked against the rules
//! ```
//!
//! Anything that a program does wrong is a [`Fault`] with a reason: it cannot be started, does not answer, ends,
//! floods its output, plays an illegal move. Its last output to standard error is part of the reason.
//!
//! **Invariant:** when an [`External`] is dropped, its program has ended, and so have the processes that it started,
//! unless they left its process group (Unix).

mod fault;
mod line;
mod process;
mod search;

use std::io;
use std::process::{Child, Command};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use gt_games::registry::{AnyGame, GameKind};

pub use fault::Fault;
pub use process::tells_cpu_time;

use line::{Announced, EngineLine, Info};
use process::{Process, ReadOutcome};
use search::Search;

/// The function that starts a program; a caller may need to wrap it.
pub type Start = dyn Fn(&mut Command) -> io::Result<Child> + Send + Sync;

/// A program, and the options to set before it plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramOptions {
    /// The program, then its arguments.
    pub words: Vec<String>,
    /// The options to set, by their names in the protocol.
    pub settings: Vec<(String, String)>,
    /// The time limit for answers to anything but `go`.
    pub patience: Duration,
}

impl ProgramOptions {
    /// Makes options for a program with its arguments, nothing set, and ten seconds for each answer.
    #[must_use]
    pub fn new(words: Vec<String>) -> Self {
        Self { words, settings: Vec::new(), patience: Duration::from_secs(10) }
    }
}

/// The limits of a search; the first one reached ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Plies.
    pub depth: Option<u16>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// The CPU time of the program's process for this move, after which it is told to stop.
    pub cpu: Option<Duration>,
    /// The time left on the clocks of the first and the second player, and the increment per move.
    pub clocks: Option<([Duration; 2], Duration)>,
}

/// A question to a program.
pub struct Question<'a> {
    /// The position to move in, against which the answer is checked.
    pub position: &'a dyn AnyGame,
    /// The moves from the start of the game to there.
    pub moves: &'a [String],
    /// The limits of the search.
    pub budget: Budget,
    /// The time after which the program is told to stop; it counts as hanging if it does not answer for
    /// another second.
    pub patience: Duration,
    /// Aborts the search when it becomes `true`.
    pub stop: &'a AtomicBool,
}

/// A program's move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// A legal move, in the game's notation.
    pub best: String,
    /// The last reported value, from its own view, with wins in this workspace's scale.
    pub value: Option<i32>,
    /// The last reported depth.
    pub depth: Option<u16>,
    /// The last reported number of nodes.
    pub nodes: Option<u64>,
    /// The time from the question to the answer.
    pub elapsed: Duration,
}

/// A running program.
pub struct External {
    game: GameKind,
    process: Process,
    name: String,
    patience: Duration,
    /// The words after `position`.
    start: String,
}

impl External {
    /// Starts a program, greets it and sets its options.
    ///
    /// # Errors
    /// Returns an error if it cannot be started, does not follow the protocol, or lacks an option.
    pub fn start(options: &ProgramOptions, game: GameKind, start: &Start) -> Result<Self, Fault> {
        let process = Process::start(&options.words, start)?;
        let name = options.words.first().cloned().unwrap_or_default();
        let start = usual_start(game).to_owned();
        let mut program = Self { game, process, name, patience: options.patience, start };
        let announced = program.greet()?;
        for (name, value) in &options.settings {
            let line = announced.setting(name, value)?;
            program.process.say(&line)?;
        }
        program.wait_until_ready()?;
        Ok(program)
    }

    /// Returns the name that it reports.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Begins a game from a position, or from the game's usual start.
    ///
    /// # Errors
    /// Returns an error if the program has ended or does not answer.
    pub fn new_game(&mut self, position: Option<&str>) -> Result<(), Fault> {
        let word = if self.game == GameKind::Chess { "fen" } else { "text" };
        self.start = position.map_or(usual_start(self.game).to_owned(), |text| format!("{word} {text}"));
        self.process.say("ucinewgame")?;
        self.wait_until_ready()
    }

    /// Asks for a move.
    ///
    /// # Errors
    /// Returns an error if the program hangs, has ended, or does not answer with a legal move.
    pub fn think(&mut self, question: &Question<'_>) -> Result<Reply, Fault> {
        let moves = if question.moves.is_empty() { "" } else { " moves " };
        self.process.say(&format!("position {}{moves}{}", self.start, question.moves.join(" ")))?;
        let cpu_before = question.budget.cpu.and_then(|_| self.process.cpu_time());
        let started = Instant::now();
        self.process.say(&line::go(&question.budget))?;
        let mut search = Search { question, started, cpu_before, stopped: None, info: Info::default() };
        let (best, at) = search.await_best_move(&mut self.process)?;
        check_legal(question.position, &best)?;
        let Info { value, depth, nodes } = search.info;
        Ok(Reply { best, value, depth, nodes, elapsed: at.saturating_duration_since(started) })
    }

    fn greet(&mut self) -> Result<Announced, Fault> {
        let hello = if self.game == GameKind::Chess { "uci" } else { "gt" };
        self.process.say(hello)?;
        let mut announced = Announced::default();
        self.hear_until(hello, |line| match line::parse(line) {
            EngineLine::Hello => true,
            EngineLine::Name(name) => {
                announced.name = Some(name.to_owned());
                false
            }
            EngineLine::Setting(name) => {
                announced.settings.push(name.to_owned());
                false
            }
            EngineLine::Ready | EngineLine::Info(_) | EngineLine::BestMove(_) | EngineLine::Else => false,
        })?;
        self.name = announced.name.clone().unwrap_or_else(|| self.name.clone());
        Ok(announced)
    }

    fn wait_until_ready(&mut self) -> Result<(), Fault> {
        self.process.say("isready")?;
        self.hear_until("isready", |line| line::parse(line) == EngineLine::Ready)
    }

    /// Reads lines until one answers `asked`.
    fn hear_until(
        &mut self,
        asked: &'static str,
        mut is_answer: impl FnMut(&str) -> bool,
    ) -> Result<(), Fault> {
        let deadline = Instant::now() + self.patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.process.hear(left)? {
                ReadOutcome::Line(line, _) if is_answer(&line) => return Ok(()),
                ReadOutcome::Line(..) => (),
                ReadOutcome::Nothing => {
                    return Err(Fault::Hangs {
                        asked,
                        waited: self.patience,
                        words: self.process.last_words(),
                    });
                }
            }
        }
    }
}

fn usual_start(game: GameKind) -> &'static str {
    if game == GameKind::Chess { "startpos" } else { "start" }
}

fn check_legal(position: &dyn AnyGame, best: &str) -> Result<(), Fault> {
    match position.encode(best) {
        Ok(_) => Ok(()),
        Err(error) => {
            Err(Fault::IllegalMove { text: best.chars().take(40).collect(), problem: error.problem })
        }
    }
}
