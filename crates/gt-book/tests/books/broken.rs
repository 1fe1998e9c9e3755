//! Books cut short, unsorted, damaged, of another game or a newer version.

use super::{Folder, builder, bytes, games};
use gt_book::{Book, BuildOptions, Format};
use gt_games::GameKind;
use gt_games::registry::Setup;

const CHESS: &str = "1. e4 e5 1-0\n1. d4 d5 1/2-1/2\n";
const STAR: &str = "game=chinese-checkers\tresult=1-0\tmoves=d1-e5 n1-m5\n";

fn refusal(content: &[u8], kind: GameKind) -> Option<String> {
    let folder = Folder::new();
    Book::open(&folder.file("x", content), kind).err().map(|error| error.to_string())
}

fn own() -> Vec<u8> {
    bytes(&builder(GameKind::ChineseCheckers, Format::Own, BuildOptions::default(), &games(STAR)))
}

fn polyglot() -> Vec<u8> {
    bytes(&builder(GameKind::Chess, Format::Polyglot, BuildOptions::default(), &games(CHESS)))
}

#[test]
fn a_book_cut_anywhere_is_refused() {
    let whole = own();
    assert_eq!(refusal(&whole, GameKind::ChineseCheckers), None);
    for length in 0..whole.len() {
        let problem = refusal(&whole[..length], GameKind::ChineseCheckers);
        let problem = problem.unwrap_or_else(|| panic!("{length} bytes were taken"));
        let expected =
            if length < 8 { "this is no book of chinese-checkers" } else { "this book is cut short" };
        assert!(problem.starts_with(expected), "{length}: {problem}");
    }
    let whole = polyglot();
    for length in (0..whole.len()).filter(|length| length % 16 != 0) {
        let problem = refusal(&whole[..length], GameKind::Chess).unwrap();
        assert!(problem.contains("cut short"), "{problem}");
    }
    assert_eq!(refusal(&[], GameKind::Chess).unwrap(), "this is no book: the file is empty");
}

#[test]
fn a_flipped_bit_is_noticed() {
    let whole = own();
    for bit in 0..whole.len() * 8 {
        let mut broken = whole.clone();
        broken[bit / 8] ^= 1 << (bit % 8);
        assert!(refusal(&broken, GameKind::ChineseCheckers).is_some(), "bit {bit}");
    }
}

#[test]
fn what_is_not_sorted_is_refused() {
    let mut records: Vec<[u8; 16]> = polyglot().chunks(16).map(|record| record.try_into().unwrap()).collect();
    assert!(records.len() > 2);
    records.reverse();
    let problem = refusal(&records.concat(), GameKind::Chess).unwrap();
    assert_eq!(problem, "this is no book: its positions are not sorted from record 1 on");
}

#[test]
fn other_games_other_files_and_newer_versions() {
    assert_eq!(
        refusal(&own(), GameKind::Amazons).unwrap(),
        "this is a book of chinese-checkers, not of amazons"
    );
    assert_eq!(
        refusal(&polyglot(), GameKind::Amazons).unwrap(),
        "this is no book of amazons: it does not begin as one, and Polyglot's books are for chess"
    );
    let mut longer = own();
    longer.extend([0; 24]);
    assert_eq!(refusal(&longer, GameKind::ChineseCheckers).unwrap(), "24 bytes follow the end of this book");
    let mut newer = own();
    newer[8] = 2;
    assert_eq!(
        refusal(&newer, GameKind::ChineseCheckers).unwrap(),
        "this book is of version 2.0, which a newer GT-Tools wrote"
    );
    let folder = Folder::new();
    assert!(Book::open(&folder.0.path().join("missing"), GameKind::Chess).is_err());
    assert!(Book::open(folder.0.path(), GameKind::Chess).is_err(), "a folder is no book");
}

/// The bytes of version 1.0 stay readable.
#[test]
fn a_frozen_book_is_read() {
    let mut frozen = Vec::new();
    frozen.extend(b"\x89GTB\r\n\x1a\n");
    frozen.extend([1, 0, 0, 0]);
    let record = [
        // The key of `3/3/3 x`; b2 is 5; 3 games, 2 won, 1 drawn.
        &fnv("3/3/3 x").to_le_bytes()[..],
        &[5, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0],
    ]
    .concat();
    frozen.extend(crc32c::crc32c(&record).to_le_bytes());
    frozen.extend([1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0]);
    frozen.extend(b"tic-tac-toe\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    frozen.extend(crc32c::crc32c(&frozen).to_le_bytes());
    frozen.extend(record);
    let folder = Folder::new();
    let book = Book::open(&folder.file("x.gtb", &frozen), GameKind::TicTacToe).unwrap();
    assert_eq!(book.info().games, Some(9));
    let start = GameKind::TicTacToe.open(&Setup::default()).unwrap();
    let moves = book.moves(&*start).unwrap();
    assert_eq!((moves.len(), moves[0].text.as_str(), moves[0].weight), (1, "b2", 5));
}

fn fnv(text: &str) -> u64 {
    let mut hash = 14_695_981_039_346_656_037_u64;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(1_099_511_628_211);
    }
    hash
}
