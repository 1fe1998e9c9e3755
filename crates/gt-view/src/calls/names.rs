//! What the moves of nodes are called.
//!
//! ```text
//! a game that is known     g1f3, or as players write it down: Nf3
//! any other game           the node's own text in the attribute `move_name`, or the log's name for the number
//! neither                  the number
//! ```

use gt_games::GameKind;
use gt_games::registry::Scribe;
use gt_log::Schema;

/// What names the moves of nodes, beside the notation of numbers.
#[derive(Default)]
pub(crate) struct Names {
    /// Writes moves down as players do, where that is asked for.
    pub(super) scribe: Option<Scribe>,
    /// The attribute with the names of moves, if the game is not known.
    pub(super) attribute: Option<usize>,
}

impl Names {
    pub(crate) fn new(game: Option<GameKind>, schema: &Schema) -> Self {
        Self { scribe: None, attribute: gt_report::move_names(schema).filter(|_| game.is_none()) }
    }

    /// Whether a move's name is not told by its number alone.
    pub(crate) fn need_nodes(&self) -> bool {
        self.scribe.is_some() || self.attribute.is_some()
    }
}
