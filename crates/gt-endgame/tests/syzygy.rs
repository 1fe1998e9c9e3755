//! Syzygy's tables against our own, and games played with nothing else.
//!
//! The files are not ours: `make test` fetches those that come with python-chess into `target/syzygy`. Where they are
//! missing, these tests are skipped and say so.
#![cfg(all(feature = "syzygy", any(target_arch = "x86", target_arch = "x86_64", target_vendor = "apple")))]

use gt_endgame::{Tables, chess};
use gt_games::chess::{Board, SixTerms};
use gt_games::{Chess, Notation};
use gt_search::{Ending, Endings, Game, KnownEnding, Limits, Options, Outcome, Searcher, is_unmeasured};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The program can have one set of tables open at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/syzygy");
    if folder.join("KRvK.rtbw").exists() {
        return Some(folder);
    }
    eprintln!("skipped: there are no Syzygy files in target/syzygy; `make test` fetches them");
    None
}

fn game(fen: &str) -> Chess {
    Chess::parse_position(fen).expect("a position")
}

/// Who wins, without the distance.
fn result(known: KnownEnding) -> i32 {
    known.value(0).signum()
}

#[test]
fn every_position_of_our_tables_has_syzygys_result() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(folder) = folder() else { return };
    let syzygy = Tables::open(&folder).unwrap();
    let ours = tempfile::tempdir().unwrap();
    for (name, positions) in [("KRK", u64::MAX), ("KPK", u64::MAX), ("KQKR", 20_000), ("KPKP", 20_000)] {
        let path = ours.path().join("table.gte");
        let solved = chess::build(name.parse().unwrap(), |_| ()).unwrap();
        solved.write(&mut fs::File::create(&path).unwrap()).unwrap();
        let tables = Tables::open(&path).unwrap();
        let places = tables.chess.tables()[0].spread(positions);
        assert!(places.len() >= 10_000, "{name}");
        for fen in places {
            let board: Board = fen.parse().unwrap();
            let game = Chess::from_board(board.clone());
            if game.outcome().is_some() {
                continue;
            }
            let expected = tables.chess.probe(&board).unwrap().unwrap();
            let found = Endings::<Chess>::known(&syzygy, &game).unwrap_or_else(|| panic!("{fen}"));
            assert_eq!(result(found), result(expected.into()), "{name} {fen}");
        }
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_search_with_nothing_else_mates_with_bishop_and_knight() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(folder) = folder() else { return };
    let tables = Arc::new(Tables::open(&folder).unwrap());
    let mut searcher = Searcher::new(SixTerms, Options { table_bytes: 1 << 20, ..Options::selective() });
    searcher.set_endings(tables.endings::<Chess>());
    let mut game = game("8/8/8/3k4/8/8/8/KBN5 w - - 0 1");
    for _ in 0..100 {
        let found = searcher.search(&game, &Limits::depth(4));
        game.make(found.best_move.expect("a move"));
        if game.outcome().is_some() {
            break;
        }
    }
    assert_eq!(game.outcome(), Some(Outcome::Win(0)), "{}", game.position_text());
}

#[test]
fn a_search_sees_that_a_capture_wins_without_knowing_when() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(folder) = folder() else { return };
    let tables = Arc::new(Tables::open(&folder).unwrap());
    let mut searcher = Searcher::new(SixTerms, Options::selective());
    searcher.set_endings(tables.endings::<Chess>());
    // Five pieces, no table; the rook takes the knight, and a table knows the rest.
    let found = searcher.search(&game("8/8/8/3k4/8/1n6/1R5P/K7 w - - 0 1"), &Limits::depth(3));
    assert!(is_unmeasured(found.value) && found.value > 0, "{}", found.value);
    assert!(found.endings > 0);
}

#[test]
fn the_fifty_moves_and_castling_are_not_forgotten() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(folder) = folder() else { return };
    let tables = Tables::open(&folder).unwrap();
    let known = |fen: &str| Endings::<Chess>::known(&tables, &game(fen));
    assert_eq!(known("8/8/8/8/8/2k5/8/KR6 w - - 0 1"), Some(KnownEnding::Win));
    assert_eq!(known("8/8/8/8/8/2k5/8/KR6 w - - 7 9"), None, "moves were counted before");
    assert_eq!(known("8/8/8/8/8/3k4/8/R3K3 w Q - 0 1"), None, "no table has castling");
    assert_eq!(known("8/8/8/8/8/3k4/8/KN6 w - - 0 1"), None, "the game is over");
    assert_eq!(known("8/8/8/8/8/2k5/7p/KR6 w - - 0 1").map(result), Some(1));
    assert_eq!(known("8/8/8/8/8/3k4/7p/KN6 w - - 0 1"), Some(KnownEnding::Loss));
    assert_eq!(known("8/8/8/4k3/8/8/8/KNN5 w - - 0 1"), Some(Ending::Draw.into()));
}

#[test]
fn damaged_and_misnamed_files_are_refused_with_a_sentence() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let refusal = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let error = Tables::open(folder.path()).expect_err(name).to_string();
        fs::remove_file(&path).unwrap();
        assert!(error.contains(name), "{error}");
        error
    };
    let mut whole = vec![0x71, 0xe8, 0x23, 0x5d];
    whole.resize(80, 0);
    assert!(refusal("KRvK.rtbw", &whole[..79]).contains("cut short"));
    assert!(refusal("KRvK.rtbw", &[]).contains("cut short"));
    assert!(refusal("KRvK.rtbz", &whole).contains("no Syzygy file"));
    assert!(refusal("rook.rtbw", &whole).contains("KRPvKR"));
    assert!(refusal("KKvR.rtbw", &whole).contains("KRPvKR"));
    fs::write(folder.path().join("KRvK.rtbw"), &whole).unwrap();
    let alone = Tables::open(&folder.path().join("KRvK.rtbw")).expect_err("a file").to_string();
    assert!(alone.contains("KRvK.rtbw") && alone.contains("its folder"), "{alone}");
    fs::remove_file(folder.path().join("KRvK.rtbw")).unwrap();
    let nothing = Tables::open(folder.path()).expect_err("an empty folder").to_string();
    assert!(nothing.contains("no table (.gte, .rtbw)"), "{nothing}");
}

#[test]
fn another_folder_waits_until_the_first_is_closed() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(folder) = folder() else { return };
    let other = tempfile::tempdir().unwrap();
    fs::copy(folder.join("KRvK.rtbw"), other.path().join("KRvK.rtbw")).unwrap();
    let first = Tables::open(&folder).unwrap();
    let again = Tables::open(&folder).unwrap();
    let refused = Tables::open(other.path()).expect_err("two sets").to_string();
    assert!(refused.contains("one set of them at a time"), "{refused}");
    drop((first, again));
    let second = Tables::open(other.path()).unwrap();
    let known = |fen: &str| Endings::<Chess>::known(&second, &game(fen));
    assert_eq!(known("8/8/8/8/8/2k5/8/KR6 w - - 0 1"), Some(KnownEnding::Win));
    assert_eq!(known("8/8/8/8/8/2k5/8/KQ6 w - - 0 1"), None, "that table is not in this folder");
    let both = std::env::join_paths([other.path(), &folder]).unwrap();
    drop(second);
    assert!(Tables::open(Path::new(&both)).is_ok(), "a list of folders");
}
