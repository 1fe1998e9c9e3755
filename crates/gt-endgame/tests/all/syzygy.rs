//! Syzygy's tables against our own, and games played with nothing else.
//!
//! The files are not ours: `make test` fetches those that come with python-chess into `target/syzygy`. Where they are
//! missing, these tests are skipped and say so; with `GT_SYZYGY_REQUIRED` they fail.

#[path = "../shared/syzygy_files.rs"]
mod syzygy_files;

use gt_endgame::{Probed, Tables, chess};
use gt_games::chess::{Board, Move, SixTerms};
use gt_games::registry::{GameKind, Setup};
use gt_games::{Chess, Notation};
use gt_search::{Ending, Endings, Game, KnownEnding, Limits, Options, Outcome, Searcher, is_unmeasured};
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use syzygy_files::folder;

/// The program can have one set of tables open at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn game(fen: &str) -> Chess {
    Chess::parse_position(fen).expect("a position")
}

/// A folder with some of the files.
fn some_files(folder: &Path, names: &[&str]) -> tempfile::TempDir {
    let some = tempfile::tempdir().unwrap();
    for name in names {
        fs::copy(folder.join(name), some.path().join(name)).unwrap();
    }
    some
}

fn known(tables: &Tables, fen: &str) -> Option<KnownEnding> {
    Endings::<Chess>::known(tables, &game(fen))
}

fn progress(tables: &Tables, game: &Chess) -> Option<Vec<Move>> {
    Endings::<Chess>::progress(tables, game)
}

fn probe(tables: &Tables, fen: &str) -> Probed {
    tables.probe(&*GameKind::Chess.open(&Setup::position(fen)).unwrap()).unwrap()
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
    assert!(refusal("KvKR.rtbw", &whole).contains("the stronger side first"));
    whole[..4].copy_from_slice(&[0xd7, 0x66, 0x0c, 0xa5]);
    let distances = folder.path().join("KRvK.rtbz");
    fs::write(&distances, &whole).unwrap();
    let alone = Tables::open(folder.path()).expect_err("distances alone").to_string();
    assert!(alone.contains("no table that tells who wins"), "{alone}");
    fs::remove_file(distances).unwrap();
    // What cannot be read is not cut short: here it is a folder.
    let unreadable = folder.path().join("KQvK.rtbw");
    fs::create_dir(&unreadable).unwrap();
    let error = Tables::open(folder.path()).expect_err("a folder for a file").to_string();
    assert!(error.contains("KQvK.rtbw") && !error.contains("cut short"), "{error}");
    fs::remove_dir(unreadable).unwrap();
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

const ROOK_WINS: &str = "8/8/8/8/8/2k5/8/KR6 w - - 0 1";

#[test]
fn a_table_without_distances_still_tells_who_wins_after_it_was_asked_for_them() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(folder) = folder() else { return };
    let some = some_files(&folder, &["KRvK.rtbw"]);
    let tables = Tables::open(some.path()).unwrap();
    for fen in [ROOK_WINS, "8/8/8/8/8/2K5/8/kr6 b - - 0 1"] {
        assert_eq!(progress(&tables, &game(fen)), None, "{fen}");
        assert_eq!(probe(&tables, fen).progress, None, "{fen}");
        assert_eq!(known(&tables, fen), Some(KnownEnding::Win), "{fen}");
    }
    let mut searcher = Searcher::new(SixTerms, Options::selective());
    searcher.set_endings(Arc::new(tables).endings::<Chess>());
    let found = searcher.search(&game("8/8/8/3k4/8/8/1n6/KR6 w - - 0 1"), &Limits::depth(2));
    assert!(is_unmeasured(found.value) && found.value > 0, "{}", found.value);
}

#[test]
fn a_missing_table_costs_only_the_positions_that_need_it() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(folder) = folder() else { return };
    // A capture leads to KRvK, which is there, or to KBvK, which is not.
    let some = some_files(&folder, &["KRvKB.rtbw", "KRvKB.rtbz", "KRvK.rtbw"]);
    let tables = Tables::open(some.path()).unwrap();
    let ask_all = || {
        for _ in 0..50 {
            assert_eq!(known(&tables, "8/8/8/3k4/4b3/8/8/KR6 b - - 0 1"), None, "the bishop takes the rook");
            assert_eq!(known(&tables, "7k/8/8/3b4/8/8/8/KR6 b - - 0 1").map(result), Some(0));
            assert_eq!(known(&tables, ROOK_WINS), Some(KnownEnding::Win));
        }
    };
    std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(ask_all))));
}

/// Positions of some pieces on random squares, always the same ones.
fn positions(pieces: &str, count: usize) -> impl Iterator<Item = Chess> {
    let mut seed = 1_u64;
    let mut below = move |limit: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % limit
    };
    let position = move || {
        let mut squares = ['1'; 64];
        for piece in pieces.chars() {
            squares[below(64) as usize] = piece;
        }
        let ranks: Vec<String> = squares.chunks(8).map(|rank| rank.iter().collect()).collect();
        let side = ["w", "b"][below(2) as usize];
        Chess::parse_position(&format!("{} {side} - - 0 1", ranks.join("/"))).ok()
    };
    let is_whole = |game: &Chess| game.board().occupied().len() as usize == pieces.len();
    std::iter::repeat_with(position).flatten().filter(is_whole).take(count).collect::<Vec<_>>().into_iter()
}

