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
