//! `gt endgame probe` with Syzygy tables, as a user runs it.
#![cfg(all(feature = "syzygy", any(target_arch = "x86", target_arch = "x86_64", target_vendor = "apple")))]

#[path = "../../../gt-endgame/tests/shared/syzygy_files.rs"]
mod syzygy_files;

use crate::command::says;

const MATE_IN_TWO: &str = "7k/8/5K2/8/8/8/8/R7 w - - 0 1";

#[test]
fn a_probe_shows_the_way_of_syzygy_tables() {
    let Some(syzygy) = syzygy_files::folder() else { return };
    let folder = tempfile::tempdir().unwrap();
    for file in ["KRvK.rtbw", "KRvK.rtbz"] {
        std::fs::copy(syzygy.join(file), folder.path().join(file)).unwrap();
    }
    let probe = |format: &str, position: &str| {
        says(folder.path(), &["endgame", "probe", ".", "--position", position, "--format", format])
    };
    let text = probe("text", MATE_IN_TWO);
    assert!(text.starts_with("value  win\nway    "), "{text}");
    assert!(text.contains(": a capture, a pawn move or mate in about 3 plies\n"), "{text}");
    let shown: serde_json::Value = serde_json::from_str(&probe("json", MATE_IN_TWO)).unwrap();
    assert_eq!((&shown["value"], &shown["plies"]), (&"win".into(), &serde_json::Value::Null));
    assert_eq!(shown["progress"]["plies"], 3);
    let moves = |list: &serde_json::Value| list.as_array().map_or(0, Vec::len);
    assert!(moves(&shown["progress"]["moves"]) > 0, "{shown}");
    assert!(moves(&shown["best"]) > moves(&shown["progress"]["moves"]), "{shown}");
    // The next move ends the fifty: no mate comes in time.
    let late = probe("text", "7k/8/5K2/8/8/8/8/R7 w - - 99 90");
    assert!(late.starts_with("value  draw\n\n"), "{late}");
    std::fs::remove_file(folder.path().join("KRvK.rtbz")).unwrap();
    let without = probe("text", MATE_IN_TWO);
    assert!(without.starts_with("value  win\n\n"), "{without}");
}
