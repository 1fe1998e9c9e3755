//! A server of logs, and the least that asks it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};

use gt_games::registry::{GameKind, Setup};
use gt_play::LiveGame;
use gt_play::live::{LiveOptions, LogFolder, Seat, TimeControl};
use gt_view::{Limits, PlayOptions, Server, ShownLogs};
use serde_json::Value;

/// A server of some logs in a folder of its own.
pub(crate) struct Served {
    server: Server,
    folder: tempfile::TempDir,
}

/// A file's name, and what writes it.
pub(crate) type Written<'a> = (&'a str, &'a dyn Fn(&Path));

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Served {
    /// Serves files with these names, each written by its function.
    pub(crate) fn of(files: &[Written<'_>]) -> Self {
        Self::within(Limits::default(), files)
    }

    /// Like [`Served::of`], within other limits.
    pub(crate) fn within(limits: Limits, files: &[Written<'_>]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut paths: Vec<PathBuf> = Vec::new();
        for (name, write) in files {
            paths.push(folder.path().join(name));
            write(&folder.path().join(name));
        }
        Self { server: Server::start_with(&paths, ShownLogs::default(), 0, limits).unwrap(), folder }
    }

    /// Serves a log, beginning with a result file of this text; the sentence says why it is none.
    pub(crate) fn with_result((name, write): Written<'_>, text: &str) -> Result<Self, String> {
        let folder = tempfile::tempdir().unwrap();
        let (log, result) = (folder.path().join(name), folder.path().join("result.gti"));
        write(&log);
        std::fs::write(&result, text).unwrap();
        let server = Server::start_with(
            &[log],
            ShownLogs { result: Some(&result), ..ShownLogs::default() },
            0,
            Limits::default(),
        );
        server.map(|server| Self { server, folder }).map_err(|error| error.to_string())
    }

    /// Serves a game between these, the programs' searches logged into a folder that counts as scratch.
    pub(crate) fn game(kind: GameKind, setup: &Setup, seats: Vec<Seat>, control: TimeControl) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let logs = LogFolder::new(folder.path().join("logs"));
        let live = LiveOptions { logs: Some(logs), ..LiveOptions::default() };
        let game = LiveGame::new(kind, setup, seats, control, live.clone()).unwrap();
        let options = PlayOptions { live, has_scratch_logs: true };
        Self { server: Server::play(game, options, &[0], Limits::default()).unwrap(), folder }
    }

    /// The JSON of a `POST` that must succeed.
    pub(crate) fn posted(&self, path: &str, body: &str) -> Value {
        let reply = self.post(path, body);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        reply.json()
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.server.address()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The JSON of a `GET` that must succeed.
    pub(crate) fn get(&self, path: &str) -> Value {
        let reply = self.ask("GET", path, &[], "");
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        reply.json()
    }

    /// The status and the sentence of a `GET` that must be refused.
    pub(crate) fn refused(&self, path: &str) -> (u16, String) {
        self.ask("GET", path, &[], "").refusal()
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Reply {
        self.ask("POST", path, &[("Content-Type", "application/json")], body)
    }

    /// Any request. HTTP 1.0, so that the answer ends where the connection does.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut head = format!("{method} {path} HTTP/1.0\r\nContent-Length: {}\r\n", body.len());
        if headers.iter().all(|(name, _)| *name != "Host") {
            head += &format!("Host: {}\r\n", self.address());
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        let mut connection = TcpStream::connect(self.address()).unwrap();
        connection.write_all(format!("{head}\r\n{body}").as_bytes()).unwrap();
        let mut bytes = Vec::new();
        // A body that is refused unread can end in a reset; what was said before counts.
        let _ = connection.read_to_end(&mut bytes);
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head") + 4;
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Reply { status, head, body: bytes[end..].to_vec() }
    }

    /// Runs queries and waits for the end.
    pub(crate) fn run(&self, body: &str) -> (u64, Value) {
        let started = self.post("/api/runs", body);
        assert_eq!(started.status, 200, "{}", started.text());
        let run = started.json()["run"].as_u64().unwrap();
        (run, self.get(&format!("/api/runs/{run}?wait=30000")))
    }
}

impl Reply {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// A refusal is one JSON object with one sentence, and nothing else.
    pub(crate) fn refusal(&self) -> (u16, String) {
        assert!(self.status >= 400, "{} {}", self.status, self.text());
        let object = self.json();
        assert_eq!(object.as_object().unwrap().len(), 1, "{object}");
        let message = object["error"]["message"].as_str().unwrap().to_owned();
        assert!(!message.contains('\n') && message.len() < 600, "{message}");
        (self.status, message)
    }
}
