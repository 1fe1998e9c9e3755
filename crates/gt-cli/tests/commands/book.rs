//! `gt book`: built, asked, described, refused.

use std::path::Path;

use crate::command::{gt, says};
use serde_json::Value;

const GAMES: &str = "1. e4 e5 2. Nf3 1-0\n\n1. e4 c5 1/2-1/2\n\n1. d4 d5 0-1\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("games.pgn"), GAMES).unwrap();
    folder
}

fn json(folder: &Path, command: &str) -> Value {
    let words: Vec<&str> = command.split(' ').collect();
    serde_json::from_str(&says(folder, &words)).unwrap()
}

/// The sentence of a command that cannot be done.
fn refusal(folder: &Path, command: &str) -> String {
    let words: Vec<&str> = command.split(' ').collect();
    let (code, out, errors) = gt(folder, &words);
    assert_eq!((code, out.as_str(), errors.lines().count()), (2, "", 1), "gt {command}: {errors}");
    errors.trim_end().trim_start_matches("gt: ").to_owned()
}

#[test]
fn a_book_is_built_and_tells_what_it_holds() {
    let folder = folder();
    let built = json(folder.path(), "book build chess games.pgn -o x.bin --format json");
    assert_eq!(built["positions"], 4, "{built}");
    assert_eq!(
        (&built["format"], &built["moves"], &built["bytes"]),
        (&"polyglot".into(), &4.into(), &64.into())
    );
    let told = json(folder.path(), "book info x.bin --format json");
    assert_eq!(told, Value::from(vec![built]));
    let probed = json(folder.path(), "book probe x.bin --format json");
    assert_eq!(probed["moves"][0]["move"], "e2e4");
    assert_eq!((&probed["moves"][0]["weight"], &probed["moves"][0]["games"]), (&3.into(), &Value::Null));
    let own = json(folder.path(), "book build chess games.pgn --book-format gtb -o x.gtb --format json");
    assert_eq!((&own["version"], &own["games"]), (&"1.0".into(), &3.into()));
    let probed = json(folder.path(), "book probe x.gtb --format json");
    assert_eq!(probed["moves"][1]["move"], "d2d4");
    assert_eq!((&probed["moves"][1]["games"], &probed["moves"][1]["wins"]), (&1.into(), &0.into()));
}

#[test]
fn a_book_that_is_there_stays() {
    let folder = folder();
    std::fs::write(folder.path().join("x.bin"), "precious").unwrap();
    let sentence = refusal(folder.path(), "book build chess games.pgn -o x.bin");
    assert_eq!(sentence, "x.bin is there already and was left as it is; `--force` replaces it");
    assert_eq!(std::fs::read(folder.path().join("x.bin")).unwrap(), b"precious");
    says(folder.path(), &["book", "build", "chess", "games.pgn", "-o", "x.bin", "--force"]);
    let again = refusal(folder.path(), "book build chess games.pgn x.bin -o x.bin --force");
    assert!(again.contains("the output would replace the input"), "{again}");
}

#[test]
fn what_cannot_be_done_is_told_and_leaves_nothing() {
    let folder = folder();
    std::fs::write(folder.path().join("broken.pgn"), "1. e4 *\n\n1. e4 e5\n2. Ke3 *\n\n1. d4 *\n").unwrap();
    std::fs::write(folder.path().join("cut.bin"), [0; 20]).unwrap();
    std::fs::write(folder.path().join("lost.pgn"), "1. e4 0-1\n").unwrap();
    let check = |command: &str, expected: &str| {
        let sentence = refusal(folder.path(), command);
        assert!(sentence.starts_with(expected), "gt {command}: {sentence}");
        assert!(!folder.path().join("x.bin").exists(), "gt {command}");
    };
    check("book build chess -o x.bin", "a book is built from something");
    check("book build chess none.pgn -o x.bin", "none.pgn: ");
    check("book build chess broken.pgn -o x.bin", "broken.pgn: line 4, game 2: `Ke3`: no legal move");
    check(
        "book build amazons games.pgn -o x.bin",
        "games.pgn: line 1, game 1: this is a game of chess, not of amazons",
    );
    check(
        "book build amazons --book-format polyglot --self-play 1 -o x.bin",
        "Polyglot's books are for chess",
    );
    check("book build chess cut.bin -o x.bin", "cut.bin: this is no whole Polyglot book");
    check("book build chess --self-play 1 --eval beauty -o x.bin", "`beauty`: no such evaluation");
    check("book build chess --plies 1 lost.pgn -o x.bin", "no book was written");
    check("book build chess games.pgn --min-games 9 -o x.bin", "no book was written");
    check("book probe games.pgn", "games.pgn: this is no whole Polyglot book");
    check("book info cut.bin", "cut.bin: this is no whole Polyglot book");
    let (code, _, errors) =
        gt(folder.path(), &["book", "build", "chess", "broken.pgn", "--skip-broken", "-o", "y.bin"]);
    assert_eq!(
        (code, errors.trim_end()),
        (0, "gt: broken.pgn: 1 game could not be read and was passed over")
    );
    says(folder.path(), &["book", "build", "chess", "games.pgn", "-o", "x.bin"]);
    let sentence = refusal(folder.path(), "book probe x.bin --moves e2e5");
    assert_eq!(sentence, "`e2e5`: white has no such legal move here");
}

#[test]
fn books_are_merged() {
    let folder = folder();
    let (one, two) = GAMES.split_at(21);
    std::fs::write(folder.path().join("one.pgn"), one).unwrap();
    std::fs::write(folder.path().join("two.pgn"), two).unwrap();
    let build = |words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        says(folder.path(), &[&["book", "build", "chess", "--book-format", "gtb"], &words[..]].concat());
    };
    build("one.pgn -o one.gtb");
    build("two.pgn one.gtb -o merged.gtb");
    build("games.pgn -o whole.gtb");
    let content = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert_eq!(content("merged.gtb"), content("whole.gtb"));
}

#[test]
fn self_play_begins_where_it_is_told_to() {
    let folder = folder();
    let start = "--board 4x4 --moves b1-b2/b1";
    let built = json(
        folder.path(),
        &format!("book build amazons {start} --self-play 3 --nodes 50 --plies 4 -o x.gtb --format json"),
    );
    assert_eq!(built["games"], 3);
    let begun = json(folder.path(), &format!("book probe x.gtb {start} --format json"));
    assert!(!begun["moves"].as_array().unwrap().is_empty(), "{begun}");
    let usual = says(folder.path(), &["book", "probe", "x.gtb", "--board", "4x4"]);
    assert_eq!(usual, "the book has no move for this position\n");
}

#[test]
fn the_engine_plays_from_a_book() {
    let folder = folder();
    says(folder.path(), &["book", "build", "chess", "games.pgn", "-o", "x.bin"]);
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_gt"))
        .args(["uci", "--book", "x.bin"])
        .current_dir(folder.path())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"go depth 1\nquit\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, "info string the move is from the book\nbestmove e2e4\n");
    assert!(refusal(folder.path(), "uci --book none.bin").starts_with("none.bin: "));
}
