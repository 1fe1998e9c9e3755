//! Looks up positions in the available tables.

use super::material::Material;
use super::position::Placed;
use super::rules::{can_castle, en_passant_square};
use super::table::ChessTable;
use crate::error::{Result, damaged};
use crate::verified::Verified;
use cozy_chess::{Board, GameStatus, Move};
use gt_search::Ending;
use std::collections::HashMap;

/// The maximum number of pieces in a table.
pub(crate) const PIECES_MAX: u32 = 4;

/// A legal move with the ending it leads to, from the view of the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveEnding {
    /// The move; castling is the king taking his rook.
    pub mv: Move,
    /// The ending it leads to; `None` if no available table knows it.
    pub ending: Option<Ending>,
}

/// The available tables of chess.
#[derive(Debug, Default)]
pub struct ChessTables {
    tables: HashMap<Material, ChessTable>,
}

impl ChessTables {
    pub(crate) fn add(&mut self, table: ChessTable) {
        self.tables.insert(table.material(), table);
    }

    /// Returns the tables, by name.
    #[must_use]
    pub fn tables(&self) -> Vec<&ChessTable> {
        let mut tables: Vec<&ChessTable> = self.tables.values().collect();
        tables.sort_by_key(|table| table.material().to_string());
        tables
    }

    /// Returns the ending of a position, if an available table knows it: one with at most four pieces and no castling
    /// rights.
    ///
    /// # Errors
    /// Returns an error if a table cannot be read, or is damaged.
    pub fn probe(&self, board: &Board) -> Result<Option<Ending>> {
        if board.occupied().len() > PIECES_MAX || can_castle(board) {
            return Ok(None);
        }
        if en_passant_square(board).is_some() {
            return self.probe_moves(board);
        }
        let Some(placed) = Placed::of(board) else { return Ok(Some(Ending::Draw)) };
        self.tables.get(&placed.material).map(|table| table.value(&placed)).transpose()
    }

    /// Checks positions against their moves.
    pub(crate) fn verify(&self, positions: &[String]) -> Result<Verified> {
        let mut verified = Verified::default();
        for position in positions {
            let unread = || damaged(format!("{position} is no position"));
            let board: Board = position.parse().map_err(|_| unread())?;
            verified.looked_at += 1;
            let Some(expected) = self.following_moves(&board)? else { continue };
            if self.probe(&board)? != Some(expected) {
                return Err(damaged(format!("the value of {position} does not follow from its moves")));
            }
            verified.follow += 1;
        }
        Ok(verified)
    }

    /// The ending that follows from the rules and from the endings of the moves, if all of these are known.
    fn following_moves(&self, board: &Board) -> Result<Option<Ending>> {
        match board.status() {
            GameStatus::Won => Ok(Some(Ending::Loss { plies: 0 })),
            GameStatus::Drawn => Ok(Some(Ending::Draw)),
            GameStatus::Ongoing => self.probe_moves(board),
        }
    }

    /// The ending after the best of a position's moves, if all are known.
    fn probe_moves(&self, board: &Board) -> Result<Option<Ending>> {
        let endings: Option<Vec<Ending>> = self.moves(board)?.into_iter().map(|mv| mv.ending).collect();
        Ok(endings.and_then(|endings| endings.into_iter().max_by_key(|ending| ending.value(0))))
    }

    /// Returns the legal moves with their endings, the best first; unknown ones last.
    ///
    /// # Errors
    /// Returns an error if a table cannot be read, or is damaged.
    pub fn moves(&self, board: &Board) -> Result<Vec<MoveEnding>> {
        let mut moves = Vec::new();
        board.generate_moves(|piece_moves| {
            moves.extend(piece_moves);
            false
        });
        let mut found = Vec::with_capacity(moves.len());
        for mv in moves {
            let mut after = board.clone();
            after.play_unchecked(mv);
            found.push(MoveEnding { mv, ending: self.probe(&after)?.map(Ending::before_move) });
        }
        found.sort_by_key(|mv| std::cmp::Reverse(mv.ending.map(|ending| ending.value(0))));
        Ok(found)
    }
}
