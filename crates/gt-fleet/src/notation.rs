//! The moves of a log as texts and back: in the notation of the games whose rules we have, and by the log's own names.
//!
//! The numbers that `gt_games` gives to moves hold squares, so that they need no position to be read: a column of
//! `last_move` can be shown, and `last_move = "e2e4"` compared, wherever in the tree the node stands. That a text is
//! a legal move somewhere is not checked: a query for a move that was never played has no matches.

use gt_games::GameKind;
use gt_log::Log;
use gt_query::MoveCodec;

/// How the moves of one log are written.
#[derive(Clone, Copy)]
pub struct Notation<'a> {
    game: Option<GameKind>,
    log: &'a Log,
}

impl<'a> Notation<'a> {
    /// That of the log's game, or its names of moves; nothing if it has neither.
    #[must_use]
    pub fn of(log: &'a Log) -> Option<Self> {
        let game = log.game().parse().ok();
        (game.is_some() || !log.move_names().is_empty()).then_some(Self { game, log })
    }

    /// How a move of the game is written, as the end of a sentence.
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
