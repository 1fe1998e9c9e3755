//! `make bench-play`: how fast an engine answers, what threads gain, and matches between algorithms.
//!
//! ```text
//! answers    `gt uci` in a process of its own: from writing `stop` to reading `bestmove`, in turns with a control
//! threads    the time of one and of two threads to the same depth, positions in turns
//! matches    `gt match`, paired games, budgets of nodes or CPU time; intervals are the match's own
//! ```
//!
//! `bench-play answers`, `threads` or `matches` runs one part. Threads want a machine that does nothing else.

#[path = "bench-play/answers.rs"]
mod answers;
#[path = "bench-play/control.rs"]
mod control;
#[path = "bench-play/matches.rs"]
mod matches;
#[path = "bench-play/threads.rs"]
mod threads;

use std::error::Error;
use std::path::PathBuf;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let parts: Vec<String> = std::env::args().skip(1).collect();
    if parts == [control::ARGUMENT] {
        return control::run();
    }
    let is_wanted = |part: &str| parts.is_empty() || parts.iter().any(|wanted| wanted == part);
    if let Some(unknown) =
        parts.iter().find(|part| !["answers", "threads", "matches"].contains(&part.as_str()))
    {
        return Err(format!("there is no part `{unknown}`; there are answers, threads and matches").into());
    }
    if is_wanted("answers") {
        answers::run(&gt()?)?;
    }
    if is_wanted("threads") {
        threads::run()?;
    }
    if is_wanted("matches") {
        matches::run(&gt()?)?;
    }
    Ok(())
}

/// The command `gt` that was built beside this program.
fn gt() -> Outcome<PathBuf> {
    let path = std::env::current_exe()?.with_file_name(format!("gt{}", std::env::consts::EXE_SUFFIX));
    if !path.is_file() {
        return Err("gt is not built: `make bench-play` builds it".into());
    }
    Ok(path)
}
