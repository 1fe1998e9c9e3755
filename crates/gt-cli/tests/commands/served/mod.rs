//! A command that serves a page, and the least that asks it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

pub(crate) fn gt() -> Command {
    Command::new(env!("CARGO_BIN_EXE_gt"))
}

/// A command that serves, and where it does.
pub(crate) struct Served {
    process: Child,
    address: String,
}

impl Served {
    /// Starts it on a port that is free.
    pub(crate) fn run(command: &mut Command) -> Self {
        let mut process = command.args(["--port", "0"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect(&line).0;
        assert!(address.starts_with("127.0.0.1:"), "{line}");
        Self { process, address: address.to_owned() }
    }

    /// The body of an answer.
    pub(crate) fn get(&self, path: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.0\r\n\r\n"))
    }

    /// The answer to a request; its `Host` is added.
    pub(crate) fn ask(&self, request: &str) -> String {
        let mut connection = TcpStream::connect(&self.address).unwrap();
        let host = format!("\r\nHost: {}\r\n", self.address);
        connection.write_all(request.replacen("\r\n", &host, 1).as_bytes()).unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(" 200 "), "{request}: {answer}");
        body.to_owned()
    }

    /// Stops it as Ctrl-C does.
    pub(crate) fn interrupt(mut self) {
        let kill = Command::new("kill").args(["-INT", &self.process.id().to_string()]).status().unwrap();
        assert!(kill.success());
        assert!(self.process.wait().unwrap().success(), "it ends well");
    }
}

/// What `gt` says, in one line, when it refuses with exit code 2.
pub(crate) fn refusal(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.starts_with("gt: ") && said.lines().count() == 1, "{said}");
    said.trim_end().to_owned()
}
