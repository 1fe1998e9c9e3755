//! Moves of checked logs, as their games write them.

use gt_check::Moves;
use gt_log::{Log, Tree};
use gt_query::MoveCodec;

use gt_fleet::Notation;

/// The games that we know, and the names that logs give.
pub(super) struct GameMoves;

impl Moves for GameMoves {
    fn codec<'a>(&self, log: &'a Log) -> Option<Box<dyn MoveCodec + 'a>> {
        Notation::of(log).map(|notation| Box::new(notation) as Box<dyn MoveCodec + 'a>)
    }

    fn line(&self, log: &Log, _: Tree<'_>, moves: &[i64]) -> Vec<String> {
        let notation = Notation::of(log);
        let text = |number: i64| notation.and_then(|notation| notation.text(number));
        moves.iter().map(|&number| text(number).unwrap_or_else(|| number.to_string())).collect()
    }
}
