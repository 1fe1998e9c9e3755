//! Tests that the notation without a position agrees with the games' own, which has one.

use gt_games::registry::Setup;
use gt_log::{Header, LogWriter, Schema};

use super::*;

/// A log of a game, with a name for a move.
fn log(game: &str, name: Option<(i64, &str)>) -> Log {
    let writer =
        LogWriter::to_memory(Header::new(game, Schema::new([] as [(&str, gt_log::Kind); 0]).unwrap()));
    let writer = writer.unwrap();
    if let Some((number, name)) = name {
        writer.name_moves([(number, name)]).unwrap();
    }
    Log::from_bytes(writer.into_memory().unwrap()).unwrap()
}

/// Plays a game of moves that depend on `seed`, and compares every legal move on the way.
fn agree(kind: GameKind, setup: &Setup, seed: usize) {
    let mut game = kind.open(setup).unwrap();
    let log = log(kind.name(), None);
    let notation = Notation::of(&log).unwrap();
    let mut choice = seed;
    for _ in 0..60 {
        let moves = game.moves();
        for named in &moves {
            assert_eq!(notation.text(named.code).as_ref(), Some(&named.text), "{kind:?} {}", named.code);
            assert_eq!(notation.number(&named.text), Some(named.code), "{kind:?} {}", named.text);
        }
        if moves.is_empty() {
            break;
        }
        choice = choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        game.play(&moves[(choice >> 33) % moves.len()].text).unwrap();
    }
}

#[test]
fn the_games_agree() {
    for seed in 0..5 {
        // A tree's moves are named by its log.
        for kind in GameKind::ALL.into_iter().filter(|&kind| kind != GameKind::Tree) {
            agree(kind, &Setup::default(), seed);
        }
        agree(GameKind::Amazons, &Setup { board: Some("6x6".to_owned()), ..Setup::default() }, seed);
        agree(GameKind::ChineseCheckers, &Setup { players: Some(6), ..Setup::default() }, seed);
        // Promotions and castling.
        agree(GameKind::Chess, &Setup::position("r3k2r/P6P/8/8/8/8/p6p/R3K2R w KQkq - 0 1"), seed);
    }
}

#[test]
fn null_moves_and_the_root_have_names() {
    let chess = log("chess", None);
    let notation = Notation::of(&chess).unwrap();
    assert_eq!([notation.number("null"), notation.number("root")], [Some(65_535), Some(0)]);
    assert_eq!(notation.text(65_535).as_deref(), Some("null"));
    assert!(Notation::of(&log("go", None)).is_none());
}

#[test]
fn what_is_no_move_is_refused() {
    let cases = [
        (
            "chess",
            vec!["", "e2", "e2e9", "e2e2", "Nf3", "e7e8k", "é2e4", "e2e4 e7e5"],
            vec![-1, 5 << 12 | 1, 1 << 40],
        ),
        ("tic-tac-toe", vec!["d1", "a4", "a0", "a"], vec![-1, 10]),
        ("connect-four", vec!["m", "ab", "1"], vec![-1, 13]),
        ("amazons", vec!["d1-d7", "d1/d7-g7", "k1-d7/g7", "d01-d7/g7"], vec![-1, 100, 127 << 7, i64::MAX]),
        ("chinese-checkers", vec!["a1", "a1-a2", "r1-a1", "e14-f1"], vec![-1, 121, 121 << 7, i64::MAX]),
    ];
    for (game, texts, numbers) in cases {
        let log = log(game, None);
        let notation = Notation::of(&log).unwrap();
        for text in texts {
            assert_eq!(notation.number(text), None, "{game} {text}");
        }
        for number in numbers {
            assert_eq!(notation.text(number), None, "{game} {number}");
        }
    }
}

#[test]
fn a_log_names_moves_that_no_game_here_does() {
    let go = log("go", Some((361, "pass")));
    let notation = Notation::of(&go).unwrap();
    assert_eq!((notation.text(361).as_deref(), notation.number("pass")), (Some("pass"), Some(361)));
    assert_eq!((notation.text(1), notation.number("q16"), notation.form()), (None, None, None));
    // The game's own notation takes precedence.
    let chess = log("chess", Some((1804, "king's pawn")));
    let notation = Notation::of(&chess).unwrap();
    assert_eq!((notation.text(1804).as_deref(), notation.number("king's pawn")), (Some("e2e4"), Some(1804)));
}
