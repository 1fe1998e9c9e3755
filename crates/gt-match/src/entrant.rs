//! The participants of a match: engines of ours or other programs, each described in one text.
//!
//! ```text
//! strong                                             an algorithm
//! alpha-beta,eval=mobility,depth=4,name=plain        with settings, after commas
//! cmd:stockfish --quiet,option.Threads=1             a program, its options by their names
//! cmd:"/opt/my engine",option.Book="a,b"             quotes keep spaces and commas
//! ```

mod part;
mod setting;

use std::fmt;

use gt_games::registry::{GameKind, Setup};
use gt_play::external::ProgramOptions;
use gt_play::{Algorithm, EngineOptions};

use crate::budget::{self, Budget};
use part::{Part, parts};
use setting::{depth, positive, set_own, set_program, text};

/// The largest default table of an engine.
const TABLE_BYTES: usize = 16 << 20;
/// The smallest default table.
const TABLE_BYTES_MIN: usize = 64 << 10;
/// The table size per node of a move's budget: a game has some dozens of moves, with some bytes per node.
const TABLE_BYTES_PER_NODE: u64 = 2048;

/// A participant of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Entrant {
    /// Its name in tables.
    pub name: String,
    /// How it finds its moves.
    pub source: MoveSource,
    /// Its own limits for a move, where they differ from the match's.
    pub budget: Budget,
    /// Whether its description sets the size of its table.
    pub has_own_table: bool,
}

/// How an entrant finds its moves.
#[derive(Clone, Debug, PartialEq)]
pub enum MoveSource {
    /// By an engine in this process.
    Own(EngineOptions),
    /// By another program.
    Program(ProgramOptions),
}

/// An error in a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescriptionError {
    text: String,
    /// The byte where the wrong part begins.
    at: usize,
    problem: String,
}

impl fmt::Display for DescriptionError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, at, problem } = self;
        let character = text.get(..*at).map_or(*at, |before| before.chars().count()) + 1;
        write!(out, "`{}`, character {character}: {problem}", text.escape_debug())
    }
}

impl std::error::Error for DescriptionError {}

impl Entrant {
    /// Parses a description.
    ///
    /// ```
    /// use gt_match::Entrant;
    ///
    /// let entrant = Entrant::parse("uct,nodes=5000,name=dice")?;
    /// assert_eq!((entrant.name.as_str(), entrant.budget.nodes), ("dice", Some(5000)));
    /// let error = Entrant::parse("alpha-beta,evel=mobility").unwrap_err();
    /// assert!(error.to_string().starts_with("`alpha-beta,evel=mobility`, character 12: there is no `evel`"));
    /// # Ok::<(), gt_match::DescriptionError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a part of it is not understood.
    pub fn parse(text: &str) -> Result<Self, DescriptionError> {
        let refused = |at: usize, problem: String| DescriptionError { text: text.to_owned(), at, problem };
        let parts = parts(text).map_err(|(at, problem)| refused(at, problem))?;
        let (first, settings) =
            parts.split_first().ok_or_else(|| refused(0, "an engine is missing".to_owned()))?;
        let mut entrant = begin(first).map_err(|problem| refused(first.at, problem))?;
        for part in settings {
            entrant.set(part).map_err(|(at, problem)| refused(at, problem))?;
        }
        match entrant.budget.problem() {
            Some(problem) => Err(refused(0, problem.to_owned())),
            None => Ok(entrant),
        }
    }

    /// Applies one setting; an error includes its position.
    fn set(&mut self, part: &Part) -> Result<(), (usize, String)> {
        let Some((key, value)) = part.text.split_once('=') else {
            return Err((part.at, format!("`{}` lacks its `=`", part.text)));
        };
        let value_at = part.at + key.len() + 1;
        let known = match key {
            "name" => text(value).map(|name| self.name = name),
            "nodes" => positive(value).map(|nodes| self.budget.nodes = Some(nodes)),
            "depth" => depth(value).map(|depth| self.budget.depth = Some(depth)),
            "time" => budget::positive_time(value).map(|time| self.budget.time = Some(time)),
            "cpu" => budget::positive_time(value).map(|time| self.budget.cpu = Some(time)),
            "clock" => budget::clock(value).map(|clock| self.budget.clock = Some(clock)),
            _ => match &mut self.source {
                MoveSource::Own(options) => {
                    self.has_own_table |= key == "hash";
                    return set_own(options, key, value, (part.at, value_at));
                }
                MoveSource::Program(options) => return set_program(options, key, value, (part.at, value_at)),
            },
        };
        known.map_err(|problem| (value_at, problem))
    }

