//! `gt repl`: queries on a log, one after the other.
//!
//! ```text
//! terminal ──Editor──┐                ┌─ .command ─▶ Session
//!                    ├─ input ─ text ─┤
//! pipe ──lines───────┘                └─ query ────▶ Session ──▶ Pager
//! ```
//!
//! **Invariant:** Ctrl-C stops a query that runs and never the program; what is typed wrong costs a message only.

mod editor;
mod input;
mod overview;
mod pager;
mod session;

use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Outcome;
use super::import::pair;
use super::query::printer::Format;
use super::query::source::Source;
use crate::failure::Failure;
use editor::{Editor, Typed};
use session::{Next, Session};

/// Ask a log one query after the other, with completion, colours and history
#[derive(clap::Args)]
#[command(
    after_help = "A query may go on over several lines: it runs when it is complete, or at an empty line; a line that \
    ends with `\\` goes on. Tab completes, Ctrl-C stops a query, Ctrl-D ends. `.help` lists the commands.\n\nExamples:\n  \
    gt repl tree.gtf\n  gt repl run.gtf --tree 7 --param x=8\n  echo 'node: count(*)' | gt repl tree.gtf"
)]
pub(crate) struct Arguments {
    /// The log
    log: PathBuf,
    /// The tree, from 0
    #[arg(long, default_value_t = 0, value_name = "K")]
    tree: usize,
    /// Give `$NAME` a value; may be repeated
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = pair)]
    parameters: Vec<(String, String)>,
    /// How to print answers
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// How many threads work; 0 for as many as there are processors
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

/// Set by Ctrl-C while a query runs.
static STOP: AtomicBool = AtomicBool::new(false);

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let source = Source::open(&arguments.log)?;
    let mut session = Session::new(&source, arguments.tree, arguments.format)?;
    session.parameters.clone_from(&arguments.parameters);
    session.threads = arguments.threads;
    let interactive = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if !interactive {
        return piped(&mut session, out);
    }
    ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed))
        .map_err(|error| Failure::new(format!("Ctrl-C cannot be caught: {error}")))?;
    typed(&mut session, out)
}

/// Lines from a file or a pipe; the exit code tells whether all went well.
fn piped(session: &mut Session<'_>, out: &mut dyn Write) -> Outcome {
    let mut lines = std::io::stdin().lock().lines();
    let (mut pending, mut failed) = (String::new(), false);
    loop {
        let line = lines.next().transpose().map_err(|error| {
            Failure::new(format!("the queries on standard input cannot be read: {error}"))
        })?;
        let ended = line.is_none();
        if let Some(line) = line {
            pending += &line;
            if input::is_incomplete(&pending) {
                pending.push('\n');
                continue;
            }
        }
        let text = std::mem::take(&mut pending);
        let told = session.take(&input::joined(&text), &STOP);
        out.write_all(told.out.as_bytes())?;
        out.flush()?;
        eprint!("{}", told.err);
        failed |= told.failed;
        if ended || told.next == Next::Quit {
            return Ok(if failed { ExitCode::from(2) } else { ExitCode::SUCCESS });
        }
    }
}

/// Lines that a person types.
fn typed(session: &mut Session<'_>, out: &mut dyn Write) -> Outcome {
    let mut editor = Editor::new(session.source.log.schema())?;
    writeln!(out, "{}\n`.help` lists the commands, Ctrl-D ends.", session.greeting())?;
    out.flush()?;
    loop {
        let text = match editor.read(&session.prompt(), &session.known_parameters())? {
            Typed::Text(text) => text,
            Typed::Interrupted => continue,
            Typed::Ended => return Ok(ExitCode::SUCCESS),
        };
        STOP.store(false, Ordering::Relaxed);
        let told = session.take(&input::joined(&text), &STOP);
        eprint!("{}", told.err);
        pager::show(&told.out, out)?;
        if told.next == Next::Quit {
            return Ok(ExitCode::SUCCESS);
        }
    }
}
