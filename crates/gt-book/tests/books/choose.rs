//! Moves are chosen as their weights say.

use super::{Folder, book};
use gt_book::{Book, Format};
use gt_games::GameKind;
use gt_games::registry::Setup;
use std::collections::BTreeMap;

fn chosen(book: &Book, setup: &Setup, times: usize) -> BTreeMap<String, usize> {
    let game = book.kind().open(setup).unwrap();
    let mut rng = fastrand::Rng::with_seed(7);
    let mut counts = BTreeMap::new();
    for _ in 0..times {
        if let Some(text) = book.choose(&*game, &mut rng).unwrap() {
            *counts.entry(text).or_default() += 1;
        }
    }
    counts
}

#[test]
fn by_weight_and_never_without() {
    let folder = Folder::new();
    let text = "1. e4 1-0\n1. e4 1-0\n1. e4 1-0\n1. d4 1-0\n1. f3 0-1\n";
    for format in [Format::Polyglot, Format::Own] {
        let book = book(&folder, GameKind::Chess, format, text);
        let counts = chosen(&book, &Setup::default(), 4_000);
        assert_eq!(counts.len(), 2, "{counts:?}");
        // 3,000 are expected, with a standard deviation of 27.
        assert!((2_800..3_200).contains(&counts["e2e4"]), "{counts:?}");
        let start = GameKind::Chess.open(&Setup::default()).unwrap();
        let chances: Vec<f64> = book.moves(&*start).unwrap().iter().map(|mv| mv.chance).collect();
        assert_eq!(&chances[..2], [0.75, 0.25]);
    }
}

#[test]
fn moves_that_are_alike_share_their_weight() {
    let folder = Folder::new();
    let text = "game=tic-tac-toe\tresult=1-0\tmoves=a1\ngame=tic-tac-toe\tresult=1-0\tmoves=b2\n";
    let book = book(&folder, GameKind::TicTacToe, Format::Own, text);
    let start = GameKind::TicTacToe.open(&Setup::default()).unwrap();
    let moves = book.moves(&*start).unwrap();
    let told: Vec<(&str, usize, f64)> =
        moves.iter().map(|mv| (mv.text.as_str(), mv.alike, mv.chance)).collect();
    let corner = |text| (text, 4, 0.125);
    assert_eq!(told, [corner("a1"), corner("a3"), ("b2", 1, 0.5), corner("c1"), corner("c3")]);
    let counts = chosen(&book, &Setup::default(), 4_000);
    assert_eq!(counts.len(), 5);
    assert!((1_800..2_200).contains(&counts["b2"]), "{counts:?}");
}

#[test]
fn nothing_where_the_book_has_nothing() {
    let folder = Folder::new();
    let book = book(&folder, GameKind::Chess, Format::Polyglot, "1. e4 1-0\n");
    let other = Setup::position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert!(chosen(&book, &other, 10).is_empty());
    let mated = Setup::position("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    assert!(chosen(&book, &mated, 10).is_empty());
    let mut repeated = GameKind::Chess.open(&Setup::default()).unwrap();
    assert_eq!(book.moves(&*repeated).unwrap().len(), 1);
    for text in "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8".split(' ') {
        repeated.play(text).unwrap();
    }
    assert!(book.moves(&*repeated).unwrap().is_empty(), "the game is drawn");
    let amazons = GameKind::Amazons.open(&Setup::default()).unwrap();
    let error = book.moves(&*amazons).unwrap_err().to_string();
    assert_eq!(error, "this is a book of chess, not of amazons");
}
