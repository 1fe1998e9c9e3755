//! Too many clients, slow ones, hostile ones: the others are answered all the same.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use gt_games::GameKind;
use gt_view::Limits;
use serde_json::json;

use crate::client::Served;
use crate::hostile::{Strike, check_alive};
use crate::logs::{extreme, game};

/// Only what hangs takes this long.
const PATIENCE: Duration = Duration::from_secs(120);
const SOON: Duration = Duration::from_millis(300);
const NEVER: Duration = Duration::from_secs(100_000);

/// A connection on which some bytes were sent.
fn sent(served: &Served, bytes: &str) -> TcpStream {
    let mut connection = TcpStream::connect(served.address()).unwrap();
    connection.set_read_timeout(Some(PATIENCE)).unwrap();
    connection.write_all(bytes.as_bytes()).unwrap();
    connection
}

fn asked(served: &Served, target: &str) -> TcpStream {
    sent(served, &format!("GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
}

/// All that comes until the server closes the connection.
fn rest(mut connection: TcpStream) -> String {
    let mut bytes = Vec::new();
    match connection.read_to_end(&mut bytes) {
        Err(error) if error.kind() != std::io::ErrorKind::ConnectionReset => panic!("not closed: {error}"),
        _ => String::from_utf8_lossy(&bytes).into_owned(),
    }
}

/// What needs no log is answered, and right.
fn check_cheap_calls(served: &Served) {
    assert!(served.get("/api/logs")["logs"].is_array());
    assert_eq!(served.ask("GET", "/", &[], "").status, 200);
    assert_eq!(served.refused("/api/runs/999").0, 404);
    assert_eq!(served.ask("DELETE", "/api/runs/999", &[], "").refusal().0, 404);
}

/// Queries that run until they are cancelled, as far as a test can tell: folds of folds over a chain.
fn endless() -> String {
    let query = |k: usize| {
        format!(
            "let a{k} = path: sum(best * @ply + {k})\nlet b{k} = subtree: sum(a{k})\nnode: b{k} > [^]b{k} order by a{k} limit 10\n\n"
        )
    };
    (0..8).map(query).collect()
}

#[test]
fn hundreds_of_waiting_requests_hold_up_nobody() {
    let served = Served::of(&[("extreme.gtf", &extreme(300_000))]);
    let started = served.post("/api/runs", &json!({"tree": 1, "text": endless()}).to_string());
    assert_eq!(started.status, 200, "{}", started.text());
    let waiting: Vec<TcpStream> = (0..300).map(|_| asked(&served, "/api/runs/0?wait=30000")).collect();
    check_cheap_calls(&served);
    assert_eq!(served.get("/api/node")["node"], 0);
    assert_eq!(served.ask("DELETE", "/api/runs/0", &[], "").status, 200);
    let answers: Vec<String> = waiting.into_iter().map(rest).collect();
    for answer in &answers {
        let is_right = answer.starts_with("HTTP/1.1 200 ")
            || answer.starts_with("HTTP/1.1 503 ") && answer.to_lowercase().contains("retry-after: 1\r\n")
            || answer.is_empty();
        assert!(is_right, "{answer}");
    }
    assert!(answers.iter().any(|answer| answer.starts_with("HTTP/1.1 503 ")), "the limit is reached");
    assert!(answers.iter().any(|answer| answer.starts_with("HTTP/1.1 200 ")), "some may wait");
}

#[test]
fn half_sent_requests_are_closed() {
    let limits = Limits { head_time_max: SOON, body_time_max: SOON, ..Limits::default() };
    let served = Served::within(limits, &[("chess.gtf", &game(GameKind::Chess))]);
    let head = "POST /api/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    let idle = sent(&served, "");
    let half_head = sent(&served, "GET /api/logs HTTP/1.1\r\nHost: loc");
    let kept = sent(&served, "GET /api/logs HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let half_body =
        sent(&served, &format!("{head}Content-Length: 100\r\nConnection: close\r\n\r\n{{\"text\""));
    let half_chunk =
        sent(&served, &format!("{head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\n{{\""));
    assert_eq!(rest(idle), "");
    assert_eq!(rest(half_head), "");
    assert!(rest(kept).starts_with("HTTP/1.1 200 "), "answered, then closed when it stays idle");
    for body in [half_body, half_chunk] {
        let answer = rest(body);
        assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("did not arrive within"), "{answer}");
    }
}

#[test]
fn waiting_connections_make_room_for_new_ones() {
    let limits = Limits { connections_max: 8, head_time_max: NEVER, ..Limits::default() };
    let served = Served::within(limits, &[("chess.gtf", &game(GameKind::Chess))]);
    let mut half: Vec<TcpStream> =
        (0..200).map(|_| sent(&served, "GET /api/logs HTTP/1.1\r\nHost: loc")).collect();
    check_cheap_calls(&served);
    let last = half.split_off(190);
    half.into_iter().for_each(|connection| assert_eq!(rest(connection), ""));
    drop(last);
    check_cheap_calls(&served);
}

#[test]
fn events_are_for_so_many_clients() {
    let limits = Limits { events_max: 3, ..Limits::default() };
    let served = Served::within(limits, &[("chess.gtf", &game(GameKind::Chess))]);
    let follow = || {
        let mut connection = asked(&served, "/api/events");
        let mut start = [0; 12];
        connection.read_exact(&mut start).unwrap();
        (connection, String::from_utf8_lossy(&start).into_owned())
    };
    let following: Vec<_> = (0..3).map(|_| follow()).collect();
    assert!(following.iter().all(|(_, start)| start == "HTTP/1.1 200"));
    let (status, message) = served.refused("/api/events");
    assert_eq!(
        (status, message.as_str()),
        (503, "too many pages follow these logs already; ask again in a second")
    );
    let head = served.ask("GET", "/api/events", &[], "").head.to_lowercase();
    assert!(head.contains("retry-after: 1\r\n"), "{head}");
    drop(following);
    // The server notices soon that they have gone.
    while follow().1 != "HTTP/1.1 200" {}
}

#[test]
fn an_export_that_nobody_reads_is_given_up() {
    let limits = Limits { send_time_max: SOON, exports_max: 1, ..Limits::default() };
    let served = Served::within(limits, &[("extreme.gtf", &extreme(300_000))]);
    let (run, _) = served.run(r#"{"text": "node: *"}"#);
    let path = format!("/api/runs/{run}/export?format=json");
    let unread = asked(&served, &path);
    let whole = loop {
        let reply = served.ask("GET", &path, &[], "");
        if reply.status == 200 {
            break reply.json();
        }
        assert_eq!(reply.refusal().0, 503);
    };
    assert_eq!(whole["rows"].as_array().unwrap().len(), 300_001);
    drop(unread);
}

#[test]
fn abandoned_work_makes_room() {
    let served = Served::of(&[("extreme.gtf", &extreme(300_000))]);
    for node in 0..300 {
        drop(asked(&served, &format!("/api/picture?tree=1&node={node}&color=subtree:sum(best)")));
        drop(asked(&served, &format!("/api/node?tree=1&node={}", 299_999 - node)));
    }
    check_cheap_calls(&served);
    let answered = |path: &str| loop {
        let reply = served.ask("GET", path, &[], "");
        if reply.status == 200 {
            return reply.json();
        }
        assert_eq!(reply.refusal().0, 503);
    };
    assert_eq!(answered("/api/node?tree=1&node=299999")["ply"], 299_999);
    assert_eq!(answered("/api/picture?tree=1&color=subtree:count(*)")["rectangles"]["value"][0], 299_999);
}

#[test]
fn a_call_that_takes_too_long_is_answered_with_a_sentence() {
    let limits = Limits { work_time_max: Duration::ZERO, ..Limits::default() };
    let served = Served::within(limits, &[("extreme.gtf", &extreme(300_000))]);
    for path in ["/api/picture?tree=1&color=subtree:sum(best)", "/api/chart?name=distribution&attribute=best"]
    {
        assert_eq!(served.refused(path), (504, "this took longer than 0 s and was given up".to_owned()));
    }
    check_cheap_calls(&served);
}

#[test]
fn hostile_requests_harm_nobody() {
    let limits =
        Limits { head_time_max: SOON, body_time_max: SOON, send_time_max: SOON, ..Limits::default() };
    let served = Served::within(limits, &[("chess.gtf", &game(GameKind::Chess))]);
    let mut answered = 0;
    for number in 0..600 {
        let strike = Strike::of(number);
        match strike.send(served.address()) {
            Ok(status) => answered += u32::from(status.is_some()),
            Err(broken) => panic!("strike {number}: {broken}"),
        }
        if number % 50 == 0 {
            check_alive(served.address()).unwrap();
        }
    }
    assert!(answered > 200, "only {answered} were answered");
    check_alive(served.address()).unwrap();
    check_cheap_calls(&served);
    assert_eq!(served.get("/api/picture?tree=1&color=best")["total"], 81);
}
