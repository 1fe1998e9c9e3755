//! A board held in another way: the same game.

use gt_games::amazons::Size;
use gt_games::registry::{GameKind, Setup};
use gt_games::{Amazons, Chess, ChineseCheckers, ConnectFour, Notation, Symmetric, TicTacToe, connect_four};
use gt_search::{Evaluate, Outcome};
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::BTreeSet;
use std::fmt::Debug;

fn played<G: Notation>(start: G, choices: &[Index]) -> G {
    let mut game = start;
    for choice in choices {
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        game.make(*choice.get(&moves));
    }
    game
}

fn codes<G: Notation>(game: &G, moves: impl IntoIterator<Item = G::Move>) -> BTreeSet<i64> {
    moves.into_iter().map(|mv| game.encode(mv)).collect()
}

/// The moves, the result and what follows are those of the image, and every image is a different one of the whole.
fn laws<G: Symmetric + Debug + PartialEq>(game: &G, expected: usize) {
    assert_eq!(game.symmetries(), expected);
    assert_eq!(&game.turned(0), game);
    let moves = game.legal_moves();
    let mut images = Vec::new();
    for symmetry in 0..game.symmetries() {
        let image = game.turned(symmetry);
        let read = G::parse_position(&image.position_text()).unwrap();
        assert_eq!(read.hash(), image.hash(), "an image is a position");
        let turned = moves.iter().map(|&mv| game.turned_move(mv, symmetry));
        assert_eq!(codes(&image, turned), codes(&image, image.legal_moves()), "{}", image.position_text());
        for &mv in moves.iter().take(5) {
            let (mut before, mut after) = (game.clone(), image.clone());
            before.make(mv);
            after.make(game.turned_move(mv, symmetry));
            assert_eq!(before.turned(symmetry).essence(), after.essence());
            let is_win = |game: &G| matches!(game.outcome(), Some(Outcome::Win(_)));
            assert_eq!(is_win(&before), is_win(&after));
        }
        images.push(image.essence());
    }
    // Images of an image are the same ones: the symmetries are closed.
    let all: BTreeSet<&String> = images.iter().collect();
    for symmetry in 0..game.symmetries() {
        let image = game.turned(symmetry);
        let again: BTreeSet<String> =
            (0..image.symmetries()).map(|symmetry| image.turned(symmetry).essence()).collect();
        assert_eq!(again.iter().collect::<BTreeSet<_>>(), all);
    }
}

