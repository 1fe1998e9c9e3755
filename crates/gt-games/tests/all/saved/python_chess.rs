//! python-chess as an oracle. Tests that need it are skipped where it is missing; `make test-crates` installs it.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// What `python3 -c SCRIPT` prints when it is given a text; none where python-chess is missing.
pub(crate) fn python(script: &str, input: &str) -> Option<String> {
    // Packages that have this module are not equally deep.
    let mut folders =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("target/python"));
    let installed = folders.find(|folder| folder.exists()).unwrap_or_default();
    let search = std::env::var("PYTHONPATH").map_or_else(|_| String::new(), |path| format!("{path}:"));
    let script = format!(
        "try:\n import chess, chess.pgn, chess.polyglot, random, sys\nexcept ImportError:\n raise SystemExit(42)\n{script}"
    );
    let started = Command::new("python3")
        .args(["-c", &script])
        .env("PYTHONPATH", format!("{search}{}", installed.display()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = started else {
        eprintln!("skipped: there is no python3");
        return None;
    };
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let written = writer.join().unwrap();
    if output.status.code() == Some(42) {
        eprintln!("skipped: python-chess is not installed");
        return None;
    }
    written.unwrap();
    assert!(output.status.success(), "the script failed");
    Some(String::from_utf8(output.stdout).unwrap())
}
