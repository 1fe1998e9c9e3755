//! What goes into a book, and what stays out.

use super::{Folder, book, builder, bytes, games};
use gt_book::{Book, BuildOptions, Builder, Error, Format, Tally};
use gt_games::GameKind;
use gt_games::registry::Setup;

const CHESS: &str = "1. e4 e5 1-0\n1. e4 c5 0-1\n1. d4 d5 1/2-1/2\n1. c4 *\n1. f3 e5 0-1\n";

/// The moves of the start with their weights.
fn first_moves(book: &Book) -> Vec<(String, u32)> {
    let start = book.kind().open(&Setup::default()).unwrap();
    book.moves(&*start).unwrap().into_iter().map(|mv| (mv.text, mv.weight)).collect()
}

fn named(moves: &[(&str, u32)]) -> Vec<(String, u32)> {
    moves.iter().map(|&(text, weight)| (text.to_owned(), weight)).collect()
}

#[test]
fn two_points_for_a_win_and_one_for_a_draw() {
    let folder = Folder::new();
    let polyglot = book(&folder, GameKind::Chess, Format::Polyglot, CHESS);
    let expected = [("e2e4", 2), ("c2c4", 1), ("d2d4", 1)];
    assert_eq!(first_moves(&polyglot), named(&expected), "a move that only lost is left out");
    let own = book(&folder, GameKind::Chess, Format::Own, CHESS);
    assert_eq!(first_moves(&own), named(&[expected[0], expected[1], expected[2], ("f2f3", 0)]));
    let start = GameKind::Chess.open(&Setup::default()).unwrap();
    let tally = own.moves(&*start).unwrap()[0].tally;
    assert_eq!(tally, Some(Tally { games: 2, wins: 1, draws: 0 }));
    assert_eq!(own.info().games, Some(5));
}

#[test]
fn places_of_three_players_count_for_the_winner() {
    let folder = Folder::new();
    let line = |result: &str| format!("game=chinese-checkers\tplayers=3\tresult={result}\tmoves=d1-e5\n");
    let tally = |text: &str| {
        let book = book(&folder, GameKind::ChineseCheckers, Format::Own, text);
        let start = GameKind::ChineseCheckers.open(&Setup { players: Some(3), ..Setup::default() }).unwrap();
        book.moves(&*start).unwrap()[0].tally.unwrap()
    };
    assert_eq!(tally(&line("1 2 3")), Tally { games: 1, wins: 1, draws: 0 });
    assert_eq!(tally(&line("1 1 3")), Tally { games: 1, wins: 0, draws: 1 });
    assert_eq!(tally(&line("2 1 3")), Tally { games: 1, wins: 0, draws: 0 });
}

#[test]
fn rare_moves_and_late_moves_stay_out() {
    let folder = Folder::new();
    let with = |options| {
        let content = bytes(&builder(GameKind::Chess, Format::Polyglot, options, &games(CHESS)));
        Book::open(&folder.file("x.bin", &content), GameKind::Chess).unwrap()
    };
    let rare = with(BuildOptions { games_min: 2, plies_max: 20 });
    assert_eq!(first_moves(&rare), named(&[("e2e4", 2)]));
    let early = with(BuildOptions { games_min: 1, plies_max: 1 });
    assert_eq!((early.info().positions, early.info().moves), (1, 3));
    let all = with(BuildOptions::default());
    assert_eq!((all.info().positions, all.info().moves), (4, 6), "start, after e4, after d4, after f3");
}

#[test]
fn merging_books_is_building_from_all_their_games() {
    let folder = Folder::new();
    let (first, second) = CHESS.split_at(26);
    let lines = |moves: &str| format!("game=connect-four\tresult=1-0\tmoves={moves}\n");
    let cases = [
        (GameKind::Chess, Format::Own, first.to_owned(), second.to_owned()),
        (GameKind::ConnectFour, Format::Own, lines("d d e"), lines("d c d") + &lines("d e d")),
    ];
    for (kind, format, one, two) in cases {
        let options = BuildOptions::default();
        let whole = bytes(&builder(kind, format, options, &games(&format!("{one}{two}"))));
        let part = folder.file("part", &bytes(&builder(kind, format, options, &games(&one))));
        let mut merged = builder(kind, format, options, &games(&two));
        merged.merge(&Book::open(&part, kind).unwrap()).unwrap();
        assert_eq!(bytes(&merged), whole, "{kind} {format}");
    }
    // Polyglot's format forgets moves without weight, but what it keeps adds up.
    let part = bytes(&builder(GameKind::Chess, Format::Polyglot, BuildOptions::default(), &games(first)));
    let part = Book::open(&folder.file("part", &part), GameKind::Chess).unwrap();
    let mut merged = builder(GameKind::Chess, Format::Polyglot, BuildOptions::default(), &games(second));
    merged.merge(&part).unwrap();
    let merged = Book::open(&folder.file("merged", &bytes(&merged)), GameKind::Chess).unwrap();
    assert_eq!(first_moves(&merged), named(&[("e2e4", 2), ("c2c4", 1), ("d2d4", 1)]));
}

#[test]
fn heavy_weights_are_scaled_to_fit() {
    let folder = Folder::new();
    let key = gt_book::polyglot_key(gt_games::Chess::new().board());
    let record = |mv: u16, weight: u16| {
        [&key.to_be_bytes()[..], &mv.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
    };
    let (e4, d4, c4) = (28 | 12 << 6, 27 | 11 << 6, 26 | 10 << 6);
    let heavy = [record(e4, 60_000), record(d4, 30_000), record(c4, 1)].concat();
    let heavy = Book::open(&folder.file("heavy", &heavy), GameKind::Chess).unwrap();
    let mut builder = Builder::new(GameKind::Chess, Format::Polyglot, BuildOptions::default()).unwrap();
    builder.merge(&heavy).unwrap();
    builder.merge(&heavy).unwrap();
    let merged = Book::open(&folder.file("merged", &bytes(&builder)), GameKind::Chess).unwrap();
    assert_eq!(first_moves(&merged), named(&[("e2e4", 65_535), ("d2d4", 32_767), ("c2c4", 1)]));
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |result: Result<(), Error>| result.unwrap_err().to_string();
    let polyglot = Builder::new(GameKind::Amazons, Format::Polyglot, BuildOptions::default()).map(drop);
    assert!(matches!(polyglot, Err(Error::NotChess(GameKind::Amazons))));
    let mut builder = Builder::new(GameKind::Amazons, Format::Own, BuildOptions::default()).unwrap();
    assert_eq!(refused(builder.add(&games(CHESS)[0])), "this is a game of chess, and the book is of amazons");
    let folder = Folder::new();
    let chess = book(&folder, GameKind::Chess, Format::Polyglot, CHESS);
    assert_eq!(refused(builder.merge(&chess)), "this is a book of chess, not of amazons");
    let mut own = Builder::new(GameKind::Chess, Format::Own, BuildOptions::default()).unwrap();
    assert_eq!(refused(own.merge(&chess)), "a book is merged only into a book of its own format");
}
