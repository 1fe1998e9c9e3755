//! Nothing but its work ends a command badly: not a reader that goes away, not Ctrl-C, not a full disk.

use std::fs::File;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::command::{gt, says};
use nix::sys::signal::{SigHandler, Signal, kill, signal};
use nix::unistd::Pid;

/// A test that waits longer than this has failed.
const PATIENCE: Duration = Duration::from_secs(120);

/// A position that nobody searches to the end.
const ENDLESS: [&str; 6] = ["search", "chess", "--depth", "60", "--log", "t.gtf"];

/// A pipe that nobody reads.
fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

fn start(folder: &Path, words: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gt"));
    command.args(words).current_dir(folder);
    command.stdout(File::create(folder.join("stdout")).unwrap());
    command.stderr(File::create(folder.join("stderr")).unwrap());
    let defaults = || {
        // Who runs the tests may ignore signals (`nohup` does), and a program inherits that.
        for ignored in [Signal::SIGHUP, Signal::SIGTERM, Signal::SIGINT] {
            // SAFETY: no handler is set, and none was.
            unsafe { signal(ignored, SigHandler::SigDfl) }?;
        }
        Ok(())
    };
    // SAFETY: only system calls between fork and exec.
    unsafe { command.pre_exec(defaults) };
    command.spawn().unwrap()
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_default()
}

#[track_caller]
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < PATIENCE, "{what} never came");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn send(child: &Child, signal: Signal) {
    kill(Pid::from_raw(child.id().try_into().unwrap()), signal).unwrap();
}

#[track_caller]
fn end_of(child: &mut Child) -> std::process::ExitStatus {
    let mut status = None;
    wait_until("the end", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    status.unwrap()
}

fn drafts(folder: &Path) -> usize {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().ends_with(".part")).count()
}

#[test]
fn a_search_that_nobody_listens_to_logs_all_its_trees() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["search", "tic-tac-toe", "--algorithm", "alpha-beta", "--depth", "6", "--log", "t.gtf"];
    let output = Command::new(env!("CARGO_BIN_EXE_gt"))
        .args(words)
        .current_dir(folder.path())
        .stdout(closed_pipe())
        .stderr(closed_pipe())
        .status()
        .unwrap();
    assert_eq!(output.code(), Some(0));
    assert!(says(folder.path(), &["verify", "t.gtf"]).contains("sound: 6 trees"));
}

#[test]
fn work_goes_on_when_nobody_reads() {
    let folder = tempfile::tempdir().unwrap();
    says(folder.path(), &["gen", "--depth", "10", "--branching", "3", "-o", "a.gtf"]);
    let bytes = std::fs::read(folder.path().join("a.gtf")).unwrap();
    std::fs::write(folder.path().join("cut.gtf"), &bytes[..bytes.len() / 2]).unwrap();
    let code = |command: &str| {
        let mut gt = Command::new(env!("CARGO_BIN_EXE_gt"));
        gt.args(command.split(' ')).current_dir(folder.path());
        gt.stdout(closed_pipe()).stderr(closed_pipe()).status().unwrap().code()
    };
    for (command, written) in [
        ("gen --depth 9 -o b.gtf", "b.gtf"),
        ("recover cut.gtf -o good.gtf", "good.gtf"),
        ("compact a.gtf -o small.gtf", "small.gtf"),
        ("export a.gtf -o a.csv", "a.csv"),
        ("import a.csv -o again.gtf", "again.gtf"),
        ("profile a.gtf -o profile.txt", "profile.txt"),
        ("query a.gtf cut.gtf node:* --format gti -o answers", "answers/cut-1.gti"),
        ("man -o pages", "pages/gt-view.1"),
        ("experiments --quick --only efficiency -o experiments", "experiments/report.html"),
    ] {
        assert_eq!(code(command), Some(0), "gt {command}");
        assert!(folder.path().join(written).exists(), "gt {command} did not write {written}");
    }
    assert_eq!(code("verify cut.gtf a.gtf"), Some(1), "the answer is the exit code");
    assert_eq!(code("query cut.gtf nonsense"), Some(2), "an error is one, heard or not");
}

