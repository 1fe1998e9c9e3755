//! The control of `answers`: an engine that only counts.
//!
//! It speaks the same lines as `gt uci`, its search is a loop that looks at a flag, and it runs in a process of its own. What its answers take is
//! the machine's: waking two threads and passing two pipes while a core is busy. An engine's answers are judged beside it.

use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::Outcome;

/// The argument that makes this program the control.
pub(crate) const ARGUMENT: &str = "control";

pub(crate) fn run() -> Outcome<()> {
    let stopped = Arc::new(AtomicBool::new(false));
    let mut search = None;
    for line in std::io::stdin().lock().lines() {
        match line?.as_str() {
            "isready" => say("readyok")?,
            "go infinite" => {
                stopped.store(false, Ordering::Relaxed);
                let stopped = Arc::clone(&stopped);
                search = Some(thread::spawn(move || {
                    while !stopped.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                    say("bestmove none")
                }));
            }
            "stop" => {
                stopped.store(true, Ordering::Relaxed);
                if let Some(search) = search.take() {
                    search.join().map_err(|_| "the counting thread panicked")??;
                }
            }
            "quit" => break,
            _ => {}
        }
    }
    Ok(())
}

fn say(line: &str) -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    writeln!(output, "{line}")?;
    output.flush()
}
