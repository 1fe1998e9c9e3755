//! The program's process: its input and output lines, its last words, and its end.
//!
//! ```text
//! say ──▶ stdin │ program │ stdout ──▶ a thread: whole lines with their time ──▶ hear
//!                         │ stderr ──▶ a thread: the last few lines are kept ──▶ last_words
//! ```
//!
//! The lines wait in a bounded channel, so that a program that floods its output is slowed down instead of filling
//! the memory.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Fault, Start};

const LINE_BYTES_MAX: u64 = 1 << 16;
const LINES_WAITING_MAX: usize = 1024;
const WORDS_KEPT_LINES: usize = 8;
const WORDS_LINE_CHARS_MAX: usize = 200;
/// The time a program gets to end after `quit`, and to have its output read after its end.
const END_GRACE: Duration = Duration::from_millis(300);

pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<Line>,
    words: Arc<Mutex<Words>>,
    /// Whether it was waited for: its process id may have been reused.
    is_reaped: bool,
}

enum Line {
    Whole(String, Instant),
    TooLong,
}

/// The result of listening for a while.
pub(super) enum ReadOutcome {
    Line(String, Instant),
    Nothing,
}

/// The last lines of standard error.
#[derive(Default)]
struct Words {
    lines: VecDeque<String>,
    is_whole: bool,
}

impl Process {
    pub(super) fn start(words: &[String], start: &Start) -> Result<Self, Fault> {
        let (program, arguments) = words.split_first().map_or(("", words), |(program, rest)| (program, rest));
        let refused = |problem: String| Fault::NotStarted { program: program.to_owned(), problem };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = start(&mut command).map_err(|error| refused(error.to_string()))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            end_group(&mut child);
            return Err(refused("it was started without pipes".to_owned()));
        };
        let (sender, lines) = sync_channel(LINES_WAITING_MAX);
        std::thread::spawn(move || read_lines(BufReader::new(output), &sender));
        let words = Arc::new(Mutex::new(Words::default()));
        let kept = words.clone();
        std::thread::spawn(move || keep_words(BufReader::new(errors), &kept));
        Ok(Self { child, input, lines, words, is_reaped: false })
    }

    pub(super) fn say(&mut self, line: &str) -> Result<(), Fault> {
        // One write, so that no program sees half a line.
        let line = format!("{}\n", line.replace(['\n', '\r'], " "));
        let said = self.input.write_all(line.as_bytes()).and_then(|()| self.input.flush());
        said.map_err(|_| self.ended())
    }

    pub(super) fn hear(&mut self, most: Duration) -> Result<ReadOutcome, Fault> {
        match self.lines.recv_timeout(most) {
            Ok(Line::Whole(text, at)) => Ok(ReadOutcome::Line(text, at)),
            Ok(Line::TooLong) => Err(Fault::Garbage),
            Err(RecvTimeoutError::Timeout) => Ok(ReadOutcome::Nothing),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }

    /// The last line that it wrote to its standard error.
    pub(super) fn last_words(&self) -> Option<String> {
        self.words.lock().unwrap_or_else(PoisonError::into_inner).lines.back().cloned()
    }

    /// The CPU time that it has used.
    pub(super) fn cpu_time(&self) -> Option<Duration> {
        cpu_time(&self.child)
    }

    /// How it ended.
    fn ended(&mut self) -> Fault {
        let deadline = Instant::now() + END_GRACE;
        let status = loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(2)),
                Ok(status) => break status,
                Err(_) => break None,
            }
        };
        if status.is_some() {
            end_group(&mut self.child);
            self.is_reaped = true;
        }
        let are_words_whole = || self.words.lock().unwrap_or_else(PoisonError::into_inner).is_whole;
        while !are_words_whole() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(2));
        }
        let how = status
            .map_or("it closed its input or output".to_owned(), |status| format!("it ended with {status}"));
        Fault::Ended { how, words: self.last_words() }
    }
}

impl Drop for Process {
    /// Asks it to quit, and kills what is left of it.
    fn drop(&mut self) {
        if self.is_reaped {
            return;
        }
        let _ = self.input.write_all(b"stop\nquit\n");
        let deadline = Instant::now() + END_GRACE;
        // Its output ends when it does. Waiting for the process itself would free its id, which the group still has.
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || self.lines.recv_timeout(left).is_err() {
                break;
            }
        }
        end_group(&mut self.child);
    }
}

fn read_lines(mut output: impl BufRead, lines: &SyncSender<Line>) {
    loop {
        let mut line = Vec::new();
        match (&mut output).take(LINE_BYTES_MAX).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => (),
        }
        let is_too_long = line.len() as u64 == LINE_BYTES_MAX && !line.ends_with(b"\n");
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        let sent = lines.send(if is_too_long { Line::TooLong } else { Line::Whole(text, Instant::now()) });
        if sent.is_err() || is_too_long {
            return;
        }
    }
}

fn keep_words(mut errors: impl BufRead, words: &Mutex<Words>) {
    loop {
        let mut line = Vec::new();
        let read = (&mut errors).take(LINE_BYTES_MAX).read_until(b'\n', &mut line);
        let mut words = words.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(read, Ok(1..)) {
            words.is_whole = true;
            return;
        }
        let text =
            String::from_utf8_lossy(&line).trim().chars().take(WORDS_LINE_CHARS_MAX).collect::<String>();
        if !text.is_empty() {
            words.lines.push_back(text);
        }
        if words.lines.len() > WORDS_KEPT_LINES {
            words.lines.pop_front();
        }
    }
}

/// Kills the process and those that it started, and waits for it.
fn end_group(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(child.id()) {
        // A group that has already ended is fine.
        let _ =
            nix::sys::signal::killpg(nix::unistd::Pid::from_raw(group), nix::sys::signal::Signal::SIGKILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Whether the system reports the CPU time of another process.
#[must_use]
pub const fn tells_cpu_time() -> bool {
    cfg!(target_os = "linux")
}

#[cfg(target_os = "linux")]
fn cpu_time(child: &Child) -> Option<Duration> {
    use nix::time::{ClockId, clock_gettime};
    let pid = nix::unistd::Pid::from_raw(i32::try_from(child.id()).ok()?);
    let clock = ClockId::pid_cpu_clock_id(pid).ok()?;
    clock_gettime(clock).ok().map(Duration::from)
}

#[cfg(not(target_os = "linux"))]
fn cpu_time(_: &Child) -> Option<Duration> {
    None
}
