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

/// The most pieces that can come, or leave.
const PIECES_MAX: usize = 32;
/// The number of units that are computed at once: so many fit in a processor's registers.
const LANES: usize = 64;

/// The inputs of pieces that come or leave, in each view.
struct Changes<const VIEWS: usize> {
    inputs: [[u16; VIEWS]; PIECES_MAX],
    count: usize,
}

impl<const VIEWS: usize> Changes<VIEWS> {
    const NONE: Self = Self { inputs: [[0; VIEWS]; PIECES_MAX], count: 0 };

    #[inline(always)]
    fn push(&mut self, inputs: [u16; VIEWS]) {
        if let Some(place) = self.inputs.get_mut(self.count) {
            *place = inputs;
            self.count += 1;
        }
    }

    /// The parts of the rows of the changed inputs from a unit on.
    #[inline(always)]
    fn rows<'a>(
        &'a self,
        network: &'a Network,
        view: usize,
        unit: usize,
    ) -> impl Iterator<Item = &'a [i16; LANES]> {
        let inputs = self.inputs[..self.count].iter();
        inputs.filter_map(move |input| network.inputs[usize::from(input[view])].0[unit..].first_chunk())
    }
}

/// Adds the inputs of pieces that came and subtracts those of pieces that left, in the sums of each viewpoint.
#[inline(always)]
fn change<const VIEWS: usize>(
    network: &Network,
    viewpoints: [Viewpoint; VIEWS],
    [before, now]: [&Pieces; 2],
    sums: &mut [Row; VIEWS],
) {
    let (mut left, mut came) = (Changes::<VIEWS>::NONE, Changes::<VIEWS>::NONE);
    for owner in Color::ALL {
        for piece in Piece::ALL {
            let [before, now] = [before, now].map(|pieces| pieces[owner as usize][piece as usize]);
            let inputs =
                |square: Square| viewpoints.map(|viewpoint| viewpoint.input(owner, piece, square) as u16);
            (before & !now).into_iter().for_each(|square| left.push(inputs(square)));
            (now & !before).into_iter().for_each(|square| came.push(inputs(square)));
        }
    }
    for (view, sums) in sums.iter_mut().enumerate() {
        let (tiles, _) = sums.0.as_chunks_mut::<LANES>();
        for (tile, unit) in tiles.iter_mut().zip((0..).step_by(LANES)) {
            let mut part = *tile;
            for row in left.rows(network, view, unit) {
                part.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
            }
            for row in came.rows(network, view, unit) {
                part.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
            }
            *tile = part;
        }
    }
}