#[test]
fn a_signal_ends_a_search_in_order() {
    let cases: [(Signal, i32, &[&str]); 4] = [
        (Signal::SIGINT, 130, &ENDLESS),
        (Signal::SIGTERM, 143, &[ENDLESS.as_slice(), &["--threads", "2"]].concat()),
        (Signal::SIGHUP, 129, &[ENDLESS.as_slice(), &["--algorithm", "alpha-beta"]].concat()),
        (
            Signal::SIGINT,
            130,
            &["search", "chess", "--algorithm", "uct", "--nodes", "900000000", "--log", "t.gtf"],
        ),
    ];
    for (signal, code, words) in cases {
        let folder = tempfile::tempdir().unwrap();
        let mut child = start(folder.path(), words);
        let is_uct = words.contains(&"uct");
        let length = || std::fs::metadata(folder.path().join("t.gtf")).map_or(0, |file| file.len());
        wait_until("a search", || {
            if is_uct {
                length() > 0
            } else {
                read(folder.path(), "stderr").contains("depth  2") && length() > 4096
            }
        });
        send(&child, signal);
        let status = end_of(&mut child);
        let (out, errors) = (read(folder.path(), "stdout"), read(folder.path(), "stderr"));
        assert_eq!(status.code(), Some(code), "{words:?} {signal}: {status:?} {errors}");
        assert!(out.contains("best move  ") && out.contains("nodes  "), "{words:?}: {out}");
        assert!(!errors.contains("panicked") && !errors.contains("gt: "), "{words:?}: {errors}");
        let verified = says(folder.path(), &["verify", "t.gtf"]);
        assert!(verified.contains("sound"), "{words:?}: {verified}");
    }
}

/// The object of `--format json` is whole too, and its best move is the first of its line.
#[test]
fn a_search_that_is_interrupted_answers_in_json() {
    for more in [&[][..], &["--algorithm", "minimax"], &["--threads", "2"]] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = start(folder.path(), &[ENDLESS.as_slice(), &["--format", "json"], more].concat());
        // So many bytes are more than two iterations.
        let length = || std::fs::metadata(folder.path().join("t.gtf")).map_or(0, |file| file.len());
        wait_until("a search", || length() > 20_000);
        send(&child, Signal::SIGINT);
        assert_eq!(end_of(&mut child).code(), Some(130), "{more:?}");
        let answer: serde_json::Value = serde_json::from_str(&read(folder.path(), "stdout")).unwrap();
        assert_eq!((&answer["completed"], &answer["log"]), (&false.into(), &"t.gtf".into()), "{answer}");
        assert!(answer["best_move"].is_string() && answer["best_move"] == answer["pv"][0], "{answer}");
        assert!(answer["depth"].as_u64() >= Some(1) && answer["nodes"].as_u64() > Some(0), "{answer}");
        assert!(says(folder.path(), &["verify", "t.gtf"]).contains("sound"), "{more:?}");
    }
}

#[test]
fn a_second_signal_ends_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = start(folder.path(), &ENDLESS);
    wait_until("a search", || read(folder.path(), "stderr").contains("depth  2"));
    // Both wait when it goes on.
    for signal in [Signal::SIGSTOP, Signal::SIGINT, Signal::SIGTERM, Signal::SIGCONT] {
        send(&child, signal);
    }
    let status = end_of(&mut child);
    assert_eq!(status.signal(), Some(Signal::SIGTERM as i32), "{status:?}");
}

#[test]
fn a_hang_up_that_is_ignored_stays_so() {
    let folder = tempfile::tempdir().unwrap();
    let shell = format!("trap '' HUP; exec {} {}", env!("CARGO_BIN_EXE_gt"), ENDLESS.join(" "));
    let mut child = Command::new("sh")
        .args(["-c", &shell])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(File::create(folder.path().join("stderr")).unwrap())
        .spawn()
        .unwrap();
    wait_until("a search", || read(folder.path(), "stderr").contains("depth  2"));
    send(&child, Signal::SIGHUP);
    let length = || std::fs::metadata(folder.path().join("t.gtf")).unwrap().len();
    let before = length();
    wait_until("more of the log", || length() > before + 100_000);
    assert!(child.try_wait().unwrap().is_none(), "it searches on");
    send(&child, Signal::SIGTERM);
    assert_eq!(end_of(&mut child).code(), Some(143));
}

