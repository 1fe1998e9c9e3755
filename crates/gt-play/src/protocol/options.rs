//! The options of a session.

use std::path::PathBuf;
use std::time::Duration;

use gt_search::Idea;

use crate::engine::EngineOptions;
use crate::strength::Strength;

/// The options that can be set.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) engine: EngineOptions,
    /// The time lost for every move between the clock and the engine.
    pub(super) overhead: Duration,
    /// The log of all searches; none if empty.
    pub(super) log_file: String,
    /// Whether the engine uses the book.
    pub(super) own_book: bool,
    /// The book; none if empty.
    pub(super) book_file: String,
    /// Two places for endgame tables; none where empty. The tables may be of any kind in both.
    pub(super) endgame_path: PathBuf,
    pub(super) syzygy_path: PathBuf,
    /// The strength, if it is limited.
    pub(super) elo: Strength,
}

impl Options {
    /// The initial options of a session.
    pub(super) fn new(engine: EngineOptions) -> Self {
        let book_file = engine.book.as_ref().map_or_else(String::new, |path| path.display().to_string());
        Self {
            own_book: engine.book.is_some(),
            book_file,
            endgame_path: engine.endgames.clone().unwrap_or_default(),
            syzygy_path: PathBuf::new(),
            engine,
            overhead: Duration::from_millis(10),
            log_file: String::new(),
            elo: Strength::MAX,
        }
    }
}

/// The consequence of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Only the value changes.
    None,
    /// The engine must be recreated.
    Engine,
    /// All search results are forgotten.
    Forget,
    /// The log changes.
    Log,
}

/// UCI's notation of an empty text.
const EMPTY: &str = "<empty>";
const HASH_MAX_MIB: usize = 1 << 16;
const THREADS_MAX: usize = 256;
const LINES_MAX: usize = 256;
const OVERHEAD_MAX_MS: u64 = 5000;

impl Options {
    /// The lines that announce them.
    pub(super) fn announce(&self) -> Vec<String> {
        let Self { engine, overhead, log_file, elo, own_book, book_file, .. } = self;
        let [endgames, syzygy] =
            [&self.endgame_path, &self.syzygy_path].map(|path| path.display().to_string());
        let shown = |file: &str| if file.is_empty() { EMPTY.to_owned() } else { file.to_owned() };
        vec![
            format!(
                "option name Hash type spin default {} min 1 max {HASH_MAX_MIB}",
                engine.table_bytes >> 20
            ),
            format!("option name Threads type spin default {} min 1 max {THREADS_MAX}", engine.threads),
            format!("option name MultiPV type spin default {} min 1 max {LINES_MAX}", engine.lines),
            "option name Ponder type check default false".to_owned(),
            "option name Clear Hash type button".to_owned(),
            format!(
                "option name Move Overhead type spin default {} min 0 max {OVERHEAD_MAX_MS}",
                overhead.as_millis()
            ),
            format!("option name LogFile type string default {}", shown(log_file)),
            format!("option name Without type string default {}", shown(&without_text(engine))),
            format!("option name OwnBook type check default {own_book}"),
            format!("option name BookFile type string default {}", shown(book_file)),
            format!("option name EndgamePath type string default {}", shown(&endgames)),
            format!("option name SyzygyPath type string default {}", shown(&syzygy)),
            format!("option name UCI_LimitStrength type check default {}", engine.strength.is_some()),
            format!(
                "option name UCI_Elo type spin default {} min {} max {}",
                elo.elo(),
                Strength::MIN.elo(),
                Strength::MAX.elo()
            ),
        ]
    }

