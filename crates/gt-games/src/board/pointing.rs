//! How a player points at a move on a board: place after place, and a choice by name if the places do not distinguish moves.
//!
//! ```text
//! tic-tac-toe   b2                    chess              e2 e4      e7 e8 + queen, rook, bishop or knight
//! connect four  d1, by way of d2 … d6 Chinese checkers   e1 f1      (no place) + pass
//! Amazons       d1 d7 g7              a tree, Thorns     (no place) + the name of the move
//! ```
//!
//! **Invariant:** no two legal moves of a position have the same places and the same choice, and no move's places are
//! a proper prefix of another's. Pointing at all places of a move and making its choice names it.

use std::cmp::Reverse;

use super::Board;
use crate::notation::NULL_MOVE_CODE;
use crate::registry::{AnyGame, GameKind, NamedMove};

/// A legal move in terms of the places to point at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointedMove {
    /// The move in the game's notation.
    pub text: String,
    /// The places to point at, in order; none for a pass.
    pub places: Vec<String>,
    /// The choice to make after the last place.
    pub choice: Option<String>,
}

/// A place that may be pointed at instead of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandIn {
    /// The place that is pointed at.
    pub place: String,
    /// The intended place.
    pub meant: String,
}

/// Everything that can be pointed at in a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pointing {
    /// The legal moves; of those that differ only in their choice, the most frequently wanted comes first.
    pub moves: Vec<PointedMove>,
    /// Places that stand for another one: the whole column of connect four stands for the place where the disc lands.
    pub stand_ins: Vec<StandIn>,
}

impl Pointing {
    /// Returns how to point at the legal moves of a position.
    ///
    /// ```
    /// use gt_games::board::Pointing;
    /// use gt_games::registry::{GameKind, Setup};
    ///
    /// let game = GameKind::Chess.open(&Setup::position("8/P6k/8/8/8/8/8/K7 w - - 0 1"))?;
    /// let queen = Pointing::of(&*game).moves.into_iter().find(|pointed| pointed.text == "a7a8q").unwrap();
    /// assert_eq!(queen.places, ["a7", "a8"]);
    /// assert_eq!(queen.choice.as_deref(), Some("queen"));
    /// # Ok::<(), gt_games::NotationError>(())
    /// ```
    #[must_use]
    pub fn of(game: &dyn AnyGame) -> Self {
        let board = Board::of(game);
        let mut named = game.moves();
        if game.kind() == GameKind::Chess {
            named.sort_by_key(|named| Reverse(promotion(named.code)));
        }
        let pointed = |named: NamedMove| PointedMove {
            places: places(&board, game.kind(), named.code),
            choice: choice(game.kind(), &named),
            text: named.text,
        };
        let moves: Vec<PointedMove> = named.into_iter().map(pointed).collect();
        let stand_ins = match game.kind() {
            GameKind::ConnectFour => columns(&board, &moves),
            GameKind::TicTacToe
            | GameKind::Amazons
            | GameKind::Chess
            | GameKind::ChineseCheckers
            | GameKind::Thorns
            | GameKind::Tree => Vec::new(),
        };
        Self { moves, stand_ins }
    }
}

/// Returns the places that a move touches on the board before it, in order; none for a null move or a pass.
#[must_use]
pub fn touched_places(before: &dyn AnyGame, code: i64) -> Vec<String> {
    places(&Board::of(before), before.kind(), code)
}

fn places(before: &Board, kind: GameKind, code: i64) -> Vec<String> {
    if code == NULL_MOVE_CODE {
        return Vec::new();
    }
    let places = kind.move_places(code).unwrap_or_default();
    if kind != GameKind::ConnectFour {
        return places;
    }
    // A disc falls to the lowest empty place of its column.
    let Some(column) = places.first() else { return Vec::new() };
    let lowest = before.cells.iter().rev().find(|cell| cell.piece.is_none() && is_in(&cell.place, column));
    lowest.map(|cell| vec![cell.place.clone()]).unwrap_or_default()
}

fn choice(kind: GameKind, named: &NamedMove) -> Option<String> {
    match kind {
        GameKind::Chess => {
            let pieces = ["knight", "bishop", "rook", "queen"];
            pieces.get(promotion(named.code)?).map(|&piece| piece.to_owned())
        }
        GameKind::ChineseCheckers => kind.move_places(named.code).is_none().then(|| "pass".to_owned()),
        GameKind::TicTacToe | GameKind::ConnectFour | GameKind::Amazons => None,
        GameKind::Thorns | GameKind::Tree => Some(named.text.clone()),
    }
}

/// The number of the piece that a pawn becomes, from 0.
fn promotion(code: i64) -> Option<usize> {
    usize::try_from((code >> 12) - 1).ok()
}

/// Every other place of a column stands for the one where its disc lands.
fn columns(board: &Board, moves: &[PointedMove]) -> Vec<StandIn> {
    let landings = moves.iter().filter_map(|pointed| Some((&pointed.text, pointed.places.first()?)));
    let stand_ins = landings.flat_map(|(column, meant)| {
        let others =
            board.cells.iter().filter(move |cell| is_in(&cell.place, column) && cell.place != *meant);
        others.map(move |cell| StandIn { place: cell.place.clone(), meant: meant.clone() })
    });
    stand_ins.collect()
}

/// Whether a place lies in a column.
fn is_in(place: &str, column: &str) -> bool {
    place.starts_with(column)
}
