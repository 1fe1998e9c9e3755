//! What is broken is refused with the line and the game, and the next game is read.

use gt_games::GameKind;
use gt_games::saved;
use proptest::prelude::*;

/// What is told of a text's games: their number of moves, or the error.
fn told(text: &str, kind: Option<GameKind>) -> Vec<String> {
    saved::read(text, kind)
        .map(|game| game.map_or_else(|error| error.to_string(), |game| format!("{} moves", game.moves.len())))
        .collect()
}

#[test]
fn broken_pgn() {
    let check = |text: &str, expected: &str| {
        let told = told(text, None);
        assert!(told[0].starts_with(expected), "{told:?}");
        let followed = self::told(&format!("{text}\n\n[Event \"next\"]\n\n1. e4 *\n"), None);
        assert_eq!(&followed[1..], ["1 moves"], "{text}: {followed:?}");
    };
    check("\n1. e4 e5\n2. Ke3 *", "line 3, game 1: `Ke3`: no legal move of white is written so");
    check("1. e4 e5 2. e2e4 *", "line 1, game 1: `e2e4`: white has no such legal move here");
    check("1. d4 d5 2. Nf3 Nf6 3. Nd2 *", "line 1, game 1: `Nd2`: more than one piece can go there");
    check("1. e4 -- 2. d4 *", "line 1, game 1: `--`: no legal move of black");
    check("1. e4 }\ne5 *", "line 1, game 1: a `}` closes what was not opened");
    check("1. e4 ) e5 *", "line 1, game 1: a `)` closes a variation that was not opened");
    check("1. e4 (1. d4 *", "line 1, game 1: a variation `(` is never closed by `)`");
    check("[Event \"x]\n\n1. e4 *", "line 1, game 1: a tag is written [Name \"value\"] in one line");
    check(
        "[FEN \"8/8/8/8 w - -\"]\n\n1. e4 *",
        "line 1, game 1: `8/8/8/8 w - -`, character 1: the board has eight",
    );
    check("[Variant \"Atomic\"]\n\n1. e4 *", "line 1, game 1: `Atomic` is another game than chess");
    check("1. f3 e5 2. g4 Qh4# 3. a3 *", "line 1, game 1: `a3`: no legal move of white");
    assert_eq!(
        told("1. e4 *\n\n1. e4 {never\nclosed *\n", None),
        ["1 moves", "line 3, game 2: a comment `{` is never closed by `}`"]
    );
}

#[test]
fn broken_lines() {
    let check = |line: &str, expected: &str| {
        let text = format!("{line}\ngame=tic-tac-toe\tmoves=b2\n");
        assert_eq!(told(&text, None), [&format!("line 1, game 1: {expected}"), "1 moves"]);
    };
    check(
        "game=go\tmoves=",
        "`go`: no such game; there are tic-tac-toe, connect-four, amazons, chess, chinese-checkers, thorns, tree",
    );
    check("game=tic-tac-toe", "the last field of a game is `moves`");
    check("game=tic-tac-toe\tmoves=b2\tend=x", "the last field of a game is `moves`");
    check("game=tic-tac-toe\tmoves=b2 b2", "move 2: `b2`: the square is taken");
    check("game=tic-tac-toe\tresult\tmoves=b2", "`result`: a field is written key=value");
    check("game=tic-tac-toe\tend=a\tend=b\tmoves=b2", "the field `end` stands here twice");
    check("game=tic-tac-toe\tresult=2 1\tmoves=", "`2 1`: the result of 2 players is 1-0, 0-1 or 1/2-1/2");
    check(
        "game=chinese-checkers\tplayers=3\tresult=1-0\tmoves=",
        "`1-0`: the result of 3 players is a place for each player, as in 2 1 3",
    );
    check("game=chinese-checkers\tplayers=x\tmoves=", "`x` is no number of players");
    check("game=chinese-checkers\tplayers=5\tmoves=", "`5`: Chinese checkers is for 2, 3, 4 or 6 players");
    check("game=tic-tac-toe\tplayer2=Ann\tmoves=", "3 players are named, and 2 play");
    check(
        "game=tic-tac-toe\tcolour=red\tmoves=",
        "there is no field `colour`; the fields are game, board, players, position, player0, player1 …, result, end, \
         tag.NAME and moves",
    );
    check("game=tic-tac-toe\tmoves={x} b2", "a comment stands behind a move, one behind each");
    check("game=tic-tac-toe\tmoves=b2 {x", "a comment `{` is never closed by `}`");
}

#[test]
fn games_of_another_kind_are_refused() {
    assert_eq!(
        told("\n1. e4\ne5 *\ngame=tic-tac-toe\tmoves=b2\n", Some(GameKind::TicTacToe)),
        ["line 2, game 1: this is a game of chess, not of tic-tac-toe", "1 moves"]
    );
    assert!(told(" \n\n", Some(GameKind::Chess)).is_empty());
}

#[test]
fn a_text_without_an_end_is_given_up() {
    let endless = "1. e4 {".to_owned() + &"x\n".repeat(9 << 20);
    let told = told(&endless, None);
    assert_eq!(told.len(), 1);
    assert!(told[0].ends_with(", game 1: a game has at most 16 MiB"), "{told:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_text_panics_or_takes_for_ever(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..200),
            "([\\[\\]{}();%$\"\\\\ \n=*]|1\\. |e4 |e5 |Nf3 |O-O |0-1|\\[FEN \"|game=|\tmoves=|tic-tac-toe|b2 ){0,60}"
                .prop_map(String::into_bytes),
        ],
        kind in prop::option::of(prop::sample::select(GameKind::ALL.to_vec())),
    ) {
        let mut count = 0;
        for game in saved::read(&bytes, kind) {
            count += 1;
            match game {
                Ok(game) => {
                    prop_assert!(game.position().is_ok(), "what is read can be played");
                    let again: Result<Vec<_>, _> = saved::read(&game.text(), None).collect();
                    prop_assert_eq!(again.map(|games| games[0].moves.len()), Ok(game.moves.len()));
                }
                Err(error) => prop_assert_eq!(error.to_string().lines().count(), 1, "{}", error),
            }
        }
        prop_assert!(count <= bytes.len());
    }
}
