//! Logs that grow, are cut off, or are replaced.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use gt_games::GameKind;
use gt_log::{Flush, Header, Kind, LogWriter, Metadata, Options, Schema, Value};
use serde_json::{Value as Json, json};

use crate::client::Served;
use crate::logs::game;

/// Listens for events; each call of the answer waits for one.
fn events(served: &Served) -> impl FnMut() -> Json {
    let mut connection = TcpStream::connect(served.address()).unwrap();
    connection.write_all(b"GET /api/events HTTP/1.0\r\nHost: localhost\r\n\r\n").unwrap();
    connection.set_read_timeout(Some(std::time::Duration::from_secs(60))).unwrap();
    let mut lines = BufReader::new(connection).lines();
    // The head has come: from now on nothing is missed.
    assert!(lines.by_ref().map(Result::unwrap).any(|line| line.is_empty()));
    move || {
        let data = lines
            .by_ref()
            .map(Result::unwrap)
            .find_map(|line| line.strip_prefix("data: ").map(str::to_owned));
        serde_json::from_str(&data.expect("an event")).unwrap()
    }
}

#[test]
fn a_log_that_is_being_written_is_followed() {
    let schema = Schema::new([("best", Kind::I32)]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.gtf");
    let writer = LogWriter::create(&path, Header::new("", schema)).unwrap();
    let flush = Flush { nodes_max: 1, time_ms_max: None };
    let mut tree = writer.dynamic_tree(&Metadata::new(), Options { flush, ..Options::default() }).unwrap();
    tree.enter(0).unwrap();
    for number in 1..=3 {
        tree.enter(number).unwrap();
        tree.leave_values(&[Value::Int(number)]).unwrap();
    }
    tree.flush().unwrap();
    let growing = path.clone();
    let served = Served::of(&[("live.gtf", &move |target| {
        std::fs::copy(&growing, target).unwrap();
    })]);
    let log = || served.get("/api/logs")["logs"][0].clone();
    assert_eq!((&log()["growing"], &log()["trees"][0]["nodes"]), (&json!(true), &json!(4)));
    assert!(log()["recovered"].as_str().unwrap().starts_with("this log was not closed"));
    assert_eq!(served.get("/api/node")["unfinished"], true);

    let mut next = events(&served);
    tree.enter(4).unwrap();
    tree.leave_values(&[Value::Int(4)]).unwrap();
    tree.leave_values(&[Value::Int(0)]).unwrap();
    tree.finish().unwrap();
    writer.finish().unwrap();
    std::fs::copy(&path, served.path("live.gtf")).unwrap();
    let mut event = next();
    // A look may have fallen between two writes of the copy.
    while log()["growing"] == json!(true) {
        event = next();
    }
    assert_eq!((&event["log"], &event["generation"]), (&json!(0), &log()["generation"]));
    assert_eq!((&log()["recovered"], &log()["trees"][0]["nodes"]), (&json!(null), &json!(5)));
    let root = served.get("/api/node");
    assert_eq!((&root["unfinished"], &root["generation"]), (&json!(false), &event["generation"]));
}

#[test]
fn a_log_that_is_replaced_by_rubbish_keeps_its_last_state() {
    let served = Served::of(&[("chess.gtf", &game(GameKind::Chess))]);
    let mut next = events(&served);
    std::fs::write(served.path("chess.gtf"), "rubbish").unwrap();
    next();
    let log = served.get("/api/logs")["logs"][0].clone();
    let sentence = log["recovered"].as_str().unwrap();
    assert!(sentence.contains("cannot be opened") && sentence.contains("last good state"), "{sentence}");
    assert_eq!(log["trees"][1]["nodes"], 81);
    std::fs::remove_file(served.path("chess.gtf")).unwrap();
    game(GameKind::TicTacToe)(&served.path("chess.gtf"));
    next();
    let log = served.get("/api/logs")["logs"][0].clone();
    assert!(log["game"] == "tic-tac-toe" || log["recovered"].is_string(), "{log}");
}
