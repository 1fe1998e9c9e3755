//! `gt search`, `gt perft`, `gt games`, as a user runs them; their logs open with every other command.

use std::path::Path;
use std::process::Command;

fn gt(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_gt")).args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn json(folder: &Path, arguments: &[&str]) -> serde_json::Value {
    let (code, out, errors) = gt(folder, arguments);
    assert_eq!(code, 0, "{arguments:?}: {errors}");
    serde_json::from_str(&out).unwrap()
}

#[test]
fn every_algorithm_finds_the_draw() {
    let folder = tempfile::tempdir().unwrap();
    let names = [
        "minimax",
        "negamax",
        "alpha-beta",
        "negascout",
        "pvs",
        "strong",
        "stored-tree",
        "max-n",
        "paranoid",
        "best-reply",
    ];
    for algorithm in names {
        let found = json(
            folder.path(),
            &[
                "search",
                "tic-tac-toe",
                "--depth",
                "9",
                "--moves",
                "b2 a1",
                "--algorithm",
                algorithm,
                "--log",
                "t.gtf",
                "--force",
                "--format",
                "json",
            ],
        );
        assert_eq!(found["value"], 0, "{algorithm}");
        assert_eq!(found["algorithm"], algorithm);
        let keys = ["value", "best_move", "pv", "depth", "nodes", "evaluations", "seconds"];
        assert!(keys.iter().all(|key| !found[key].is_null()), "{found}");
        let (code, verified, _) = gt(folder.path(), &["verify", "t.gtf"]);
        assert!(code == 0 && verified.contains("sound"), "{algorithm}: {verified}");
        let logged: u64 = json(folder.path(), &["info", "--format", "json", "t.gtf"])[0]["trees"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tree| tree["nodes"].as_u64().unwrap())
            .sum();
        assert_eq!(logged, found["nodes"].as_u64().unwrap(), "{algorithm} logs every node");
    }
}

#[test]
fn known_values() {
    let folder = tempfile::tempdir().unwrap();
    for (depth, value) in [("1", 20), ("2", 0), ("3", 12)] {
        let arguments = [
            "search", "amazons", "--board", "6x6", "--eval", "mobility", "--depth", depth, "--format", "json",
        ];
        assert_eq!(json(folder.path(), &arguments)["value"], value, "6x6, depth {depth}");
    }
    let mate = json(
        folder.path(),
        &[
            "search",
            "chess",
            "--position",
            "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",
            "--depth",
            "3",
            "--format",
            "json",
        ],
    );
    assert_eq!(mate["best_move"], "a1a8");
}

#[test]
fn moves_of_a_log_are_in_the_game_s_notation() {
    let folder = tempfile::tempdir().unwrap();
    let position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    gt(
        folder.path(),
        &[
            "search",
            "chess",
            "--position",
            position,
            "--algorithm",
            "negamax",
            "--depth",
            "2",
            "--log",
            "c.gtf",
        ],
    );
    let (_, dumped, _) = gt(folder.path(), &["dump", "c.gtf", "--tree", "1", "--limit", "0"]);
    assert!(dumped.contains(" e1g1 ") && dumped.contains(" e8c8 "), "castling is the king's move");
    assert!(
        dumped.lines().skip(1).all(|line| !line
            .trim_start()
            .split(' ')
            .nth(1)
            .unwrap()
            .chars()
            .all(|c| c.is_ascii_digit()))
    );
}

#[test]
fn threads_and_playouts_are_logged() {
    let folder = tempfile::tempdir().unwrap();
    gt(folder.path(), &["search", "connect-four", "--depth", "6", "--threads", "2", "--log", "two.gtf"]);
    let info = json(folder.path(), &["info", "--format", "json", "two.gtf"]);
    let threads: std::collections::BTreeSet<String> = info[0]["trees"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tree| tree["metadata"]["thread"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(threads.into_iter().collect::<Vec<_>>(), ["0", "1"]);

    let arguments = [
        "search",
        "tic-tac-toe",
        "--algorithm",
        "uct",
        "--nodes",
        "500",
        "--log",
        "uct.gtf",
        "--format",
        "json",
    ];
    assert_eq!(json(folder.path(), &arguments)["evaluations"], 500);
    let (_, dumped, _) = gt(folder.path(), &["dump", "uct.gtf", "--depth", "1"]);
    assert!(dumped.starts_with("0 root size=501 visits=500 "), "{dumped}");
}

#[test]
fn counts_of_moves() {
    let folder = tempfile::tempdir().unwrap();
    let count = |arguments: &[&str]| {
        json(folder.path(), &[&["perft"], arguments, &["--format", "json"]].concat())["count"].clone()
    };
    assert_eq!(count(&["chess", "--depth", "3"]), 8902);
    assert_eq!(count(&["amazons", "--board", "5x5", "--depth", "2"]), 50_422);
    assert_eq!(count(&["chinese-checkers", "--players", "6", "--depth", "2"]), 199);
    assert_eq!(count(&["tic-tac-toe", "--moves", "b2 a1", "--depth", "1"]), 7);
    assert_eq!(count(&["connect-four", "--depth", "0"]), 1);
    let (_, divided, _) = gt(folder.path(), &["perft", "tic-tac-toe", "--depth", "2", "--divide"]);
    assert!(divided.contains("b2  8\n") && divided.contains("perft 2: 72 "), "{divided}");
}

#[test]
fn bad_input_gets_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &str); 11] = [
        (&["search", "go"], "no such game; there are tic-tac-toe"),
        (&["search", "chess", "--position", "xyz"], "a position has 4 or 6 fields"),
        (&["search", "chess", "--moves", "e2e5"], "e2e5"),
        (&["search", "amazons", "--board", "30x3"], "4 to 10 files"),
        (&["search", "chess", "--eval", "luck"], "no such evaluation; chess has"),
        (&["search", "chess", "--time", "soon"], "a time is written"),
        (&["search", "chess", "--depth", "0"], "0"),
        (&["search", "chinese-checkers", "--players", "5"], "5"),
        (&["search", "chinese-checkers", "--players", "3", "--algorithm", "pvs"], "`pvs` is for two players"),
        (&["search", "chess", "--algorithm", "minimax", "--threads", "2"], "searches on one thread"),
        (&["search", "chess", "--log", "nowhere/x.gtf"], "nowhere/x.gtf: No such file"),
    ];
    for (arguments, expected) in cases {
        let (code, _, sentence) = gt(folder.path(), arguments);
        assert_eq!(code, 2, "{arguments:?}");
        assert!(sentence.contains(expected), "{arguments:?}: {sentence}");
    }
}

#[test]
fn all_there_is_is_listed() {
    let (_, listed, _) = gt(Path::new("."), &["games"]);
    for name in [
        "tic-tac-toe",
        "connect-four",
        "amazons",
        "chess",
        "chinese-checkers",
        "six-terms",
        "alpha-beta",
        "uct",
    ] {
        assert!(listed.contains(name), "{name}");
    }
}
