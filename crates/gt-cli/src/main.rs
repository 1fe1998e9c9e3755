//! `gt`: one command for logs, queries, searches and views of game trees.
//!
//! The command line is read here and handed to a module of `commands` each; what they compute lies in the
//! libraries. Exit codes: 0 done, 1 done and the answer is bad news (a log is damaged, a number is not as expected), 2
//! could not be done, 130 ended early by Ctrl-C.

mod commands;
mod failure;
mod moves;
mod output;
mod printable;
mod progress;
mod signals;
mod tell;
mod values;

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::commands::{Command, CommandLine};
use crate::failure::Outcome;
use crate::output::Patient;
use crate::tell::tell;

fn main() -> ExitCode {
    let line = CommandLine::parse();
    signals::watch();
    match run(line.command) {
        Ok(code) => code,
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            tell(failure);
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> Outcome {
    let mut out = BufWriter::new(std::io::stdout());
    if command.only_prints() {
        let outcome = commands::run(command, &mut out);
        let flushed = out.flush();
        return outcome.and_then(|code| Ok(flushed.map(|()| code)?));
    }
    let mut out = Patient::new(out);
    let outcome = commands::run(command, &mut out);
    let printed = out.finish();
    // Bad news about the work comes before bad news about the printing, and a code other than 0 says more than that
    // nobody reads any more.
    match (outcome, printed) {
        (Ok(code), Err(error)) if code == ExitCode::SUCCESS => Err(error.into()),
        (outcome, _) => outcome,
    }
}
