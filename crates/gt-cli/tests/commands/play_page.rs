//! `gt play` in the browser: the page is served, its logs go at the end or stay where they were asked for.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::served::{Served, gt, refusal};

/// A game of tic-tac-toe against a program, whose temporary files go below `temporary`.
fn game(temporary: &Path, options: &[&str]) -> Served {
    let mut command = gt();
    command.args(["play", "tic-tac-toe", "--no-open", "--seat", "person", "--seat", "pvs,nodes=500"]);
    Served::run(command.args(options).env("TMPDIR", temporary))
}

/// Plays a move, and waits until the program has answered.
fn play(game: &Served, text: &str) -> serde_json::Value {
    let body = format!(r#"{{"text": "{text}"}}"#);
    let head = "POST /api/play/move HTTP/1.0\r\nContent-Type: application/json";
    game.ask(&format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()));
    loop {
        let state: serde_json::Value = serde_json::from_str(&game.get("/api/play/state")).unwrap();
        if state["thinking"].is_null() {
            return state;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn a_game_is_served_and_its_logs_go_at_the_end() {
    let temporary = tempfile::tempdir().unwrap();
    let game = game(temporary.path(), &[]);
    let state = play(&game, "b2");
    assert_eq!(state["moves"].as_array().unwrap().len(), 2);
    assert!(state["moves"][1]["log"].is_u64(), "{state}");
    let folders = files(temporary.path());
    assert_eq!(folders.len(), 1, "{folders:?}");
    assert_eq!(files(&folders[0].join("logs")).len(), 1);
    game.interrupt();
    assert_eq!(files(temporary.path()), Vec::<PathBuf>::new());
}

#[test]
fn logs_stay_where_they_were_asked_for() {
    let temporary = tempfile::tempdir().unwrap();
    let logs = temporary.path().join("kept");
    let game = game(temporary.path(), &["--logs", logs.to_str().unwrap()]);
    play(&game, "b2");
    game.interrupt();
    assert_eq!(files(&logs), [logs.join("ply-002-after-b2.gtf")]);
    assert_eq!(files(temporary.path()), [logs]);
}

#[test]
fn what_no_game_can_begin_with_is_refused() {
    let said = |options: &[&str]| refusal(gt().args(["play", "--no-open", "--port", "0"]).args(options));
    assert!(said(&["chess", "--position", "8/8 w"]).contains("8/8"));
    assert!(said(&["chess", "--seat", "person", "--seat", "person", "--seat", "person"]).contains("3 times"));
    assert!(said(&["chess", "--load", "no/such/file"]).contains("no/such/file"));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    assert!(refusal(gt().args(["play", "chess", "--no-open", "--port", &port])).contains("is taken"));
}
