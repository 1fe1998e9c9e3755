//! A log that wants to steer the terminal of who looks at it.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::command::{gt, says};
use gt_log::{Header, Kind, LogWriter, Metadata, Options, Schema, Value};

/// Sets a window's title, clears the screen, hides text, turns its direction.
const EVIL: &str = "a\x1b]0;owned\x07\x1b[2J\x7f\u{9b}8m\u{202e}\r\nb";
/// As a file may be called.
const NAME: &str = "e\x1b[2Jvil.gtf";

fn write_log(folder: &Path) {
    let schema = Schema::new([("label", Kind::Text), ("best", Kind::I32)]).unwrap();
    let mut header = Header::new(EVIL, schema);
    header.metadata = Metadata::new().with(EVIL, EVIL);
    let log = LogWriter::create(folder.join(NAME), header).unwrap();
    let about = Metadata::new().with("position", EVIL).with(EVIL, EVIL);
    let mut tree = log.dynamic_tree(&about, Options::default()).unwrap();
    tree.enter(0).unwrap();
    for last_move in 1..=3 {
        tree.enter(last_move).unwrap();
        tree.leave_values(&[Value::Text(format!("{EVIL}{last_move}")), Value::Int(last_move)]).unwrap();
    }
    tree.leave_values(&[Value::Text(EVIL.to_owned()), Value::Int(0)]).unwrap();
    tree.finish().unwrap();
    log.finish().unwrap();
}

/// Whether a text holds anything that a terminal would obey.
fn obeyed(text: &str) -> Option<char> {
    text.chars().find(|&c| (c.is_control() && c != '\n') || c == '\u{202e}')
}

#[track_caller]
fn is_harmless(what: &str, text: &str) {
    if let Some(c) = obeyed(text) {
        panic!("{what} prints {c:?}:\n{text:?}");
    }
}

const SELECT: &str = "node: * select node_id, label, @line";

#[test]
fn what_is_printed_for_people_is_harmless() {
    let folder = tempfile::tempdir().unwrap();
    write_log(folder.path());
    let bytes = std::fs::read(folder.path().join(NAME)).unwrap();
    std::fs::write(folder.path().join("c\x1b[2Jut.gtf"), &bytes[..bytes.len() - 30]).unwrap();
    std::fs::write(folder.path().join("bad.gtql"), "node: label = \"\x1b[2J\" and nothing = 1\n").unwrap();
    let commands: [&[&str]; 25] = [
        &["info", NAME],
        &["info", "--format", "json", NAME],
        &["dump", NAME],
        &["dump", NAME, "--node", "2"],
        &["verify", NAME, "c\x1b[2Jut.gtf", "n\x1b[2Jone.gtf"],
        &["query", NAME, SELECT],
        &["query", NAME, SELECT, "--format", "json"],
        &["query", NAME, "node: count(*) group by label"],
        &["query", NAME, "node: max(label)"],
        &["query", NAME, NAME, SELECT],
        &["query", NAME, "node: nothing = 1"],
        &["query", NAME, "-f", "bad.gtql"],
        &["query", NAME, "node: best = \"\x1b[2J\""],
        &["query", NAME, SELECT, "--moves", "text", "--stats"],
        &["query", NAME, SELECT, "--explain"],
        &["query", NAME, "node: *", "--format", "gti", "-o", "answ\x1b[2Jers"],
        &["profile", NAME],
        &["profile", NAME, "--format", "json"],
        &["recover", "c\x1b[2Jut.gtf", "-o", "g\x1b[2Jood.gtf"],
        &["compact", NAME, "-o", "s\x1b[2Jmall.gtf"],
        &["export", NAME, "-o", "n\x1b[2Jodes.csv"],
        &["export", NAME, "-o", "n\x1b[2Jodes.xyz"],
        &["import", "n\x1b[2Jodes.csv", "-o", "ag\x1b[2Jain.gtf"],
        &["gen", "--depth", "2", "-o", NAME],
        &["view", "n\x1b[2Jone.gtf"],
    ];
    for words in commands {
        let (_, out, errors) = gt(folder.path(), words);
        is_harmless(&format!("gt {words:?}"), &out);
        is_harmless(&format!("gt {words:?}, on standard error,"), &errors);
        assert!(!errors.contains("panicked"), "{errors}");
        assert!(!out.is_empty() || !errors.is_empty(), "gt {words:?} says nothing");
    }
}

#[test]
fn a_session_is_harmless() {
    let folder = tempfile::tempdir().unwrap();
    write_log(folder.path());
    let typed = format!(
        ".schema\n.tree\n.param\n.explain {SELECT}\n{SELECT}\n\nnode: nothing = 1\n\n.limit \x1b[2J\n"
    );
    let mut child = Command::new(env!("CARGO_BIN_EXE_gt"))
        .args(["repl", NAME])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let (out, errors) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(out.contains("owned") && errors.contains("nothing"), "{out}{errors}");
    is_harmless("gt repl", &out);
    is_harmless("gt repl, on standard error,", &errors);
}

#[test]
fn what_is_escaped_can_still_be_read() {
    let folder = tempfile::tempdir().unwrap();
    write_log(folder.path());
    let spelled = r"a\u{1b}]0;owned\u{7}\u{1b}[2J\u{7f}\u{9b}8m\u{202e}\r\nb";
    for words in [["info", NAME].as_slice(), &["dump", NAME], &["query", NAME, SELECT]] {
        let out = says(folder.path(), words);
        assert!(out.contains(spelled), "gt {words:?}: {out}");
    }
    let objects = says(folder.path(), &["info", "--format", "json", NAME]);
    let objects: serde_json::Value = serde_json::from_str(&objects).unwrap();
    assert_eq!(objects[0]["metadata"][EVIL], EVIL, "JSON means the same");
    let answer = says(folder.path(), &["query", NAME, SELECT, "--format", "json"]);
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["rows"][0][1], EVIL);
}

/// Comma-separated values are data: exact in a pipe, and for a terminal like everything else.
#[cfg(unix)]
#[test]
fn csv_is_exact_in_a_pipe_and_harmless_on_a_terminal() {
    use std::io::Read;
    let folder = tempfile::tempdir().unwrap();
    write_log(folder.path());
    let words = ["query", NAME, "node: * select label limit 1", "--format", "csv"];
    assert_eq!(says(folder.path(), &words), format!("label\n\"{EVIL}\"\n"));

    let pair = nix::pty::openpty(None, None).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_gt"))
        .args(words)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::from(pair.slave))
        .spawn()
        .unwrap();
    let mut shown = Vec::new();
    let mut screen = std::fs::File::from(pair.master);
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = screen.read(&mut bytes) {
        shown.extend_from_slice(&bytes[..count]);
    }
    assert!(child.wait().unwrap().success());
    let shown = String::from_utf8(shown).unwrap().replace("\r\n", "\n");
    is_harmless("gt query --format csv", &shown);
    assert!(shown.contains(r"a\u{1b}]0;owned"), "{shown:?}");
}
