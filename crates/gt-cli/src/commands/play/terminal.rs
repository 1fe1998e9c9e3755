//! A game in the terminal.
//!
//! ```text
//! terminal ──Editor──┐             ┌─ a move ─────▶ LiveGame
//!                    ├─ line ──────┤
//! pipe ──lines───────┘             └─ a command ──▶ Session ──▶ board, hints, files
//! ```
//!
//! **Invariant:** what is typed wrong costs a message only, and Ctrl-C while a program thinks costs nothing but the
//! program's time.

mod board;
mod command;
mod editor;
mod session;
mod words;

use std::io::{BufRead, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;

use gt_play::LiveGame;

use super::arguments::Arguments;
use super::opening;
use crate::commands::repl::restorer;
use crate::failure::{Failure, Outcome};
use crate::signals::{self, Reacting, Then, Wish};
use crate::tell::{tell, tell_lines};
use board::Painter;
use editor::{Editor, Typed};
use session::{Next, Session};

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let game = Arc::new(opening::open(arguments, opening::options(arguments.logs.as_deref()))?);
    let is_typed = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let _reacting = react(game.clone());
    let painter = if std::io::stdout().is_terminal() { Painter::for_terminal() } else { Painter::plain() };
    let mut session =
        Session::new(game, painter, is_typed).map_err(|error| Failure::new(error.to_string()))?;
    if is_typed { typed(&mut session, out) } else { piped(&mut session, out) }
}

/// Ctrl-C hurries the program that thinks. Where only programs play it brings the prompt, and where nobody thinks it ends
/// the game, as other signals do.
fn react(game: Arc<LiveGame>) -> Reacting {
    let mut restore = restorer();
    signals::react(move |wish| {
        if wish == Wish::Interrupt && hurry(&game) {
            return Then::GoOn;
        }
        restore();
        Then::End
    })
}

fn hurry(game: &LiveGame) -> bool {
    let has_persons = game.seats().is_ok_and(|seats| seats.iter().any(|seat| seat.is_person()));
    let is_thinking = game.state().is_ok_and(|state| state.thinking.is_some() || state.hint_pending);
    is_thinking && if has_persons { game.move_now().is_ok() } else { game.pause().is_ok() }
}

/// Lines from a file or a pipe; the exit code tells whether all went well.
fn piped(session: &mut Session, out: &mut dyn Write) -> Outcome {
    let mut failed = false;
    session.begin(out)?;
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line.map_err(|error| Failure::new(format!("standard input cannot be read: {error}")))?;
        match session.take(&String::from_utf8_lossy(&line), out) {
            Ok(Next::GoOn) => (),
            Ok(Next::Quit) => break,
            Err(failure) if failure.is_closed_pipe() => return Err(failure),
            Err(failure) => {
                tell(failure);
                failed = true;
            }
        }
        session.wait_for_person(out)?;
        out.flush()?;
    }
    Ok(if failed { ExitCode::from(2) } else { ExitCode::SUCCESS })
}

/// Lines that a person types.
fn typed(session: &mut Session, out: &mut dyn Write) -> Outcome {
    let mut editor = Editor::new()?;
    writeln!(out, "{}`help` lists the commands, Ctrl-D ends.", session.greeting()?)?;
    session.begin(out)?;
    let mut was_interrupted = false;
    loop {
        out.flush()?;
        editor.know(session.legal_moves()?);
        let line = match editor.read(&session.prompt()?)? {
            Typed::Line(line) => line,
            Typed::Interrupted if was_interrupted => return Ok(ExitCode::SUCCESS),
            Typed::Interrupted => {
                was_interrupted = true;
                tell_lines("Ctrl-C again ends the game, and so does `quit`.\n");
                continue;
            }
            Typed::Ended => return Ok(ExitCode::SUCCESS),
        };
        was_interrupted = false;
        match session.take(&line, out) {
            Ok(Next::GoOn) => (),
            Ok(Next::Quit) => return Ok(ExitCode::SUCCESS),
            Err(failure) if failure.is_closed_pipe() => return Err(failure),
            Err(failure) => tell(failure),
        }
        session.wait_for_person(out)?;
    }
}
