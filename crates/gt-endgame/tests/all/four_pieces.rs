//! Tables of four pieces: the longest mates that are known, and values that follow from those of the moves.

use gt_endgame::chess::{Built, Summary, build};
use gt_endgame::{Table, Tables};
use gt_games::chess::Board;
use gt_search::Ending;
use std::path::Path;

fn write(folder: &Path) -> impl FnMut(&Built<'_>) {
    move |built| {
        let path = folder.join(format!("{}.gte", built.solved.material()));
        built.solved.write(&mut std::fs::File::create(path).unwrap()).unwrap();
    }
}

/// Builds an ending with all it leads to, and holds positions of each against their moves.
fn check(name: &str, longest: [Option<u16>; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let solved = build(name.parse().unwrap(), write(folder.path())).unwrap();
    let summary = Summary::of(&solved);
    assert_eq!([0, 1].map(|side: usize| summary.sides[side].longest_mate), longest, "{name}");
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let path = file.unwrap().path();
        let others = Tables::open(folder.path()).unwrap();
        let verified = Table::open(&path).unwrap().verify(others, 3000).unwrap();
        assert!(verified.looked_at > 2000, "{}", path.display());
        assert_eq!(verified.follow, verified.looked_at, "{}: every move leads to a table", path.display());
    }
}

#[test]
fn bishop_and_knight() {
    check("KBNK", [Some(33), None]);
}

#[test]
fn two_bishops() {
    check("KBBK", [Some(19), None]);
}

#[test]
fn queen_against_rook() {
    check("KQKR", [Some(35), Some(19)]);
}

/// Leads to 20 endings, among them every one with a piece each; takes some ten seconds.
#[test]
#[ignore = "builds 20 endings"]
fn pawn_against_pawn() {
    check("KPKP", [Some(33), Some(33)]);
    check("KRKP", [Some(26), Some(43)]);
    check("KPPK", [Some(32), None]);
}

/// The pawn that has just made a double step can be taken, and only that holds the draw, or wins.
#[test]
#[ignore = "builds 20 endings"]
fn en_passant_counts() {
    let folder = tempfile::tempdir().unwrap();
    build("KPKP".parse().unwrap(), write(folder.path())).unwrap();
    let tables = Tables::open(folder.path()).unwrap();
    let ending = |fen: &str| tables.chess.probe(&fen.parse::<Board>().unwrap()).unwrap().unwrap();
    let mut differing = 0;
    for king in ["7k", "6k1", "5k2", "4k3"] {
        for black in ["1p", "p1"] {
            // White has just played b2-b4 or a2-a4 beside the pawn on the other file.
            let (board, file) = if black == "p1" { ("pP6", 'b') } else { ("Pp6", 'a') };
            let fen = |square: &str| format!("{king}/8/8/8/{board}/8/8/7K b - {square} 0 1");
            let with = ending(&fen(&format!("{file}3")));
            let without = ending(&fen("-"));
            assert!(with.value(0) >= without.value(0), "a move more does no harm");
            differing += u32::from(with != without);
            assert!(
                !matches!(with, Ending::Loss { .. }) || with == without || with.value(0) > without.value(0)
            );
        }
    }
    assert!(differing > 0, "en passant makes no difference anywhere");
}
