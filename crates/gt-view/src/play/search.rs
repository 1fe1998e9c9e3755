//! What a search has found, as the page tells it.

use gt_games::registry::{AnyGame, GameKind};
use gt_play::live::SearchSummary;
use gt_report::Mates;
use serde::Serialize;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SearchAnswer {
    depth: u16,
    /// For the player who searched.
    value: i32,
    /// The value as players write it.
    score: String,
    nodes: u64,
    elapsed_ms: u64,
    /// The line that is expected, as players write it.
    line: Vec<String>,
}

impl SearchAnswer {
    /// A search of a position, with its line.
    pub(super) fn of(search: &SearchSummary, position: &dyn AnyGame) -> Self {
        Self { line: written(&search.line, position), ..Self::brief(search, position.kind()) }
    }

    /// A search without its line.
    pub(super) fn brief(search: &SearchSummary, kind: GameKind) -> Self {
        let &SearchSummary { depth, value, nodes, elapsed_ms, .. } = search;
        Self { depth, value, score: score(kind, value), nodes, elapsed_ms, line: Vec::new() }
    }
}

/// A line as far as it can be played.
fn written(line: &[String], position: &dyn AnyGame) -> Vec<String> {
    let mut game = position.boxed_clone();
    let step = |text: &String| {
        let written = game.written(text).ok()?;
        game.play(text).ok()?;
        Some(written)
    };
    line.iter().map_while(step).collect()
}

/// A value with its sign, in pawns where the game has pawns; a decided game by the distance to its end.
fn score(kind: GameKind, value: i32) -> String {
    match Mates::of_searches(kind.name()).text(i128::from(value), 0) {
        Some(decided) => decided,
        None if kind == GameKind::Chess => format!("{:+.2}", f64::from(value) / 100.0),
        None => format!("{value:+}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gt_games::registry::Setup;
    use gt_search::{KnownEnding, UNMEASURED_WIN_MIN, WIN};

    #[test]
    fn values_are_written_as_players_do() {
        assert_eq!(score(GameKind::Chess, -35), "-0.35");
        assert_eq!(score(GameKind::Amazons, 12), "+12");
        assert_eq!(score(GameKind::Chess, WIN - 3), "mate in 2");
        assert_eq!(score(GameKind::TicTacToe, 4 - WIN), "lost in 4 plies");
        assert_eq!(score(GameKind::Chess, KnownEnding::Win.value(3)), "won");
        assert_eq!(score(GameKind::Chess, -UNMEASURED_WIN_MIN), "lost");
        assert_eq!(score(GameKind::Amazons, 1 - UNMEASURED_WIN_MIN), "-979998", "an evaluation");
    }

    #[test]
    fn a_line_is_written_as_far_as_it_goes() {
        let start = GameKind::Chess.open(&Setup::default()).unwrap();
        let line = ["g1f3", "e7e5", "e2e5"].map(str::to_owned);
        assert_eq!(written(&line, &*start), ["Nf3", "e5"]);
    }
}