/// What a search relies on that keeps one entry of its table for a position and its mirror image.
fn mirror_laws<G: Symmetric + Debug + PartialEq>(game: &G, evaluation: &impl Evaluate<G>, symmetry: usize) {
    let image = game.turned(symmetry);
    assert_eq!(game.mirrored_hash(), Some(image.hash()));
    assert_eq!(image.mirrored_hash(), Some(game.hash()));
    let turned = game.legal_moves().into_iter().rev().map(|mv| game.turned_move(mv, symmetry));
    assert_eq!(turned.collect::<Vec<_>>(), image.legal_moves(), "{}", image.position_text());
    assert!(evaluation.is_mirror_symmetric());
    if game.outcome().is_none() {
        assert_eq!(evaluation.evaluate(game), evaluation.evaluate(&image));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn mirror_images_have_the_same_value_and_the_moves_in_reverse(
        choices in prop::collection::vec(any::<Index>(), 0..66),
    ) {
        for (columns, rows) in [(7, 6), (4, 4), (6, 9), (12, 4)] {
            let size = connect_four::Size::new(columns, rows).unwrap();
            mirror_laws(&played(ConnectFour::start(size), &choices), &connect_four::Threats, 1);
        }
    }

    #[test]
    fn the_moves_of_an_image_are_the_images_of_the_moves(choices in prop::collection::vec(any::<Index>(), 0..40)) {
        laws(&played(TicTacToe::new(), &choices), 8);
        laws(&played(ConnectFour::new(), &choices), 2);
        laws(&played(Chess::new(), &choices), 1);
        for (width, height, expected) in [(6, 6, 8), (5, 4, 4), (4, 7, 4), (10, 10, 8)] {
            laws(&played(Amazons::start(Size::new(width, height).unwrap()), &choices), expected);
        }
        for (players, expected) in [(2, 4), (3, 3), (4, 2), (6, 6)] {
            laws(&played(ChineseCheckers::start(players).unwrap(), &choices), expected);
        }
    }

    #[test]
    fn images_share_their_canonical_text_and_the_numbers_of_their_moves(
        choices in prop::collection::vec(any::<Index>(), 0..12),
    ) {
        let check = |kind: GameKind, position: String, images: Vec<String>| {
            let game = kind.open(&Setup::position(&position)).unwrap();
            let codes = |game: &dyn gt_games::AnyGame| {
                let mut codes: Vec<i64> = game.canonical_moves().into_iter().map(|(_, code)| code).collect();
                codes.sort_unstable();
                codes
            };
            for image in images {
                let image = kind.open(&Setup::position(&image)).unwrap();
                assert_eq!(image.canonical_text(), game.canonical_text());
                assert_eq!(codes(&*image), codes(&*game));
            }
        };
        fn images<G: Symmetric>(game: &G) -> Vec<String> {
            (0..game.symmetries()).map(|symmetry| game.turned(symmetry).position_text()).collect()
        }
        let game = played(TicTacToe::new(), &choices);
        check(GameKind::TicTacToe, game.position_text(), images(&game));
        let game = played(ConnectFour::new(), &choices);
        check(GameKind::ConnectFour, game.position_text(), images(&game));
        let game = played(Amazons::start(Size::new(5, 5).unwrap()), &choices);
        check(GameKind::Amazons, game.position_text(), images(&game));
        let game = played(ChineseCheckers::start(2).unwrap(), &choices);
        check(GameKind::ChineseCheckers, game.position_text(), images(&game));
    }
}

/// The nine first moves of tic-tac-toe are three; there are 765 positions up to symmetry.
#[test]
fn moves_that_are_the_same_have_the_same_number() {
    let numbers = |kind: GameKind, setup: &Setup| {
        let game = kind.open(setup).unwrap();
        let moves = game.canonical_moves();
        for (mv, code) in &moves {
            assert_eq!(game.canonical_code(&mv.text), Ok(*code));
        }
        moves.into_iter().map(|(_, code)| code).collect::<BTreeSet<_>>().len()
    };
    assert_eq!(numbers(GameKind::TicTacToe, &Setup::default()), 3);
    assert_eq!(numbers(GameKind::ConnectFour, &Setup::default()), 4);
    assert_eq!(numbers(GameKind::Chess, &Setup::default()), 20);
    // The start on 10x10 is its own mirror image: files can be exchanged.
    assert_eq!(numbers(GameKind::Amazons, &Setup::default()), 2_176 / 2);
    assert_eq!(numbers(GameKind::ChineseCheckers, &Setup::default()), 14 / 2);

    let mut open = vec![GameKind::TicTacToe.open(&Setup::default()).unwrap()];
    let mut seen = BTreeSet::new();
    while let Some(game) = open.pop() {
        if seen.insert(game.canonical_text()) {
            for mv in game.moves() {
                let mut next = game.clone();
                next.play(&mv.text).unwrap();
                open.push(next);
            }
        }
    }
    assert_eq!(seen.len(), 765);
}

#[test]
fn counters_make_no_difference() {
    let text =
        |kind: GameKind, position: &str| kind.open(&Setup::position(position)).unwrap().canonical_text();
    let chess = |fen: &str| text(GameKind::Chess, fen);
    let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
    assert_eq!(chess(&format!("{start} e3 0 1")), format!("{start} -"), "no pawn can take there");
    assert_eq!(chess("4k3/8/8/8/3pP3/8/8/4K3 b - e3 5 9"), "4k3/8/8/8/3pP3/8/8/4K3 b - e3");
    let star = "A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/BBBB/BBB/BB/B A 2";
    assert_eq!(
        text(GameKind::ChineseCheckers, &format!("{star} 40")),
        text(GameKind::ChineseCheckers, &format!("{star} 0"))
    );
}
