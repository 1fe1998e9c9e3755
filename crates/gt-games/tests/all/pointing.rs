//! Moves as they are pointed at on a board, held against the games' own moves.

use std::collections::{BTreeMap, BTreeSet};

use gt_games::board::{Board, PointedMove, Pointing};
use gt_games::registry::{AnyGame, GameKind, Setup};
use proptest::prelude::*;

/// The starts that random games are played from.
fn starts() -> Vec<(GameKind, Setup)> {
    let mut starts: Vec<(GameKind, Setup)> =
        GameKind::ALL.into_iter().map(|kind| (kind, Setup::default())).collect();
    starts.push((GameKind::Amazons, Setup { board: Some("6x6".to_owned()), ..Setup::default() }));
    starts.push((GameKind::ChineseCheckers, Setup { players: Some(6), ..Setup::default() }));
    // Pawns about to promote, by moving and by capturing.
    starts.push((GameKind::Chess, Setup::position("1n1n4/P1P4k/8/8/8/8/1p1p3K/N1N5 w - - 0 1")));
    starts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_legal_move_is_pointed_at_in_one_way(
        start in 0..starts().len(),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
    ) {
        let (kind, setup) = starts().swap_remove(start);
        let mut game = kind.open(&setup).unwrap();
        check(&*game);
        for choice in choices {
            let moves = game.moves();
            if moves.is_empty() {
                break;
            }
            game.play(&moves[choice.index(moves.len())].text).unwrap();
            check(&*game);
        }
    }
}

fn check(game: &dyn AnyGame) {
    let board = Board::of(game);
    let is_place = |place: &str| board.cells.iter().any(|cell| cell.place == place);
    let pointing = Pointing::of(game);
    let texts: BTreeSet<String> = pointing.moves.iter().map(|pointed| pointed.text.clone()).collect();
    assert_eq!(texts, game.moves().into_iter().map(|named| named.text).collect());
    assert_eq!(texts.len(), pointing.moves.len());
    let mut ways: BTreeMap<(&[String], Option<&str>), &str> = BTreeMap::new();
    for pointed in &pointing.moves {
        assert!(pointed.places.iter().all(|place| is_place(place)), "{pointed:?}");
        assert!(!pointed.places.is_empty() || pointed.choice.is_some(), "{pointed:?} cannot be pointed at");
        let other = ways.insert((&pointed.places, pointed.choice.as_deref()), &pointed.text);
        assert_eq!(other, None, "{pointed:?} in {}", game.position_text());
    }
    // In the order of a map, the longer one follows the shorter one that it begins with.
    let places: Vec<&[String]> =
        ways.keys().map(|(places, _)| *places).filter(|list| !list.is_empty()).collect();
    for pair in places.windows(2) {
        assert!(pair[0].len() == pair[1].len() || !pair[1].starts_with(pair[0]), "{pair:?}");
    }
    for stand_in in &pointing.stand_ins {
        assert!(is_place(&stand_in.place) && is_place(&stand_in.meant), "{stand_in:?}");
        let is_first =
            |place: &String| pointing.moves.iter().any(|pointed| pointed.places.first() == Some(place));
        assert!(is_first(&stand_in.meant) && !is_first(&stand_in.place), "{stand_in:?}");
    }
}

fn pointed(kind: GameKind, setup: &Setup, text: &str) -> PointedMove {
    let game = kind.open(setup).unwrap();
    let found = Pointing::of(&*game).moves.into_iter().find(|pointed| pointed.text == text);
    found.unwrap_or_else(|| panic!("{text} is not legal"))
}

#[test]
fn each_game_has_its_places() {
    let start = Setup::default();
    let places = |kind, text| pointed(kind, &start, text).places;
    assert_eq!(places(GameKind::TicTacToe, "b2"), ["b2"]);
    assert_eq!(places(GameKind::Amazons, "d1-d7/g7"), ["d1", "d7", "g7"]);
    assert_eq!(places(GameKind::Chess, "e2e4"), ["e2", "e4"]);
    assert_eq!(places(GameKind::ConnectFour, "d"), ["d1"]);
    let castling = Setup::position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(pointed(GameKind::Chess, &castling, "e1g1").places, ["e1", "g1"]);
}

#[test]
fn promotions_are_chosen_by_name() {
    let setup = Setup::position("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    let choice = |text| pointed(GameKind::Chess, &setup, text).choice;
    let names = ["a7a8q", "a7a8r", "a7a8b", "a7a8n", "a1b1"].map(choice);
    let names = names.each_ref().map(Option::as_deref);
    assert_eq!(names, [Some("queen"), Some("rook"), Some("bishop"), Some("knight"), None]);
}

#[test]
fn moves_are_written_down_as_players_do() {
    let written = |kind: GameKind, text| kind.open(&Setup::default()).unwrap().written(text);
    assert_eq!(written(GameKind::Chess, "g1f3").as_deref(), Ok("Nf3"));
    assert_eq!(written(GameKind::Amazons, "d1-d7/g7").as_deref(), Ok("d1-d7/g7"));
    assert!(written(GameKind::Chess, "e2e5").is_err());
}

#[test]
fn a_queen_is_offered_first() {
    let game = GameKind::Chess.open(&Setup::position("8/P6k/8/8/8/8/8/K7 w - - 0 1")).unwrap();
    let choices: Vec<String> =
        Pointing::of(&*game).moves.iter().filter_map(|pointed| pointed.choice.clone()).collect();
    assert_eq!(choices, ["queen", "rook", "bishop", "knight"]);
}

#[test]
fn a_column_means_where_its_disc_comes_to_lie() {
    let mut game = GameKind::ConnectFour.open(&Setup::default()).unwrap();
    game.play("d").unwrap();
    let stand_ins = Pointing::of(&*game).stand_ins;
    let meant = |place: &str| stand_ins.iter().find(|other| other.place == place).map(|other| &*other.meant);
    assert_eq!(
        [meant("d1"), meant("d6"), meant("a6"), meant("d2")],
        [Some("d2"), Some("d2"), Some("a1"), None]
    );
    for _ in 0..5 {
        game.play("d").unwrap();
    }
    let stand_ins = Pointing::of(&*game).stand_ins;
    assert!(stand_ins.iter().all(|other| !other.place.starts_with('d')), "the column is full");
}
