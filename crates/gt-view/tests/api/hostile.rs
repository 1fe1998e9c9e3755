//! A client that means no good: rubbish, lies and half requests, against a server on the loopback address.
//!
//! Needs nothing but the standard library, so that other targets can include this file by its path. Every strike is made
//! from a number: the same number is the same strike.
//!
//! **Promise that is checked:** whatever comes in, the server answers with HTTP or closes the connection; it never fails
//! (a 500), never answers a stranger, and goes on answering.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

/// Only a server that hangs needs this long.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a strike does after its bytes are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It reads what comes back.
    Read,
    /// It says that no more is coming, then reads.
    Close,
    /// It leaves without reading.
    Leave,
}

/// Bytes to send, and how to end.
#[derive(Debug)]
pub(crate) struct Strike {
    pub(crate) bytes: Vec<u8>,
    ending: Ending,
    /// Whether the request claims to come from elsewhere.
    is_foreign: bool,
}

/// Calls that a strike may be built on.
const TARGETS: [&str; 9] = [
    "/",
    "/api/logs",
    "/api/node?node=1",
    "/api/children?node=0&limit=9",
    "/api/find?line=e2e4",
    "/api/picture?color=best",
    "/api/board?node=2",
    "/api/runs/0?wait=1",
    "/api/chart?name=distribution&attribute=best",
];

impl Strike {
    /// The strike of a number.
    pub(crate) fn of(number: u64) -> Self {
        let mut dice = Dice(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d);
        let target = TARGETS[dice.below(TARGETS.len())];
        let mut is_foreign = false;
        let bytes = match number % 12 {
            0 => dice.bytes(1 + (number as usize % 5000)),
            1 => mutated(request("GET", target, ""), &mut dice),
            2 => request("GET", target, &format!("X-Long: {}\r\n", "a".repeat(300_000))),
            3 => request("GET", target, &"X-Many: 1\r\n".repeat(2000)),
            4 => request("GET", &format!("/api/find?line={}", "e2e4+".repeat(40_000)), ""),
            5 => request("GET", &format!("/api/node?node={}", dice.percents()), ""),
            6 => request("GET", &format!("/{}", dice.percents()), ""),
            7 => request(METHODS[dice.below(METHODS.len())], target, ""),
            8 => {
                is_foreign = true;
                let host = HOSTS[dice.below(HOSTS.len())];
                let elsewhere = if host == "localhost" { "http://example.org" } else { "" };
                format!("GET {elsewhere}{target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
                    .into_bytes()
            }
            9 => posted(CHUNKS[dice.below(CHUNKS.len())]),
            10 => posted(LENGTHS[dice.below(LENGTHS.len())]),
            _ => PREFACES[dice.below(PREFACES.len())].to_vec(),
        };
        let ending = match number % 12 {
            _ if dice.below(4) == 0 => Ending::Leave,
            // These are whole requests, so that something comes back.
            2..=8 => Ending::Read,
            _ => Ending::Close,
        };
        Self { bytes, ending, is_foreign }
    }

    /// Sends it; the status of the answer, if there was one.
    ///
    /// # Errors
    /// The server broke a promise: which one.
    pub(crate) fn send(&self, server: SocketAddr) -> Result<Option<u16>, String> {
        let mut connection = TcpStream::connect(server).map_err(|error| format!("no connection: {error}"))?;
        let _ = connection.set_read_timeout(Some(PATIENCE));
        let _ = connection.set_write_timeout(Some(PATIENCE));
        // The server may refuse to read on.
        let _ = connection.write_all(&self.bytes);
        if self.ending == Ending::Leave {
            return Ok(None);
        }
        if self.ending == Ending::Close {
            let _ = connection.shutdown(Shutdown::Write);
        }
        let mut answer = Vec::new();
        let ended = connection.take(4 << 20).read_to_end(&mut answer);
        if ended.is_err_and(|error| {
            matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
        }) {
            return Err("the connection was neither answered nor closed".to_owned());
        }
        self.judge(&answer)
    }

    fn judge(&self, answer: &[u8]) -> Result<Option<u16>, String> {
        if answer.is_empty() {
            return Ok(None);
        }
        let status =
            status(answer).ok_or_else(|| format!("no HTTP: {:?}", String::from_utf8_lossy(answer)))?;
        if status == 500 {
            return Err(format!("the server failed: {}", String::from_utf8_lossy(answer)));
        }
        if self.is_foreign && status < 400 {
            return Err(format!("a stranger was answered with {status}"));
        }
        Ok(Some(status))
    }
}

/// Whether the server answers an honest request as it should.
///
/// # Errors
/// What it did instead.
pub(crate) fn check_alive(server: SocketAddr) -> Result<(), String> {
    let text = |error: std::io::Error| format!("an honest request fails: {error}");
    let mut connection = TcpStream::connect(server).map_err(text)?;
    connection.set_read_timeout(Some(PATIENCE)).map_err(text)?;
    connection.write_all(&request("GET", "/api/logs", "")).map_err(text)?;
    let mut answer = Vec::new();
    connection.read_to_end(&mut answer).map_err(text)?;
    let is_listing = answer.windows(7).any(|part| part == b"\"logs\":");
    if status(&answer) == Some(200) && is_listing {
        return Ok(());
    }
    Err(format!("an honest request gets {:?}", String::from_utf8_lossy(&answer)))
}

fn status(answer: &[u8]) -> Option<u16> {
    let rest = answer.strip_prefix(b"HTTP/1.1 ").or_else(|| answer.strip_prefix(b"HTTP/1.0 "))?;
    std::str::from_utf8(rest.get(..3)?).ok()?.parse().ok()
}

fn request(method: &str, target: &str, headers: &str) -> Vec<u8> {
    format!("{method} {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n")
        .into_bytes()
}

/// A `POST` with what comes after its first headers.
fn posted(rest: &str) -> Vec<u8> {
    let head = "POST /api/runs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n";
    format!("{head}{rest}").into_bytes()
}

/// The same with some bytes changed, lost or doubled.
fn mutated(mut bytes: Vec<u8>, dice: &mut Dice) -> Vec<u8> {
    for _ in 0..1 + dice.below(6) {
        let place = dice.below(bytes.len());
        match dice.below(4) {
            0 => bytes[place] = dice.next() as u8,
            1 => bytes[place] ^= 1 << dice.below(8),
            2 => bytes.insert(place, dice.next() as u8),
            _ => bytes.truncate(place.max(1)),
        }
    }
    bytes
}

const METHODS: [&str; 10] =
    ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "BREW", "get", "GET\u{0}"];

