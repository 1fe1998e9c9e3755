//! A terminal of 24 rows with `gt` in it, and somebody who types.

use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ExitStatus};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};
use nix::sys::signal::{SigHandler, Signal, kill, signal};
use nix::sys::termios::{Termios, tcgetattr};
use nix::unistd::Pid;

use crate::folder::Folder;

/// A test that waits longer than this has failed.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Terminal {
    keyboard: std::fs::File,
    /// The program's side, kept so that its mode can be read when the program has ended.
    inside: OwnedFd,
    /// The mode before the program was started.
    pub(crate) mode_before: Termios,
    printed: Arc<Mutex<Vec<u8>>>,
    /// How much of that was looked at.
    seen: usize,
    child: Child,
}

impl Terminal {
    /// Starts `gt` in a terminal of its own.
    pub(crate) fn run(folder: &Folder, words: &[&str]) -> Self {
        Self::with_pager(folder, words, "")
    }

    /// Starts `gt` where `$PAGER` is this.
    pub(crate) fn with_pager(folder: &Folder, words: &[&str], pager: &str) -> Self {
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        let pair = openpty(Some(&size), None).unwrap();
        let inside = || std::process::Stdio::from(pair.slave.try_clone().unwrap());
        let mode_before = tcgetattr(&pair.slave).unwrap();
        let mut command = folder.command(words);
        command.stdin(inside()).stdout(inside()).stderr(inside());
        command.env("TERM", "xterm").env("NO_COLOR", "1").env("PAGER", pager);
        let lead = || {
            // Who runs the tests may ignore signals (`nohup` does), and a program inherits that.
            for ignored in [Signal::SIGHUP, Signal::SIGTERM, Signal::SIGINT] {
                // SAFETY: no handler is set, and none was.
                unsafe { signal(ignored, SigHandler::SigDfl) }?;
            }
            nix::unistd::setsid()?;
            // SAFETY: standard input is the terminal, open and nobody's yet.
            let taken = unsafe { nix::libc::ioctl(0, nix::libc::TIOCSCTTY, 0) };
            nix::errno::Errno::result(taken).map(drop).map_err(Into::into)
        };
        // SAFETY: only system calls between fork and exec.
        unsafe { command.pre_exec(lead) };
        let child = command.spawn().unwrap();
        let printed = Arc::new(Mutex::new(Vec::new()));
        let (mut screen, kept) = (std::fs::File::from(pair.master.try_clone().unwrap()), printed.clone());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = screen.read(&mut bytes) {
                kept.lock().unwrap().extend_from_slice(&bytes[..count]);
            }
        });
        Self { keyboard: pair.master.into(), inside: pair.slave, mode_before, printed, seen: 0, child }
    }

    pub(crate) fn types(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until this is printed, and gives what was printed before it since the last time.
    pub(crate) fn awaits(&mut self, text: &str) -> String {
        let started = Instant::now();
        loop {
            let printed = String::from_utf8_lossy(&self.printed.lock().unwrap()[self.seen..]).into_owned();
            if let Some(at) = printed.find(text) {
                self.seen += at + text.len();
                return printed[..at].to_owned();
            }
            assert!(started.elapsed() < PATIENCE, "`{text}` was not printed, but {printed:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until one of these is printed, and says which.
    pub(crate) fn awaits_one<const N: usize>(&mut self, texts: [&str; N]) -> usize {
        let started = Instant::now();
        loop {
            let printed = String::from_utf8_lossy(&self.printed.lock().unwrap()[self.seen..]).into_owned();
            let found =
                texts.iter().enumerate().filter_map(|(which, text)| Some((printed.find(text)?, which)));
            if let Some((at, which)) = found.min() {
                self.seen += at + texts[which].len();
                return which;
            }
            assert!(started.elapsed() < PATIENCE, "none of {texts:?} was printed, but {printed:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.child.id().try_into().unwrap()), signal).unwrap();
    }

    /// Waits for the end of the program.
    pub(crate) fn ends(&mut self) -> ExitStatus {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(started.elapsed() < PATIENCE, "the program does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn mode(&self) -> Termios {
        tcgetattr(&self.inside).unwrap()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
