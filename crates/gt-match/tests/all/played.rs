//! Small matches for the tests.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gt_games::registry::{GameKind, Setup};
use gt_match::{Budget, Entrant, Hooks, Match, Openings, Report, Rules, make_names_differ, run};

/// A match of so many rounds between engines, 100 nodes a move.
pub(crate) fn between(game: GameKind, engines: &[&str], rounds: usize, seed: u64) -> Match {
    let mut entrants: Vec<Entrant> = engines.iter().map(|text| Entrant::parse(text).unwrap()).collect();
    make_names_differ(&mut entrants);
    let setup = Setup::default();
    Match {
        game,
        entrants,
        budget: Budget { nodes: Some(100), ..Budget::default() },
        openings: Openings::random(game, &setup, 4, seed).unwrap(),
        rounds: Some(rounds),
        seed,
        jobs: 0,
        rules: Rules::default(),
        sprt: None,
        margin: Duration::from_secs(60),
        patience: Duration::from_secs(60),
        games: None,
        setup,
    }
}

/// Plays a match to its end.
pub(crate) fn result(plan: Match) -> Report {
    let stop = AtomicBool::new(false);
    run(plan, &Hooks { stop: &stop, start: &std::process::Command::spawn, progress: &|_| () }).unwrap()
}
