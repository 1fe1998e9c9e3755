//! `gt search`, `gt perft`, `gt games`, as a user runs them; their logs open with every other command.

use std::path::Path;

use crate::command::{gt, says};

fn json(folder: &Path, arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&says(folder, arguments)).unwrap()
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
        (&["search", "chess", "--depth", "201"], "201 is not in 0..=200"),
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

/// The metadata of the trees of a log.
fn line_of_trees(folder: &Path, log: &str) -> Vec<serde_json::Value> {
    let info = json(folder, &["info", "--format", "json", log]);
    info[0]["trees"].as_array().unwrap().iter().map(|tree| tree["metadata"]["line"].clone()).collect()
}

#[test]
fn several_lines_are_found_and_logged_each_as_a_tree() {
    let folder = tempfile::tempdir().unwrap();
    let search = ["search", "connect-four", "--depth", "3", "--format", "json"];
    let one = json(folder.path(), &search);
    assert!(one["lines"].is_null() && one["root_moves"].is_null() && one["values"].is_null(), "{one}");
    let three = json(folder.path(), &[&search[..], &["--multi-pv", "3", "--log", "t.gtf"]].concat());
    let lines = three["lines"].as_array().unwrap();
    assert_eq!((lines.len(), &lines[0]["value"]), (3, &one["value"]));
    assert_eq!(lines[0]["pv"], three["pv"]);
    let firsts: std::collections::HashSet<&str> =
        lines.iter().map(|line| line["pv"][0].as_str().unwrap()).collect();
    assert_eq!(firsts.len(), 3, "three different moves");
    let told: Vec<String> =
        line_of_trees(folder.path(), "t.gtf").iter().map(|line| line.to_string()).collect();
    let expected = ["1", "2", "3"].repeat(3);
    assert!(told.iter().zip(&expected).all(|(told, line)| told.trim_matches('"') == *line), "{told:?}");
    assert_eq!(told.len(), expected.len());
}

#[test]
fn every_root_move_has_a_value_in_every_algorithm() {
    let folder = tempfile::tempdir().unwrap();
    let plain = ["minimax", "negamax", "alpha-beta", "negascout", "pvs", "strong", "stored-tree"];
    for algorithm in plain.into_iter().chain(["max-n", "paranoid", "best-reply", "uct"]) {
        let limit = if algorithm == "uct" { ["--nodes", "500"] } else { ["--depth", "3"] };
        let search = ["search", "tic-tac-toe", "--moves", "b2", "--algorithm", algorithm, "--root-moves"];
        let found = json(folder.path(), &[&search[..], &limit, &["--format", "json"]].concat());
        let moves = found["root_moves"].as_array().unwrap();
        assert_eq!(moves.len(), 8, "{algorithm}");
        assert!(moves.iter().all(|mv| mv["pv"][0] == mv["move"]), "{algorithm}: {moves:?}");
        if algorithm != "uct" {
            assert_eq!(
                (&moves[0]["value"], &moves[0]["bound"]),
                (&found["value"], &"exact".into()),
                "{algorithm}"
            );
        }
    }
}

#[test]
fn max_n_tells_and_logs_a_value_for_every_player() {
    let folder = tempfile::tempdir().unwrap();
    let search =
        ["search", "chinese-checkers", "--players", "3", "--depth", "2", "--log", "t.gtf", "--force"];
    for algorithm in ["max-n", "paranoid", "best-reply"] {
        let found =
            json(folder.path(), &[&search[..], &["--algorithm", algorithm, "--format", "json"]].concat());
        let values = found["values"].as_array().unwrap();
        assert_eq!((values.len(), &values[0]), (3, &found["value"]), "{algorithm}");
        let query = "node: ply = 0 select value_0, value_1, value_2";
        let (code, rows, errors) =
            gt(folder.path(), &["query", "t.gtf", "--tree", "1", query, "--format", "csv"]);
        assert_eq!(code, 0, "{errors}");
        let told = values.iter().map(|value| value.to_string()).collect::<Vec<_>>().join(",");
        assert!(rows.lines().any(|row| row == told), "{algorithm}: {told} is not in\n{rows}");
    }
}

