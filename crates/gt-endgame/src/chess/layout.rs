//! The place of a position in a table.
//!
//! ```text
//! word   ((white king's slot * 64 + black king) * 64 + first man)      64 positions, a bit or a byte for each
//! bit                                                second man        (the only man, with three pieces)
//! ```
//!
//! The board is held so that the white king is in the triangle a1-d1-d4 (10 slots), or with pawns on the files a to d
//! (32). A position whose white king is on the diagonal appears twice, and so do those of two men of the same kind:
//! [`Layout::canonical`] picks one of them.

use super::geometry::Turn;
use super::material::{Man, Material};

const SQUARES: usize = 64;

/// The slot of a king, and the way to hold the board for it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    pub(super) index: usize,
    pub(super) turn: Turn,
}

/// The parts of a word's number in a layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub(super) word: usize,
    pub(super) slot: usize,
    pub(super) white_king: usize,
    pub(super) black_king: usize,
    /// 0 if there is no first man.
    pub(super) first: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) material: Material,
    /// The man whose square is part of the word; `None` with three pieces.
    pub(super) first: Option<Man>,
    /// The man whose square is the bit.
    pub(super) second: Man,
    slots: Vec<Slot>,
    kings: Vec<usize>,
}

impl Layout {
    pub(super) fn new(material: Material) -> Self {
        let men: Vec<Man> = material.men().collect();
        let (first, second) = match men[..] {
            [first, second] => (Some(first), second),
            _ => (None, men[0]),
        };
        let turn = if material.has_pawns() { Turn::to_left } else { Turn::to_triangle };
        let kings: Vec<usize> = (0..SQUARES).filter(|&square| turn(square) == Turn::NONE).collect();
        let mut slots = vec![Slot::default(); SQUARES];
        for (square, slot) in slots.iter_mut().enumerate() {
            let turned = turn(square).square(square);
            let index = kings.iter().position(|&king| king == turned).unwrap_or_default();
            *slot = Slot { index, turn: turn(square) };
        }
        Self { material, first, second, slots, kings }
    }

    #[inline]
    fn first_squares(&self) -> usize {
        if self.first.is_some() { SQUARES } else { 1 }
    }

    /// The number of words for each side to move.
    pub(super) fn words(&self) -> usize {
        self.kings.len() * SQUARES * self.first_squares()
    }

    /// The number of places for each side to move, whether or not they hold a position.
    pub(super) fn places(&self) -> usize {
        self.words() * SQUARES
    }

    pub(super) fn slots(&self) -> usize {
        self.kings.len()
    }

    #[inline]
    pub(super) fn slot(&self, white_king: usize) -> Slot {
        self.slots[white_king]
    }

    #[inline]
    pub(super) fn word(&self, slot: usize, black_king: usize, first: usize) -> usize {
        let kings = slot * SQUARES + black_king;
        if self.first.is_some() { kings * SQUARES + first } else { kings }
    }

    #[inline]
    pub(super) fn at(&self, word: usize) -> At {
        let firsts = self.first_squares();
        let kings = word / firsts;
        let slot = kings / SQUARES;
        At { word, slot, white_king: self.kings[slot], black_king: kings % SQUARES, first: word % firsts }
    }

    /// The number of places of the two kings together.
    pub(super) fn king_pairs(&self) -> usize {
        self.kings.len() * SQUARES
    }

    /// The place of the kings of a word.
    #[inline]
    pub(super) fn king_pair(&self, slot: usize, black_king: usize) -> usize {
        slot * SQUARES + black_king
    }

    /// The place of a position; `men` in the order of the material.
    #[inline]
    pub(super) fn place(&self, white_king: usize, black_king: usize, men: [usize; 2]) -> usize {
        let Slot { index, turn } = self.slots[white_king];
        let [first, second] = self.men_in_layout(men);
        let word = self.word(index, turn.square(black_king), turn.square(first));
        word * SQUARES + turn.square(second)
    }

    /// With three pieces the only man is the second of the layout.
    #[inline]
    fn men_in_layout(&self, men: [usize; 2]) -> [usize; 2] {
        if self.first.is_some() { men } else { [0, men[0]] }
    }

    /// The place that represents this one and those of the same position.
    pub(super) fn canonical(&self, place: usize) -> usize {
        self.same(place).into_iter().min().unwrap_or(place)
    }

    /// The number of positions on the whole board that share this place.
    pub(super) fn boards(&self, place: usize) -> u64 {
        let whole = if self.material.has_pawns() { 2 } else { 8 };
        // A position that is its own mirror image has half as many; exchanging two men of the same kind makes no
        // other board.
        let is_own_mirror = self.mirrored(place).is_some_and(|mirrored| {
            mirrored == place || (self.material.has_twins() && self.exchanged(mirrored) == place)
        });
        if is_own_mirror { whole / 2 } else { whole }
    }

    /// The places of the same position, this one first.
    fn same(&self, place: usize) -> [usize; 4] {
        let mirrored = self.mirrored(place).unwrap_or(place);
        if !self.material.has_twins() {
            return [place, mirrored, place, mirrored];
        }
        [place, mirrored, self.exchanged(place), self.exchanged(mirrored)]
    }

    /// The mirror image at the diagonal, if the white king is on it.
    fn mirrored(&self, place: usize) -> Option<usize> {
        let at = self.at(place / SQUARES);
        let is_on_diagonal = at.white_king >> 3 == at.white_king & 7;
        if self.material.has_pawns() || !is_on_diagonal {
            return None;
        }
        let turn = |square| Turn::DIAGONAL.square(square);
        Some(self.word(at.slot, turn(at.black_king), turn(at.first)) * SQUARES + turn(place % SQUARES))
    }

    /// The place with the two men exchanged.
    fn exchanged(&self, place: usize) -> usize {
        let at = self.at(place / SQUARES);
        self.word(at.slot, at.black_king, place % SQUARES) * SQUARES + at.first
    }
}
