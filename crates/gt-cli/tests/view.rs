//! `gt view`: it serves at once, on the loopback address, and stops on Ctrl-C.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use gt_log::{Artificial, LogWriter, Options, Shape};

fn gt() -> Command {
    Command::new(env!("CARGO_BIN_EXE_gt"))
}

#[test]
fn it_serves_until_it_is_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tree.gtf");
    let log = LogWriter::create(&path, Artificial::header().unwrap()).unwrap();
    let tree = Artificial { shape: Shape::Full, depth: 3, branching: 3, seed: 1 };
    tree.write(&log, Options::default(), |_| {}).unwrap();
    log.finish().unwrap();

    let mut process =
        gt().arg("view").arg(&path).args(["--port", "0"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect(&line).0;
    assert!(address.starts_with("127.0.0.1:"), "{line}");
    let mut connection = TcpStream::connect(address).unwrap();
    write!(connection, "GET /api/node HTTP/1.0\r\nHost: {address}\r\n\r\n").unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    assert!(answer.contains("\"size\":40"), "{answer}");

    let interrupted = Command::new("kill").args(["-INT", &process.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    assert!(process.wait().unwrap().success(), "it ends well");
}

#[test]
fn what_is_no_log_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tree.gtf");
    std::fs::write(&path, "rubbish").unwrap();
    let output = gt().arg("view").arg(&path).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.starts_with("gt: ") && said.contains("this is not a game-tree log") && said.lines().count() == 1,
        "{said}"
    );
}