#[test]
fn a_search_of_depth_0_logs_one_node() {
    let folder = tempfile::tempdir().unwrap();
    for algorithm in
        ["minimax", "alpha-beta", "pvs", "strong", "stored-tree", "max-n", "paranoid", "best-reply"]
    {
        let search = ["search", "connect-four", "--moves", "d d c", "--depth", "0", "--algorithm", algorithm];
        let rest = ["--log", "t.gtf", "--force", "--format", "json"];
        let found = json(folder.path(), &[&search[..], &rest].concat());
        let expected = json(folder.path(), &["eval", "connect-four", "--moves", "d d c", "--format", "json"]);
        assert_eq!(found["value"], expected["evaluations"][0]["mover_value"], "{algorithm}");
        assert!(found["best_move"].is_null(), "{algorithm}");
        let info = json(folder.path(), &["info", "--format", "json", "t.gtf"]);
        assert_eq!(
            (info[0]["trees"].as_array().unwrap().len(), &info[0]["trees"][0]["nodes"]),
            (1, &1.into())
        );
    }
}

#[test]
fn options_that_an_algorithm_has_no_use_for_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (options, sentence) in [
        (
            ["--algorithm", "alpha-beta", "--hash", "64M"],
            "`alpha-beta` has no table; `--hash` is for pvs and strong",
        ),
        (["--algorithm", "pvs", "--memory", "1G"], "`--memory` is for stored-tree"),
        (
            ["--algorithm", "negamax", "--multi-pv", "2"],
            "`negamax` finds one line; `--multi-pv` is for pvs and strong",
        ),
        (
            ["--algorithm", "uct", "--depth", "0"],
            "`uct` asks no evaluation; `--depth 0` is for the algorithms that do",
        ),
        (["--algorithm", "pvs", "--hash", "65G"], "a search takes at most 64G"),
        (["--algorithm", "pvs", "--hash", "lots"], "it is no size"),
    ] {
        let (code, out, errors) = gt(folder.path(), &[&["search", "tic-tac-toe"], &options[..]].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{options:?}");
        assert!(errors.contains(sentence), "{options:?}: {errors}");
    }
}

#[test]
fn quiescence_sees_the_double_threat_and_is_logged_as_such() {
    let folder = tempfile::tempdir().unwrap();
    // x on d1 and e1 with free ends: c or f makes three in a row that nobody can stop on both sides.
    let search = ["search", "connect-four", "--moves", "d d e e", "--depth", "1", "--algorithm", "pvs"];
    let quiet = json(folder.path(), &[&search[..], &["--format", "json"]].concat());
    let rest = ["--quiescence", "--log", "t.gtf", "--format", "json"];
    let noisy = json(folder.path(), &[&search[..], &rest].concat());
    assert!(quiet["value"].as_i64().unwrap() < 10_000, "{quiet}");
    assert!(noisy["value"].as_i64().unwrap() > 10_000, "{noisy}");
    let (_, count, _) =
        gt(folder.path(), &["query", "t.gtf", "node: type & QNode select count(*)", "--format", "csv"]);
    assert!(count.lines().last().unwrap().parse::<u32>().unwrap() > 0, "{count}");
}

/// A tree in a file is a position: two of them are one too many.
#[test]
fn a_tree_in_a_file_and_a_position_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.txt"), "(3 (1 9))").unwrap();
    for command in [&["search"][..], &["perft", "--depth", "1"], &["eval"], &["play", "--terminal"]] {
        let words = [command, &["tree:t.txt", "--position", "(1 2)"]].concat();
        let (code, out, errors) = gt(folder.path(), &words);
        assert_eq!((code, out.as_str()), (2, ""), "{words:?}: {errors}");
        assert!(errors.contains("the tree in the file is the position; leave `--position` away"), "{errors}");
    }
    says(folder.path(), &["search", "tree", "--position", "(1 2)"]);
}
