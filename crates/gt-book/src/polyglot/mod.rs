//! Polyglot's format: sixteen bytes for each move of a position, big-endian, sorted by key.
//!
//! ```text
//! 0      8      10       12      16
//! │ key  │ move │ weight │ learn │        move = to | from << 6 | promotion << 12, a1 = 0 … h8 = 63
//! ```
//!
//! Promotions are 1 for a knight, 2 for a bishop, 3 for a rook, 4 for a queen. Castling is the king taking his rook;
//! books with the king's own two-square move are understood.

mod key;
mod random;

pub use key::key;

use crate::book_move::BookMove;
use crate::error::{Error, Result};
use crate::records::{RecordTotals, Records, bytes};
use gt_games::chess::Move;
use gt_games::chess::cozy_chess::Piece;
use gt_games::{AnyGame, Chess, Notation};
use gt_search::Game;
use std::fs::File;

pub(crate) const RECORD_BYTES: usize = 16;

/// A move of a position, as stored in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: u64,
    pub(crate) mv: u16,
    pub(crate) weight: u16,
}

impl Entry {
    pub(crate) fn read(record: &[u8; RECORD_BYTES]) -> Self {
        Self {
            key: u64::from_be_bytes(bytes(record, 0)),
            mv: u16::from_be_bytes(bytes(record, 8)),
            weight: u16::from_be_bytes(bytes(record, 10)),
        }
    }

    pub(crate) fn bytes(self) -> [u8; RECORD_BYTES] {
        let mut record = [0; RECORD_BYTES];
        record[..8].copy_from_slice(&self.key.to_be_bytes());
        record[8..10].copy_from_slice(&self.mv.to_be_bytes());
        record[10..12].copy_from_slice(&self.weight.to_be_bytes());
        record
    }
}

/// A book in this format.
#[derive(Debug)]
pub(crate) struct PolyglotBook {
    pub(crate) records: Records<RECORD_BYTES>,
    pub(crate) seen: RecordTotals,
}

impl PolyglotBook {
    pub(crate) fn open(file: File, length: u64) -> Result<Self> {
        if length == 0 {
            return Err(Error::Damaged("this is no book: the file is empty".to_owned()));
        }
        if !length.is_multiple_of(RECORD_BYTES as u64) {
            let sentence = format!(
                "this is no whole Polyglot book: it has {length} bytes, and a record has {RECORD_BYTES}, so it is cut short \
                 or no book at all"
            );
            return Err(Error::Damaged(sentence));
        }
        let records = Records::new(file, 0, length / RECORD_BYTES as u64, |record| Entry::read(record).key);
        let seen = records.scan(|_| ())?;
        Ok(Self { records, seen })
    }

    pub(crate) fn moves(&self, game: &dyn AnyGame) -> Result<Vec<BookMove>> {
        let game = Chess::parse_position(&game.position_text())?;
        let found = self.records.find(key(game.board()))?;
        let mut legal = game.legal_moves();
        let mut moves = Vec::new();
        for entry in found.iter().map(Entry::read) {
            // A duplicate move counts once.
            let Some(place) = legal.iter().position(|&mv| is_meant(&game, mv, entry.mv)) else { continue };
            let mv = legal.swap_remove(place);
            moves.push(BookMove::new(game.move_text(mv), u32::from(entry.weight)));
        }
        Ok(moves)
    }
}

/// Whether a number stands for this legal move.
fn is_meant(game: &Chess, mv: Move, number: u16) -> bool {
    // The log's numbers use the king's own squares for castling, and otherwise differ only in the order.
    let own_squares = move_number_of(mv.from as u16, (game.encode(mv) >> 6 & 63) as u16, mv.promotion);
    number == move_number(mv) || number == own_squares
}

/// The number of a move; castling is the king taking his rook, as it is internally.
pub(crate) fn move_number(mv: Move) -> u16 {
    move_number_of(mv.from as u16, mv.to as u16, mv.promotion)
}

fn move_number_of(from: u16, to: u16, promotion: Option<Piece>) -> u16 {
    let promotion = match promotion {
        Some(Piece::Knight) => 1,
        Some(Piece::Bishop) => 2,
        Some(Piece::Rook) => 3,
        Some(Piece::Queen) => 4,
        Some(Piece::Pawn | Piece::King) | None => 0,
    };
    to | from << 6 | promotion << 12
}
