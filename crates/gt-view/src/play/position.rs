//! A position of the game, as the page draws it.

use gt_games::board::touched_places;
use gt_games::registry::{GameKind, Setup};
use gt_play::live::PlayedMove;
use serde::Serialize;

use super::search::SearchAnswer;
use crate::calls::drawn::{BoardShape, Cell, drawn};
use crate::error::Answer;

/// `/api/play/position`: the board after some moves.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PlayedPosition {
    game: &'static str,
    ply: usize,
    position: String,
    shape: BoardShape,
    cells: Vec<Cell>,
    /// The places of the last move.
    last: Vec<String>,
    /// What the program found that played the last move.
    search: Option<SearchAnswer>,
}

impl PlayedPosition {
    /// The position after these moves from a start.
    pub(super) fn after(kind: GameKind, start: &str, moves: &[PlayedMove]) -> Answer<Self> {
        let mut game = kind.open(&Setup::position(start)).map_err(gt_play::Error::from)?;
        let (mut last, mut search) = (Vec::new(), None);
        for (place, played) in moves.iter().enumerate() {
            let found = played.search.as_ref().filter(|_| place + 1 == moves.len());
            search = found.map(|search| SearchAnswer::of(search, &*game));
            last = touched_places(&*game, played.code);
            game.play(&played.text).map_err(gt_play::Error::from)?;
        }
        let (shape, cells) = drawn(&*game);
        Ok(Self {
            game: kind.name(),
            ply: moves.len(),
            position: game.position_text(),
            shape,
            cells,
            last,
            search,
        })
    }
}
