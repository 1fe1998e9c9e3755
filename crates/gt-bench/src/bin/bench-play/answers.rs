//! From `stop` to `bestmove`, in every game.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use gt_bench::row;

use crate::{Outcome, control};

/// So many searches are stopped in each game.
const STOPS: u64 = 300;

/// A row is measured again, so many times at most, where the control shows that the machine had other things to do.
const ATTEMPTS: u32 = 5;
const QUIET_MS: f64 = 1.0;

/// The command's arguments, and what is set before.
const ENGINES: [(&str, &[&str], &[&str]); 8] = [
    ("tic-tac-toe", &["tic-tac-toe"], &[]),
    ("connect four", &["connect-four"], &[]),
    ("Amazons", &["amazons"], &[]),
    ("Amazons, playouts", &["amazons", "--algorithm", "uct"], &[]),
    ("chess", &["chess"], &[]),
    ("chess, two threads", &["chess"], &["setoption name Threads value 2"]),
    ("Chinese checkers, two players", &["chinese-checkers"], &[]),
    ("Chinese checkers, six players", &["chinese-checkers", "--players", "6"], &[]),
];

pub(crate) fn run(gt: &Path) -> Outcome<()> {
    println!("stop to bestmove: {STOPS} searches of 5 to 154 ms, through the pipes of a process;");
    println!("in turns with a control that only counts: what the machine itself takes");
    for (name, arguments, settings) in ENGINES {
        for attempt in 1..=ATTEMPTS {
            let (engine, control) = stops(gt, arguments, settings)?;
            tell(name, &engine, &control);
            if at(&control, 0.99) <= QUIET_MS {
                break;
            }
            let next = if attempt < ATTEMPTS { "once more" } else { "so it stays" };
            println!("    the machine kept the control waiting for more than {QUIET_MS} ms: {next}");
        }
    }
    Ok(())
}

fn tell(name: &str, engine: &[f64], control: &[f64]) {
    let bound = 5.0;
    row(
        name,
        &format!("{:.2} ms", at(engine, 0.99)),
        &format!(
            "at most {bound} ms at the 99th percentile; half {:.2} ms, longest {:.2} ms, {} over {bound} ms; the control: {:.2}, half {:.2}, longest {:.2}, {} over",
            at(engine, 0.5),
            at(engine, 1.0),
            over(engine, bound),
            at(control, 0.99),
            at(control, 0.5),
            at(control, 1.0),
            over(control, bound),
        ),
    );
}

/// The value below which this share of sorted values lies.
fn at(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

fn over(values: &[f64], bound: f64) -> usize {
    values.iter().filter(|value| **value > bound).count()
}

/// How long each answer of the engine and of the control took, in milliseconds, sorted.
fn stops(gt: &Path, arguments: &[&str], settings: &[&str]) -> Outcome<(Vec<f64>, Vec<f64>)> {
    let mut command = Command::new(gt);
    command.arg("uci").args(arguments);
    let mut engine = Conversation::start(command)?;
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(control::ARGUMENT);
    let mut control = Conversation::start(command)?;
    for setting in settings {
        engine.say(setting)?;
    }
    engine.say(if arguments[0] == "chess" { "position startpos" } else { "position start" })?;
    let mut taken = (Vec::new(), Vec::new());
    for conversation in [&mut engine, &mut control] {
        conversation.say("isready")?;
        conversation.wait_for("readyok")?;
    }
    for stop in 0..STOPS {
        let searching = Duration::from_millis(5 + stop * 37 % 150);
        taken.0.push(engine.stop_after(searching)?);
        taken.1.push(control.stop_after(searching)?);
    }
    engine.end()?;
    control.end()?;
    taken.0.sort_by(f64::total_cmp);
    taken.1.sort_by(f64::total_cmp);
    Ok(taken)
}

struct Conversation {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Conversation {
    fn start(mut command: Command) -> Outcome<Conversation> {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = process.stdin.take().ok_or("the engine has no input")?;
        let output = process.stdout.take().ok_or("the engine has no output")?;
        Ok(Conversation { process, input, output: BufReader::new(output) })
    }

    /// Searches for so long, says `stop`, and gives the milliseconds to `bestmove`.
    fn stop_after(&mut self, searching: Duration) -> Outcome<f64> {
        self.say("go infinite")?;
        std::thread::sleep(searching);
        let asked = Instant::now();
        self.say("stop")?;
        self.wait_for("bestmove")?;
        Ok(asked.elapsed().as_secs_f64() * 1e3)
    }

    fn end(mut self) -> Outcome<()> {
        self.say("quit")?;
        self.process.wait()?;
        Ok(())
    }

    fn say(&mut self, line: &str) -> Outcome<()> {
        writeln!(self.input, "{line}")?;
        Ok(self.input.flush()?)
    }

    fn wait_for(&mut self, word: &str) -> Outcome<()> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                return Err(format!("the engine ended before it said {word}").into());
            }
            if line.starts_with(word) {
                return Ok(());
            }
        }
    }
}
