//! A session of the protocol.

use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use gt_games::registry::{GameKind, Setup};
use gt_log::LogWriter;
use gt_search::Limits;

use super::command::{Command, Go, Start, parse};
use super::options::{Change, Options};
use super::say;
use crate::engine::{Engine, EngineOptions};
use crate::error::Result;
use crate::pace::{Allowance, Pace};
use crate::player::{Event, Player};

/// Runs until `quit` or the end of the input. `quit` stops a running search; at the end of the input, the search may
/// finish by its limits, if it has any. Games start from the setup.
///
/// # Errors
/// Returns an error if the engine does not fit the game, or the input cannot be read.
pub fn run(
    game: GameKind,
    setup: &Setup,
    options: EngineOptions,
    input: impl BufRead,
    output: impl Write + Send + 'static,
) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut session = Session::new(game, setup, options, output)?;
    for line in input.split(b'\n') {
        // A line that is not text is not a command.
        let line = line?;
        if !session.hear(&String::from_utf8_lossy(&line)) {
            return Ok(());
        }
    }
    session.player.wait();
    Ok(())
}

/// Output lines from several threads. The reader may be gone; the end of the input will show it.
#[derive(Clone)]
struct Output(Arc<Mutex<dyn Write + Send>>);

impl Output {
    fn say(&self, lines: &[String]) {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect::<String>();
        let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
    }

    fn say_one(&self, line: impl Into<String>) {
        self.say(&[line.into()]);
    }

    fn note(&self, sentence: &str) {
        self.say_one(format!("info string {}", sentence.replace('\n', " ")));
    }
}

struct Session {
    game: GameKind,
    options: Options,
    output: Output,
    player: Player,
    /// The start of games.
    start: Setup,
    /// The player's position, so that a recreated engine can go there.
    place: (Setup, Vec<String>),
    /// The player to move there: 0 or 1 for the clocks.
    mover: usize,
    log: Option<Arc<LogWriter>>,
    /// The allowance of a pondering search once the expected move is played.
    pondering: Option<Option<Allowance>>,
}

impl Session {
    fn new(
        game: GameKind,
        setup: &Setup,
        engine: EngineOptions,
        output: impl Write + Send + 'static,
    ) -> Result<Self> {
        let output = Output(Arc::new(Mutex::new(output)));
        let player = player(game, setup, &engine, &output)?;
        let options = Options::new(engine);
        Ok(Self {
            game,
            options,
            output,
            player,
            start: setup.clone(),
            place: (setup.clone(), Vec::new()),
            mover: 0,
            log: None,
            pondering: None,
        })
    }

    /// Executes a line; `false` ends the session.
    fn hear(&mut self, line: &str) -> bool {
        match parse(line) {
            Command::Nothing => (),
            Command::Hello(word) => self.introduce(word),
            Command::IsReady => self.output.say_one("readyok"),
            Command::NewGame => self.when_idle(|session| session.order(|engine| engine.forget())),
            Command::SetOption { name, value } => self.when_idle(|session| session.set_option(&name, &value)),
            Command::Position { start, moves } => {
                self.when_idle(|session| session.set_position(start, moves))
            }
            Command::Go(go) => self.when_idle(|session| session.go(go)),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Show => self.show(),
            Command::Quit => return false,
            Command::Unknown(text) => self.output.note(&format!("`{text}` is not understood")),
        }
        true
    }

    /// Makes a change unless a search is running, which must be stopped first.
    fn when_idle(&mut self, change: impl FnOnce(&mut Self)) {
        if self.player.is_thinking() && !self.player.wait_if_stopped() {
            self.output.note("the engine thinks; `stop` comes first");
        } else {
            change(self);
        }
    }

    fn order(&mut self, job: impl FnOnce(&mut dyn Engine) + Send + 'static) {
        if self.player.let_engine(job).is_err() {
            self.output.note("the engine has ended");
        }
    }

    fn introduce(&self, word: &str) {
        let mut lines = vec![
            format!("id name GT-Tools {} ({})", env!("CARGO_PKG_VERSION"), self.game),
            "id author the GT-Tools developers".to_owned(),
        ];
        lines.extend(self.options.announce());
        lines.push(format!("{word}ok"));
        self.output.say(&lines);
    }

    fn set_option(&mut self, name: &str, value: &str) {
        let before = self.options.clone();
        match self.options.set(name, value) {
            Err(sentence) => {
                self.output.note(&sentence);
                self.options = before;
            }
            Ok(Change::None) => (),
            Ok(Change::Forget) => self.order(|engine| engine.forget()),
            Ok(Change::Engine) => self.renew_player(before),
            Ok(Change::Log) => self.open_log(before),
        }
    }

    /// Recreates the engine; if it cannot be opened with the new options, those before are kept.
    fn renew_player(&mut self, before: Options) {
        let changes_tables = self.options.engine.endgames != before.engine.endgames;
        if changes_tables {
            // A program can have one set of Syzygy tables open at a time.
            self.player.end();
        }
        let Err(error) = self.try_player() else { return };
        self.output.note(&error.to_string());
        self.options = before;
        if !changes_tables {
            return;
        }
        if let Err(error) = self.try_player() {
            // They were there before: the engine goes on without tables.
            self.output.note(&error.to_string());
            self.options.forget_endgames();
            if let Err(error) = self.try_player() {
                self.output.note(&error.to_string());
            }
        }
    }

