//! How a game ended.

use gt_games::registry::{AnyGame, GameKind};
use gt_play::live::side_name;
use gt_search::Outcome;

/// How it ended, in words.
pub(super) fn told(kind: GameKind, outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(player) => format!("{} has won", side_name(kind, player)),
        Outcome::Draw => "drawn".to_owned(),
    }
}

/// The winner's name, or `draw`.
pub(super) fn outcome_text(game: &dyn AnyGame, outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(player) => side_name(game.kind(), player),
        Outcome::Draw => "draw",
    }
}