#[test]
fn what_is_interrupted_leaves_no_rest() {
    for (signal, words) in [
        (Signal::SIGINT, ["gen", "--depth", "38", "-o", "t.gtf"].as_slice()),
        (Signal::SIGTERM, &["gen", "--depth", "38", "-o", "t.gtf", "--force"]),
        (Signal::SIGINT, &["experiments", "--only", "efficiency", "-o", "."]),
        (Signal::SIGHUP, &["experiments", "--only", "chess", "-o", "."]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("t.gtf");
        if words.contains(&"--force") {
            std::fs::write(&kept, "precious").unwrap();
        }
        let mut child = start(folder.path(), words);
        wait_until("a file under construction", || drafts(folder.path()) > 0);
        send(&child, signal);
        let status = end_of(&mut child);
        assert_eq!(status.signal(), Some(signal as i32), "{words:?}: {status:?}");
        assert_eq!(drafts(folder.path()), 0, "{words:?}");
        assert_eq!(kept.exists(), words.contains(&"--force"), "{words:?}");
        assert!(!kept.exists() || std::fs::read(&kept).unwrap() == b"precious");
    }
}

/// `gt` where no file can grow beyond so many blocks: a disk that fills up in the middle of the work.
fn with_little_disk(folder: &Path, blocks: u32, command: &str) -> Output {
    let shell = format!("ulimit -f {blocks}; exec {} {command}", env!("CARGO_BIN_EXE_gt"));
    Command::new("sh").args(["-c", &shell]).current_dir(folder).output().unwrap()
}

#[test]
fn a_full_disk_costs_the_log_and_not_the_result() {
    for command in [
        "search connect-four --depth 11 --log t.gtf",
        "search connect-four --depth 11 --threads 2 --log t.gtf",
        "search connect-four --algorithm uct --nodes 200000 --log t.gtf",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let output = with_little_disk(folder.path(), 200, command);
        let (out, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(2), "gt {command}: {errors}");
        assert!(out.contains("best move    d\n") && out.contains("nodes  "), "gt {command}: {out}");
        let told =
            errors.find("gt: t.gtf: File too large").unwrap_or_else(|| panic!("gt {command}: {errors}"));
        assert!(errors.contains("the search goes on without its log"), "{errors}");
        assert_eq!(errors.matches("goes on without").count(), 1, "{errors}");
        assert!(command.contains("uct") || told < errors.rfind("depth ").unwrap(), "told at once: {errors}");
        assert!(errors.contains("gt: t.gtf: the log is not whole"), "{errors}");
        let (code, verified, _) = gt(folder.path(), &["verify", "t.gtf"]);
        assert!(code == 1 && verified.contains("was not closed"), "gt {command}: {verified}");
        says(folder.path(), &["recover", "t.gtf", "-o", "good.gtf"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_that_is_full_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for command in ["search tic-tac-toe --depth 2 --log /dev/full", "gen --depth 9 -o /dev/full"] {
        let words: Vec<&str> = command.split(' ').collect();
        let (code, _, errors) = gt(folder.path(), &words);
        assert!(code == 2 && errors.starts_with("gt: /dev/full: No space left"), "gt {command}: {errors}");
    }
    let status = Command::new(env!("CARGO_BIN_EXE_gt"))
        .args(["search", "tic-tac-toe", "--depth", "2", "--log", "t.gtf"])
        .current_dir(folder.path())
        .stdout(File::options().write(true).open("/dev/full").unwrap())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(2), "what is printed is lost, and that is said");
    assert!(says(folder.path(), &["verify", "t.gtf"]).contains("sound: 2 trees"));
}
