//! Engines that do their work, and those that do not.

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{SigHandler, Signal, kill, signal};
use nix::unistd::Pid;

use crate::command::says;
use crate::folder::Folder;

/// An "engine" that does what the position says; `good.gtf` is a log that it knows how to copy.
const ENGINE: &str = r#"
case "$1" in
good) cp good.gtf "$2" ;;
crash) echo "assertion failed" >&2; cp good.gtf "$2"; exit 3 ;;
killed) kill -9 $$ ;;
none) ;;
half) head -c 700 good.gtf > "$2" ;;
rubbish) echo "not a log" > "$2" ;;
hang) sleep 1000 & echo $! > hang.part; mv hang.part hang.pid; wait ;;
esac
"#;

fn suite(positions: &[&str]) -> String {
    let mut suite =
        "[engine]\ncommand = 'sh engine.sh {position} {log}'\nname = 'script'\nversion = 'echo 7.1'\n\
                     [limits]\ntimeout = '2s'\n\
                     [[check]]\nname = 'windows'\nquery = 'node: alpha >= beta'\nexpect = '= 0'\n"
            .to_owned();
    for position in positions {
        suite += &format!("[[position]]\nname = '{position}'\nposition = '{position}'\n");
    }
    suite
}

fn folder() -> Folder {
    let folder = Folder::with_log();
    std::fs::rename(folder.path().join("t.gtf"), folder.path().join("good.gtf")).unwrap();
    folder.write("engine.sh", ENGINE);
    folder
}

#[test]
fn trouble_of_one_position_is_told_and_the_others_run() {
    let folder = folder();
    let positions = ["good", "crash", "killed", "none", "half", "rubbish", "hang"];
    let (code, out, errors) = folder.check(&suite(&positions), &["--jobs", "2"]);
    assert_eq!(code, 1, "{out}{errors}");
    assert_eq!(errors, "");
    assert!(out.contains("ok    windows  0, expected = 0: the worst of 4 trees"), "{out}");
    for (position, sentence) in [
        ("crash", "the engine failed, exit status: 3; it printed last: assertion failed"),
        ("killed", "the engine failed, signal: 9"),
        ("none", "the engine ended without writing a log"),
        ("half", "half a log proves nothing"),
        ("rubbish", "the engine's log cannot be read"),
        ("hang", "the engine had not ended after 2 s and was stopped"),
    ] {
        let line =
            out.lines().find(|line| line.starts_with(&format!("FAIL  {position} "))).unwrap_or_default();
        assert!(line.contains(sentence), "{position}: {out}");
    }
    assert!(out.contains("6 of 7 positions could not be searched") && out.contains("script (7.1)"), "{out}");
    assert!(is_gone(&folder, "hang.pid"), "what a hanging engine started must end with it");
}

#[test]
fn logs_are_kept_where_they_are_asked_for_and_where_something_fails() {
    let folder = folder();
    let scratch = folder.path().join("scratch");
    std::fs::create_dir(&scratch).unwrap();
    let check = |positions: &[&str], more: &[&str]| {
        folder.write("s.toml", &suite(positions));
        let mut command = Command::new(env!("CARGO_BIN_EXE_gt"));
        command.args(["check", "s.toml"]).args(more).current_dir(folder.path()).env("TMPDIR", &scratch);
        let output = command.output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    let entries = || std::fs::read_dir(&scratch).unwrap().count();
    assert_eq!((check(&["good"], &[]).0, entries()), (0, 0));
    let (code, out) = check(&["good"], &["--keep", "logs"]);
    assert!(
        code == 0 && out.contains("the logs are in ") && folder.path().join("logs/01-good.gtf").exists(),
        "{out}"
    );
    let (code, out) = check(&["good", "none"], &[]);
    assert!(code == 1 && out.contains("the logs are in ") && entries() == 1, "{out}");
}

#[test]
fn our_own_engine_takes_limits_moves_and_lists() {
    let folder = Folder::new();
    folder.write(
        "p.epd",
        "# two\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"pawn\";\n\n4k3/8/8/8/8/8/3R4/4K3 w - - 0 1\n",
    );
    let suite = "[engine]\nsearch = 'chess --algorithm pvs'\ntree = 'last'\n[limits]\ndepth = 2\n\
                 [[position]]\nfile = 'p.epd'\n\
                 [[position]]\nlist = ['4k3/8/8/8/8/8/3Q4/4K3 w - -']\nname = 'queen'\n\
                 [[position]]\nname = 'open'\nmoves = 'e2e4 e7e5'\ndepth = 3\n\
                 [[check]]\nname = 'depth'\nquery = 'node: max(@ply)'\nexpect = 'between 2 and 3'\n";
    let (code, out, errors) = folder.check(suite, &["--keep", "logs", "--format", "json"]);
    assert_eq!(code, 0, "{out}{errors}");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let depths: Vec<(&str, f64)> = report["checks"][0]["measured"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["name"].as_str().unwrap(), one["number"].as_f64().unwrap()))
        .collect();
    for expected in
        [("pawn, depth 2", 2.0), ("p.epd:4, depth 2", 2.0), ("queen 3, depth 2", 2.0), ("open, depth 3", 3.0)]
    {
        assert!(depths.contains(&expected), "{expected:?} is not in {depths:?}");
    }
    let info = says(folder.path(), &["info", "logs/04-open.gtf"]);
    assert!(info.contains("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq"), "{info}");
}

#[test]
fn ctrl_c_ends_the_engines_and_leaves_nothing() {
    let folder = folder();
    let scratch = folder.path().join("scratch");
    std::fs::create_dir(&scratch).unwrap();
    folder.write("s.toml", &suite(&["good", "hang"]).replace("'2s'", "'900s'"));
    let mut gt = start(folder.path(), &scratch);
    wait_until("the engine", || folder.path().join("hang.pid").exists());
    kill(Pid::from_raw(gt.id().try_into().unwrap()), Signal::SIGINT).unwrap();
    let mut status = None;
    wait_until("the end", || {
        status = gt.try_wait().unwrap();
        status.is_some()
    });
    let out = folder.read("stdout");
    assert_eq!(status.unwrap().code(), Some(130), "{out}");
    assert!(out.contains("the run was stopped"), "{out}");
    assert!(is_gone(&folder, "hang.pid"));
    assert_eq!(std::fs::read_dir(&scratch).unwrap().count(), 0);
}

fn start(folder: &Path, scratch: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gt"));
    command.args(["check", "s.toml"]).current_dir(folder).env("TMPDIR", scratch);
    command.stdout(File::create(folder.join("stdout")).unwrap());
    command.stderr(File::create(folder.join("stderr")).unwrap());
    let default = || {
        // Who runs the tests may ignore the signal, and a program inherits that.
        // SAFETY: no handler is set, and none was.
        unsafe { signal(Signal::SIGINT, SigHandler::SigDfl) }?;
        Ok(())
    };
    // SAFETY: only system calls between fork and exec.
    unsafe { command.pre_exec(default) };
    command.spawn().unwrap()
}

/// Whether the process whose number is in a file has ended.
fn is_gone(folder: &Folder, file: &str) -> bool {
    let pid = Pid::from_raw(folder.read(file).trim().parse().unwrap());
    wait_until("the end of the engine's child", || {
        let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // One that has ended may wait for somebody to ask how.
        kill(pid, None) == Err(Errno::ESRCH) || status.contains(") Z ")
    });
    true
}

#[track_caller]
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(120), "{what} never came");
        std::thread::sleep(Duration::from_millis(5));
    }
}
