//! Moves of checked logs, as their games write them.

use gt_check::Moves;
use gt_fleet::Notation;
use gt_log::Log;
use gt_query::MoveCodec;

/// The games that we know, and the names that logs give.
pub(super) struct GameMoves;

impl Moves for GameMoves {
    fn codec<'a>(&self, log: &'a Log) -> Option<Box<dyn MoveCodec + 'a>> {
        Notation::of(log).map(|notation| Box::new(notation) as Box<dyn MoveCodec + 'a>)
    }
}
