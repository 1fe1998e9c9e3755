//! The sums of the hidden units, kept from one position to the next.
//!
//! A search evaluates positions that differ by a few moves, so a thread keeps the sums of the last position that it
//! evaluated, and adds and subtracts the inputs that have changed since.

use super::inputs::Viewpoint;
use super::weights::{HIDDEN, Network, Row};
use crate::chess::position::Position;
use cozy_chess::{BitBoard, Board, Color, Piece, Square};
use std::cell::RefCell;

/// The two players' sums in a position.
pub(super) struct Sums {
    /// The address of the network to which the sums belong; 0 for none.
    network: usize,
    placement: Placement,
    viewpoints: [Option<Viewpoint>; 2],
    sums: [Row; 2],
}

thread_local! {
    static LAST: RefCell<Sums> = const { RefCell::new(Sums::NONE) };
}

/// Calls a function with the sums that this thread computed last.
#[inline]
pub(super) fn with_last<T>(then: impl FnOnce(&mut Sums) -> T) -> T {
    LAST.with(|last| then(&mut last.borrow_mut()))
}

impl Network {
    /// Returns the sums of a position without the piece on a square.
    pub(super) fn sums_without(&self, board: &Board, square: Option<Square>) -> [Row; 2] {
        let position = Position::of(board.clone());
        let mut placement = Placement::of(&position);
        if let Some(square) = square {
            placement.clear(square);
        }
        Color::ALL.map(|color| {
            let mut sums = self.biases;
            let changes = Changes::between(&Placement::NONE, &placement, [Viewpoint::of(board, color)]);
            changes.apply::<HIDDEN>(self, std::array::from_mut(&mut sums));
            sums
        })
    }
}

impl Sums {
    /// The sums of no position.
    pub(super) const NONE: Self =
        Self { network: 0, placement: Placement::NONE, viewpoints: [None; 2], sums: [Row([0; HIDDEN]); 2] };

    /// Computes the sums of a position from those of the last one, and returns them. `LANES` units are computed at once: as many as a
    /// processor's registers hold.
    #[inline(always)]
    pub(super) fn of<const LANES: usize>(
        &mut self,
        network: &'static Network,
        position: &Position,
    ) -> &[Row; 2] {
        let address = std::ptr::from_ref(network) as usize;
        if self.network != address {
            *self = Self { network: address, ..Self::NONE };
        }
        let placement = Placement::of(position);
        let viewpoints = Color::ALL.map(|color| Viewpoint::of(position.board(), color));
        if viewpoints.map(Some) == self.viewpoints {
            Changes::between(&self.placement, &placement, viewpoints).apply::<LANES>(network, &mut self.sums);
        } else {
            for (color, viewpoint) in viewpoints.into_iter().enumerate() {
                let sums = std::array::from_mut(&mut self.sums[color]);
                let before = if self.viewpoints[color] == Some(viewpoint) {
                    &self.placement
                } else {
                    *sums = [network.biases];
                    &Placement::NONE
                };
                Changes::between(before, &placement, [viewpoint]).apply::<LANES>(network, sums);
            }
            self.viewpoints = viewpoints.map(Some);
        }
        self.placement = placement;
        &self.sums
    }
}

/// Where the pieces stand: the squares of each kind, those of each player, and the kind on each square, which means something only for
/// occupied squares.
#[derive(Clone)]
struct Placement {
    kinds: [BitBoard; Piece::NUM],
    players: [BitBoard; Color::NUM],
    numbers: [u8; Square::NUM],
}

impl Placement {
    const NONE: Self = Self {
        kinds: [BitBoard::EMPTY; Piece::NUM],
        players: [BitBoard::EMPTY; Color::NUM],
        numbers: [0; Square::NUM],
    };

    #[inline(always)]
    fn of(position: &Position) -> Self {
        let board = position.board();
        Self {
            kinds: Piece::ALL.map(|piece| board.pieces(piece)),
            players: Color::ALL.map(|color| board.colors(color)),
            numbers: *position.numbers(),
        }
    }

    /// Takes the piece off a square.
    fn clear(&mut self, square: Square) {
        let others = !square.bitboard();
        self.kinds.iter_mut().chain(&mut self.players).for_each(|squares| *squares &= others);
    }

    #[inline(always)]
    fn occupied(&self) -> BitBoard {
        self.players[0] | self.players[1]
    }

    /// The squares whose piece has come, gone or changed since `before`.
    #[inline(always)]
    fn changed_since(&self, before: &Self) -> BitBoard {
        let pairs = self.kinds.iter().zip(&before.kinds).chain(self.players.iter().zip(&before.players));
        pairs.fold(BitBoard::EMPTY, |changed, (&now, &before)| changed | (now ^ before))
    }

    /// The input of the piece on a square, in each view.
    #[inline(always)]
    fn inputs<const VIEWS: usize>(&self, square: Square, viewpoints: [Viewpoint; VIEWS]) -> [u16; VIEWS] {
        let owner = if self.players[Color::White as usize].has(square) { Color::White } else { Color::Black };
        let number = usize::from(self.numbers[square as usize]);
        viewpoints.map(|viewpoint| viewpoint.input_of(owner, number, square) as u16)
    }
}

/// The maximum number of pieces that can come, or leave.
const PIECES_MAX: usize = 32;

/// The inputs of pieces that left and of those that came, in each view.
struct Changes<const VIEWS: usize> {
    left: List<VIEWS>,
    came: List<VIEWS>,
}

/// Inputs in each view.
struct List<const VIEWS: usize> {
    inputs: [[u16; VIEWS]; PIECES_MAX],
    count: usize,
}

impl<const VIEWS: usize> List<VIEWS> {
    const NONE: Self = Self { inputs: [[0; VIEWS]; PIECES_MAX], count: 0 };

    #[inline(always)]
    fn push(&mut self, inputs: [u16; VIEWS]) {
        if let Some(place) = self.inputs.get_mut(self.count) {
            *place = inputs;
            self.count += 1;
        }
    }

    /// The parts of the inputs' rows from a unit on.
    #[inline(always)]
    fn rows<'a, const LANES: usize>(
        &'a self,
        network: &'a Network,
        view: usize,
        unit: usize,
    ) -> impl Iterator<Item = &'a [i16; LANES]> {
        let inputs = self.inputs[..self.count].iter();
        inputs.filter_map(move |input| network.inputs[usize::from(input[view])].0[unit..].first_chunk())
    }
}

impl<const VIEWS: usize> Changes<VIEWS> {
    #[inline(always)]
    fn between(before: &Placement, now: &Placement, viewpoints: [Viewpoint; VIEWS]) -> Self {
        let mut changes = Self { left: List::NONE, came: List::NONE };
        let changed = now.changed_since(before);
        for square in changed & before.occupied() {
            changes.left.push(before.inputs(square, viewpoints));
        }
        for square in changed & now.occupied() {
            changes.came.push(now.inputs(square, viewpoints));
        }
        changes
    }

    /// Adds the inputs of pieces that came and subtracts those of pieces that left, in the sums of each view.
    #[inline(always)]
    fn apply<const LANES: usize>(&self, network: &Network, sums: &mut [Row; VIEWS]) {
        for (view, sums) in sums.iter_mut().enumerate() {
            let (tiles, _) = sums.0.as_chunks_mut::<LANES>();
            for (tile, unit) in tiles.iter_mut().zip((0..).step_by(LANES)) {
                let mut part = *tile;
                for row in self.left.rows::<LANES>(network, view, unit) {
                    part.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
                }
                for row in self.came.rows::<LANES>(network, view, unit) {
                    part.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
                }
                *tile = part;
            }
        }
    }
}
