//! An engine as a process: started without a shell, monitored, and ended with everything that it started.
//!
//! ```text
//! start ──▶ running ──┬─▶ Done                      exit code 0
//!                     ├─▶ Failed                    another code, or a signal
//!                     ├─▶ TimedOut                  after its time: asked to end, then killed
//!                     └─▶ Stopped                   somebody stopped the run
//! ```
//!
//! **Invariant:** when [`run`] returns, the process has ended and was waited for.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The function that starts a program; a caller may need to wrap it.
pub type Start<'a> = dyn Fn(&mut Command) -> io::Result<Child> + Sync + 'a;

/// A program to run.
pub(crate) struct Task<'a> {
    /// The program, then its arguments.
    pub(crate) words: &'a [String],
    pub(crate) folder: &'a Path,
    /// The destination of its output, including standard error.
    pub(crate) output: &'a Path,
    pub(crate) patience: Duration,
}

/// How a program ended.
#[derive(Debug)]
pub(crate) enum End {
    Done,
    Failed(ExitStatus),
    TimedOut,
    Stopped,
}

/// The time an overdue engine gets to write the rest of its log. A stopped run does not wait for it.
const GRACE: Duration = Duration::from_millis(500);

/// Runs a program to its end.
///
/// # Errors
/// Returns an error if it cannot be started or waited for.
pub(crate) fn run(task: &Task<'_>, stop: &AtomicBool, start: &Start<'_>) -> io::Result<End> {
    let Some((program, arguments)) = task.words.split_first() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the command is empty"));
    };
    let output = File::create(task.output)?;
    let mut command = Command::new(located(program, task.folder));
    command.args(arguments).stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
    if !task.folder.as_os_str().is_empty() {
        command.current_dir(task.folder);
    }
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = start(&mut command)?;
    let started = Instant::now();
    loop {
        if let Some(status) = wait(&mut child, Duration::from_millis(20))? {
            return Ok(if status.success() { End::Done } else { End::Failed(status) });
        }
        if stop.load(Ordering::Relaxed) {
            end_group(&mut child, Duration::ZERO)?;
            return Ok(End::Stopped);
        }
        if started.elapsed() >= task.patience {
            end_group(&mut child, GRACE)?;
            return Ok(End::TimedOut);
        }
    }
}

/// A program named by a path is resolved from the suite's folder, any other by the system.
fn located(program: &str, folder: &Path) -> std::path::PathBuf {
    let is_path = program.contains(std::path::is_separator) && Path::new(program).is_relative();
    let joined = if is_path { folder.join(program) } else { program.into() };
    // The child starts in the folder, so a path relative to ours would be wrong there.
    if is_path { std::path::absolute(&joined).unwrap_or(joined) } else { joined }
}

/// The status of a process that ends within this time.
fn wait(child: &mut Child, most: Duration) -> io::Result<Option<ExitStatus>> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if started.elapsed() >= most {
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Asks the process and everything it started to end, and kills them after the grace period.
#[cfg(unix)]
fn end_group(child: &mut Child, grace: Duration) -> io::Result<()> {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    let group = i32::try_from(child.id()).map(Pid::from_raw).map_err(io::Error::other)?;
    // A group that has already ended is fine.
    let _ = killpg(group, Signal::SIGTERM);
    wait(child, grace)?;
    let _ = killpg(group, Signal::SIGKILL);
    child.wait().map(drop)
}

#[cfg(not(unix))]
fn end_group(child: &mut Child, _: Duration) -> io::Result<()> {
    let _ = child.kill();
    child.wait().map(drop)
}
