//! A folder with logs in it, and `gt` run there.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Two trees of chess moves, with a value of each type; the first score of node 1 is not a number.
///
/// ```text
/// tree 0: root ─┬─ e2e4 ─┬─ d7d5        tree 1: root ── e2e4
///               │        └─ c7c5
///               └─ d2d4
/// ```
const NODES: &str = "\
tree,node_id,parent_id,last_move,best,type,score,hash,label
0,0,-1,0,10,1,0.5,18446744073709551615,start
0,1,0,1804,-10,1,NaN,1,\"a, b\"
0,2,1,2291,20,2,1.5,2,x
0,3,1,2226,-5,4,-2.25,3,\"\"
0,4,0,1739,7,2,inf,9223372036854775808,\"say \"\"hi\"\"\"
1,0,-1,0,3,1,1.0,7,start
1,1,0,1804,4,2,2.0,8,y
";

pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// With the log `t.gtf` of two small trees, whose metadata says `x = 2`.
    pub(crate) fn with_log() -> Self {
        let folder = Self::new();
        folder.write("t.csv", NODES);
        folder.prints(&[
            "import",
            "t.csv",
            "-o",
            "t.gtf",
            "--game",
            "chess",
            "--alias",
            "PVNode=1",
            "--alias",
            "CutNode=2",
            "--meta",
            "x=2",
        ]);
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gt"));
        command.args(words).current_dir(self.path()).env("XDG_STATE_HOME", self.path());
        command
    }

    pub(crate) fn gt(&self, words: &[&str]) -> Output {
        self.command(words).stdin(Stdio::null()).output().unwrap()
    }

    /// What the command prints; it must succeed without a word on standard error.
    pub(crate) fn prints(&self, words: &[&str]) -> String {
        let output = self.gt(words);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && errors.is_empty(), "gt {words:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// What the command says on standard error when it gives up with code 2.
    pub(crate) fn fails(&self, words: &[&str]) -> String {
        let output = self.gt(words);
        assert_eq!(output.status.code(), Some(2), "gt {words:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    /// The exit code, output and errors of a command that reads this.
    pub(crate) fn reads(&self, words: &[&str], input: &str) -> (Option<i32>, String, String) {
        let mut command = self.command(words);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    }
}

/// JSON lines without what differs from run to run.
pub(crate) fn without_seconds(lines: &str) -> String {
    let cut = |line: &str| {
        let (before, rest) = line.split_once(",\"seconds\":").unwrap();
        let end = rest.find([',', '}']).unwrap();
        assert!(rest[..end].parse::<f64>().unwrap() >= 0.0);
        format!("{before}{}\n", &rest[end..])
    };
    lines.lines().map(cut).collect()
}
