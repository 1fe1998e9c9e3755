//! Our own format, for every game: a head of 64 bytes, then 24 bytes for each move of a position, little-endian,
//! sorted by key and move. `docs/book.md` describes every byte.
//!
//! A key is the FNV-1a hash of [`AnyGame::canonical_text`], so positions that are the same but for how the board is
//! held share one; a move is its number in the canonical position.

use crate::book_move::BookMove;
use crate::error::{Error, Result};
use crate::records::{RecordTotals, Records, bytes};
use crate::tally::Tally;
use gt_games::{AnyGame, GameKind};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;

pub(crate) const MAGIC: [u8; 8] = *b"\x89GTB\r\n\x1a\n";
pub(crate) const HEAD_BYTES: usize = 64;
pub(crate) const RECORD_BYTES: usize = 24;
const VERSION: (u16, u16) = (1, 0);
const NAME_AT: usize = 32;
const NAME_BYTES_MAX: usize = 24;
const CHECKSUM_AT: usize = 60;
const CUT_SHORT: &str = "this book is cut short";

/// The contents of a file's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) game: String,
    pub(crate) version: (u16, u16),
    pub(crate) records: u64,
    pub(crate) games: u64,
    /// The checksum of the records.
    pub(crate) crc32c: u32,
}

impl Head {
    pub(crate) fn new(kind: GameKind, records: u64, games: u64, crc32c: u32) -> Self {
        Self { game: kind.name().to_owned(), version: VERSION, records, games, crc32c }
    }

    pub(crate) fn bytes(&self) -> [u8; HEAD_BYTES] {
        let mut head = [0; HEAD_BYTES];
        head[..8].copy_from_slice(&MAGIC);
        head[8..10].copy_from_slice(&self.version.0.to_le_bytes());
        head[10..12].copy_from_slice(&self.version.1.to_le_bytes());
        head[12..16].copy_from_slice(&self.crc32c.to_le_bytes());
        head[16..24].copy_from_slice(&self.records.to_le_bytes());
        head[24..32].copy_from_slice(&self.games.to_le_bytes());
        let name = self.game.as_bytes();
        let length = name.len().min(NAME_BYTES_MAX);
        head[NAME_AT..NAME_AT + length].copy_from_slice(&name[..length]);
        let checksum = crc32c::crc32c(&head[..CHECKSUM_AT]);
        head[CHECKSUM_AT..].copy_from_slice(&checksum.to_le_bytes());
        head
    }

    /// Reads a head that begins with the magic number.
    fn read(head: &[u8; HEAD_BYTES]) -> Result<Self> {
        let version = (u16::from_le_bytes(bytes(head, 8)), u16::from_le_bytes(bytes(head, 10)));
        if version.0 != VERSION.0 {
            let sentence =
                format!("this book is of version {}.{}, which a newer GT-Tools wrote", version.0, version.1);
            return Err(Error::Damaged(sentence));
        }
        if crc32c::crc32c(&head[..CHECKSUM_AT]) != u32::from_le_bytes(bytes(head, CHECKSUM_AT)) {
            return Err(Error::Damaged("the head of this book is damaged".to_owned()));
        }
        let name = &head[NAME_AT..NAME_AT + NAME_BYTES_MAX];
        Ok(Self {
            game: String::from_utf8_lossy(name).trim_end_matches('\0').to_owned(),
            version,
            crc32c: u32::from_le_bytes(bytes(head, 12)),
            records: u64::from_le_bytes(bytes(head, 16)),
            games: u64::from_le_bytes(bytes(head, 24)),
        })
    }
}

/// The game of a book by the first bytes of its file; `None` if it does not begin as one.
pub(crate) fn game_of(head: &[u8]) -> Result<Option<GameKind>> {
    if !head.starts_with(&MAGIC) {
        return Ok(None);
    }
    let head = head.first_chunk().ok_or_else(|| Error::Damaged(CUT_SHORT.to_owned()))?;
    let name = Head::read(head)?.game;
    name.parse()
        .map(Some)
        .map_err(|_| Error::Damaged(format!("this is a book of `{name}`, a game that is not known here")))
}

/// A move of a position, as stored in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: u64,
    pub(crate) mv: u32,
    pub(crate) tally: Tally,
}

impl Entry {
    pub(crate) fn read(record: &[u8; RECORD_BYTES]) -> Self {
        let number = |at| u32::from_le_bytes(bytes(record, at));
        let tally = Tally { games: number(12), wins: number(16), draws: number(20) };
        Self { key: u64::from_le_bytes(bytes(record, 0)), mv: number(8), tally }
    }

    pub(crate) fn bytes(self) -> [u8; RECORD_BYTES] {
        let Self { key, mv, tally } = self;
        let mut record = [0; RECORD_BYTES];
        record[..8].copy_from_slice(&key.to_le_bytes());
        for (place, number) in [mv, tally.games, tally.wins, tally.draws].into_iter().enumerate() {
            let at = 8 + 4 * place;
            record[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        record
    }
}

/// The key of a canonical text: its 64-bit FNV-1a hash.
pub(crate) fn key(canonical_text: &str) -> u64 {
    canonical_text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |key, byte| (key ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// A book in this format.
#[derive(Debug)]
pub(crate) struct OwnBook {
    pub(crate) head: Head,
    pub(crate) records: Records<RECORD_BYTES>,
    pub(crate) seen: RecordTotals,
}

impl OwnBook {
    /// Opens a file that begins with the magic number.
    pub(crate) fn open(mut file: File, length: u64, wanted: GameKind) -> Result<Self> {
        let cut = || Error::Damaged(CUT_SHORT.to_owned());
        let mut head = [0; HEAD_BYTES];
        file.read_exact(&mut head).map_err(|_| cut())?;
        let head = Head::read(&head)?;
        if head.game != wanted.name() {
            return Err(Error::OtherGame { found: head.game, wanted });
        }
        let expected = head
            .records
            .checked_mul(RECORD_BYTES as u64)
            .and_then(|bytes| bytes.checked_add(HEAD_BYTES as u64));
        match expected {
            Some(expected) if expected == length => {}
            Some(expected) if expected < length => {
                return Err(Error::Damaged(format!(
                    "{} bytes follow the end of this book",
                    length - expected
                )));
            }
            _ => return Err(cut()),
        }
        let records = Records::new(file, HEAD_BYTES as u64, head.records, |record| Entry::read(record).key);
        let seen = records.scan(|_| ())?;
        if seen.crc32c != head.crc32c {
            return Err(Error::Damaged(
                "the moves of this book are damaged: their checksum differs".to_owned(),
            ));
        }
        Ok(Self { head, records, seen })
    }

    /// The moves of the position in this book. Moves that are the same but for how the board is held share a record.
    pub(crate) fn moves(&self, game: &dyn AnyGame) -> Result<Vec<BookMove>> {
        let found = self.records.find(key(&game.canonical_text()))?;
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let mut alike: BTreeMap<i64, Vec<String>> = BTreeMap::new();
        for (mv, code) in game.canonical_moves() {
            alike.entry(code).or_default().push(mv.text);
        }
        let mut moves = Vec::new();
        for entry in found.iter().map(Entry::read) {
            let texts = alike.remove(&i64::from(entry.mv)).unwrap_or_default();
            let count = texts.len();
            let weight = entry.tally.weight();
            let book_move =
                |text| BookMove { alike: count, tally: Some(entry.tally), ..BookMove::new(text, weight) };
            moves.extend(texts.into_iter().map(book_move));
        }
        Ok(moves)
    }
}
