//! `gt repl`: queries on a log, one after the other.
//!
//! ```text
//! terminal ──Editor──┐                ┌─ .command ─▶ Session
//!                    ├─ input ─ text ─┤
//! pipe ──lines───────┘                └─ query ────▶ Session ──▶ Pager
//! ```
//!
//! **Invariant:** Ctrl-C stops a query that runs and never the program; what is typed wrong costs a message only.

mod commands;
mod editor;
mod input;
mod lets;
mod overview;
mod pager;
mod session;
mod terminal;

use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::names::OtherNames;
use super::query::format::{Format, Moves};
use super::query::parameter::Parameter;
use super::query::words::text_of;
use super::trees::TreeChoice;
use crate::failure::{Failure, Outcome};
use crate::signals::{self, Reacting, Then, Wish};
use crate::tell::tell_lines;
use editor::{Editor, Typed};
use input::Cutter;
use session::{Next, Session};
pub(super) use terminal::restorer;

/// Ask a log one query after the other, with completion, colours and history
#[derive(clap::Args)]
#[command(
    after_help = "Enter runs a query that is complete. It goes on where a line ends in `;`, an operator, `,`, an open \
    parenthesis or `\\`; Alt-Enter adds a line anywhere, an empty line runs what is there. A `let` holds for all \
    queries after it. Tab completes, Ctrl-C stops a query, Ctrl-D ends. `.help` lists the commands.\n\n\
    From a pipe, queries are read as from a query file: one ends at a blank line, or at what cannot continue it; a \
    line that begins with `.` is a command.\n\nExamples:\n  \
    gt repl tree.gtf\n  gt repl run.gtf --tree 7 --param x=8\n  echo 'node: count(*)' | gt repl tree.gtf"
)]
pub(crate) struct Arguments {
    /// The log
    log: PathBuf,
    /// Which tree: a number from 0, `last`, `largest`, -1 for the last, or `depth=9` (default: the largest)
    #[arg(long, value_name = "TREE", allow_hyphen_values = true, value_parser = TreeChoice::read)]
    tree: Option<TreeChoice>,
    #[command(flatten)]
    names: OtherNames,
    /// Give `$NAME` a value; one in double quotes is a text (`--param 'k="12"'`); may be repeated
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = Parameter::read)]
    parameters: Vec<Parameter>,
    /// How to print answers
    #[arg(long, value_parser = Format::texts(), default_value = "table")]
    format: Format,
    /// How to print moves (default: as text in tables, as numbers in json and csv)
    #[arg(long, value_enum)]
    moves: Option<Moves>,
    /// Show numbers as they are, not moves in notation and values in words
    #[arg(long)]
    raw: bool,
    /// How many threads work; 0 for as many as there are processors
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

/// Set by Ctrl-C while a query runs.
static STOP: AtomicBool = AtomicBool::new(false);

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let interactive = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let is_ready = Arc::new(AtomicBool::new(false));
    let _reacting = interactive.then(|| react(is_ready.clone()));
    let source = arguments.names.open(&arguments.log)?;
    let mut session = Session::new(&source, arguments.tree.as_ref(), arguments.format)?;
    session.parameters.clone_from(&arguments.parameters);
    session.threads = arguments.threads;
    session.moves = arguments.moves;
    session.raw = arguments.raw;
    if !interactive {
        return piped(&mut session, out);
    }
    is_ready.store(true, Ordering::Relaxed);
    typed(&mut session, out)
}

/// From now on Ctrl-C stops a query, once there can be one; other signals end the session, the terminal as it is now.
fn react(is_ready: Arc<AtomicBool>) -> Reacting {
    let mut restore = terminal::restorer();
    signals::react(move |wish| {
        if wish == Wish::Interrupt && is_ready.load(Ordering::Relaxed) {
            STOP.store(true, Ordering::Relaxed);
            return Then::GoOn;
        }
        restore();
        Then::End
    })
}

/// Lines from a file or a pipe, or typed where the answers go into one; the exit code tells whether all went well.
fn piped(session: &mut Session<'_>, out: &mut dyn Write) -> Outcome {
    let is_typed = std::io::stdin().is_terminal();
    if !is_typed {
        session.input_name = "standard input";
    }
    let mut input = std::io::stdin().lock();
    let (mut cutter, mut failed, mut line_number) = (Cutter::new(is_typed), false, 0);
    loop {
        let mut line = Vec::new();
        let length = input.read_until(b'\n', &mut line).map_err(|error| {
            Failure::new(format!("the queries on standard input cannot be read: {error}"))
        })?;
        line_number += 1;
        let pieces = if length == 0 {
            cutter.end()
        } else {
            let line = text_of(&line, "standard input", line_number)?;
            // A mark of byte order is no part of the text.
            let line = if line_number == 1 { line.trim_start_matches('\u{feff}') } else { line };
            cutter.take(line.trim_end_matches(['\n', '\r']))
        };
        for piece in pieces {
            let told = session.take(&piece, &STOP);
            out.write_all(told.out.as_bytes())?;
            out.flush()?;
            tell_lines(&told.err);
            failed |= told.failed;
            if told.next == Next::Quit {
                return Ok(exit_code(failed));
            }
        }
        if length == 0 {
            return Ok(exit_code(failed));
        }
    }
}

fn exit_code(failed: bool) -> ExitCode {
    if failed { ExitCode::from(2) } else { ExitCode::SUCCESS }
}

/// Lines that a person types.
fn typed(session: &mut Session<'_>, out: &mut dyn Write) -> Outcome {
    let mut editor = Editor::new(session.source.log.schema())?;
    writeln!(out, "{}\n`.help` lists the commands, Ctrl-D ends.", session.greeting())?;
    out.flush()?;
    loop {
        editor.know(session);
        let text = match editor.read(&session.prompt())? {
            Typed::Text(text) => text,
            Typed::Interrupted => continue,
            Typed::Ended => return Ok(ExitCode::SUCCESS),
        };
        STOP.store(false, Ordering::Relaxed);
        for piece in input::typed_pieces(&text) {
            let told = session.take(&piece, &STOP);
            if STOP.load(Ordering::Relaxed) {
                // The terminal shows `^C`; what is said of it begins on a line of its own.
                tell_lines("\n");
            }
            tell_lines(&told.err);
            pager::show(&told.out, out)?;
            if told.next == Next::Quit {
                return Ok(ExitCode::SUCCESS);
            }
            if STOP.load(Ordering::Relaxed) {
                break;
            }
        }
    }
}
