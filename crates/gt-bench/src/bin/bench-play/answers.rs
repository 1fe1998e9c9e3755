//! From `stop` to `bestmove`, in every game.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use gt_bench::row;

use crate::Outcome;

/// So many searches are stopped in each game.
const STOPS: u64 = 300;

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
    println!("stop to bestmove: {STOPS} searches of 5 to 154 ms, through the pipes of a process");
    for (name, arguments, settings) in ENGINES {
        let mut milliseconds = stops(gt, arguments, settings)?;
        milliseconds.sort_by(f64::total_cmp);
        let at = |share: f64| milliseconds[((milliseconds.len() - 1) as f64 * share).round() as usize];
        row(
            name,
            &format!("{:.2} ms", at(0.99)),
            &format!(
                "at most 5 ms at the 99th percentile; half {:.2} ms, longest {:.2} ms",
                at(0.5),
                at(1.0)
            ),
        );
    }
    Ok(())
}

/// How long each answer took, in milliseconds.
fn stops(gt: &Path, arguments: &[&str], settings: &[&str]) -> Outcome<Vec<f64>> {
    let mut command = Command::new(gt);
    command.arg("uci").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut engine = command.spawn()?;
    let input = engine.stdin.take().ok_or("the engine has no input")?;
    let output = engine.stdout.take().ok_or("the engine has no output")?;
    let mut conversation = Conversation { input, output: BufReader::new(output) };
    for setting in settings {
        conversation.say(setting)?;
    }
    let start = if arguments[0] == "chess" { "position startpos" } else { "position start" };
    conversation.say(start)?;
    conversation.say("isready")?;
    conversation.wait_for("readyok")?;
    let mut taken = Vec::new();
    for stop in 0..STOPS {
        conversation.say("go infinite")?;
        std::thread::sleep(Duration::from_millis(5 + stop * 37 % 150));
        let asked = Instant::now();
        conversation.say("stop")?;
        conversation.wait_for("bestmove")?;
        taken.push(asked.elapsed().as_secs_f64() * 1e3);
    }
    conversation.say("quit")?;
    engine.wait()?;
    Ok(taken)
}

struct Conversation {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Conversation {
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
