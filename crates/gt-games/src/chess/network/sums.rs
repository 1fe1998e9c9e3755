//! The sums of the hidden units, kept from one position to the next.
//!
//! A search evaluates positions that differ by a few moves, so a thread keeps the sums of the last position that it
//! evaluated, and adds and subtracts the inputs that have changed since.

use super::inputs::Viewpoint;
use super::weights::{HIDDEN, Network, Row};
use cozy_chess::{BitBoard, Board, Color, Piece, Square};
use std::cell::RefCell;

/// The two players' sums in a position.
pub(super) struct Sums {
    /// The address of the network that they belong to; 0 for none.
    network: usize,
    pieces: Pieces,
    viewpoints: [Option<Viewpoint>; 2],
    sums: [Row; 2],
}

/// The squares of each kind of piece, by colour.
type Pieces = [[BitBoard; Piece::NUM]; 2];

thread_local! {
    static LAST: RefCell<Sums> = const { RefCell::new(Sums::NONE) };
}

/// Calls a function with the sums that this thread computed last.
#[inline]
pub(super) fn with_last<T>(then: impl FnOnce(&mut Sums) -> T) -> T {
    LAST.with(|last| then(&mut last.borrow_mut()))
}

impl Network {
    /// Returns the sums of a position without the piece of a square.
    pub(super) fn sums_without(&self, board: &Board, square: Option<Square>) -> [Row; 2] {
        let left_out = square.map_or(BitBoard::EMPTY, Square::bitboard);
        let pieces = pieces_of(board).map(|kinds| kinds.map(|squares| squares & !left_out));
        Color::ALL.map(|color| {
            let mut sums = self.biases;
            let viewpoint = Viewpoint::of(board, color);
            change(self, [viewpoint], [&Sums::NONE.pieces, &pieces], std::array::from_mut(&mut sums));
            sums
        })
    }
}

impl Sums {
    const NONE: Self = Self {
        network: 0,
        pieces: [[BitBoard::EMPTY; Piece::NUM]; 2],
        viewpoints: [None; 2],
        sums: [Row([0; HIDDEN]); 2],
    };

    /// Computes the sums of a position from those of the last one, and returns them.
    #[inline(always)]
    pub(super) fn of(&mut self, network: &'static Network, board: &Board) -> &[Row; 2] {
        let address = std::ptr::from_ref(network) as usize;
        if self.network != address {
            *self = Self { network: address, ..Self::NONE };
        }
        let pieces = pieces_of(board);
        let viewpoints = Color::ALL.map(|color| Viewpoint::of(board, color));
        if viewpoints.map(Some) == self.viewpoints {
            change(network, viewpoints, [&self.pieces, &pieces], &mut self.sums);
        } else {
            for (color, viewpoint) in viewpoints.into_iter().enumerate() {
                let sums = std::array::from_mut(&mut self.sums[color]);
                if self.viewpoints[color] == Some(viewpoint) {
                    change(network, [viewpoint], [&self.pieces, &pieces], sums);
                } else {
                    *sums = [network.biases];
                    change(network, [viewpoint], [&Self::NONE.pieces, &pieces], sums);
                }
            }
            self.viewpoints = viewpoints.map(Some);
        }
        self.pieces = pieces;
        &self.sums
    }
}

#[inline(always)]
fn pieces_of(board: &Board) -> Pieces {
    Color::ALL.map(|color| Piece::ALL.map(|piece| board.colored_pieces(color, piece)))
}

/// Adds the inputs of pieces that came and subtracts those of pieces that left, in the sums of each viewpoint.
#[inline(always)]
fn change<const VIEWS: usize>(
    network: &Network,
    viewpoints: [Viewpoint; VIEWS],
    [before, now]: [&Pieces; 2],
    sums: &mut [Row; VIEWS],
) {
    for owner in Color::ALL {
        for piece in Piece::ALL {
            let [before, now] = [before, now].map(|pieces| pieces[owner as usize][piece as usize]);
            for square in before & !now {
                for (viewpoint, sums) in viewpoints.iter().zip(&mut *sums) {
                    let row = &network.inputs[viewpoint.input(owner, piece, square)];
                    sums.0.iter_mut().zip(row.0).for_each(|(sum, weight)| *sum = sum.wrapping_sub(weight));
                }
            }
            for square in now & !before {
                for (viewpoint, sums) in viewpoints.iter().zip(&mut *sums) {
                    let row = &network.inputs[viewpoint.input(owner, piece, square)];
                    sums.0.iter_mut().zip(row.0).for_each(|(sum, weight)| *sum = sum.wrapping_add(weight));
                }
            }
        }
    }
}
