//! What a log that is being written and its trees share.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use gt_games::GameKind;
use gt_log::Kind;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::{self, WriteError};

/// What a log and its trees share.
pub(super) struct Shared {
    pub(super) writer: Mutex<Option<gt_log::LogWriter>>,
    pub(super) kinds: Vec<Kind>,
    pub(super) names: Vec<String>,
    /// The names as Python's strings, whose hashes are known.
    pub(super) keys: Vec<Py<PyString>>,
    pub(super) game: Option<GameKind>,
    /// The numbers of moves that were given as texts, where the game has no notation here.
    pub(super) moves: Mutex<HashMap<String, i64>>,
}

impl Shared {
    /// The number of a move: itself, that of the game's notation, or one that its name gets here.
    pub(super) fn number(&self, last_move: &Bound<'_, PyAny>) -> PyResult<i64> {
        if let Ok(number) = last_move.extract::<i64>() {
            return Ok(number);
        }
        let Ok(text) = last_move.cast::<PyString>() else {
            let kind = last_move.get_type().name()?;
            let sentence = format!("a move is a number of 64 bits or a text, and this is `{kind}`");
            return Err(WriteError::new_err(sentence));
        };
        let text = &*text.to_cow()?;
        if let Some(game) = self.game {
            let unknown =
                || WriteError::new_err(format!("`{text}` is no move of {game}; {}", game.move_form()));
            return game.move_code(text).ok_or_else(unknown);
        }
        let mut moves = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = moves.get(text) {
            return Ok(*number);
        }
        let number = moves.len() as i64 + 1;
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let writer = writer.as_ref().ok_or_else(error::closed)?;
        writer.name_moves([(number, text)]).map_err(|error| error::writing(&error))?;
        moves.insert(text.to_owned(), number);
        Ok(number)
    }
}
