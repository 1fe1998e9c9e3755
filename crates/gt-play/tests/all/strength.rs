//! Engines that play worse than they could: by how much, how surely, and how they say it.

use std::io::Read;

use gt_games::registry::{AnyGame, GameKind, Setup};
use gt_play::{Algorithm, Engine, EngineOptions, Level, Request, Thought, protocol};
use gt_search::{Limits, Outcome};

fn engine(kind: GameKind, setup: &Setup, level: u8, seed: u64) -> Box<dyn Engine> {
    let strength = Level::new(level).unwrap().strength();
    let options = EngineOptions { table_bytes: 1 << 20, seed, strength, ..EngineOptions::default() };
    options.open(kind, setup).unwrap()
}

fn think(engine: &mut dyn Engine, nodes: u64) -> Thought {
    engine.think(&Request::new(Limits::nodes(nodes)), &mut |progress| {
        assert!(progress.lines.len() <= 1, "one line is shown where one is asked for");
    })
}

/// Plays a game, the players taking turns with the engines; the position at its end.
fn play(kind: GameKind, engines: &mut [Box<dyn Engine>], nodes: u64) -> Box<dyn AnyGame> {
    let setup = Setup::default();
    let mut position = kind.open(&setup).unwrap();
    let mut moves = Vec::new();
    while position.outcome().is_none() {
        let engine = &mut engines[position.to_move()];
        engine.set_position(&setup, &moves).unwrap();
        let best = think(&mut **engine, nodes).best.unwrap();
        position.play(&best).unwrap();
        moves.push(best);
    }
    position
}

/// Twenty games of connect four, each side once in the first seat.
#[test]
fn a_high_level_beats_a_low_one() {
    let points = |high: u8, low: u8| {
        let mut points = 0.0;
        for game in 0..20 {
            let first = game % 2;
            let mut engines: Vec<Box<dyn Engine>> = [high, low]
                .map(|level| engine(GameKind::ConnectFour, &Setup::default(), level, 100 + game))
                .into();
            engines.rotate_right(first as usize);
            points += match play(GameKind::ConnectFour, &mut engines, 4000).outcome().unwrap() {
                Outcome::Win(winner) if winner == first as usize => 1.0,
                Outcome::Win(_) => 0.0,
                Outcome::Draw => 0.5,
            };
        }
        points
    };
    let (wide, narrow) = (points(8, 2), points(5, 2));
    assert!(wide >= 17.0, "level 8 makes {wide} of 20 points against level 2");
    assert!(narrow >= 13.0, "level 5 makes {narrow} of 20 points against level 2");
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let game = |seed: u64| {
        let mut engines = vec![
            engine(GameKind::TicTacToe, &Setup::default(), 1, seed),
            engine(GameKind::TicTacToe, &Setup::default(), 1, seed),
        ];
        play(GameKind::TicTacToe, &mut engines, 300).position_text()
    };
    let games: Vec<String> = (0..10).map(game).collect();
    assert_eq!(games, (0..10).map(game).collect::<Vec<_>>());
    assert!(games.iter().any(|other| *other != games[0]), "other seeds play other games: {games:?}");
}

/// Algorithms that find one line choose among the moves that look good at once.
#[test]
fn every_algorithm_can_be_weakened() {
    for algorithm in Algorithm::ALL {
        let (kind, players) = match algorithm.is_for_many() {
            true => (GameKind::ChineseCheckers, Some(3)),
            false => (GameKind::Chess, None),
        };
        let setup = Setup { players, ..Setup::default() };
        let best_of = |level: u8, seed: u64| {
            let strength = Level::new(level).unwrap().strength();
            let options = EngineOptions {
                algorithm: Some(algorithm),
                table_bytes: 1 << 20,
                seed,
                strength,
                ..EngineOptions::default()
            };
            let mut engine = options.open(kind, &setup).unwrap();
            let thought = think(&mut *engine, 600);
            let best = thought.best.unwrap();
            assert!(engine.position().encode(&best).is_ok(), "{algorithm}: {best}");
            assert_eq!(thought.progress.lines[0].moves[0], best, "{algorithm}: the line is the move's");
            best
        };
        let first = best_of(1, 0);
        assert!((1..12).any(|seed| best_of(1, seed) != first), "{algorithm} at level 1 always plays {first}");
        if algorithm != Algorithm::Uct {
            assert_eq!(best_of(9, 1), best_of(9, 2), "{algorithm} at level 9 does not choose");
        }
    }
}

#[test]
fn a_win_that_is_seen_is_played_at_every_level() {
    let setup = Setup::position("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
    for seed in 0..10 {
        let mut engine = engine(GameKind::Chess, &setup, 1, seed);
        assert_eq!(think(&mut *engine, 100_000).best.as_deref(), Some("a1a8"));
    }
}

/// What is said to these lines.
fn conversation(lines: &str) -> String {
    let (mut answers, output) = std::io::pipe().unwrap();
    let options = EngineOptions { table_bytes: 1 << 20, ..EngineOptions::default() };
    protocol::run(GameKind::Chess, &Setup::default(), options, lines.as_bytes(), output).unwrap();
    let mut said = String::new();
    answers.read_to_string(&mut said).unwrap();
    said
}

#[test]
fn uci_limits_the_strength() {
    let nodes = |said: &str| -> u64 {
        let info = said.lines().rfind(|line| line.starts_with("info depth")).unwrap();
        info.split(' ').skip_while(|word| *word != "nodes").nth(1).unwrap().parse().unwrap()
    };
    let announced = conversation("uci\n");
    assert!(announced.contains("option name UCI_LimitStrength type check default false\n"), "{announced}");
    assert!(announced.contains("option name UCI_Elo type spin default 2400 min 1000 max 2400\n"));
    let weak = "setoption name UCI_Elo value 1000\nsetoption name UCI_LimitStrength value true\n";
    let said = conversation(&format!("{weak}go nodes 20000\n"));
    assert!(nodes(&said) <= 200, "{said}");
    // The number alone limits nothing, and what is switched off limits nothing any more.
    for before in ["setoption name UCI_Elo value 1000\n", weak] {
        let off = if before == weak { "setoption name UCI_LimitStrength value false\n" } else { "" };
        assert!(nodes(&conversation(&format!("{before}{off}go nodes 20000\n"))) > 2000);
    }
    for (line, told) in [
        ("setoption name UCI_Elo value 2401\n", "UCI_Elo is a number from 1000 to 2400, not `2401`"),
        ("setoption name UCI_LimitStrength value maybe\n", "UCI_LimitStrength is `true` or `false`"),
    ] {
        assert!(conversation(line).contains(told), "{line}");
    }
}

/// The tree of playouts below the moves that were played serves the next search.
#[test]
fn playouts_are_kept_from_move_to_move() {
    let options = EngineOptions { algorithm: Some(Algorithm::Uct), ..EngineOptions::default() };
    let mut engine = options.open(GameKind::ConnectFour, &Setup::default()).unwrap();
    let thought = think(&mut *engine, 5000);
    let line: Vec<String> = thought.progress.lines[0].moves[..2].to_vec();
    engine.set_position(&Setup::default(), &line).unwrap();
    let depth = |engine: &mut dyn Engine| think(engine, 1).progress.depth;
    assert!(depth(&mut *engine) > 1, "one playout alone would see one ply");
    engine.forget();
    assert_eq!(depth(&mut *engine), 1);
}
