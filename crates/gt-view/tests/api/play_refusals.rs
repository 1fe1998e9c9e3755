//! What a game refuses: with a sentence, and nothing is changed.

use gt_games::registry::{GameKind, Setup};
use gt_play::live::{Seat, TimeControl};

use super::client::Served;
use super::logs;

fn persons(kind: GameKind) -> Served {
    Served::game(kind, &Setup::default(), vec![Seat::person(), Seat::person()], TimeControl::Untimed)
}

#[test]
fn bad_input_gets_a_sentence_and_changes_nothing() {
    let served = persons(GameKind::Chess);
    served.posted("/api/play/move", r#"{"text": "e2e4"}"#);
    let before = served.get("/api/play/state");
    let seats = r#"[{"kind": "person"}, {"kind": "person"}]"#;
    let cases = [
        ("move", r#"{"text": "e2e5"}"#.to_owned(), 400, "e2e5"),
        ("move", r#"{"text": "e7e5", "ply": 0}"#.to_owned(), 409, "1 moves have been played"),
        ("move", r#"{"move": "e7e5"}"#.to_owned(), 400, "does not fit"),
        ("now", "{}".to_owned(), 409, "no program thinks"),
        ("take-back", r#"{"plies": 3}"#.to_owned(), 400, "does not fit"),
        ("resign", r#"{"player": 7}"#.to_owned(), 400, "no player 7"),
        ("level", r#"{"player": 0, "level": 3}"#.to_owned(), 409, "no program"),
        ("level", r#"{"player": 0, "level": 11}"#.to_owned(), 400, "from 1 to 10"),
        (
            "seat",
            r#"{"player": 0, "seat": {"kind": "program", "algorithm": "guess"}}"#.to_owned(),
            400,
            "guess",
        ),
        (
            "seat",
            r#"{"player": 0, "seat": {"kind": "program", "seconds": 1e300}}"#.to_owned(),
            400,
            "seconds",
        ),
        ("seat", r#"{"player": 9, "seat": {"kind": "person"}}"#.to_owned(), 400, "no player 9"),
        ("new", format!(r#"{{"game": "go", "seats": {seats}}}"#), 400, "no such game"),
        ("new", format!(r#"{{"game": "chess", "position": "8/8 w", "seats": {seats}}}"#), 400, "8/8"),
        ("new", format!(r#"{{"game": "chess", "clock": "soon", "seats": {seats}}}"#), 400, "soon"),
        ("new", r#"{"game": "chess", "seats": []}"#.to_owned(), 400, "2 seats"),
        ("load", r#"{"text": "1. Ke2 *"}"#.to_owned(), 400, "Ke2"),
        ("load", r#"{"text": ""}"#.to_owned(), 400, "no game"),
    ];
    for (call, body, status, word) in cases {
        let (found, sentence) = served.post(&format!("/api/play/{call}"), &body).refusal();
        assert_eq!(found, status, "{call} {body}: {sentence}");
        assert!(sentence.contains(word), "{call} {body}: {sentence}");
    }
    assert_eq!(served.refused("/api/play/position?ply=2").0, 404);
    assert_eq!(served.get("/api/play/state"), before);
}

#[test]
fn other_pages_and_other_methods_are_refused() {
    let served = persons(GameKind::TicTacToe);
    let json = ("Content-Type", "application/json");
    // Refused before their bodies are looked at: with none, no answer is lost to a connection that is reset.
    let body = "";
    let foreign =
        [("Origin", "http://example.org"), ("Sec-Fetch-Site", "cross-site"), ("Host", "example.org")];
    for header in foreign {
        let reply = served.ask("POST", "/api/play/move", &[json, header], body);
        assert_eq!(reply.refusal().0, 403, "{header:?}");
    }
    // What a form of another page could send.
    let plain = served.ask("POST", "/api/play/move", &[("Content-Type", "text/plain")], body);
    assert_eq!(plain.refusal().0, 415);
    assert_eq!(served.refused("/api/play/move").0, 405);
    assert_eq!(served.get("/api/play/state")["moves"].as_array().unwrap().len(), 0);
}

#[test]
fn a_server_of_logs_has_no_game() {
    let served = Served::of(&[("log.gtf", &logs::game(GameKind::TicTacToe))]);
    assert_eq!(served.get("/api/logs")["play"], serde_json::json!(false));
    let (status, sentence) = served.refused("/api/play/state");
    assert_eq!((status, sentence.contains("gt play")), (404, true), "{sentence}");
}
