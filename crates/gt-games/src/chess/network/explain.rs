//! The explanation of a network's value: what each piece is worth where it stands.
//!
//! A network has no terms. But its value can be computed twice: with a piece and without it.

use super::value::{ByNetwork, has_bare_king};
use super::weights::Network;
use crate::chess::Chess;
use crate::chess::evaluate::{COUNTED, SixTerms, maps};
use crate::explain::{Breakdown, Explain, MapCell, Share, SquareMap, Term, over_squares};
use cozy_chess::{Board, Color, Piece, Square};

impl Explain<Chess> for ByNetwork {
    fn break_down(&self, game: &Chess) -> Breakdown {
        let board = game.board();
        if has_bare_king(board) {
            return SixTerms.break_down(game);
        }
        let worths = Worths::of(self.0, board);
        let mut terms: Vec<Term> = COUNTED.into_iter().map(|kind| worths.term(board, kind)).collect();
        terms.push(worths.rest(&terms));
        let cell = |file: usize, rank: usize| worths.cell(board, Square::index(8 * rank + file));
        let note =
            "what a piece is worth here, in tenths of a pawn: the value with it, minus the value without it";
        let mut all_maps = vec![SquareMap { name: "worth", note, cells: over_squares(8, 8, cell) }];
        all_maps.extend(maps(board));
        Breakdown::plain("hundredths of a pawn", terms, all_maps)
    }
}

impl Network {
    /// The mover's value without the piece on a square, in the row of weights for all pieces.
    fn value_without(&self, board: &Board, square: Option<Square>) -> i32 {
        self.output(board, &self.sums_without(board, square))
    }
}

/// The worth of each piece to its owner, and the position's value for White.
struct Worths {
    squares: [i32; Square::NUM],
    value: i32,
}

impl Worths {
    fn of(network: &'static Network, board: &Board) -> Self {
        let whites = |value: i32| if board.side_to_move() == Color::White { value } else { -value };
        let value = whites(network.value_without(board, None));
        let mut squares = [0; Square::NUM];
        for square in board.occupied() & !board.pieces(Piece::King) {
            let difference = value - whites(network.value_without(board, Some(square)));
            let is_white = board.colors(Color::White).has(square);
            squares[square as usize] = if is_white { difference } else { -difference };
        }
        Self { squares, value }
    }

    fn term(&self, board: &Board, (piece, name): (Piece, &'static str)) -> Term {
        let share = |color: Color| {
            let squares = board.colored_pieces(color, piece);
            let value: i32 = squares.into_iter().map(|square| self.squares[square as usize]).sum();
            Share { count: Some(i64::from(squares.len())), stages: None, value: i64::from(value) }
        };
        let note = "what they are worth, each beside all others";
        let shares = [Color::White, Color::Black].map(share).to_vec();
        Term { group: Some("pieces"), name, note, weight: None, shares }
    }

    /// The part of the value that the terms lack, as a term of the player whom it favours.
    fn rest(&self, terms: &[Term]) -> Term {
        let sum = |player: usize| terms.iter().map(|term| term.shares[player].value).sum::<i64>();
        let missing = i64::from(self.value) - (sum(0) - sum(1));
        let share = |value: i64| Share { count: None, stages: None, value: value.max(0) };
        let note = "what the pieces are worth together and not one by one; the kings; having the move";
        let shares = vec![share(missing), share(-missing)];
        Term { group: None, name: "interplay", note, weight: None, shares }
    }

    fn cell(&self, board: &Board, square: Square) -> MapCell {
        if !board.occupied().has(square) || board.pieces(Piece::King).has(square) {
            return MapCell::default();
        }
        let owner = usize::from(board.colors(Color::Black).has(square));
        // Two digits fit on a square.
        MapCell::owned(owner, (self.squares[square as usize] + 5).div_euclid(10))
    }
}
