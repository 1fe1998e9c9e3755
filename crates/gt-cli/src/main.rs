//! `gt`: one command for logs, queries, searches and views of game trees.
//!
//! The command line is read here and handed to a module of `commands` each; what they compute lies in the
//! libraries. Exit codes: 0 done, 1 done and the answer is bad news (a log is damaged), 2 could not be done.

mod commands;
mod failure;
mod moves;
mod progress;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use crate::commands::Command;

/// Log, query and view the search trees of game programs.
#[derive(Parser)]
#[command(name = "gt", version = env!("GT_VERSION"), about, max_term_width = 100, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let outcome = commands::run(arguments.command, &mut out).and_then(|code| {
        out.flush()?;
        Ok(code)
    });
    match outcome {
        Ok(code) => code,
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = out.flush();
            eprintln!("gt: {failure}");
            ExitCode::from(2)
        }
    }
}
