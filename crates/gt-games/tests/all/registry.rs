//! The door to all games.

use gt_games::registry::{AnyEvaluation, GameKind, Playable, Setup, Task, replay};
use gt_search::{Evaluate, EvaluateAll};

/// Values a position for the mover.
struct Value;

impl Task for Value {
    type Output = i32;
    fn run<G: Playable>(self, game: G, evaluation: AnyEvaluation<G>) -> i32 {
        let mut values = vec![0; game.players()];
        evaluation.evaluate_all(&game, &mut values);
        let value = evaluation.evaluate(&game);
        if game.players() == 2 && G::KIND != GameKind::ChineseCheckers {
            assert_eq!(values[game.to_move()], value);
            assert_eq!(values[1 - game.to_move()], -value);
        }
        value
    }
}

#[test]
fn every_game_and_evaluation_has_a_name_that_leads_to_it() {
    let names: Vec<&str> = GameKind::ALL.into_iter().map(GameKind::name).collect();
    assert_eq!(
        names,
        ["tic-tac-toe", "connect-four", "amazons", "chess", "chinese-checkers", "thorns", "tree"]
    );
    for kind in GameKind::ALL {
        assert_eq!(kind.name().parse(), Ok(kind));
        assert!(!kind.description().is_empty());
        assert!(!kind.evaluations().is_empty());
        let game = kind.open(&Setup::default()).expect("the start");
        assert_eq!((game.kind(), game.to_move(), game.outcome()), (kind, 0, None));
        assert!(kind.player_counts().contains(&game.players()));
        for evaluation in kind.evaluations() {
            let value =
                kind.run(&Setup::default(), &[], Some(evaluation.name), Value).expect("an evaluation");
            // What having the move is worth, where an evaluation counts it.
            let tempo = match evaluation.name {
                "phased" => 1,
                "six-terms" => 24,
                "network" => 40,
                _ => 0,
            };
            assert!(value.abs() <= tempo, "the start of {kind} is level for {}: {value}", evaluation.name);
            assert_eq!(game.evaluate(Some(evaluation.name)).expect("values").len(), game.players());
        }
    }
}

#[test]
fn moves_may_be_played_before_a_task() {
    let setup = Setup { board: Some("6x6".to_owned()), ..Setup::default() };
    let value = GameKind::Amazons.run(&setup, &["b1-b4/e4"], Some("mobility"), Value).expect("a value");
    let mut game = GameKind::Amazons.open(&setup).expect("the start");
    game.play("b1-b4/e4").expect("a legal move");
    assert_eq!(game.evaluate(Some("mobility")), Ok(vec![-value, value]));
}

#[test]
fn a_line_of_every_game_replays() {
    for kind in GameKind::ALL {
        let mut game = kind.open(&Setup::default()).expect("the start");
        let mut codes = vec![0];
        let mut texts = Vec::new();
        for turn in 0..12 {
            let moves = game.moves();
            let Some(mv) = moves.get(turn * 7 % moves.len().max(1)) else { break };
            assert_eq!(game.decode(mv.code).as_ref(), Ok(&mv.text));
            assert_eq!(game.encode(&mv.text), Ok(mv.code));
            codes.push(mv.code);
            texts.push(mv.text.clone());
            game.play(&mv.text).expect("a legal move");
        }
        let line = replay(kind, &Setup::default(), &codes).expect("the line");
        assert_eq!(line.moves, texts);
        assert_eq!(line.game.position_text(), game.position_text());
        assert_eq!(line.game.draw(), game.draw());
        assert_eq!(line.game.hash(), game.hash());
        assert_eq!(line.game.clone().position_text(), game.position_text());
        // From a text in the middle as well.
        let half = codes.len() / 2;
        let middle = replay(kind, &Setup::default(), &codes[..half]).expect("the line").game.position_text();
        let rest = replay(kind, &Setup::position(&middle), &codes[half..]).expect("the rest");
        assert_eq!(rest.moves, texts[half - 1..]);
        assert_eq!(rest.game.position_text(), game.position_text());
    }
}

#[test]
fn a_repeated_number_in_a_chess_log_is_the_same_node_again() {
    let e2e4 = 12 | 28 << 6;
    let e7e5 = 52 | 36 << 6;
    let line = replay(GameKind::Chess, &Setup::default(), &[e2e4, e2e4, e7e5]).expect("the line");
    assert_eq!(line.moves, ["e2e4", "e2e4", "e7e5"]);
    assert!(line.game.position_text().starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w"));
    // In connect four the same column twice is two moves.
    let line = replay(GameKind::ConnectFour, &Setup::default(), &[4, 4]).expect("the line");
    assert_eq!(line.game.position_text(), "7/7/7/7/3o3/3x3 x");
}

#[test]
fn perft_by_move_adds_up() {
    let game = GameKind::Chess.open(&Setup::default()).expect("the start");
    let counts = game.perft(3);
    assert_eq!((counts.len(), counts.iter().map(|(_, count)| count).sum::<u64>()), (20, 8_902));
}

#[test]
fn what_does_not_fit_is_refused_with_a_sentence() {
    let error = |kind: GameKind, setup: &Setup| kind.open(setup).err().expect("refused").to_string();
    let board = |text: &str| Setup { board: Some(text.to_owned()), ..Setup::default() };
    let players = |count| Setup { players: Some(count), ..Setup::default() };
    assert_eq!(
        "draughts".parse::<GameKind>().expect_err("unknown").to_string(),
        "`draughts`: no such game; there are tic-tac-toe, connect-four, amazons, chess, chinese-checkers, thorns, tree"
    );
    assert_eq!(error(GameKind::Chess, &board("6x6")), "`6x6`: chess has one board only; leave the size away");
    assert_eq!(
        error(GameKind::Amazons, &board("six")),
        "`six`: a board's size is written width x height, as in 6x6"
    );
    assert_eq!(
        error(GameKind::Amazons, &board("3x12")),
        "`3x12`: an Amazons board has 4 to 10 files and ranks, as in 6x6"
    );
    let both = Setup { position: "4/4/4/4 w".to_owned(), ..board("6x6") };
    assert_eq!(
        error(GameKind::Amazons, &both),
        "`6x6`: the position has a board of 4x4; leave the size away"
    );
    assert_eq!(error(GameKind::Chess, &players(3)), "`3`: this position of chess has 2 players");
    assert_eq!(
        error(GameKind::ChineseCheckers, &players(5)),
        "`5`: Chinese checkers is for 2, 3, 4 or 6 players"
    );
    let game = GameKind::TicTacToe.open(&Setup::default()).expect("the start");
    assert_eq!(
        game.evaluate(Some("territory")).expect_err("unknown").to_string(),
        "`territory`: no such evaluation; tic-tac-toe has distance"
    );
    let refused = replay(GameKind::TicTacToe, &Setup::default(), &[1, 1]).err().expect("taken");
    assert_eq!(
        refused.to_string(),
        "`1`: no legal move of tic-tac-toe has this number in 3/3/x2 o, after 1 moves of the line"
    );
    let null = replay(GameKind::TicTacToe, &Setup::default(), &[65_535]).err().expect("no null move");
    assert_eq!(null.to_string(), "`65535`: no null move can be made in 3/3/3 x, after 0 moves of the line");
}
