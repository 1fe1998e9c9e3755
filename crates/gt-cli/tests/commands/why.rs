//! `gt why`, as a user runs it.

use std::path::Path;

use crate::command::{gt, says};

fn json(folder: &Path, arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&says(folder, arguments)).unwrap()
}

/// A queen that can take a protected pawn.
const QUEEN: &str = "4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1";

fn queen(folder: &Path) {
    let (code, _, errors) = gt(
        folder,
        &[
            "search",
            "chess",
            "--position",
            QUEEN,
            "--algorithm",
            "pvs",
            "--eval",
            "material",
            "--depth",
            "3",
            "--log",
            "q.gtf",
        ],
    );
    assert_eq!(code, 0, "{errors}");
}

#[test]
fn a_line_is_read_in_either_notation() {
    let folder = tempfile::tempdir().unwrap();
    queen(folder.path());
    let (code, text, _) = gt(folder.path(), &["why", "q.gtf", "d1d5 e6d5"]);
    assert_eq!(code, 0);
    assert!(text.contains("d1d5 is refuted by e6d5"), "{text}");
    for line in ["Qxd5 exd5", "1. Qxd5 exd5"] {
        assert_eq!(gt(folder.path(), &["why", "q.gtf", line]).1, text, "{line}");
    }
    let found = json(folder.path(), &["why", "q.gtf", "Qxd5", "--format", "json"]);
    let step = &found["line"][0];
    assert_eq!((step["move"].as_str(), step["bound"].as_str()), (Some("d1d5"), Some("upper")));
    assert_eq!(step["reply"]["move"], "e6d5");
    assert!(found["verdict"].as_str().unwrap().starts_with("d1d5 is refuted by e6d5"), "{found}");
    assert!(["node", "rank", "nodes", "value"].iter().all(|key| step[key].is_i64()), "{step}");
}

#[test]
fn chess_moves_are_written_as_players_do_where_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    queen(folder.path());
    let text = says(folder.path(), &["why", "q.gtf", "d1d5 e6d5", "--moves", "san"]);
    assert!(text.contains("Qxd5 is refuted by exd5") && !text.contains("d1d5"), "{text}");
    let found = json(folder.path(), &["why", "q.gtf", "d1d5 e8e7", "--moves", "san", "--format", "json"]);
    assert_eq!(found["asked"], serde_json::json!(["Qxd5", "Ke7"]));
    assert_eq!(found["leaves"]["instead"][0]["move"], "exd5");
    // Without a line the closest rival is shown, with the moves that are expected after it.
    let played = json(folder.path(), &["why", "q.gtf", "--moves", "san", "--format", "json"]);
    let squares = json(folder.path(), &["why", "q.gtf", "--format", "json"]);
    let (rival, as_squares) = (&played["rival"], &squares["rival"]);
    assert_ne!(rival["refutation"], as_squares["refutation"]);
    assert!(rival["doubt"].as_str().unwrap().contains(rival["refutation"][0].as_str().unwrap()), "{rival}");
    assert_eq!(rival["nodes"], as_squares["nodes"]);

    let numbers = json(folder.path(), &["why", "q.gtf", "d1d5", "--moves", "number", "--format", "json"]);
    assert_eq!(numbers["line"][0]["move"], 3 | 35 << 6);
}

#[test]
fn bad_lines_are_refused_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    queen(folder.path());
    for (arguments, word) in [
        (["why", "q.gtf", "d1d5 e2e4"], "move 2 of the line"),
        (["why", "q.gtf", "\u{1b}[2Jx"], "move 1 of the line"),
        (["why", "q.gtf", "--tree=7"], "there is no tree 7"),
        (["why", "none.gtf", "e2e4"], "none.gtf"),
    ] {
        let (code, out, errors) = gt(folder.path(), &arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(
            errors.contains(word) && errors.lines().count() == 1 && !errors.contains('\u{1b}'),
            "{errors}"
        );
    }
}

#[test]
fn moves_of_an_unknown_game_are_numbers() {
    let folder = tempfile::tempdir().unwrap();
    gt(folder.path(), &["gen", "--depth", "4", "--branching", "3", "-o", "a.gtf"]);
    let found = json(folder.path(), &["why", "a.gtf", "2 1", "--format", "json"]);
    assert_eq!((&found["line"][0]["move"], &found["line"][1]["rank"]), (&2.into(), &1.into()));
    assert_eq!(found["line"][0]["nodes"], 40);
    let (code, _, errors) = gt(folder.path(), &["why", "a.gtf", "e2e4"]);
    assert_eq!(code, 2);
    assert!(errors.contains("`e2e4` is not a move; moves of this log are numbers"), "{errors}");
    let left = json(folder.path(), &["why", "a.gtf", "2 9", "--format", "json"]);
    assert_eq!((&left["leaves"]["move"], &left["leaves"]["siblings"]), (&9.into(), &3.into()));
}