#[test]
fn every_win_and_loss_has_moves_that_make_progress() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(folder) = folder() else { return };
    let tables = Tables::open(&folder).unwrap();
    let known = |game: &Chess| {
        Endings::<Chess>::known(&tables, game).unwrap_or_else(|| panic!("{}", game.position_text()))
    };
    let mut decided = 0;
    for pieces in ["KBNk", "KRk", "KQkr", "KRkn", "KPkp", "KQkp", "KPPk", "KRkb", "Kkqn"] {
        for game in positions(pieces, 1500).filter(|game| game.outcome().is_none()) {
            let expected = result(known(&game));
            if expected == 0 {
                continue;
            }
            let fen = game.position_text();
            let moves = progress(&tables, &game).unwrap_or_else(|| panic!("{fen}"));
            assert!(!moves.is_empty(), "{fen}");
            decided += 1;
            for mv in moves {
                let mut after = game.clone();
                after.make(mv);
                let kept = match after.outcome() {
                    Some(outcome) => i32::from(outcome == Outcome::Win(game.to_move())),
                    // The result is known where the fifty moves begin anew.
                    None if after.board().halfmove_clock() > 0 => continue,
                    None => -result(known(&after)),
                };
                assert_eq!(kept, expected, "{fen} {mv}");
            }
        }
    }
    assert!(decided > 3_750, "{decided}");
}

#[test]
fn a_double_step_that_loses_the_pawn_in_passing_is_no_progress() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(folder) = folder() else { return };
    let tables = Tables::open(&folder).unwrap();
    let fen = "8/8/8/8/1p6/3K1k2/P7/8 w - - 0 1";
    assert_eq!(known(&tables, fen), Some(KnownEnding::Win));
    assert_eq!(known(&tables, "8/8/8/8/Pp6/3K1k2/8/8 b - a3 0 1"), Some(Ending::Draw.into()));
    let way = probe(&tables, fen).progress.expect("a way");
    assert!(!way.moves.is_empty() && !way.moves.contains(&"a2a4".to_owned()), "{way:?}");
}

#[test]
fn the_moves_before_a_position_count_where_it_is_looked_up() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(folder) = folder() else { return };
    // Mate in 33 moves.
    let after = |clock: u16| format!("8/8/7N/8/8/8/8/K1k1B3 w - - {clock} 60");
    let tables = Tables::open(&folder).unwrap();
    let ending = |clock: u16| probe(&tables, &after(clock)).ending;
    assert_eq!(ending(0), Some(KnownEnding::Win));
    assert_eq!(ending(20), Some(KnownEnding::Win));
    assert_eq!(ending(60), Some(Ending::Draw.into()), "the fifty moves are over before");
    assert!(probe(&tables, &after(20)).progress.is_some());
    assert_eq!(probe(&tables, &after(60)).progress, None, "nobody makes progress in a draw");
    drop(tables);
    let some = some_files(&folder, &["KBNvK.rtbw", "KBvK.rtbw", "KNvK.rtbw"]);
    let tables = Tables::open(some.path()).unwrap();
    assert_eq!(probe(&tables, &after(0)).ending, Some(KnownEnding::Win));
    assert_eq!(probe(&tables, &after(20)).ending, None, "the distance is not known");
    assert_eq!(probe(&tables, "8/8/8/3k4/8/8/2N5/KB6 b - - 20 60").ending, None);
}

#[test]
fn a_probe_shows_the_way_where_only_syzygy_knows_it() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(folder) = folder() else { return };
    let tables = Tables::open(&folder).unwrap();
    let shown = probe(&tables, ROOK_WINS);
    let way = shown.progress.as_ref().expect("a way");
    assert!(!way.moves.is_empty() && way.plies > 1, "{way:?}");
    let best: Vec<&str> = shown.best().map(|mv| mv.text.as_str()).collect();
    assert!(best.len() > way.moves.len(), "{best:?} keep the result, {:?} lead to it", way.moves);
    assert!(way.moves.iter().all(|mv| best.contains(&mv.as_str())));
    // Mate in one: the rook goes to a8.
    let mate = probe(&tables, "7k/8/6K1/8/8/8/8/R7 w - - 0 1").progress.expect("a way");
    assert_eq!((mate.moves.as_slice(), mate.plies), (["a1a8".to_owned()].as_slice(), 1));
    assert_eq!(probe(&tables, "8/8/8/4k3/8/8/8/KNN5 w - - 0 1").progress, None, "a draw");
    drop(tables);
    // Where our own table knows the mate, there is nothing to add.
    let ours = tempfile::tempdir().unwrap();
    let solved = chess::build("KRK".parse().unwrap(), |_| ()).unwrap();
    solved.write(&mut fs::File::create(ours.path().join("krk.gte")).unwrap()).unwrap();
    let both = std::env::join_paths([ours.path(), &folder]).unwrap();
    let tables = Tables::open(Path::new(&both)).unwrap();
    let shown = probe(&tables, ROOK_WINS);
    assert!(matches!(shown.ending, Some(KnownEnding::Measured(Ending::Win { .. }))));
    assert_eq!(shown.progress, None);
    assert_eq!(progress(&tables, &game(ROOK_WINS)), None);
}
