//! Bad input of every kind: one clear sentence, and nothing else.

use std::io::{Read, Write};
use std::net::TcpStream;

use gt_games::GameKind;
use gt_view::Server;
use serde_json::json;

use crate::client::Served;
use crate::logs::game;

fn served() -> Served {
    Served::of(&[("chess.gtf", &game(GameKind::Chess))])
}

#[test]
fn foreign_hosts_and_pages_are_refused() {
    let served = served();
    let own = served.address().to_string();
    let status = |headers: &[(&str, &str)]| served.ask("GET", "/api/logs", headers, "").status;
    for host in ["example.org", "example.org:80", "localhost.example.org", "10.0.0.1", "", "[::2]"] {
        assert_eq!(status(&[("Host", host)]), 403, "{host}");
    }
    for host in ["localhost", "localhost:1", "127.0.0.1", "[::1]:80"] {
        assert_eq!(status(&[("Host", host)]), 200, "{host}");
    }
    assert_eq!(status(&[("Origin", "http://example.org")]), 403);
    assert_eq!(status(&[("Origin", "null")]), 403);
    assert_eq!(status(&[("Origin", "http://localhost:1")]), 403, "another server of this machine");
    assert_eq!(status(&[("Host", &own), ("Origin", &format!("http://{own}"))]), 200);
    assert_eq!(status(&[("Sec-Fetch-Site", "cross-site")]), 403);
    assert_eq!(status(&[("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")]), 200);
    let (_, message) = served.ask("GET", "/", &[("Host", "example.org")], "").refusal();
    assert_eq!(message, "`example.org` is not a name of this server: ask by localhost or a loopback address");
}

#[test]
fn every_answer_forbids_what_is_not_ours() {
    let served = served();
    for path in ["/", "/api/logs", "/api/nothing", "/nothing"] {
        let head = served.ask("GET", path, &[], "").head.to_lowercase();
        assert!(head.contains("content-security-policy: default-src 'none'"), "{path}: {head}");
        assert!(head.contains("x-content-type-options: nosniff"), "{path}");
        assert!(!head.contains("access-control-allow"), "{path}");
    }
}

#[test]
fn the_page_is_served_and_nothing_around_it() {
    let served = served();
    let page = served.ask("GET", "/", &[], "");
    assert!(
        page.status == 200 && page.text().to_lowercase().starts_with("<!doctype html>"),
        "{}",
        page.text()
    );
    let packed = served.ask("GET", "/", &[("Accept-Encoding", "gzip")], "");
    if packed.head.to_lowercase().contains("content-encoding: gzip") {
        let mut text = String::new();
        flate2::read::GzDecoder::new(&packed.body[..]).read_to_string(&mut text).unwrap();
        assert_eq!(text, page.text());
    }
    for path in [
        "/../Cargo.toml",
        "/..%2f..%2fetc/passwd",
        "//etc/passwd",
        "/chess.gtf",
        "/index.html/..",
        "/api",
        "/api/",
        "/%00",
        "/api/logs/",
    ] {
        assert_eq!(served.refused(path).0, 404, "{path}");
    }
    assert_eq!(served.ask("POST", "/", &[], "").status, 405);
}

#[test]
fn methods_are_those_of_the_document() {
    let served = served();
    for (method, path, allowed) in [
        ("POST", "/api/logs", "GET"),
        ("PUT", "/api/node", "GET"),
        ("DELETE", "/api/children", "GET"),
        ("GET", "/api/check", "POST"),
        ("GET", "/api/complete", "POST"),
        ("GET", "/api/runs", "POST"),
        ("PUT", "/api/runs/0", "GET,HEAD,DELETE"),
        ("POST", "/api/events", "GET"),
        ("OPTIONS", "/api/runs", "POST"),
        ("BREW", "/api/board", "GET"),
    ] {
        let reply = served.ask(method, path, &[("Content-Type", "application/json")], "{}");
        let (status, sentence) = reply.refusal();
        assert_eq!(status, 405, "{method} {path}: {sentence}");
        assert!(sentence.contains(&format!("{method} is not for this call")), "{sentence}");
        assert!(
            reply.head.to_lowercase().contains(&format!("allow: {}", allowed.to_lowercase())),
            "{path}: {}",
            reply.head
        );
    }
}

