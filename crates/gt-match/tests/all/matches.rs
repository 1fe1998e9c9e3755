//! Whole matches, played by engines of ours.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use gt_games::registry::GameKind;
use gt_games::saved;
use gt_match::statistics::Sprt;
use gt_match::{EndedBy, GamesTarget, Hooks, Score, run};

use crate::played::{between, result};

/// The games of a file, each as it is written.
fn saved_texts(path: &Path, game: GameKind) -> Vec<String> {
    let text = std::fs::read(path).unwrap();
    saved::read(&text, Some(game)).map(|game| game.unwrap().text()).collect()
}

/// The same seed makes the same games, on one worker and on three; another seed makes others.
#[test]
fn games_follow_from_the_seed() {
    let folder = tempfile::tempdir().unwrap();
    let games = |name: &str, seed: u64, jobs: usize| {
        let path = folder.path().join(name);
        let mut plan =
            between(GameKind::ConnectFour, &["pvs", "uct,nodes=60", "alpha-beta,depth=2"], 4, seed);
        plan.jobs = jobs;
        plan.games = Some(GamesTarget { path: path.clone(), append: false });
        let report = result(plan).json();
        let mut texts = saved_texts(&path, GameKind::ConnectFour);
        texts.sort();
        (texts, report["engines"].clone())
    };
    let (one, scores) = games("one", 7, 1);
    assert_eq!(one.len(), 4 * 6);
    let (three, same_scores) = games("three", 7, 3);
    assert_eq!(one, three);
    assert_eq!(scores, same_scores);
    assert_ne!(one, games("other", 8, 1).0);
}

/// Two engines with the same settings and different luck: the interval holds one half.
#[test]
fn equal_engines_score_one_half() {
    let plan = between(GameKind::ConnectFour, &["uct,nodes=40", "uct,nodes=40"], 150, 3);
    let report = result(plan);
    let rate = report.scores().next().unwrap().rate.unwrap();
    assert_eq!(report.games(), 300);
    assert!(rate.interval.0 < 0.5 && 0.5 < rate.interval.1, "{rate:?}");
    assert!(rate.interval.1 - rate.interval.0 < 0.15, "{rate:?}");
}

/// Engines that always play alike split every pair when they are the same.
#[test]
fn an_engine_splits_its_pairs_with_itself() {
    let report = result(between(GameKind::ConnectFour, &["pvs,depth=3", "pvs,depth=3"], 10, 1)).json();
    assert_eq!(report["pairs"], serde_json::json!([0, 0, 10, 0, 0]));
    assert_eq!(report["engines"][0]["elo"], 0.0);
    assert_eq!(report["engines"][0]["name"], "pvs");
    assert_eq!(report["engines"][1]["name"], "pvs#2");
}

#[test]
fn the_deeper_search_is_stronger() {
    let report = result(between(GameKind::ConnectFour, &["pvs,depth=1", "pvs,depth=5"], 20, 1));
    let scores: Vec<&Score> = report.scores().collect();
    assert!(scores[1].points > 30.0, "{}", report.text());
    assert!(scores[1].rate.unwrap().p_value.unwrap() < 0.001, "{}", report.text());
    assert_eq!(scores[0].won, scores[1].lost);
}

/// Paranoid, max^n and best reply at one board: every game has a winner or none, and every place is somebody's.
#[test]
fn three_players_are_placed() {
    let names = ["max-n", "paranoid", "best-reply"];
    let mut plan = between(GameKind::ChineseCheckers, &names, 2, 1);
    plan.setup.players = Some(3);
    plan.openings = gt_match::Openings::random(plan.game, &plan.setup, 6, 1).unwrap();
    plan.budget.nodes = Some(30);
    let report = result(plan);
    assert_eq!(report.games(), 12);
    let scores: Vec<&Score> = report.scores().collect();
    let points: f64 = scores.iter().map(|score| score.points).sum();
    assert!((points - 12.0).abs() < 1e-9, "{}", report.text());
    let placement: f64 = scores.iter().map(|score| score.placement).sum();
    assert!((placement - 1.5).abs() < 1e-9, "{}", report.text());
    assert!(scores.iter().all(|score| score.seats == 12 && score.places.iter().sum::<u64>() == 12));
    let json = report.json();
    assert_eq!(json["engines"][1]["places"].as_array().map(Vec::len), Some(3));
    assert!(json["engines"][1]["p_value"].is_number());
}

/// The test looks at pairs in their order: one worker and two decide after the same pair.
#[test]
fn a_sequential_test_ends_the_match() {
    let decided = |jobs: usize| {
        let mut plan = between(GameKind::ConnectFour, &["pvs,depth=5", "pvs,depth=1"], 1, 1);
        plan.rounds = None;
        plan.jobs = jobs;
        plan.sprt = Some(Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05 });
        let report = result(plan);
        assert_eq!(report.ended(), EndedBy::Sprt);
        report.json()
    };
    let (one, two) = (decided(1), decided(2));
    assert_eq!(one["sprt"]["verdict"], "elo1");
    assert!(one["sprt"]["log_likelihood_ratio"].as_f64().unwrap() >= 2.94);
    assert_eq!((&one["pairs"], &one["games"]), (&two["pairs"], &two["games"]));
}

