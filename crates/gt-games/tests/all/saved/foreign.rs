//! PGN as other programs and people write it.

use gt_games::saved::{self, SavedGame};

fn read(text: impl AsRef<[u8]>) -> Vec<SavedGame> {
    saved::read(&text, None).map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect()
}

/// The one game of a text.
fn only(text: impl AsRef<[u8]>) -> SavedGame {
    let mut games = read(text);
    assert_eq!(games.len(), 1);
    games.remove(0)
}

fn moves(game: &SavedGame) -> String {
    game.moves.iter().map(|mv| mv.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn result(game: &SavedGame) -> Option<String> {
    game.result.as_ref().map(ToString::to_string)
}

#[test]
fn comments_variations_marks_and_escapes() {
    let game = only(
        "% made by hand\n[Event \"Club \\\"Rook\\\"\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n\
         {before} 1. e4 {best by test} $1 e5 ; and so on\n(1... c5 2. Nf3 (2. c3 {{} Nf6) 2... d6 1-0) 2.Nf3!? Nc6 $14 3. Bb5 \
         {two} {parts,\n[not a tag \"x\"]\n%not hidden} 3... a6 +- 4.Ba4\n% hidden 4... Ke7\nNf6 5. O-O 1-0\n",
    );
    assert_eq!(moves(&game), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1");
    assert_eq!(game.players, ["Ann", "Bob"]);
    assert_eq!(game.tags, [("Event".to_owned(), "Club \"Rook\"".to_owned())]);
    assert_eq!(result(&game).as_deref(), Some("1-0"));
    let comments: Vec<Option<&str>> = game.moves.iter().map(|mv| mv.comment.as_deref()).take(5).collect();
    let parts = "two parts, [not a tag \"x\"] %not hidden";
    assert_eq!(comments, [Some("best by test"), Some("and so on"), None, None, Some(parts)]);
}

#[test]
fn moves_in_every_spelling() {
    let numbers =
        ["1. e4 e5 2. Nf3 *", "1.e4 e5 2.Nf3 *", "e4 e5 Nf3 *", "1 e4 e5 2 Nf3 *", "1. e4 1... e5 2. Nf3"];
    for text in numbers {
        assert_eq!(moves(&only(text)), "e2e4 e7e5 g1f3", "{text}");
    }
    let spellings = ["e2e4 e7e5 Ng1f3", "e2-e4 e7-e5 Ng1-f3", "Pe4 e5!! N1f3?", "e4 e5 g1f3"];
    for text in spellings {
        assert_eq!(moves(&only(text)), "e2e4 e7e5 g1f3", "{text}");
    }
    for castling in ["O-O", "0-0", "o-o", "O-O+", "5.0-0"] {
        let text = format!("[FEN \"5k2/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n{castling} *");
        assert_eq!(moves(&only(&text)), "e1g1", "{castling}");
    }
    for promotion in ["a8=Q", "a8Q", "a7a8q", "a8=Q#", "a7-a8=Q+"] {
        let text = format!("[FEN \"7k/P7/6K1/8/8/8/8/8 w - - 0 1\"]\n\n{promotion} *");
        assert_eq!(moves(&only(&text)), "a7a8q", "{promotion}");
    }
    let passing = "[FEN \"4k3/8/8/8/3pP3/8/8/4K2R b K e3 0 1\"]\n\n1... dxe3 e.p. *";
    assert_eq!(moves(&only(passing)), "d4e3");
}

#[test]
fn several_games_in_a_file() {
    let text = "[Event \"a\"]\r\n\r\n1. e4 *\r\n\r\n[Event \"b\"]\r\n\r\n1. d4 d5\r\n\r\n[Event \"c\"]\r\n[Result \"0-1\"]\r\n\r\n\
                [Event \"d\"]\r\n\r\n0-1\r\n1. c4 1/2-1/2 1. f4 1-0\r\n\r\n";
    let games = read(text);
    let told: Vec<(String, Option<String>)> = games.iter().map(|game| (moves(game), result(game))).collect();
    let told: Vec<(&str, Option<&str>)> =
        told.iter().map(|(moves, result)| (moves.as_str(), result.as_deref())).collect();
    let expected = [
        ("e2e4", None),
        ("d2d4 d7d5", None),
        ("", Some("0-1")),
        ("", Some("0-1")),
        ("c2c4", Some("1/2-1/2")),
        ("f2f4", Some("1-0")),
    ];
    assert_eq!(told, expected);
}

#[test]
fn latin_1_and_byte_order_marks() {
    let game = only(b"[White \"M\xfcller\"]\n[Black \"M\xc3\xbcller\"]\n\n1. e4 {sch\xf6n} *".as_slice());
    assert_eq!(game.players, ["Müller", "Müller"]);
    assert_eq!(game.moves[0].comment.as_deref(), Some("schön"));
    assert_eq!(only("\u{feff}[White \"Ann\"]\n\n1. e4 *").players, ["Ann"]);
    assert_eq!(only("\u{feff}game=tic-tac-toe\tmoves=b2\n").moves.len(), 1);
}

#[test]
fn quotes_and_backslashes_that_were_not_escaped() {
    let game = only("[Event \"The \"Big\" One\"]\n[Site \"C:\\games\"]\n[ Round  \"3\" ] [Board \"1\"]\n\n*");
    let value =
        |name: &str| game.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    assert_eq!(value("Event"), Some("The \"Big\" One"));
    assert_eq!(value("Site"), Some("C:\\games"));
    assert_eq!((value("Round"), value("Board")), (Some("3"), Some("1")));
}

#[test]
fn what_was_played_beyond_a_draw_is_left_out() {
    let knights = "Nf3 Nf6 Ng1 Ng8 ".repeat(2);
    let game = only(format!("{knights} e4 e5 1-0"));
    assert_eq!(game.moves.len(), 8, "the start occurs for the third time after eight moves");
    assert_eq!(result(&game).as_deref(), Some("1-0"));
    game.position().unwrap();
    let wrong = saved::read(&format!("{knights} e4 e4 1-0"), None).next().unwrap().unwrap_err();
    assert_eq!(wrong.problem.split(':').next(), Some("`e4`"), "it is checked though");
}

#[test]
fn the_result_of_the_moves_counts_before_the_tag_s() {
    let of = |text: &str| result(&only(text));
    assert_eq!(of("[Result \"1-0\"]\n\n1. e4 0-1").as_deref(), Some("0-1"));
    assert_eq!(of("[Result \"1-0\"]\n\n1. e4 *").as_deref(), Some("1-0"));
    assert_eq!(of("[Result \"1-0\"]\n\n1. e4").as_deref(), Some("1-0"));
    assert_eq!(of("[Result \"*\"]\n\n1. e4 *"), None);
}
