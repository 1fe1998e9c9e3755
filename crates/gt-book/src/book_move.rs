//! A move of a book, whatever its format.

use crate::tally::Tally;

/// A move that a book has for a position.
#[derive(Clone, Debug, PartialEq)]
pub struct BookMove {
    /// The move in the game's own notation.
    pub text: String,
    /// The weight relative to the other moves; a move with weight 0 is never chosen.
    pub weight: u32,
    /// The number of moves of the position that are the same but for how the board is held, including this one: they
    /// share the weight.
    pub alike: usize,
    /// The probability that [`Book::choose`](crate::Book::choose) takes it.
    pub chance: f64,
    /// The games behind the weight, if the format records them.
    pub tally: Option<Tally>,
}

impl BookMove {
    pub(crate) fn new(text: String, weight: u32) -> Self {
        Self { text, weight, alike: 1, chance: 0.0, tally: None }
    }
}
