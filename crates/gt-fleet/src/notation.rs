//! Conversion between a log's moves and texts: in the notation of the games whose rules we have, and by the log's own
//! names.
//!
//! The numbers that `gt_games` assigns to moves contain squares, so they can be read without a position: a column of
//! `last_move` can be shown, and `last_move = "e2e4"` compared, wherever in the tree the node is. It is not checked
//! that a text is a legal move somewhere: a query for a move that was never played has no matches.

use gt_games::GameKind;
use gt_log::Log;
use gt_query::MoveCodec;

/// The notation of one log's moves.
#[derive(Clone, Copy)]
pub struct Notation<'a> {
    game: Option<GameKind>,
    log: &'a Log,
}

impl<'a> Notation<'a> {
    /// Returns the notation of the log's game, or the log's own names of moves; `None` if it has neither.
    #[must_use]
    pub fn of(log: &'a Log) -> Option<Self> {
        let game = log.game().parse().ok();
        (game.is_some() || !log.move_names().is_empty()).then_some(Self { game, log })
    }

    /// Returns the form of a move of the game, as the end of a sentence.
    #[must_use]
    pub fn form(self) -> Option<&'static str> {
        self.game.map(GameKind::move_form)
    }
}

impl MoveCodec for Notation<'_> {
    fn number(&self, text: &str) -> Option<i64> {
        let named = || self.log.move_names().into_iter().find(|(_, name)| *name == text);
        self.game.and_then(|game| game.move_code(text)).or_else(|| named().map(|(number, _)| number))
    }

    fn text(&self, number: i64) -> Option<String> {
        let named = || self.log.move_name(number).map(str::to_owned);
        self.game.and_then(|game| game.move_text(number)).or_else(named)
    }
}

#[cfg(test)]
mod tests;