    /// Replaces the player by one with the options as they are, at the same place.
    fn try_player(&mut self) -> Result<()> {
        self.player = player(self.game, &self.start, &self.options.engine, &self.output)?;
        let (setup, moves) = self.place.clone();
        self.go_to(setup, moves);
        Ok(())
    }

    /// Closes the old log and begins the new one; an existing log is not replaced.
    fn open_log(&mut self, before: Options) {
        self.close_log();
        let path = &self.options.log_file;
        if path.is_empty() {
            return;
        }
        let writer =
            gt_record::header(self.game.name()).and_then(|header| LogWriter::create(Path::new(path), header));
        match writer {
            Ok(writer) => self.log = Some(Arc::new(writer)),
            Err(error) => {
                self.output.note(&format!("{path}: {error}"));
                self.options = Options { log_file: String::new(), ..before };
            }
        }
    }

    fn close_log(&mut self) {
        // The player's thread holds the log only while it thinks.
        if let Some(Ok(Err(error))) = self.log.take().map(|log| Arc::try_unwrap(log).map(LogWriter::finish)) {
            self.output.note(&format!("the log is not whole: {error}"));
        }
    }

    fn set_position(&mut self, start: Start, moves: Vec<String>) {
        let setup = match start {
            Start::Usual => self.start.clone(),
            Start::Text(text) => Setup::position(&text),
        };
        self.go_to(setup, moves);
    }

    /// Goes to a position: it is checked here immediately, and the engine follows.
    fn go_to(&mut self, setup: Setup, moves: Vec<String>) {
        let played = self.game.open(&setup).and_then(|mut game| {
            moves.iter().try_for_each(|mv| game.play(mv))?;
            Ok(game.to_move())
        });
        match played {
            Err(error) => self.output.note(&format!("{error}; the position stays as it was")),
            Ok(mover) => {
                self.mover = mover;
                self.place = (setup.clone(), moves.clone());
                let output = self.output.clone();
                self.order(move |engine| {
                    if let Err(error) = engine.set_position(&setup, &moves) {
                        output.note(&error.to_string());
                    }
                });
            }
        }
    }

    fn go(&mut self, go: Go) {
        if let Some(depth) = go.perft {
            return self.perft(depth);
        }
        let allowance = self.pace(&go).allowance(self.options.overhead);
        let limits = limits(&go);
        self.pondering = go.ponder.then_some(allowance);
        let now = if go.ponder { None } else { allowance };
        let is_endless = go.infinite || (allowance.is_none() && !go.is_counted());
        let is_held = go.ponder || is_endless;
        if self.player.go(limits, now, is_held, go.root_moves, self.log.clone()).is_err() {
            self.output.note("the engine has ended");
        }
    }

    fn pace(&self, go: &Go) -> Pace {
        let mover = self.mover % 2;
        match (go.movetime, go.left[mover]) {
            _ if go.infinite => Pace::Endless,
            (Some(time), _) => Pace::Fixed(time),
            (None, Some(left)) => {
                Pace::Clock { left, increment: go.increment[mover], moves_to_go: go.moves_to_go }
            }
            (None, None) => Pace::Endless,
        }
    }

    fn perft(&mut self, depth: u64) {
        let output = self.output.clone();
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        self.order(move |engine| {
            let counts = engine.position().perft(depth);
            let total: u64 = counts.iter().map(|(_, count)| count).sum();
            let mut lines: Vec<String> =
                counts.iter().map(|(mv, count)| format!("{}: {count}", mv.text)).collect();
            lines.push(format!("nodes {total}"));
            output.say(&lines);
        });
    }

    fn stop(&mut self) {
        self.pondering = None;
        self.player.stop();
    }

    fn ponder_hit(&mut self) {
        if let Some(allowance) = self.pondering.take() {
            self.player.start_clock(allowance);
        }
    }

    fn show(&mut self) {
        let (setup, moves) = &self.place;
        let drawn = self.game.open(setup).and_then(|mut game| {
            moves.iter().try_for_each(|mv| game.play(mv))?;
            Ok(format!("{}{}", game.draw(), game.position_text()))
        });
        match drawn {
            Ok(text) => self.output.say_one(text),
            Err(error) => self.output.note(&error.to_string()),
        }
    }
}

fn player(game: GameKind, setup: &Setup, options: &EngineOptions, output: &Output) -> Result<Player> {
    let engine = options.open(game, setup)?;
    let (output, lines) = (output.clone(), options.lines);
    Ok(Player::new(engine, move |event| match event {
        Event::Progress(progress) => output.say(&say::progress(&progress, lines)),
        Event::Done(thought) => {
            if let Some(error) = &thought.log_error {
                output.note(&format!("the log is not whole: {error}"));
            }
            if thought.is_from_book {
                output.note("the move is from the book");
            }
            output.say_one(say::best_move(&thought));
        }
    }))
}

/// The limits of a search. A mate in `n` moves is found within `2n` plies.
fn limits(go: &Go) -> Limits {
    let plies = |number: u64| u16::try_from(number.max(1)).unwrap_or(u16::MAX);
    let mut limits = Limits::default();
    let mate_plies = go.mate.map(|moves| moves.saturating_mul(2).saturating_sub(1));
    for depth in go.depth.into_iter().chain(mate_plies) {
        limits.depth_max = limits.depth_max.min(plies(depth));
    }
    limits.nodes_max = go.nodes.unwrap_or(u64::MAX).max(1);
    limits
}

impl Drop for Session {
    /// Stops the search, lets it report, and closes the log.
    fn drop(&mut self) {
        self.player.end();
        self.close_log();
    }
}
