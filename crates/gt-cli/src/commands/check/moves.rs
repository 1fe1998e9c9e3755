//! Moves of checked logs, as their games write them.

use std::path::Path;

use gt_check::{Moves as CheckedMoves, NodeLine};
use gt_fleet::Notation;
use gt_log::{Log, Tree};
use gt_query::MoveCodec;

use crate::moves::{Moves, TreeMoves, tell_unknown_position};

/// The games that we know, and the names that logs give.
pub(super) struct GameMoves {
    /// How moves are printed.
    pub(super) moves: Moves,
}

impl CheckedMoves for GameMoves {
    fn codec<'a>(&self, log: &'a Log) -> Option<Box<dyn MoveCodec + 'a>> {
        Notation::of(log).map(|notation| Box::new(notation) as Box<dyn MoveCodec + 'a>)
    }

    fn lines(&self, path: &Path, log: &Log, tree: Tree<'_>, nodes: &[NodeLine]) -> Vec<Vec<String>> {
        tell_unknown_position(self.moves, path, log, tree);
        let names = TreeMoves::new(log, tree, self.moves);
        nodes.iter().map(|node| names.line(&node.moves, node.node)).collect()
    }

    fn option(&self) -> Option<&'static str> {
        match self.moves {
            Moves::Text => None,
            Moves::San => Some("san"),
            Moves::Number => Some("number"),
        }
    }
}
