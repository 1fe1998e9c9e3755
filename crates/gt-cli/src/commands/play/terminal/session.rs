//! A game, driven by lines.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use gt_play::live::{Event, Hint, LiveGame, State};
use gt_play::{Error, Level};

use super::board::Painter;
use super::command::{Command, help, parse};
use super::words;
use crate::commands::files::new_file;
use crate::commands::play::opening;
use crate::failure::Failure;
use crate::printable;
use crate::tell::tell;

/// Whether the game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    GoOn,
    Quit,
}

pub(super) struct Session {
    game: Arc<LiveGame>,
    events: Receiver<Event>,
    painter: Painter,
    /// Whether what a program thinks is shown on a line that is written again and again.
    shows_thinking: bool,
    /// Whether that line stands there.
    line_is_open: bool,
    /// Whether the board is another than the one that was drawn last.
    board_is_old: bool,
    /// The file that holds this game, and may be replaced.
    file: Option<PathBuf>,
}

type Done = Result<(), Failure>;

fn refused(error: Error) -> Failure {
    Failure::new(error.to_string())
}

impl Session {
    pub(super) fn new(game: Arc<LiveGame>, painter: Painter, shows_thinking: bool) -> Result<Self, Error> {
        let events = game.events()?;
        let (line_is_open, board_is_old) = (false, true);
        Ok(Self { game, events, painter, shows_thinking, line_is_open, board_is_old, file: None })
    }

    fn state(&self) -> Result<State, Failure> {
        self.game.state().map_err(refused)
    }

    /// Who plays what.
    pub(super) fn greeting(&self) -> Result<String, Failure> {
        let state = self.state()?;
        Ok(format!("{}\n{}", state.game, words::seats(&state)))
    }

    /// Lets the game begin, up to a person's turn.
    pub(super) fn begin(&mut self, out: &mut dyn Write) -> Done {
        self.game.resume().map_err(refused)?;
        self.wait_for_person(out)
    }

    pub(super) fn prompt(&self) -> Result<String, Failure> {
        let state = self.state()?;
        if state.result.is_some() || state.paused {
            return Ok("gt> ".to_owned());
        }
        let left =
            state.clocks.as_ref().map(|clocks| format!(" {}", words::clock(clocks.left_ms[state.to_move])));
        Ok(format!("{}{}> ", state.seats[state.to_move].side, left.unwrap_or_default()))
    }

    pub(super) fn legal_moves(&self) -> Result<Vec<String>, Failure> {
        Ok(self.state()?.legal_moves.into_iter().map(|mv| mv.text).collect())
    }

    /// Tells what happens until a person is asked: for a move, or for what is next when the game is over.
    pub(super) fn wait_for_person(&mut self, out: &mut dyn Write) -> Done {
        loop {
            // Asked for when all events so far are told: unless a person is asked now, there is an event to come.
            self.tell_events(out)?;
            let state = self.state()?;
            if state.result.is_some() || state.paused || state.seats[state.to_move].is_person {
                self.tell_events(out)?;
                self.close_line(out)?;
                return if self.board_is_old { self.draw(out) } else { Ok(()) };
            }
            out.flush()?;
            match self.events.recv() {
                Ok(event) => self.tell_event(&state, &event, out)?,
                Err(_) => return Err(refused(Error::Gone)),
            }
        }
    }

    /// Tells what has happened so far.
    fn tell_events(&mut self, out: &mut dyn Write) -> Done {
        let state = self.state()?;
        while let Ok(event) = self.events.try_recv() {
            self.tell_event(&state, &event, out)?;
        }
        Ok(())
    }

    fn tell_event(&mut self, state: &State, event: &Event, out: &mut dyn Write) -> Done {
        match event {
            Event::Moved { played, .. } => {
                self.board_is_old = true;
                if !state.seats[played.player].is_person {
                    self.close_line(out)?;
                    writeln!(out, "{}", words::played(state, played))?;
                }
            }
            Event::TakenBack { .. } | Event::Restarted => {
                self.board_is_old = true;
                self.painter.forget();
            }
            Event::Thinking(thinking) => self.open_line(&words::thinking(state, thinking), out)?,
            Event::Hint(hint) => self.tell_hint(hint, out)?,
            Event::Over(ending) => {
                self.close_line(out)?;
                self.draw(out)?;
                writeln!(out, "{}", words::ending(state, ending))?;
            }
            Event::Paused => {
                self.close_line(out)?;
                writeln!(out, "paused; `go` goes on")?;
            }
            Event::Trouble { sentence } => {
                self.close_line(out)?;
                tell(sentence);
            }
            // Shown when they are asked for.
            Event::SeatChanged { .. } | Event::Resumed | Event::Clock(_) => (),
        }
        Ok(())
    }

