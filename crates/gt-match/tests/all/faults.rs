//! Programs that misbehave lose, with a reason, and the match goes on.

use std::time::Duration;

use gt_games::registry::GameKind;
use gt_games::saved;
use gt_match::GamesTarget;

use crate::played::{between, result};

/// A program that greets as it should, and does `go` when it is asked for a move.
fn script(go: &str) -> String {
    format!(
        "cmd:sh -c 'while read -r word rest; do case $word in uci) echo uciok;; gt) echo gtok;; \
         isready) echo readyok;; quit) exit 0;; go) {go};; esac; done',name=script"
    )
}

/// Plays two games against a script; how often it lost by which fault, and why games ended.
fn lost(go: &str, settings: &str) -> (serde_json::Value, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let engine = script(go) + settings;
    let mut plan = between(GameKind::ConnectFour, &["pvs", &engine], 1, 1);
    plan.jobs = 1;
    plan.margin = Duration::ZERO;
    plan.games = Some(GamesTarget { path: path.clone(), append: false });
    let report = result(plan).json();
    assert_eq!(report["games"], 2);
    assert_eq!(report["engines"][0]["won"], 2, "{report}");
    let text = std::fs::read(&path).unwrap();
    let games: Vec<saved::SavedGame> = saved::read(&text, None).map(Result::unwrap).collect();
    for game in &games {
        let winner = game.result.as_ref().unwrap().winner().unwrap();
        assert_eq!(game.players[winner], "pvs");
    }
    (report["engines"][1]["faults"].clone(), games.into_iter().filter_map(|game| game.end).collect())
}

#[test]
fn an_illegal_move_loses() {
    let (faults, ends) = lost("echo bestmove z9", "");
    assert_eq!(faults, serde_json::json!({"illegal move": 2}));
    assert!(ends.iter().all(|end| end.starts_with("illegal move z9: ")), "{ends:?}");
}

#[test]
fn a_crash_loses_and_the_program_is_started_again() {
    let (faults, ends) = lost("echo no more discs >&2; exit 7", "");
    assert_eq!(faults, serde_json::json!({"crash": 2}));
    assert_eq!(ends[0], "crash: it ended with exit status: 7; it said: no more discs");
}

#[test]
fn a_program_that_hangs_loses() {
    let (faults, ends) = lost("sleep 1000", ",time=10ms");
    assert_eq!(faults, serde_json::json!({"hangs": 2}));
    assert!(ends[0].starts_with("hangs: no answer to `go` within "), "{ends:?}");
}

#[test]
fn a_late_answer_loses() {
    let (faults, ends) = lost("sleep 0.2; echo bestmove d", ",time=1ms");
    assert_eq!(faults, serde_json::json!({"time": 2}));
    assert!(ends[0].starts_with("time: ") && ends[0].ends_with(" ms too late"), "{ends:?}");
}

#[test]
fn no_move_and_garbage_lose() {
    assert_eq!(lost("echo bestmove", "").0, serde_json::json!({"no move": 2}));
    let flood = "head -c 100000 /dev/zero | tr \"\\\\0\" x";
    assert_eq!(lost(flood, "").0, serde_json::json!({"garbage": 2}));
}

/// With three players the one who fails is last, and the others share the first place.
#[test]
fn of_three_players_the_faulty_one_is_last() {
    let engine = script("echo bestmove z9");
    let mut plan = between(GameKind::ChineseCheckers, &["paranoid", "max-n", &engine], 1, 1);
    plan.setup.players = Some(3);
    plan.openings = gt_match::Openings::random(plan.game, &plan.setup, 3, 1).unwrap();
    let report = result(plan).json();
    assert_eq!(report["engines"][2]["places"], serde_json::json!([0, 0, 6]));
    assert_eq!(report["engines"][0]["places"], serde_json::json!([6, 0, 0]));
    assert_eq!(report["engines"][0]["points"], 3.0);
}