    /// Sets an option; names are case-insensitive.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<Change, String> {
        let number = |max: usize| match value.parse::<usize>() {
            Ok(number) if (1..=max).contains(&number) => Ok(number),
            _ => Err(format!("{name} is a number from 1 to {max}, not `{value}`")),
        };
        let is_true = || {
            let truth = value.to_ascii_lowercase().parse::<bool>();
            truth.map_err(|_| format!("{name} is `true` or `false`, not `{value}`"))
        };
        match name.to_ascii_lowercase().as_str() {
            "hash" => self.engine.table_bytes = number(HASH_MAX_MIB)? << 20,
            "threads" => self.engine.threads = number(THREADS_MAX)?,
            "multipv" => self.engine.lines = number(LINES_MAX)?,
            "ponder" => return Ok(Change::None),
            "clear hash" => return Ok(Change::Forget),
            "move overhead" => {
                let milliseconds = value.parse().ok().filter(|&ms| ms <= OVERHEAD_MAX_MS);
                let refused =
                    || format!("{name} is a number of milliseconds up to {OVERHEAD_MAX_MS}, not `{value}`");
                self.overhead = Duration::from_millis(milliseconds.ok_or_else(refused)?);
                return Ok(Change::None);
            }
            "logfile" => {
                self.log_file = file_of(value);
                return Ok(Change::Log);
            }
            "without" => self.engine.without = Idea::parse_list(&file_of(value))?,
            "ownbook" => {
                self.own_book = is_true()?;
                return Ok(self.set_book());
            }
            "bookfile" => {
                self.book_file = file_of(value);
                return Ok(self.set_book());
            }
            "endgamepath" => {
                self.endgame_path = file_of(value).into();
                return self.set_endgames();
            }
            // The name that other programs know.
            "syzygypath" => {
                self.syzygy_path = file_of(value).into();
                return self.set_endgames();
            }
            "uci_limitstrength" => {
                self.engine.strength = is_true()?.then_some(self.elo);
            }
            "uci_elo" => {
                let (min, max) = (Strength::MIN.elo(), Strength::MAX.elo());
                let elo = value.parse().ok().and_then(|elo| Strength::new(elo).ok());
                self.elo =
                    elo.ok_or_else(|| format!("{name} is a number from {min} to {max}, not `{value}`"))?;
                if self.engine.strength.is_none() {
                    return Ok(Change::None);
                }
                self.engine.strength = Some(self.elo);
            }
            _ => return Err(format!("there is no option `{name}`")),
        }
        Ok(Change::Engine)
    }

    /// Gives the engine the tables of both places.
    fn set_endgames(&mut self) -> Result<Change, String> {
        let mut paths = Vec::new();
        for path in [&self.endgame_path, &self.syzygy_path] {
            let is_new = !path.as_os_str().is_empty() && !paths.contains(path);
            paths.extend(is_new.then(|| path.clone()));
        }
        let endgames = match paths.len() {
            0 | 1 => paths.pop(),
            _ => {
                // Each of them may be a list itself.
                let listed = paths.iter().flat_map(std::env::split_paths);
                Some(PathBuf::from(std::env::join_paths(listed).map_err(|error| error.to_string())?))
            }
        };
        if self.engine.endgames == endgames {
            return Ok(Change::None);
        }
        self.engine.endgames = endgames;
        Ok(Change::Engine)
    }

    /// Names no tables any more.
    pub(super) fn forget_endgames(&mut self) {
        self.endgame_path = PathBuf::new();
        self.syzygy_path = PathBuf::new();
        self.engine.endgames = None;
    }

    /// Gives the engine the book, or removes it.
    fn set_book(&mut self) -> Change {
        let is_used = self.own_book && !self.book_file.is_empty();
        let book = is_used.then(|| PathBuf::from(&self.book_file));
        if self.engine.book == book {
            return Change::None;
        }
        self.engine.book = book;
        Change::Engine
    }
}

/// The ideas that are switched off, as text.
fn without_text(engine: &EngineOptions) -> String {
    let names: Vec<&str> = engine.without.iter().map(|idea| idea.name()).collect();
    names.join(",")
}

/// The file name in an option's value.
fn file_of(value: &str) -> String {
    if value == EMPTY { String::new() } else { value.to_owned() }
}