    /// Shrinks a table of the default size if the game or the budget cannot fill it, because a table is cleared
    /// before every game.
    pub fn fit_table(&mut self, game: GameKind, budget: &Budget) {
        if let MoveSource::Own(options) = &mut self.source
            && !self.has_own_table
        {
            let filled = match (game, budget.nodes) {
                (GameKind::TicTacToe, _) => 0,
                (_, Some(nodes)) => nodes.saturating_mul(TABLE_BYTES_PER_NODE),
                (_, None) => u64::MAX,
            };
            let filled = usize::try_from(filled).unwrap_or(usize::MAX);
            options.table_bytes = filled.clamp(TABLE_BYTES_MIN, TABLE_BYTES);
        }
    }

    /// Checks that it can play the game within a budget.
    ///
    /// # Errors
    /// Returns an error if its algorithm or evaluation does not support the game, or nothing ends its
    /// searches.
    pub fn check(&self, game: GameKind, setup: &Setup, budget: &Budget) -> Result<(), String> {
        let MoveSource::Own(options) = &self.source else { return Ok(()) };
        let refused = |problem: String| format!("engine {}: {problem}", self.name);
        let is_uct = options.algorithm == Some(Algorithm::Uct);
        if is_uct && options.evaluation.is_some() {
            return Err(refused("uct plays games to their end and asks no evaluation".to_owned()));
        }
        let simulates = options.algorithm.filter(|algorithm| algorithm.simulates());
        if let Some(algorithm) = simulates
            && budget.nodes.is_none()
            && !budget.depends_on_time()
        {
            let what = if algorithm.evaluates() { "simulations" } else { "playouts" };
            return Err(refused(format!(
                "a depth does not end the {what} of {algorithm}; give it nodes or time"
            )));
        }
        if options.threads > 1 && budget.cpu.is_some() {
            return Err(refused("CPU time is counted for one thread; leave threads or cpu away".to_owned()));
        }
        let small = EngineOptions { table_bytes: 1 << 16, ..options.clone() };
        small.open(game, setup).map(drop).map_err(|error| refused(error.to_string()))
    }
}

/// The entrant named by the first part, with nothing set.
fn begin(first: &Part) -> Result<Entrant, String> {
    if let Some(command) = first.text.strip_prefix("cmd:") {
        let words = shell_words::split(command).ok().filter(|words| !words.is_empty());
        let words = words.ok_or("a program follows `cmd:`, with its arguments and closed quotes")?;
        let name =
            std::path::Path::new(&words[0]).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        return Ok(Entrant {
            name,
            source: MoveSource::Program(ProgramOptions::new(words)),
            budget: Budget::default(),
            has_own_table: false,
        });
    }
    let algorithm = match first.text.as_str() {
        "program" => None,
        name => Some(name.parse().map_err(|_| {
            let names = Algorithm::ALL.map(Algorithm::name).join(", ");
            format!(
                "there is no algorithm `{name}`; there are {names}, `program` for the game's best, and `cmd:PROGRAM`"
            )
        })?),
    };
    let options = EngineOptions { algorithm, table_bytes: TABLE_BYTES, ..EngineOptions::default() };
    Ok(Entrant {
        name: first.text.clone(),
        source: MoveSource::Own(options),
        budget: Budget::default(),
        has_own_table: false,
    })
}

/// Numbers entrants that share a name.
pub fn make_names_differ(entrants: &mut [Entrant]) {
    for index in 1..entrants.len() {
        let name = entrants[index].name.clone();
        let is_taken = |name: &str| entrants[..index].iter().any(|other| other.name == name);
        let numbered = (2..).map(|number| format!("{name}#{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !is_taken(name));
        entrants[index].name = free.unwrap_or(name);
    }
}

#[cfg(test)]
mod tests;