#[test]
fn a_match_that_is_stopped_tells_what_it_has() {
    let stop = AtomicBool::new(false);
    let told = AtomicUsize::new(0);
    let hooks = Hooks {
        stop: &stop,
        start: &std::process::Command::spawn,
        progress: &|progress| {
            told.fetch_add(1, Ordering::Relaxed);
            stop.store(progress.played >= 3, Ordering::Relaxed);
        },
    };
    let mut plan = between(GameKind::Amazons, &["pvs", "pvs"], 1000, 1);
    plan.setup.board = Some("4x4".to_owned());
    plan.openings = gt_match::Openings::random(plan.game, &plan.setup, 4, 1).unwrap();
    plan.jobs = 2;
    let report = run(plan, &hooks).unwrap();
    assert_eq!(report.ended(), EndedBy::Stop);
    assert!((3..2000).contains(&report.games()), "{}", report.games());
    assert!(told.load(Ordering::Relaxed) >= 3);
    assert!(report.text().contains("note: stopped before the end"), "{}", report.text());
}

/// A search that would take for ever ends when the match is stopped.
#[test]
fn a_running_search_is_stopped() {
    let stop = AtomicBool::new(false);
    let mut plan = between(GameKind::Chess, &["pvs", "pvs"], 1, 1);
    plan.budget = gt_match::Budget { depth: Some(150), ..gt_match::Budget::default() };
    plan.jobs = 1;
    let report = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            stop.store(true, Ordering::Relaxed);
        });
        run(plan, &Hooks { stop: &stop, start: &std::process::Command::spawn, progress: &|_| () }).unwrap()
    });
    assert_eq!((report.ended(), report.games()), (EndedBy::Stop, 0));
}

#[test]
fn games_end_by_rules_of_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let mut plan = between(GameKind::Chess, &["alpha-beta,depth=1", "alpha-beta,depth=1"], 2, 1);
    plan.rules.plies_max = Some(10);
    plan.games = Some(GamesTarget { path: path.clone(), append: false });
    let report = result(plan);
    assert!(report.scores().all(|score| score.drawn == 4), "{}", report.text());
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches("adjudicated: 10 plies").count(), 4, "{text}");

    let mut plan = between(GameKind::Chess, &["pvs,depth=2", "pvs,depth=2"], 1, 1);
    plan.rules.draw = "moves=1,value=100000".parse().ok();
    plan.games = Some(GamesTarget { path: path.clone(), append: true });
    assert!(result(plan).scores().all(|score| score.drawn == 2));
    assert_eq!(saved_texts(&path, GameKind::Chess).len(), 6);
}

#[test]
fn a_saved_game_says_by_which_rule_it_was_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let mut plan = between(GameKind::Chess, &["pvs,depth=2", "pvs,depth=2"], 1, 1);
    let only_capture = b"8/8/8/3k4/8/8/3qK3/8 w - - 0 1";
    plan.openings = gt_match::Openings::from_text(GameKind::Chess, &plan.setup, only_capture, None).unwrap();
    plan.games = Some(GamesTarget { path: path.clone(), append: false });
    assert!(result(plan).scores().all(|score| score.drawn == 2));
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches("[Termination \"too few pieces\"]").count(), 2, "{text}");
}

/// Times, clocks and CPU time all end searches. Nobody loses on time: the margin is an hour.
#[test]
fn every_kind_of_budget_is_kept() {
    let budgets = ["time=2ms", "clock=0.05+0.002", "nodes=20", "depth=2", "time=1s,nodes=5"];
    let budgets = budgets.into_iter().chain(cfg!(target_os = "linux").then_some("cpu=1ms"));
    for budget in budgets {
        let engine = format!("pvs,{budget}");
        let mut plan = between(GameKind::TicTacToe, &[&engine, &engine], 2, 1);
        plan.margin = std::time::Duration::from_secs(3600);
        let report = result(plan);
        assert_eq!(report.games(), 4, "{budget}");
        assert!(report.scores().all(|score| score.faults.is_empty()), "{budget}: {}", report.text());
    }
}

#[test]
fn matches_that_cannot_be_played_are_refused() {
    let refused = |change: &dyn Fn(&mut gt_match::Match)| {
        let mut plan = between(GameKind::ChineseCheckers, &["paranoid", "max-n"], 1, 1);
        change(&mut plan);
        let hooks = Hooks {
            stop: &AtomicBool::new(false),
            start: &std::process::Command::spawn,
            progress: &|_| panic!("no game is played"),
        };
        run(plan, &hooks).unwrap_err()
    };
    assert!(refused(&|plan| plan.entrants.truncate(1)).contains("two engines"));
    let three = |plan: &mut gt_match::Match| plan.setup.players = Some(3);
    let many = |change: &dyn Fn(&mut gt_match::Match)| {
        refused(&|plan| {
            three(plan);
            change(plan);
        })
    };
    assert!(many(&|plan| plan.rules.draw = "moves=1,value=1".parse().ok()).contains("for two players"));
    assert!(many(&|plan| plan.sprt = "elo0=0,elo1=5".parse().ok()).contains("two players"));
    let two_times = |plan: &mut gt_match::Match| {
        plan.budget.time = Some(std::time::Duration::from_secs(1));
        plan.budget.clock = gt_match::clock("1+1").ok();
    };
    assert!(refused(&two_times).contains("exclude each other"));
    assert!(refused(&|plan| plan.setup.players = Some(5)).contains('5'));
}