#[test]
fn bodies_must_be_what_they_say() {
    let served = served();
    let post =
        |kind: &str, body: &str| served.ask("POST", "/api/runs", &[("Content-Type", kind)], body).refusal();
    assert_eq!(post("text/plain", r#"{"text": "node: *"}"#).0, 415);
    assert_eq!(post("application/x-www-form-urlencoded", "text=1").0, 415);
    for (body, words) in [
        ("", "the body is not JSON"),
        ("{", "the body is not JSON"),
        ("[]", "the body does not fit"),
        ("{}", "missing field `text`"),
        (r#"{"text": 5}"#, "invalid type"),
        (r#"{"text": "node: *", "log": -1}"#, "invalid value"),
        (r#"{"text": "node: *", "log": 1e300}"#, "invalid"),
        (r#"{"text": "node: *", "txt": 1}"#, "unknown field `txt`"),
        (r#"{"text": "node: *", "parameters": {"x": []}}"#, "the parameter `x` is a text"),
        (r#"{"text": "node: *", "log": 18446744073709551615}"#, "there is no log 18446744073709551615"),
        (r#"{"text": "node: *", "tree": 7}"#, "there is no tree 7 in this log"),
        (r##"{"text": "# nothing"}"##, "there is no query in the text"),
    ] {
        let (status, message) = post("application/json", body);
        assert!((status == 400 || status == 404) && message.contains(words), "{body}: {status} {message}");
    }
    let nested = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(post("application/json", &nested).0, 400);
    assert_eq!(post("application/json", &" ".repeat(2 << 20)).0, 413);
}

#[test]
fn hostile_queries_harm_nobody() {
    let served = served();
    let check = |text: &str| served.post("/api/check", &json!({ "text": text }).to_string());
    for text in [
        "(".repeat(60_000),
        "node: ".to_owned() + &"not ".repeat(10_000) + "*",
        "node: ".to_owned() + &"-".repeat(50_000) + "1 = 1",
        "\u{0}\u{1}\u{2}".to_owned(),
        "😀".repeat(10_000),
        "node: \"".to_owned(),
        "let a = a\nlet a = b\nnode: a".to_owned(),
        "'; drop table nodes; --".to_owned(),
        "</script><script>alert(1)</script>".to_owned(),
    ] {
        let reply = check(&text);
        assert_eq!(reply.status, 200);
        assert!(!reply.json()["errors"].as_array().unwrap().is_empty());
        let (status, _) = {
            let reply = served.post("/api/runs", &json!({ "text": text }).to_string());
            assert!(reply.json()["error"]["errors"].as_array().is_some_and(|errors| !errors.is_empty()));
            (reply.status, ())
        };
        assert_eq!(status, 400);
    }
    assert_eq!(check(&"x".repeat(70_000)).refusal().0, 400);
    assert_eq!(served.get("/api/node")["node"], 0, "the server goes on");
}

#[test]
fn numbers_and_names_are_checked() {
    let served = served();
    for (path, status, words) in [
        ("/api/node?node=21", 404, "there is no node 21 in this tree: it has 21, numbered from 0"),
        ("/api/node?node=18446744073709551615", 404, "there is no node 18446744073709551615"),
        ("/api/node?node=18446744073709551616", 400, "`node` is a whole number"),
        ("/api/node?node=-1", 400, "`node` is a whole number from 0 on, not `-1`"),
        ("/api/node?node=%2B1", 400, "`node` is a whole number"),
        ("/api/node?node=", 400, "`node` is a whole number"),
        ("/api/node?tree=2", 404, "there is no tree 2 in this log: it has 2, numbered from 0"),
        ("/api/node?log=1", 404, "there is no log 1: 1 were given"),
        ("/api/node?log=../../etc/passwd", 400, "`log` is a whole number"),
        ("/api/node?path=/etc/passwd", 400, "`path` is no parameter of this call: it takes log, tree, node"),
        ("/api/children?limit=1001", 400, "`limit` is from 0 to 1000, not 1001"),
        ("/api/runs/0", 404, "there is no run 0"),
        ("/api/runs/x", 404, "a run has a number"),
        ("/api/runs/99999999999999999999", 404, "a run has a number"),
        ("/api/nothing", 404, "there is no call `/api/nothing`"),
    ] {
        let (found, message) = served.refused(path);
        assert!(found == status && message.contains(words), "{path}: {found} {message}");
    }
}

#[test]
fn what_is_no_http_is_dropped() {
    let served = served();
    for bytes in [&b"\x16\x03\x01\x02\x00"[..], b"GET\r\n\r\n", b"\r\n\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"] {
        let mut connection = TcpStream::connect(served.address()).unwrap();
        connection.write_all(bytes).unwrap();
        let _ = connection.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = connection.read_to_end(&mut answer);
        assert!(!answer.starts_with(b"HTTP/1.1 200"));
    }
    assert_eq!(served.get("/api/node")["node"], 0);
}

#[test]
fn a_server_starts_only_with_logs_and_a_port() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no.gtf");
    let sentence = |paths: &[&std::path::Path], port| Server::start(paths, port).err().unwrap().to_string();
    assert_eq!(sentence(&[], 0), "no log is given");
    assert!(sentence(&[&path], 0).contains("no.gtf: "));
    std::fs::write(&path, "not a log").unwrap();
    assert!(sentence(&[&path], 0).ends_with("it does not start with the bytes of one"));
    let served = served();
    let chess = served.path("chess.gtf");
    assert!(sentence(&[&chess], served.address().port()).contains("is taken by another program"));
}

#[test]
fn it_listens_on_the_loopback_address_alone() {
    assert!(served().address().ip().is_loopback());
}

#[test]
fn a_damaged_log_says_where() {
    let served = Served::of(&[("chess.gtf", &|path| {
        game(GameKind::Chess)(path);
        let mut bytes = std::fs::read(path).unwrap();
        // Somewhere in the columns of a block: its checksum tells.
        for byte in &mut bytes[1200..1300] {
            *byte ^= 0x55;
        }
        std::fs::write(path, bytes).unwrap();
    })]);
    let mut met = 0;
    for path in [
        "/api/node?tree=0&node=5",
        "/api/node?tree=1&node=5",
        "/api/children?tree=1",
        "/api/picture?tree=1&color=best",
        "/api/board?tree=1&node=30",
    ] {
        let reply = served.ask("GET", path, &[], "");
        if reply.status != 200 {
            let (status, message) = reply.refusal();
            assert!(
                status == 500 && message.contains("is damaged") || status == 404,
                "{path}: {status} {message}"
            );
            met += 1;
        }
    }
    let recovered = !served.get("/api/logs")["logs"][0]["recovered"].is_null();
    assert!(met > 0 || recovered, "the damage was met nowhere");
}
