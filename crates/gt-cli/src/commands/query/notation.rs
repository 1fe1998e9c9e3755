//! The moves of a log as texts and back, for the games whose rules we have.
//!
//! The numbers that `gt_games` gives to moves hold squares, so that they need no position to be read: a column of
//! `last_move` can be shown, and `last_move = "e2e4"` compared, wherever in the tree the node stands. That a text is
//! a legal move somewhere is not checked: a query for a move that was never played has no matches.

use gt_games::GameKind;
use gt_query::{MoveCodec, Type, Value};

/// How the moves of one game are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Notation(GameKind);

impl Notation {
    /// That of the game with this name, if it is one of ours.
    pub(crate) fn of_game(game: &str) -> Option<Self> {
        game.parse().ok().map(Self)
    }

    /// How a move is written, as the end of a sentence.
    pub(crate) fn form(self) -> &'static str {
        self.0.move_form()
    }
}

impl MoveCodec for Notation {
    fn number(&self, text: &str) -> Option<i64> {
        self.0.move_code(text)
    }

    fn text(&self, number: i64) -> Option<String> {
        self.0.move_text(number)
    }
}

/// A value for people: moves in the game's notation where there is one, and as numbers where there is none.
pub(crate) fn shown(value: &Value, value_type: Type, notation: Option<Notation>) -> String {
    let text = |number: i64| {
        let known = notation.and_then(|notation| notation.text(number));
        known.unwrap_or_else(|| number.to_string())
    };
    match value {
        Value::Integer(number) if value_type == Type::Move => {
            i64::try_from(*number).map_or_else(|_| number.to_string(), text)
        }
        Value::Line(line) => line.moves().iter().map(|number| text(*number)).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
