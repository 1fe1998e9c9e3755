//! Random games of every kind, written and read again.

use gt_games::GameKind;
use gt_games::registry::Setup;
use gt_games::saved::{self, SavedGame, SavedMove, SavedResult};
use proptest::prelude::*;
use proptest::sample::{Index, select};

fn board(size: &str) -> Setup {
    Setup { board: Some(size.to_owned()), ..Setup::default() }
}

fn players(count: usize) -> Setup {
    Setup { players: Some(count), ..Setup::default() }
}

/// Every kind, from its usual start and from others.
fn starts() -> impl Strategy<Value = (GameKind, Setup)> {
    let chess = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/P1p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 10 40",
        "4k3/8/8/8/3pP3/8/8/4K2R b K e3 0 1",
    ];
    let mut starts: Vec<(GameKind, Setup)> = GameKind::ALL.map(|kind| (kind, Setup::default())).into();
    starts.extend(chess.map(|fen| (GameKind::Chess, Setup::position(fen))));
    starts.extend(["4x4", "5x4", "6x6", "10x7"].map(|size| (GameKind::Amazons, board(size))));
    starts.push((GameKind::Amazons, Setup::position("4/1w1b/2x1/4 b")));
    starts.extend([3, 4, 6].map(|count| (GameKind::ChineseCheckers, players(count))));
    starts.push((GameKind::ConnectFour, Setup::position("7/7/7/3x3/2ox3/2ox3 o")));
    starts.push((GameKind::TicTacToe, Setup::position("xo1/3/3 x")));
    select(starts)
}

/// A name, a remark: any text, with what is special in one of the formats made likely.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{0,20}",
        "[a-c{}\\[\\]();%$\"\\\\=*\t\n\r.]{0,12}",
        "\\PC{0,10}",
        "(lorem ){0,30}",
        Just("1-0".to_owned())
    ]
}

#[derive(Clone, Debug)]
struct Choices {
    moves: Vec<(Index, Option<String>)>,
    names: Vec<String>,
    tags: Vec<(String, String)>,
    end: Option<String>,
    result: bool,
}

fn choices() -> impl Strategy<Value = Choices> {
    let comment = prop::option::weighted(0.1, texts());
    let moves = prop::collection::vec((any::<Index>(), comment), 0..120);
    let tags = prop::collection::btree_map("[A-Z][A-Za-z0-9_]{0,8}", texts(), 0..4);
    let names = prop::collection::vec(texts(), 0..3);
    (moves, names, tags, prop::option::of(texts()), any::<bool>()).prop_map(
        |(moves, names, tags, end, result)| Choices {
            moves,
            names,
            tags: tags.into_iter().collect(),
            end,
            result,
        },
    )
}

fn played(kind: GameKind, setup: Setup, choices: Choices) -> SavedGame {
    let mut game = kind.open(&setup).unwrap();
    let mut saved = SavedGame::new(kind);
    for (choice, comment) in choices.moves {
        let moves = game.moves();
        if moves.is_empty() {
            break;
        }
        let text = choice.get(&moves).text.clone();
        game.play(&text).unwrap();
        saved.moves.push(SavedMove { text, comment });
    }
    if choices.result {
        let unfinished = SavedResult::win(game.to_move(), game.players());
        saved.result =
            Some(game.outcome().map_or(unfinished, |outcome| SavedResult::of(outcome, game.players())));
    }
    SavedGame { setup, players: choices.names, tags: choices.tags, end: choices.end, ..saved }
}

/// What PGN keeps of a game: tags that say nothing are left out, comments have single spaces and no closing brace.
fn as_pgn_keeps(mut saved: SavedGame) -> SavedGame {
    let comment = |text: String| text.replace('}', ")").split_whitespace().collect::<Vec<_>>().join(" ");
    for mv in &mut saved.moves {
        mv.comment = mv.comment.take().map(comment).filter(|text| !text.is_empty());
    }
    let value = |text: &String| text.replace(['\n', '\r', '\t'], " ");
    saved.end = saved.end.as_ref().map(value);
    saved.players = saved.players.iter().map(value).collect();
    while saved.players.last().is_some_and(|name| name == "?") {
        saved.players.pop();
    }
    saved.tags = saved.tags.iter().map(|(name, text)| (name.clone(), value(text))).collect();
    saved
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_game_that_is_written_is_read_again((kind, setup) in starts(), choices in choices()) {
        let mut saved = played(kind, setup, choices);
        if kind == GameKind::Chess {
            saved = as_pgn_keeps(saved);
            saved.players.truncate(2);
        } else {
            prop_assert_eq!(saved.text().matches('\n').count(), 1, "one line");
            let count = saved.position().unwrap().players();
            saved.players.truncate(count);
        }
        let text = saved.text();
        let read: Vec<_> = saved::read(&text, Some(kind)).collect();
        prop_assert_eq!(&read, &[Ok(saved)], "{}", text);
    }

    #[test]
    fn many_games_are_read_from_one_text(games in prop::collection::vec((starts(), choices()), 0..6)) {
        let games: Vec<SavedGame> = games
            .into_iter()
            .map(|((kind, setup), choices)| {
                let saved = SavedGame { players: Vec::new(), ..played(kind, setup, choices) };
                if kind == GameKind::Chess { as_pgn_keeps(saved) } else { saved }
            })
            .collect();
        let text: String = games.iter().map(SavedGame::text).collect();
        let read: Result<Vec<_>, _> = saved::read(&text, None).collect();
        prop_assert_eq!(read.unwrap(), games.clone());
        let with_carriage_returns = text.replace('\n', "\r\n");
        let read: Result<Vec<_>, _> = saved::read(&with_carriage_returns, None).collect();
        prop_assert_eq!(read.unwrap(), games);
    }

    #[test]
    fn no_line_of_pgn_is_longer_than_its_words_make_it(choices in choices()) {
        let text = played(GameKind::Chess, Setup::default(), choices).text();
        let moves = text.split_once("\n\n").unwrap().1;
        for line in moves.lines() {
            prop_assert!(line.chars().count() <= 80 || !line.contains(' ') || line.contains('%'), "{}", line);
        }
    }
}

#[test]
fn results_are_places() {
    let parsed =
        |text: &str, players| SavedResult::parse(text, players).map(|result| result.places().to_vec());
    assert_eq!(parsed("1-0", 2), Some(vec![1, 2]));
    assert_eq!(parsed("1/2-1/2", 2), Some(vec![1, 1]));
    assert_eq!(parsed("2 1 3", 3), Some(vec![2, 1, 3]));
    assert_eq!(parsed("1 1 2", 3), Some(vec![1, 1, 3]), "two share the first place, so nobody is second");
    for (text, players) in [("*", 2), ("2 1", 2), ("1-0", 3), ("2 1 4", 3), ("0 1 2", 3), ("1 2", 3), ("", 3)]
    {
        assert_eq!(parsed(text, players), None, "{text} for {players}");
    }
    assert_eq!(SavedResult::win(2, 3).winner(), Some(2));
    assert_eq!(SavedResult::ranked(&[1, 1, 2]).winner(), None);
    assert_eq!(SavedResult::ranked(&[1, 1, 2]).share(1), 0.5);
    assert_eq!(SavedResult::ranked(&[1, 1, 2]).share(2), 0.0);
}
