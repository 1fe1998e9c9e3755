//! A game over HTTP: persons and programs at a real server.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use gt_games::registry::{GameKind, Setup};
use gt_play::live::{Budget, Program, Seat, TimeControl};
use serde_json::{Value, json};

use super::client::Served;

/// Two persons at a board.
fn persons(kind: GameKind) -> Served {
    Served::game(kind, &Setup::default(), vec![Seat::person(), Seat::person()], TimeControl::Untimed)
}

/// A program that searches so many nodes for a move.
fn program(kind: GameKind, players: usize, nodes: u64) -> Seat {
    Seat::Program(Program { budget: Budget::nodes(nodes), ..Program::best_for(kind, players) })
}

/// A person against a program.
fn against_program(kind: GameKind) -> Served {
    let seats = vec![Seat::person(), program(kind, 2, 2000)];
    Served::game(kind, &Setup::default(), seats, TimeControl::Untimed)
}

/// Asks for the state until it is as it should be: programs move when they are ready.
fn state_when(served: &Served, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..6000 {
        let state = served.get("/api/play/state");
        if is_it(&state) {
            return state;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("never: {what}");
}

fn move_count(state: &Value) -> usize {
    state["moves"].as_array().unwrap().len()
}

#[test]
fn a_game_of_persons_is_played_to_its_end() {
    let served = persons(GameKind::TicTacToe);
    assert_eq!(served.get("/api/logs")["play"], json!(true));
    let start = served.get("/api/play/state");
    assert_eq!((&start["game"], &start["to_move"]), (&json!("tic-tac-toe"), &json!(0)));
    assert_eq!(start["pointing"]["moves"].as_array().unwrap().len(), 9);
    assert_eq!(start["cells"].as_array().unwrap().len(), 9);
    for (ply, square) in ["a1", "b1", "a2", "b2", "a3"].into_iter().enumerate() {
        let body = json!({ "text": square, "ply": ply });
        let state = served.posted("/api/play/move", &body.to_string());
        assert_eq!((move_count(&state), &state["last"]), (ply + 1, &json!([square])));
    }
    let end = served.get("/api/play/state");
    assert_eq!(end["result"], json!({ "places": [1, 2], "reason": "three in a line" }));
    assert_eq!(end["pointing"]["moves"], json!([]));
    assert_eq!(served.get("/api/play/position?ply=2")["last"], json!(["b1"]));
}

#[test]
fn the_log_of_a_programs_move_is_a_log_like_any_other() {
    let served = against_program(GameKind::ConnectFour);
    served.posted("/api/play/move", r#"{"text": "d"}"#);
    let state = state_when(&served, "an answer with its log", |state| {
        move_count(state) == 2 && state["moves"][1]["log"].is_u64()
    });
    let played = &state["moves"][1];
    assert!(played["search"]["nodes"].as_u64().unwrap() > 0 && played["search"]["line"][0] == played["text"]);
    let log = played["log"].as_u64().unwrap();
    let root = served.get(&format!("/api/board?log={log}&node=0"));
    let before = served.get("/api/play/position?ply=1");
    assert_eq!((&root["text"], &root["cells"]), (&before["position"], &before["cells"]));
    assert!(served.get(&format!("/api/node?log={log}&node=0"))["size"].as_u64().unwrap() > 1);
}

#[test]
fn moves_are_taken_back_and_hints_given() {
    let served = against_program(GameKind::TicTacToe);
    served.posted("/api/play/move", r#"{"text": "b2"}"#);
    state_when(&served, "an answer", |state| move_count(state) == 2);
    let state = served.posted("/api/play/take-back", "{}");
    assert_eq!((move_count(&state), &state["can_take_back"]), (0, &json!(false)));
    served.posted("/api/play/hint", "{}");
    let state = state_when(&served, "a hint", |state| !state["hint"].is_null());
    assert_eq!(state["hint"]["places"], json!([state["hint"]["text"]]));
    let state = served.posted("/api/play/resign", r#"{"player": 0}"#);
    assert_eq!(state["result"], json!({ "places": [2, 1], "reason": "resigned" }));
}

#[test]
fn another_game_takes_the_place_of_the_first_and_its_logs_go() {
    let served = against_program(GameKind::ConnectFour);
    served.posted("/api/play/move", r#"{"text": "d"}"#);
    let state = state_when(&served, "an answer with its log", |state| state["moves"][1]["log"].is_u64());
    let log = state["moves"][1]["log"].as_u64().unwrap();
    let body = json!({
        "game": "chinese-checkers", "players": 6, "clock": "5+3",
        "seats": vec![json!({ "kind": "person", "name": "Ann" }); 6],
    });
    let state = served.posted("/api/play/new", &body.to_string());
    assert_eq!((&state["number"], &state["players"], move_count(&state)), (&json!(2), &json!(6), 0));
    assert_eq!((&state["control"], &state["clocks"]["running"]), (&json!("5+3"), &json!(0)));
    assert_eq!(state["seats"][5]["name"], json!("Ann"));
    assert_eq!(served.refused(&format!("/api/node?log={log}&node=0")).0, 410);
    assert!(!served.path("logs").exists(), "the scratch logs of the first game");
}

#[test]
fn seats_and_levels_change_during_the_game() {
    let served = persons(GameKind::TicTacToe);
    let body = r#"{"player": 1, "seat": {"kind": "program", "level": 2, "seconds": 0.05}}"#;
    let state = served.posted("/api/play/seat", body);
    assert_eq!((&state["seats"][1]["is_person"], &state["seats"][1]["level"]), (&json!(false), &json!(2)));
    let state = served.posted("/api/play/level", r#"{"player": 1, "level": null}"#);
    assert_eq!(state["seats"][1]["level"], Value::Null);
    served.posted("/api/play/move", r#"{"text": "b2"}"#);
    state_when(&served, "the program's answer", |state| move_count(state) == 2);
}

#[test]
fn a_game_is_saved_and_loaded() {
    let served = persons(GameKind::Chess);
    served.posted("/api/play/move", r#"{"text": "g1f3"}"#);
    let file = served.ask("GET", "/api/play/save", &[], "");
    assert!(file.head.contains(r#"filename="chess.pgn""#), "{}", file.head);
    assert!(file.text().contains("1. Nf3"), "{}", file.text());
    served.posted("/api/play/take-back", "{}");
    let body = json!({ "text": file.text() }).to_string();
    let state = served.posted("/api/play/load", &body);
    assert_eq!((&state["moves"][0]["text"], &state["moves"][0]["written"]), (&json!("g1f3"), &json!("Nf3")));
    let other = json!({ "text": "game=amazons\tboard=6x6\tmoves=b1-b4/e4\n" }).to_string();
    let state = served.posted("/api/play/load", &other);
    assert_eq!(
        (&state["game"], &state["number"], move_count(&state) > 0),
        (&json!("amazons"), &json!(2), true)
    );
}

#[test]
fn pointing_leads_to_promotions() {
    let setup = Setup::position("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    let seats = vec![Seat::person(), Seat::person()];
    let served = Served::game(GameKind::Chess, &setup, seats, TimeControl::Untimed);
    let state = served.get("/api/play/state");
    let pointed = &state["pointing"]["moves"][0];
    assert_eq!(*pointed, json!({ "text": "a7a8q", "places": ["a7", "a8"], "choice": "queen" }));
}

#[test]
fn events_tell_of_moves() {
    let served = persons(GameKind::TicTacToe);
    let mut connection = TcpStream::connect(served.address()).unwrap();
    let head = format!("GET /api/events HTTP/1.1\r\nHost: {}\r\n\r\n", served.address());
    connection.write_all(head.as_bytes()).unwrap();
    let mut lines = BufReader::new(connection).lines().map_while(Result::ok);
    assert!(lines.by_ref().any(|line| line.is_empty()), "the end of the head");
    served.posted("/api/play/move", r#"{"text": "b2"}"#);
    let told = lines.find(|line| line.contains("moved")).unwrap();
    assert_eq!(told, r#"data: {"game":1,"what":"moved"}"#);
}

#[test]
fn what_can_be_chosen_is_listed() {
    let served = persons(GameKind::TicTacToe);
    let games = served.get("/api/play/games");
    let names: Vec<&str> =
        games["games"].as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["tic-tac-toe", "connect-four", "amazons", "chess", "chinese-checkers", "thorns"]);
    assert_eq!(games["games"][2]["boards"][0], json!("10x10"));
    assert_eq!(games["games"][3]["boards"], json!([]));
    assert_eq!(games["levels"], json!({ "min": 1, "max": 10 }));
}
