//! Moves of checked logs, as their games write them.

use gt_check::Moves;
use gt_log::{Log, Tree};
use gt_query::MoveCodec;

use crate::moves::Position;
use gt_fleet::Notation;

/// The games that we know, and the names that logs give.
pub(super) struct GameMoves;

impl Moves for GameMoves {
    fn codec<'a>(&self, log: &'a Log) -> Option<Box<dyn MoveCodec + 'a>> {
        Notation::of(log).map(|notation| Box::new(notation) as Box<dyn MoveCodec + 'a>)
    }

    fn line(&self, log: &Log, tree: Tree<'_>, moves: &[i64]) -> Vec<String> {
        Position::root(log, tree).play_all(moves).0
    }
}
