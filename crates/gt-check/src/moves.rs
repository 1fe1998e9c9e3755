//! Moves in words, from a caller that knows the games.

use std::path::Path;

use gt_log::{Log, Tree};
use gt_query::MoveCodec;

/// The notation of moves, provided by a caller that knows the games.
pub trait Moves: Sync {
    /// Returns the conversion between a log's moves and texts, if they have texts.
    fn codec<'a>(&self, log: &'a Log) -> Option<Box<dyn MoveCodec + 'a>>;

    /// Returns the moves that lead to each of these nodes of a tree as texts; `path` is the log's.
    fn lines(&self, path: &Path, log: &Log, tree: Tree<'_>, nodes: &[NodeLine]) -> Vec<Vec<String>> {
        let _ = (path, tree);
        let codec = self.codec(log);
        let text = |number: &i64| codec.as_ref().and_then(|codec| codec.text(*number));
        let written = |number: &i64| text(number).unwrap_or_else(|| number.to_string());
        nodes.iter().map(|node| node.moves.iter().map(written).collect()).collect()
    }

    /// Returns the value of the option `--moves` with which `gt query` writes moves like this; `None` if it needs none.
    fn option(&self) -> Option<&'static str> {
        None
    }
}

/// A node, and the moves that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeLine {
    /// Its node_id.
    pub node: u64,
    /// The moves from the root.
    pub moves: Vec<i64>,
}
