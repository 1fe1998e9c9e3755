//! The openings of the games of a match.
//!
//! ```text
//! Random   so many random legal moves, from a seed          the n-th opening is the same on every machine
//! Book     moves of an opening book, by their weights, from a seed
//! File     saved games, cut after so many plies; or a position in every line, perhaps with moves behind it
//! ```
//!
//! **Invariant:** no opening ends the game, and random ones differ as long as there are others.

mod file;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use gt_book::Book;
use gt_games::registry::{AnyGame, GameKind, Setup};

use crate::random::Random;

/// The number of attempts at another random opening if one ends the game or is a duplicate.
const TRIES_MAX: usize = 100;

/// The start of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The position before the moves.
    pub setup: Setup,
    /// The moves that are played for the engines.
    pub moves: Vec<String>,
}

/// The openings of a match, by number.
pub struct Openings {
    game: GameKind,
    setup: Setup,
    source: Source,
}

enum Source {
    Random { plies: usize, seed: u64, made: Mutex<GeneratedOpenings> },
    List(Vec<Arc<Opening>>),
}

/// The random openings so far.
#[derive(Default)]
struct GeneratedOpenings {
    /// The source of moves, instead of all legal ones.
    book: Option<Book>,
    openings: Vec<Arc<Opening>>,
    hashes: HashSet<u64>,
    repeated: usize,
}

impl Openings {
    /// Makes openings of random legal moves from a setup.
    ///
    /// # Errors
    /// Returns an error if the setup does not fit the game, or the game ends before.
    pub fn random(game: GameKind, setup: &Setup, plies: usize, seed: u64) -> Result<Self, String> {
        Self::drawn(game, setup, plies, seed, None)
    }

    /// Makes openings from a book, with moves drawn in proportion to their weights; an opening ends early if the book
    /// has no move.
    ///
    /// # Errors
    /// Returns an error if the setup does not fit the game, the book cannot be read, or the game ends before.
    pub fn from_book(
        game: GameKind,
        setup: &Setup,
        book: Book,
        plies: usize,
        seed: u64,
    ) -> Result<Self, String> {
        Self::drawn(game, setup, plies, seed, Some(book))
    }

    fn drawn(
        game: GameKind,
        setup: &Setup,
        plies: usize,
        seed: u64,
        book: Option<Book>,
    ) -> Result<Self, String> {
        let made = Mutex::new(GeneratedOpenings { book, ..GeneratedOpenings::default() });
        let openings = Self { game, setup: setup.clone(), source: Source::Random { plies, seed, made } };
        openings.get(0)?;
        Ok(openings)
    }

    /// Reads the openings of a text: saved games, or one position per line. `plies_max` limits their moves.
    ///
    /// # Errors
    /// Returns an error if a game or a position cannot be read, has another number of players, or is over.
    pub fn from_text(
        game: GameKind,
        setup: &Setup,
        text: &[u8],
        plies_max: Option<usize>,
    ) -> Result<Self, String> {
        let players = game.open(setup).map_err(|error| error.to_string())?.players();
        let read = file::read(game, text)?;
        let mut openings = Vec::new();
        for (place, mut opening) in read {
            opening.moves.truncate(plies_max.unwrap_or(usize::MAX));
            let position = opening.position(game).map_err(|error| format!("{place}: {error}"))?;
            if position.players() != players {
                return Err(format!(
                    "{place}: the match is for {players} players, this for {}",
                    position.players()
                ));
            }
            if position.outcome().is_some() {
                return Err(format!("{place}: the game is over there; cut the moves with `--plies`"));
            }
            openings.push(Arc::new(opening));
        }
        if openings.is_empty() {
            return Err("there is no opening in it".to_owned());
        }
        Ok(Self { game, setup: setup.clone(), source: Source::List(openings) })
    }

    /// Returns the opening of a round; a list is repeated.
    ///
    /// # Errors
    /// Returns an error if no random opening is found that does not end the game.
    pub fn get(&self, round: usize) -> Result<Arc<Opening>, String> {
        match &self.source {
            Source::List(list) => Ok(list[round % list.len()].clone()),
            Source::Random { plies, seed, made } => {
                let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
                while made.openings.len() <= round {
                    let mut random = Random::stream(*seed, made.openings.len() as u64);
                    let opening = self.another(*plies, &mut random, &mut made)?;
                    made.openings.push(Arc::new(opening));
                }
                Ok(made.openings[round].clone())
            }
        }
    }

    /// A random opening that is not a duplicate, if one is found.
    fn another(
        &self,
        plies: usize,
        random: &mut Random,
        made: &mut GeneratedOpenings,
    ) -> Result<Opening, String> {
        let mut repeated = None;
        for _ in 0..TRIES_MAX {
            let Some((hash, moves)) = self.walk(plies, random, made.book.as_ref())? else { continue };
            let opening = Opening { setup: self.setup.clone(), moves };
            if made.hashes.insert(hash) {
                return Ok(opening);
            }
            repeated = Some(opening);
        }
        made.repeated += usize::from(repeated.is_some());
        repeated.ok_or_else(|| format!("{plies} random moves end every game of {}; take fewer", self.game))
    }

    /// Random moves, and the hash of the position after them; `None` if the game ends on the way.
    fn walk(
        &self,
        plies: usize,
        random: &mut Random,
        book: Option<&Book>,
    ) -> Result<Option<(u64, Vec<String>)>, String> {
        let mut position = self.game.open(&self.setup).map_err(|error| error.to_string())?;
        let mut rng = fastrand::Rng::with_seed(random.next());
        let mut played = Vec::with_capacity(plies);
        for _ in 0..plies {
            let chosen = match book {
                Some(book) => book.choose(&*position, &mut rng).map_err(|error| error.to_string())?,
                None => {
                    let mut moves = position.moves();
                    (!moves.is_empty()).then(|| moves.swap_remove(random.below(moves.len())).text)
                }
            };
            let Some(chosen) = chosen else { break };
            position.play(&chosen).map_err(|error| error.to_string())?;
            played.push(chosen);
        }
        Ok(position.outcome().is_none().then(|| (position.hash(), played)))
    }

    /// Returns the number of rounds, of this many, that repeat another's opening.
    #[must_use]
    pub fn repeated(&self, rounds: usize) -> usize {
        match &self.source {
            Source::List(list) => rounds.saturating_sub(list.len()),
            Source::Random { made, .. } => made.lock().unwrap_or_else(PoisonError::into_inner).repeated,
        }
    }

    /// Returns a description in words.
    #[must_use]
    pub fn description(&self) -> String {
        match &self.source {
            Source::Random { plies: 0, .. } => "the usual start".to_owned(),
            Source::Random { plies, seed, made } => {
                let from_book = made.lock().unwrap_or_else(PoisonError::into_inner).book.is_some();
                let kind = if from_book { "plies of a book" } else { "random plies" };
                format!("{plies} {kind}, seed {seed}")
            }
            Source::List(list) => format!("{} from a file", list.len()),
        }
    }
}

impl Opening {
    /// Returns the position after it.
    ///
    /// # Errors
    /// Returns an error if the setup or a move does not fit the game.
    pub fn position(&self, game: GameKind) -> gt_games::Result<Box<dyn AnyGame>> {
        let mut position = game.open(&self.setup)?;
        self.moves.iter().try_for_each(|mv| position.play(mv))?;
        Ok(position)
    }
}

#[cfg(test)]
mod tests;
