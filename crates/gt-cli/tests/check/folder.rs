//! A folder with a log of a small search, and suites.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::command::says;

/// A folder of its own for a test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// With `t.gtf`: alpha-beta on tic-tac-toe to depth 4, so four trees.
    pub(crate) fn with_log() -> Self {
        let folder = Self::new();
        let words = ["search", "tic-tac-toe", "--algorithm", "alpha-beta", "--depth", "4", "--log", "t.gtf"];
        says(folder.path(), &words);
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Runs `gt check` on a suite with this text: exit code, output, standard error. Logs that it leaves for people to
    /// look at go with the folder.
    pub(crate) fn check(&self, suite: &str, more: &[&str]) -> (i32, String, String) {
        self.write("s.toml", suite);
        let mut command = Command::new(env!("CARGO_BIN_EXE_gt"));
        command.args(["check", "s.toml"]).args(more).current_dir(self.path()).env("TMPDIR", self.path());
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }
}

/// A suite about `t.gtf` with one check.
pub(crate) fn about_log(tree: &str, check: &str) -> String {
    format!("[[log]]\nfile = \"t.gtf\"\ntree = {tree}\n[[check]]\nname = \"it\"\n{check}\n")
}
