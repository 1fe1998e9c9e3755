//! Endgame tables for an engine.

use std::path::Path;
use std::sync::Arc;

use gt_endgame::Tables;
use gt_games::registry::GameKind;

use crate::algorithm::Algorithm;
use crate::error::{Error, Result};

/// Opens a table or a folder with tables, for an algorithm that uses them and their game.
///
/// # Errors
/// Returns an error if the algorithm uses no tables, a table cannot be read, or there is none of the game.
pub fn open_endgames(path: &Path, game: GameKind, algorithm: Algorithm) -> Result<Arc<Tables>> {
    if !algorithm.asks_endgames() {
        return Err(Error::Unfit(format!("`{algorithm}` asks no tables of endgames; pvs and strong do")));
    }
    let tables = Tables::open(path).map_err(|error| Error::Unfit(error.to_string()))?;
    if !tables.has(game) {
        return Err(Error::Unfit(format!("{}: there is no table of {game} here", path.display())));
    }
    Ok(Arc::new(tables))
}
