//! A position of any game, its type erased.

use super::playable::evaluation_name;
use super::{GameKind, Playable, Setup};
use crate::error::{ErrorKind, NotationError, Result};
use crate::explain::Explanation;
use crate::notation::NULL_MOVE_CODE;
use crate::perft::perft_divide;
use crate::symmetry::Canonical;
use gt_search::{EvaluateAll, Outcome};

/// The text of a null move.
const NULL_MOVE_TEXT: &str = "null";

/// A legal move: its number in a log and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedMove {
    /// The number, a log's `last_move`.
    pub code: i64,
    /// The text in the game's notation.
    pub text: String,
}

/// A position of any game.
pub trait AnyGame: Send {
    /// The kind of game.
    fn kind(&self) -> GameKind;
    /// The number of players.
    fn players(&self) -> usize;
    /// The player to move, from 0.
    fn to_move(&self) -> usize;
    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// The position's hash.
    fn hash(&self) -> u64;
    /// The position as text.
    fn position_text(&self) -> String;
    /// The position as a drawing of several lines.
    fn draw(&self) -> String;
    /// The legal moves.
    fn moves(&self) -> Vec<NamedMove>;

    /// The number of a legal move.
    ///
    /// # Errors
    /// Returns an error if the text is not a legal move.
    fn encode(&self, text: &str) -> Result<i64>;

    /// Returns the text of the move that a log's number stands for; a null move is `null`.
    ///
    /// # Errors
    /// Returns an error if no legal move has this number.
    fn decode(&self, code: i64) -> Result<String>;

    /// Returns a legal move as players write it down: in chess `Nf3`, in other games the usual text.
    ///
    /// # Errors
    /// Returns an error if the text is not a legal move.
    fn written(&self, text: &str) -> Result<String>;

    /// Like [`AnyGame::written`], for the move that a log's number stands for; a null move is `null`.
    ///
    /// # Errors
    /// Returns an error if no legal move has this number.
    fn written_code(&self, code: i64) -> Result<String>;

    /// Plays a move given by its text.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if the text is not a legal move.
    fn play(&mut self, text: &str) -> Result<()>;

    /// Plays a move given by its number in a log and returns its text. A null move passes the turn. If a log
    /// repeats the last move (a verification search), nothing changes.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if no legal move has this number.
    fn play_code(&mut self, code: i64) -> Result<String>;

    /// Returns a text that this position shares with exactly those positions that differ only in how the board is held.
    ///
    /// It is the text of the canonical one among them, without details that make no difference to the choice of a move.
    fn canonical_text(&self) -> String;

    /// Returns the number that a legal move has in the canonical position; the smallest if there are several.
    ///
    /// # Errors
    /// Returns an error if the text is not a legal move.
    fn canonical_code(&self, text: &str) -> Result<i64>;

    /// Returns the legal moves, each with its number in the canonical position. Moves that differ only in how the board is held have the
    /// same number.
    fn canonical_moves(&self) -> Vec<(NamedMove, i64)>;

    /// Returns the value of the position for each player, by the evaluation of this name or the game's first.
    ///
    /// # Errors
    /// Returns an error if the game has no such evaluation.
    fn evaluate(&self, evaluation: Option<&str>) -> Result<Vec<i32>>;

    /// Explains that value by terms and maps.
    ///
    /// # Errors
    /// Returns an error if the game has no such evaluation.
    fn explain(&self, evaluation: Option<&str>) -> Result<Explanation>;

    /// Returns the number of sequences of `depth` moves below each legal move.
    fn perft(&self, depth: u32) -> Vec<(NamedMove, u64)>;

    /// Returns a copy.
    fn boxed_clone(&self) -> Box<dyn AnyGame>;
}

impl Clone for Box<dyn AnyGame> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// The position of a setup.
pub(super) fn open<G: Playable>(setup: &Setup) -> Result<Box<dyn AnyGame>> {
    Ok(Box::new(Held { game: G::from_setup(setup)?, last: None }))
}

/// A game and its last move.
#[derive(Clone)]
struct Held<G> {
    game: G,
    last: Option<NamedMove>,
}

impl<G: Playable> Held<G> {
    /// The last move, if the number repeats it. In the games whose logs do that, the same move cannot be played
    /// again: the square it started from has just been vacated.
    fn repeated(&self, code: i64) -> Option<&NamedMove> {
        self.last.as_ref().filter(|last| G::LOG_REPEATS_MOVES && last.code == code)
    }

