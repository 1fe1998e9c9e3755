//! Compilers, the installed library, and running what they make of it.
//!
//! Where there is no compiler the tests say so and pass; under `CI=true` they fail.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

pub(crate) const C: Language = Language { compiler: "gcc", flags: &["-std=c99"] };
/// As the fields of records need it that describe themselves.
pub(crate) const C11: Language = Language { compiler: "gcc", flags: &["-std=c11"] };
pub(crate) const CPP: Language = Language { compiler: "g++", flags: &["-x", "c++"] };
/// As `gt_log.hpp` needs it.
pub(crate) const CPP17: Language =
    Language { compiler: "g++", flags: &["-std=c++17", "-Wpedantic", "-x", "c++"] };

/// A language and what compiles it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Language {
    pub(crate) compiler: &'static str,
    pub(crate) flags: &'static [&'static str],
}

/// How a program is linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Library {
    Static,
    Shared,
}

impl Language {
    /// Whether its compiler is there.
    pub(crate) fn is_there(self) -> bool {
        is_there(self.compiler)
    }
}

/// Whether a tool can be called. Under `CI=true` it has to.
pub(crate) fn is_there(tool: &str) -> bool {
    let is_there = Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success());
    let is_needed = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(is_there || !is_needed, "this test needs {tool}");
    if !is_there {
        eprintln!("skipped: there is no {tool} here");
    }
    is_there
}

/// Where the library is installed for the tests, by the Makefile's own recipe.
pub(crate) fn prefix() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let prefix = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gt-log-c");
        let make = Command::new("make")
            .args(["-s", "-C", env!("CARGO_MANIFEST_DIR"), "install", "DESTDIR="])
            .arg(format!("BUILT={}", built().display()))
            .arg(format!("PREFIX={}", prefix.display()))
            .env_remove("MAKEFLAGS")
            .output();
        succeed("make install", &make.expect("make can be called"));
        prefix
    })
}

/// The folder with the libraries. Cargo has built them, as the tests need the crate; they are beside this
/// program. Were they ever put elsewhere, cargo is asked for them.
pub(crate) fn built() -> PathBuf {
    let program = std::env::current_exe().expect("a test knows where it is");
    let beside = program.parent().map(Path::to_path_buf).unwrap_or_default();
    let candidates = [beside.clone(), beside.join("..")];
    let is_complete =
        |folder: &PathBuf| ["a", "so"].iter().all(|end| folder.join(format!("libgt_log_c.{end}")).exists());
    if let Some(folder) = candidates.into_iter().find(is_complete) {
        return folder;
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gt-log-c-build");
    let cargo = Command::new(env!("CARGO"))
        .args(["build", "-p", "gt-log-c", "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .output();
    succeed("cargo build", &cargo.expect("cargo can be called"));
    target.join("debug")
}

/// Compiles a program with warnings denied and links it as asked.
pub(crate) fn compile(language: Language, library: Library, source: &Path, program: &Path) {
    let lib = prefix().join("lib");
    let mut compiler = Command::new(language.compiler);
    compiler.args(language.flags).args(["-O1", "-Wall", "-Wextra", "-Werror"]);
    compiler.arg("-I").arg(prefix().join("include")).arg(source);
    compiler.args(["-x", "none", "-o"]).arg(program);
    match library {
        Library::Static => {
            compiler.arg(lib.join("libgt_log.a"));
            compiler.args(["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"]);
        }
        Library::Shared => {
            compiler.arg("-L").arg(&lib).args(["-lgt_log", "-lpthread"]);
            compiler.arg(format!("-Wl,-rpath,{}", lib.display()));
        }
    }
    succeed(
        &format!("compiling {}", source.display()),
        &compiler.output().expect("the compiler can be called"),
    );
}

/// Compiles one of `tests/c/programs` as C and runs it in a folder of its own.
pub(crate) fn run(source: &str, arguments: &[&str]) -> (tempfile::TempDir, Output) {
    run_as(C, source, arguments)
}

/// The same in another language.
pub(crate) fn run_as(language: Language, source: &str, arguments: &[&str]) -> (tempfile::TempDir, Output) {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    compile(language, Library::Shared, &program_source(source), &program);
    let output = Command::new(&program).args(arguments).current_dir(folder.path()).output().unwrap();
    (folder, output)
}

pub(crate) fn program_source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/programs").join(name)
}

/// Fails with what the tool said, if it failed.
pub(crate) fn succeed(what: &str, output: &Output) {
    assert!(
        output.status.success(),
        "{what}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
