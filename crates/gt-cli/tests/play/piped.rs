//! Games from a pipe.

use std::fs::File;
use std::time::{Duration, Instant};

use crate::folder::Folder;

/// A test that waits longer than this has failed.
const PATIENCE: Duration = Duration::from_secs(120);

/// What `gt play` prints, says on standard error, and its exit code, when these lines are its input.
#[track_caller]
fn play(folder: &Folder, words: &[&str], lines: &str) -> (String, String, i32) {
    folder.write("lines", lines);
    let file = |name: &str| File::create(folder.path().join(name)).unwrap();
    let mut command = folder.command(&[&["play"], words, &["--terminal", "--seed", "1"]].concat());
    command.stdin(File::open(folder.path().join("lines")).unwrap());
    let mut child = command.stdout(file("stdout")).stderr(file("stderr")).spawn().unwrap();
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{words:?} does not end: {}", folder.read("stdout"));
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    (folder.read("stdout"), folder.read("stderr"), status.code().unwrap())
}

#[test]
fn a_game_is_played_saved_and_goes_on() {
    let folder = Folder::new();
    let seats = ["chess", "--seat", "program,nodes=500", "--seat", "person"];
    let (out, errors, code) = play(&folder, &seats, "e5\nsave game.pgn\nsave game.pgn\n");
    assert_eq!((code, errors.as_str()), (0, ""), "{out}");
    assert_eq!(out.matches("white plays ").count(), 2, "{out}");
    assert_eq!(out.matches("saved to game.pgn\n").count(), 2, "its own file is replaced");
    let (out, _, code) = play(&folder, &["chess", "--load", "game.pgn"], "moves\nundo\nresign\nsave b.pgn\n");
    assert!(out.contains("  1. ") && out.contains("e7e5"), "{out}");
    assert_eq!(code, 0, "{out}");
    let saved = folder.read("b.pgn");
    assert!(saved.contains("[Result \"0-1\"]") && out.contains("black wins: white resigned"), "{out}{saved}");
    let (_, errors, code) = play(&folder, &["chess"], "save game.pgn\n");
    assert_eq!(
        (code, errors.as_str()),
        (2, "gt: game.pgn: there is such a file already; choose another name\n")
    );
}

#[test]
fn programs_alone_play_to_the_end() {
    let folder = Folder::new();
    let seats = ["connect-four", "--seat", "program,nodes=300", "--seat", "uct,nodes=100"];
    let (out, errors, code) = play(&folder, &seats, "");
    assert_eq!((code, errors.as_str()), (0, ""));
    let last = out.lines().last().unwrap();
    assert!(last.contains(" wins: four in a line") || last == "draw: the board is full", "{out}");
    let (again, _, _) = play(&folder, &seats, "");
    assert_eq!(out, again, "the same seed plays the same game");
}

#[test]
fn six_players_and_one_of_them_types() {
    let folder = Folder::new();
    let words = ["chinese-checkers", "--players", "6", "--seat", "person=Ann", "--level", "1"];
    let (out, errors, code) = play(&folder, &words, "go\nseats\nresign\n");
    assert_eq!((code, errors.as_str()), (0, ""), "{out}");
    for side in ["B", "C", "D", "E", "F"] {
        assert!(out.contains(&format!("\n{side} plays ")), "{out}");
    }
    assert!(out.contains("  A     Ann  to move\n  B     paranoid, level 1\n"), "{out}");
    assert!(out.ends_with("the game is over: A resigned\n"), "{out}");
}

#[test]
fn what_is_wrong_is_told_and_changes_nothing() {
    let folder = Folder::new();
    folder.write("empty.txt", "");
    folder.write("chess.pgn", "1. e4 *\n");
    let lines = "e5\nundo\nlevel 11\nload none.txt\nload empty.txt\nload chess.pgn\nsave\nboard\n";
    let (out, errors, code) = play(&folder, &["tic-tac-toe"], lines);
    let told: Vec<&str> = errors.lines().collect();
    let wanted = [
        "gt: `e5`: a move is a square from a1 to c3",
        "gt: there is no person's move to take back",
        "gt: a level is a number from 1 to 10, not `11`",
        "gt: none.txt: No such file",
        "gt: empty.txt: there is no game in this file",
        "gt: chess.pgn: line 1, game 1: this is a game of chess, not of tic-tac-toe",
        "gt: `save` needs the name of a file",
    ];
    assert_eq!(told.len(), wanted.len(), "{errors}");
    for (told, wanted) in told.iter().zip(wanted) {
        assert!(told.starts_with(wanted), "{told}\n{wanted}");
    }
    assert!(code == 2 && out.ends_with(" 3 . . .\n 2 . . .\n 1 . . .\n   a b c\nx to move\n"), "{out}");
}

#[test]
fn what_cannot_be_set_up_is_one_sentence() {
    let folder = Folder::new();
    for (words, wanted) in [
        (vec!["chess", "--seat", "nobody"], "gt: --seat nobody: there is no algorithm `nobody`"),
        (
            vec!["chess", "--seat", "person", "--seat", "person", "--seat", "person"],
            "gt: --seat is given 3 times",
        ),
        (vec!["chess", "--position", "8/8"], "gt: `8/8`"),
        (vec!["chess", "--moves", "e2e5"], "gt: `e2e5`"),
        (vec!["chess", "--load", "none.pgn"], "gt: none.pgn: No such file"),
        (vec!["chess", "--clock", "soon"], "error: invalid value 'soon'"),
        (vec!["chess", "--level", "0"], "error: invalid value '0'"),
    ] {
        let (_, errors, code) = play(&folder, &words, "");
        assert!(code == 2 && errors.starts_with(wanted), "{words:?}: {code} {errors}");
    }
}
