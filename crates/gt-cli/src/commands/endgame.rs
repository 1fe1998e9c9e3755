//! `gt endgame`: tables of endings built, described, asked and checked.

mod build;
mod info;
mod probe;
mod verify;

use crate::failure::Outcome;
use std::io::Write;

/// Build tables of endings that are known exactly, ask them for a position, tell what they hold
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(clap::Subcommand)]
enum Task {
    Build(build::Arguments),
    Info(info::Arguments),
    Probe(probe::Arguments),
    Verify(verify::Arguments),
}

impl Arguments {
    pub(crate) fn writes_files(&self) -> bool {
        match self.task {
            Task::Build(_) => true,
            Task::Info(_) | Task::Probe(_) | Task::Verify(_) => false,
        }
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    match &arguments.task {
        Task::Build(arguments) => build::run(arguments, out),
        Task::Info(arguments) => info::run(arguments, out),
        Task::Probe(arguments) => probe::run(arguments, out),
        Task::Verify(arguments) => verify::run(arguments, out),
    }
}
