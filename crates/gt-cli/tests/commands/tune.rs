//! `gt tune`, weights from files, and `--without` on the command line.

use std::path::Path;

use crate::command::{gt, says};

/// Four short games of the engine against itself.
fn play(folder: &Path) {
    says(folder, &["match", "strong", "strong", "--nodes", "100", "--rounds", "2", "--games", "games.pgn"]);
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let (code, _, error) = gt(folder, arguments);
    assert_eq!(code, 2, "{arguments:?}: {error}");
    error
}

#[test]
fn weights_are_fitted_written_and_played_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    play(path);
    let tune = ["tune", "chess", "--games", "games.pgn", "-o", "w.txt", "--steps", "5", "--hold-out", "0"];
    let told = says(path, &[&tune[..], &["--format", "json"]].concat());
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["games"], 4, "{told}");
    assert!(told["after"]["learnt"].as_f64() < told["before"]["learnt"].as_f64(), "{told}");
    assert!(told["before"]["held_out"].is_null(), "{told}");
    let weights = std::fs::read_to_string(path.join("w.txt")).unwrap();
    assert!(weights.contains("--steps 5") && weights.contains("\ntempo "), "{weights}");

    let scored = says(path, &[&tune[..], &["--force", "--scores", "0.5"]].concat());
    assert!(scored.contains("positions with a score"), "{scored}");
    says(path, &[&tune[..], &["--force"]].concat());

    // What is there stays unless it is to be replaced, and the weights can be used.
    assert!(refused(path, &tune).contains("--force"));
    assert_eq!(std::fs::read_to_string(path.join("w.txt")).unwrap(), weights);
    says(path, &[&tune[..], &["--force"]].concat());
    says(path, &["search", "chess", "--depth", "2", "--eval", "file:w.txt"]);
    let shipped = concat!("file:", env!("CARGO_MANIFEST_DIR"), "/../../examples/weights/by-hand.txt");
    says(path, &["search", "chess", "--depth", "2", "--eval", shipped]);
}

/// A teacher without weights, to whom every position is level.
fn silent_teacher() -> Vec<u8> {
    let mut bytes = vec![0; 47_001_424];
    bytes[..8].copy_from_slice(&[0x20, 0x2F, 0xF3, 0x7A, 0xF2, 0x2E, 0x10, 0x1C]);
    bytes
}

#[test]
fn a_network_is_learnt_written_and_played_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("t.nnue"), silent_teacher()).unwrap();
    let tune = ["tune", "chess", "--teacher", "t.nnue", "--lessons", "60", "--rounds", "2", "-o", "n.net"];
    let told = says(path, &[&tune[..], &["--format", "json"]].concat());
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&told["lessons"], &told["rounds"]), (&60.into(), &2.into()), "{told}");
    assert!(told["loss"]["learnt"].is_f64() && told["loss"]["held_out"].is_f64(), "{told}");
    let network = std::fs::read(path.join("n.net")).unwrap();
    let head = String::from_utf8_lossy(&network[..200]);
    assert!(
        head.contains("gt tune chess --teacher t.nnue --lessons 60 --courses 2 --rounds 2 --seed 1"),
        "{head}"
    );

    assert!(refused(path, &tune).contains("--force"));
    let told = says(path, &[&tune[..], &["--force"]].concat());
    assert!(told.starts_with("60 lessons, 2 rounds\nloss 0."), "{told}");
    assert!(network == std::fs::read(path.join("n.net")).unwrap(), "the same lessons make the same network");
    says(path, &["search", "chess", "--depth", "2", "--eval", "file:n.net"]);
    assert!(says(path, &["eval", "chess", "--evaluation", "file:n.net"]).contains("interplay"));

    let again = [
        "tune",
        "chess",
        "--teacher",
        "t.nnue",
        "--start",
        "n.net",
        "--lessons",
        "60",
        "--rounds",
        "1",
        "-o",
        "m.net",
    ];
    says(path, &again);
    let head = std::fs::read(path.join("m.net")).unwrap();
    assert!(String::from_utf8_lossy(&head[..200]).contains("--seed 1 --start n.net\n"));

    std::fs::write(path.join("cut.net"), &network[..network.len() - 2]).unwrap();
    assert!(refused(path, &["search", "chess", "--eval", "file:cut.net"]).contains("bytes should follow"));
    std::fs::write(path.join("cut.nnue"), &silent_teacher()[..1000]).unwrap();
    let with = |teacher| ["tune", "chess", "--teacher", teacher, "-o", "other.net"];
    assert!(refused(path, &[&with("t.nnue")[..], &["--start", "cut.net"]].concat()).contains("cut.net"));
    for learning in ["--rounds=3", "--lessons=9", "--courses=1"] {
        let sentence = refused(path, &["tune", "chess", "--games", "x.pgn", learning, "-o", "other.net"]);
        assert!(sentence.contains("cannot be used with"), "{sentence}");
    }
    assert!(refused(path, &with("cut.nnue")).contains("cut off"));
    assert!(refused(path, &with("n.net")).contains("export_net"));
    assert!(refused(path, &with("none.nnue")).contains("none.nnue"));
    assert!(refused(path, &[&with("t.nnue")[..], &["--steps", "3"]].concat()).contains("--steps"));
    assert!(refused(path, &["tune", "chess", "-o", "other.net"]).contains("--teacher"));
    assert!(!path.join("other.net").exists());
}

