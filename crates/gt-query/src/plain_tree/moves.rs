//! Moves of trees that were read from text.

use crate::bind::MoveCodec;

/// The words of the moves of a tree that was read from text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moves {
    /// Empty if the moves are their own numbers.
    pub(super) words: Vec<String>,
}

impl MoveCodec for Moves {
    fn number(&self, text: &str) -> Option<i64> {
        if self.words.is_empty() {
            return text.parse().ok();
        }
        self.words.iter().position(|word| word == text).and_then(|place| i64::try_from(place).ok())
    }

    fn text(&self, number: i64) -> Option<String> {
        if self.words.is_empty() {
            return Some(number.to_string());
        }
        usize::try_from(number).ok().and_then(|place| self.words.get(place).cloned())
    }
}
