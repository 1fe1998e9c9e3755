//! The form for storing boards by the million: two bits per square.
//!
//! ```text
//! byte   0                1                         0 empty    1 white
//! bits   7 6 5 4 3 2 1 0  ..                        2 black    3 arrow
//! square d1  c1  b1  a1   ..     squares row by row from a1, `width` of them a row
//! ```
//!
//! A 10x10 board takes all 25 bytes, a smaller one the first ones; the rest is zero. Size and mover are not included, because a tree knows
//! them; if they are not known, [`gt_search::Game::pack`] adds two bytes.

use super::Amazons;
use super::bits::{Bits, STRIDE, Size};
use gt_search::PackedBoard;

/// The bytes of a stored board.
pub const STORED_BYTES: usize = 25;

const _: () = assert!(size_of::<Stored>() == STORED_BYTES);

/// A board in 25 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stored(pub [u8; STORED_BYTES]);

impl Amazons {
    /// The board in its compact form.
    pub fn store(&self) -> Stored {
        let arrows = self.arrows();
        let (low, high) = (self.amazons[0] | arrows, self.amazons[1] | arrows);
        let width = self.size.width();
        let mut bytes = [0; STORED_BYTES];
        for rank in 0..self.size.height() {
            let pairs = spread(row(low, rank)) | spread(row(high, rank)) << 1;
            put_bits(&mut bytes, 2 * width * rank, pairs);
        }
        Stored(bytes)
    }

    /// The position of a stored board. Bits beyond the board are ignored.
    pub fn restore(stored: &Stored, size: Size, to_move: usize) -> Self {
        let (mut low, mut high) = (0, 0);
        let width = size.width();
        for rank in 0..size.height() {
            let pairs = get_bits(&stored.0, 2 * width * rank, 2 * width);
            low |= Bits::from(gather(pairs)) << (rank * STRIDE);
            high |= Bits::from(gather(pairs >> 1)) << (rank * STRIDE);
        }
        let empty = size.squares() & !(low | high);
        Self::from_parts(size, [low & !high, high & !low], empty, (to_move & 1) as u8)
    }
}

impl Amazons {
    /// The stored board, then width and height in a byte, then the mover.
    pub(super) fn packed(&self) -> PackedBoard {
        let mut bytes = [0; STORED_BYTES + 2];
        bytes[..STORED_BYTES].copy_from_slice(&self.store().0);
        bytes[STORED_BYTES] = (self.size.width() << 4 | self.size.height()) as u8;
        bytes[STORED_BYTES + 1] = self.to_move;
        bytes
    }

    pub(super) fn from_packed(bytes: &PackedBoard) -> Option<Self> {
        let [board @ .., size, mover] = bytes;
        let size = Size::new(usize::from(size >> 4), usize::from(size & 15)).ok()?;
        (*mover < 2).then(|| Self::restore(&Stored(*board), size, usize::from(*mover)))
    }
}

/// The ten squares of a rank.
fn row(set: Bits, rank: usize) -> u32 {
    (set >> (rank * STRIDE)) as u32 & 0x3ff
}

/// Moves bit `n` to bit `2n`, for the low 16 bits.
fn spread(bits: u32) -> u32 {
    let bits = (bits | bits << 8) & 0x00ff_00ff;
    let bits = (bits | bits << 4) & 0x0f0f_0f0f;
    let bits = (bits | bits << 2) & 0x3333_3333;
    (bits | bits << 1) & 0x5555_5555
}

/// Moves bit `2n` to bit `n` and drops the others: the inverse of [`spread`].
fn gather(bits: u32) -> u32 {
    let bits = bits & 0x5555_5555;
    let bits = (bits | bits >> 1) & 0x3333_3333;
    let bits = (bits | bits >> 2) & 0x0f0f_0f0f;
    let bits = (bits | bits >> 4) & 0x00ff_00ff;
    (bits | bits >> 8) & 0x0000_ffff
}

/// A row has at most 20 bits and starts at most 7 bits into a byte: four bytes hold it.
const WINDOW_BYTES: usize = 4;

fn put_bits(bytes: &mut [u8], offset: usize, bits: u32) {
    let window = bits << (offset % 8);
    for (byte, part) in bytes.iter_mut().skip(offset / 8).zip(window.to_le_bytes()) {
        *byte |= part;
    }
}

fn get_bits(bytes: &[u8], offset: usize, count: usize) -> u32 {
    let mut window = [0; WINDOW_BYTES];
    for (part, &byte) in window.iter_mut().zip(bytes.iter().skip(offset / 8)) {
        *part = byte;
    }
    u32::from_le_bytes(window) >> (offset % 8) & ((1 << count) - 1)
}
