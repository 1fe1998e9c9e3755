//! `gt match` on the command line.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::command::{gt, says};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

/// `gt uci` as a program.
fn uci(game: &str, settings: &str) -> String {
    format!("cmd:'{}' uci {game},name=uci{settings}", env!("CARGO_BIN_EXE_gt"))
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let text = says(folder, &[&["match"], arguments, &["--format", "json"]].concat());
    serde_json::from_str(&text).unwrap()
}

/// Our own engine as a program plays what it plays inside: with the same nodes it splits every pair with itself.
#[test]
fn a_program_of_ours_plays_as_the_engine_does() {
    let folder = tempfile::tempdir().unwrap();
    let games: [&[&str]; 2] = [
        &["connect-four", "pvs,hash=1", &uci("connect-four --algorithm pvs", ",option.Hash=1")],
        &["amazons", "--board", "4x4", "pvs,hash=1", &uci("amazons --algorithm pvs", ",option.Hash=1")],
    ];
    for game in games {
        let budget = ["--nodes", "300", "--rounds", "3", "--games", "games.txt", "--append"];
        let report = json(folder.path(), &[game, &budget].concat());
        assert_eq!(report["pairs"], serde_json::json!([0, 0, 3, 0, 0]), "{report:#}");
        assert_eq!(report["engines"][1]["faults"], serde_json::json!({}), "{report:#}");
    }
    let games = std::fs::read_to_string(folder.path().join("games.txt")).unwrap();
    assert_eq!(games.lines().count(), 12);
}

#[test]
fn chess_is_played_over_uci_and_saved_as_pgn() {
    let folder = tempfile::tempdir().unwrap();
    let program = uci("chess", ",option.Hash=1,option.Threads=1");
    let arguments = [
        "strong,hash=1",
        &program,
        "--nodes",
        "150",
        "--rounds",
        "1",
        "--max-plies",
        "40",
        "--games",
        "g.pgn",
    ];
    let report = json(folder.path(), &arguments);
    assert_eq!(
        (&report["games"], &report["engines"][1]["faults"]),
        (&Value::from(2), &serde_json::json!({}))
    );
    let pgn = std::fs::read_to_string(folder.path().join("g.pgn")).unwrap();
    assert_eq!(pgn.matches("[White \"uci\"]").count(), 1, "{pgn}");
    // Saved games are openings.
    let report = json(
        folder.path(),
        &[
            "strong",
            "pvs",
            "--depth",
            "1",
            "--openings",
            "g.pgn",
            "--plies",
            "6",
            "--rounds",
            "2",
            "--max-plies",
            "12",
        ],
    );
    assert_eq!(report["openings"]["source"], "2 from a file");
}

#[test]
fn what_cannot_be_played_gets_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("there.txt"), "kept").unwrap();
    let cases: [(&[&str], &str); 14] = [
        (&["ches", "pvs", "pvs"], "`ches` is neither a game (tic-tac-toe, "),
        (&["pvs"], "a match needs two engines or more"),
        (&["pvs", "alpha-beta,evel=x"], "engine `alpha-beta,evel=x`, character 12: there is no `evel`; "),
        (&["pvs", "cmd:no-such-engine"], "engine no-such-engine: cannot start `no-such-engine`: "),
        (&["pvs", "cmd:false"], "engine false: crash: it ended with exit status: 1"),
        (&["pvs", &uci("chess", ",option.Hush=1")], "engine uci: has no option `Hush`; it has Hash, "),
        (&["chinese-checkers", "pvs", "max-n", "--players", "3"], "engine pvs: `pvs` is for two players; "),
        (&["tic-tac-toe", "pvs", "pvs", "--plies", "9"], "9 random moves end every game of tic-tac-toe; "),
        (&["pvs", "pvs", "--openings", "none.pgn"], "none.pgn: "),
        (&["pvs", "pvs", "--openings", "there.txt"], "there.txt: line 1: "),
        (&["pvs", "pvs", "--book", "there.txt"], "there.txt: "),
        (&["pvs", "pvs", "--games", "there.txt"], "there.txt: the file is there already; "),
        (
            &["pvs", "pvs", "--time", "1s", "--clock", "1+1"],
            "a clock and a time for each move exclude each other",
        ),
        (&["pvs", "uct", "--depth", "3"], "engine uct: a depth does not end the playouts of uct; "),
    ];
    for (arguments, sentence) in cases {
        let (code, out, errors) = gt(folder.path(), &[&["match"], arguments].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {errors}");
        assert!(errors.starts_with(&format!("gt: {sentence}")), "{arguments:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
    }
    for option in [["--sprt", "elo0=5"], ["--draw", "moves=0,value=1"], ["--clock", "soon"], ["--nodes", "0"]]
    {
        let (code, _, errors) = gt(folder.path(), &[&["match", "pvs", "pvs"], &option[..]].concat());
        assert!(code == 2 && errors.contains(option[0]), "{option:?}: {errors}");
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("there.txt")).unwrap(), "kept");
}

/// Ctrl-C ends a match that would take for ever, and what was played is told and saved.
#[test]
fn an_interrupted_match_tells_its_results() {
    let folder = tempfile::tempdir().unwrap();
    let words = [
        "match",
        "tic-tac-toe",
        "pvs",
        "uct",
        "--nodes",
        "50",
        "--rounds",
        "1000000",
        "--games",
        "games.txt",
    ];
    let mut child = Command::new(env!("CARGO_BIN_EXE_gt"))
        .args(words)
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let games = folder.path().join("games.txt");
    let saved = || std::fs::read_to_string(&games).unwrap_or_default().lines().count();
    while saved() < 5 {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    kill(Pid::from_raw(child.id().try_into().unwrap()), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("note: stopped before the end"), "{text}");
    let told: usize = text.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert_eq!(told, saved(), "{text}");
}

/// Every key of the JSON stands in the manual.
#[test]
fn the_manual_has_every_key() {
    let folder = tempfile::tempdir().unwrap();
    let two =
        ["tic-tac-toe", "pvs", "uct,nodes=9", "--depth", "2", "--rounds", "2", "--sprt", "elo0=0,elo1=9"];
    let many = [
        "chinese-checkers",
        "--players",
        "3",
        "max-n",
        "paranoid",
        "--nodes",
        "2",
        "--rounds",
        "1",
        "--max-plies",
        "9",
    ];
    let mut keys = BTreeSet::new();
    collect_keys(&json(folder.path(), &two), &mut keys);
    collect_keys(&json(folder.path(), &many), &mut keys);
    assert!(keys.len() > 30, "{keys:?}");
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/match.md");
    let manual = std::fs::read_to_string(manual).unwrap();
    for key in keys {
        assert!(manual.contains(&format!("`{key}`")), "docs/match.md lacks `{key}`");
    }
}

fn collect_keys(value: &Value, keys: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => object.iter().for_each(|(key, value)| {
            keys.insert(key.clone());
            collect_keys(value, keys);
        }),
        Value::Array(values) => values.iter().for_each(|value| collect_keys(value, keys)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}