    /// Writes the line that is written again and again.
    fn open_line(&mut self, text: &str, out: &mut dyn Write) -> Done {
        if self.shows_thinking {
            let width = terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0));
            let shown: String = text.chars().take(width.saturating_sub(1)).collect();
            write!(out, "\r\x1b[K{shown}")?;
            out.flush()?;
            self.line_is_open = true;
        }
        Ok(())
    }

    fn close_line(&mut self, out: &mut dyn Write) -> Done {
        if std::mem::take(&mut self.line_is_open) {
            write!(out, "\r\x1b[K")?;
        }
        Ok(())
    }

    fn draw(&mut self, out: &mut dyn Write) -> Done {
        let position = self.game.position().map_err(refused)?;
        self.board_is_old = false;
        Ok(write!(out, "{}", self.painter.draw(&*position))?)
    }

    fn tell_hint(&mut self, hint: &Hint, out: &mut dyn Write) -> Done {
        self.close_line(out)?;
        let game = self.state()?.game;
        Ok(writeln!(out, "hint: {}  ({})", hint.text, words::summary(game, &hint.search))?)
    }

    /// Does what a line asks for.
    pub(super) fn take(&mut self, line: &str, out: &mut dyn Write) -> Result<Next, Failure> {
        match parse(line).map_err(Failure::new)? {
            Command::Nothing => (),
            Command::Move(text) => self.game.play(&text).map_err(refused)?,
            Command::Undo => self.game.take_back().map_err(refused)?,
            Command::Hint => drop(self.hint(out)?),
            Command::Go => self.go(out)?,
            Command::Save(path) => self.save(&path, out)?,
            Command::Load(path) => self.load(&path)?,
            Command::Resign => self.resign()?,
            Command::Board => self.draw(out)?,
            Command::Moves => self.list_moves(out)?,
            Command::Level(level) => self.set_level(level)?,
            Command::Seats => write!(out, "{}", words::seats(&self.state()?))?,
            Command::New => self.game.new_game().map_err(refused)?,
            Command::Help => write!(out, "{}", help())?,
            Command::Quit => return Ok(Next::Quit),
        }
        Ok(Next::GoOn)
    }

    /// Has a program look for a move, and waits for it.
    fn hint(&mut self, out: &mut dyn Write) -> Result<Hint, Failure> {
        self.game.hint().map_err(refused)?;
        self.open_line("looking for a move …", out)?;
        loop {
            let event = self.events.recv().map_err(|_| refused(Error::Gone))?;
            self.tell_event(&self.state()?, &event, out)?;
            match event {
                Event::Hint(hint) => return Ok(hint),
                Event::Over(_) => return Err(Failure::new("the game is over")),
                _ => (),
            }
        }
    }

    /// Plays a hint, or goes on after a pause.
    fn go(&mut self, out: &mut dyn Write) -> Done {
        if self.state()?.paused {
            return self.game.resume().map_err(refused);
        }
        let hint = self.hint(out)?;
        self.game.play(&hint.text).map_err(refused)
    }

    /// A file that is there stays, unless it holds this game.
    fn save(&mut self, path: &Path, out: &mut dyn Write) -> Done {
        if path.exists() && self.file.as_deref() != Some(path) {
            return Err(Failure::about(path, "there is such a file already; choose another name"));
        }
        let text = self.game.saved().map_err(refused)?.text();
        new_file(path, &[], |file| Ok(file.write_all(text.as_bytes())?))?;
        self.file = Some(path.to_owned());
        Ok(writeln!(out, "saved to {}", printable::path(path))?)
    }

    fn load(&mut self, path: &Path) -> Done {
        let kind = self.game.position().map_err(refused)?.kind();
        self.game.load(opening::load(path, kind)?).map_err(|error| Failure::about(path, error))
    }

    /// The person whose turn it is gives up; while a program is to move, or the game is paused, the first person.
    fn resign(&mut self) -> Done {
        let state = self.state()?;
        let is_person = |&player: &usize| state.seats[player].is_person;
        let person = Some(state.to_move).filter(is_person).or_else(|| (0..state.seats.len()).find(is_person));
        let person = person.ok_or_else(|| Failure::new("no person plays here"))?;
        self.game.resign(person).map_err(refused)
    }

    fn set_level(&mut self, level: Level) -> Done {
        let state = self.state()?;
        let programs: Vec<usize> =
            (0..state.seats.len()).filter(|&player| !state.seats[player].is_person).collect();
        if programs.is_empty() {
            return Err(Failure::new("no program plays here"));
        }
        programs.into_iter().try_for_each(|player| self.game.set_level(player, Some(level))).map_err(refused)
    }

    fn list_moves(&mut self, out: &mut dyn Write) -> Done {
        let state = self.state()?;
        write!(out, "{}", words::moves_played(&state))?;
        if !state.legal_moves.is_empty() {
            let texts: Vec<&str> = state.legal_moves.iter().map(|mv| mv.text.as_str()).collect();
            writeln!(out, "{} can play {}", state.seats[state.to_move].side, texts.join(" "))?;
        }
        Ok(())
    }
}