    fn make_named(&mut self, mv: G::Move) -> String {
        let named = self.named(mv);
        self.game.make(mv);
        self.last.insert(named).text.clone()
    }

    fn make_null(&mut self) -> Result<String> {
        if self.game.make_logged_null().is_none() {
            return Err(self.null_move_refused());
        }
        let named = NamedMove { code: NULL_MOVE_CODE, text: NULL_MOVE_TEXT.to_owned() };
        Ok(self.last.insert(named).text.clone())
    }

    fn null_move_refused(&self) -> NotationError {
        let problem = format!("no null move can be made in {}", self.game.position_text());
        NotationError::new(ErrorKind::UnknownCode, NULL_MOVE_CODE.to_string(), problem)
    }

    fn named(&self, mv: G::Move) -> NamedMove {
        NamedMove { code: self.game.encode(mv), text: self.game.move_text(mv) }
    }
}

impl<G: Playable> AnyGame for Held<G> {
    fn kind(&self) -> GameKind {
        G::KIND
    }

    fn players(&self) -> usize {
        self.game.players()
    }

    fn to_move(&self) -> usize {
        self.game.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    fn hash(&self) -> u64 {
        self.game.hash()
    }

    fn position_text(&self) -> String {
        self.game.position_text()
    }

    fn draw(&self) -> String {
        self.game.draw()
    }

    fn moves(&self) -> Vec<NamedMove> {
        self.game.legal_moves().into_iter().map(|mv| self.named(mv)).collect()
    }

    fn encode(&self, text: &str) -> Result<i64> {
        Ok(self.game.encode(self.game.parse_move(text)?))
    }

    fn decode(&self, code: i64) -> Result<String> {
        if code == NULL_MOVE_CODE {
            return Ok(NULL_MOVE_TEXT.to_owned());
        }
        Ok(self.game.move_text(self.game.decode(code)?))
    }

    fn written(&self, text: &str) -> Result<String> {
        Ok(self.game.move_written(self.game.parse_move(text)?))
    }

    fn written_code(&self, code: i64) -> Result<String> {
        if code == NULL_MOVE_CODE {
            return Ok(NULL_MOVE_TEXT.to_owned());
        }
        Ok(self.game.move_written(self.game.decode(code)?))
    }

    fn play(&mut self, text: &str) -> Result<()> {
        let mv = self.game.parse_move(text)?;
        self.make_named(mv);
        Ok(())
    }

    fn play_code(&mut self, code: i64) -> Result<String> {
        if let Some(last) = self.repeated(code) {
            return Ok(last.text.clone());
        }
        if code == NULL_MOVE_CODE {
            return self.make_null();
        }
        let mv = self.game.decode(code)?;
        Ok(self.make_named(mv))
    }

    fn canonical_text(&self) -> String {
        Canonical::of(&self.game).text
    }

    fn canonical_code(&self, text: &str) -> Result<i64> {
        let mv = self.game.parse_move(text)?;
        Ok(Canonical::of(&self.game).code(mv))
    }

    fn canonical_moves(&self) -> Vec<(NamedMove, i64)> {
        let canonical = Canonical::of(&self.game);
        let moves = self.game.legal_moves().into_iter();
        moves.map(|mv| (self.named(mv), canonical.code(mv))).collect()
    }

    fn evaluate(&self, evaluation: Option<&str>) -> Result<Vec<i32>> {
        let evaluation = G::evaluation(evaluation_name::<G>(evaluation)?)?;
        let mut values = vec![0; self.game.players()];
        evaluation.evaluate_all(&self.game, &mut values);
        Ok(values)
    }

    fn explain(&self, evaluation: Option<&str>) -> Result<Explanation> {
        let name = evaluation_name::<G>(evaluation)?;
        Ok(Explanation::of(&self.game, &G::evaluation(name)?, name))
    }

    fn perft(&self, depth: u32) -> Vec<(NamedMove, u64)> {
        if depth == 0 {
            return Vec::new();
        }
        let counts = perft_divide(&mut self.game.clone(), depth);
        counts.into_iter().map(|(mv, count)| (self.named(mv), count)).collect()
    }

    fn boxed_clone(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }
}