#[test]
fn bad_input_is_named_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("open.pgn"), "[Result \"*\"]\n\n1. e4 e5 *\n").unwrap();
    let bare = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 1-0";
    std::fs::write(path.join("bare.pgn"), format!("[Result \"1-0\"]\n\n{bare}\n")).unwrap();
    std::fs::write(path.join("wrong.pgn"), "[Result \"1-0\"]\n\n1. e5 1-0\n").unwrap();
    std::fs::write(path.join("bad.txt"), "tempo 1\n").unwrap();
    let tune = |games: &str, more: &[&str]| {
        let arguments = ["tune", "chess", "--games", games, "-o", "w.txt"];
        refused(path, &[&arguments[..], more].concat())
    };
    assert!(tune("open.pgn", &[]).contains("no quiet position"));
    assert!(tune("wrong.pgn", &[]).contains("wrong.pgn"));
    assert!(tune("none.pgn", &[]).contains("none.pgn"));
    assert!(tune("open.pgn", &["--start", "bad.txt"]).contains("two numbers"));
    assert!(tune("bare.pgn", &["--scores", "0.5"]).contains("no scores"));
    assert!(tune("bare.pgn", &["--scores", "1.5"]).contains("from 0 to 1"));
    assert!(refused(path, &["tune", "amazons", "--games", "x", "-o", "w.txt"]).contains("only chess"));
    assert!(refused(path, &["search", "chess", "--eval", "file:bad.txt"]).contains("two numbers"));
    assert!(refused(path, &["search", "chess", "--eval", "file:none.txt"]).contains("none.txt"));
    assert!(!path.join("w.txt").exists());
}

#[test]
fn ideas_that_a_search_does_without_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let nodes = |without: &str| {
        let text = says(path, &["search", "chess", "--depth", "6", "--without", without, "--format", "json"]);
        let told: serde_json::Value = serde_json::from_str(&text).unwrap();
        told["nodes"].as_u64().unwrap()
    };
    assert!(nodes("lmr,null-move") > nodes(""), "both save nodes");
    assert!(refused(path, &["search", "chess", "--without", "lmx"]).contains("late-move-pruning"));
    assert!(refused(path, &["search", "amazons", "--without", "lmr"]).contains("already"));
    assert!(
        refused(path, &["search", "chess", "--algorithm", "minimax", "--without", "lmr"]).contains("plain")
    );
    assert!(refused(path, &["uci", "--without", "lmx"]).contains("lmx"));
}