/// Foreign names; `localhost` goes with an address that names another host.
const HOSTS: [&str; 10] = [
    "localhost",
    "example.org",
    "localhost.example.org",
    "127.0.0.1.example.org",
    "10.0.0.1",
    "localhost@example.org",
    "localhost\r\nHost: example.org",
    "[::2]",
    "localhost:99999",
    "\u{fffd}",
];

const CHUNKS: [&str; 8] = [
    "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffffff\r\n{}\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\n\r\n-1\r\n{}\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n{}",
    "Transfer-Encoding: chunked\r\n\r\n2\r\n{}no end",
    "Transfer-Encoding: chunked\r\n\r\n2;x=\u{7f}\r\n{}\r\n0\r\nX: y\r\n\r\n",
    "Transfer-Encoding: chunked, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    "Transfer-Encoding: gzip\r\n\r\n{}",
    "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
];

const LENGTHS: [&str; 7] = [
    "Content-Length: 1000\r\n\r\n{}",
    "Content-Length: -1\r\n\r\n{}",
    "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "Content-Length: 18446744073709551616\r\n\r\n{}",
    "Content-Length: 999999999999\r\n\r\n{}",
    "Content-Length: two\r\n\r\n{}",
    "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n",
];

const PREFACES: [&[u8]; 7] = [
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00",
    b"GET /\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"GET http://localhost/api/logs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\nGET /api/logs HTTP/1.1\r\n",
];

/// Numbers that look random (SplitMix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }

    /// Percent-encoding, mostly wrong.
    fn percents(&mut self) -> String {
        let parts = [
            "%",
            "%zz",
            "%0",
            "%00",
            "%ff%fe",
            "%c3%28",
            "%2e%2e%2f",
            "%25",
            "+",
            "a",
            "%E2%82%AC",
            "%u1234",
        ];
        (0..1 + self.below(30)).map(|_| parts[self.below(parts.len())]).collect()
    }
}
