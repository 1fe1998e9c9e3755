//! `gt book`: opening books built, asked and described.

mod build;
mod info;
mod probe;

use crate::failure::Outcome;
use std::io::Write;

/// Build an opening book, ask it for the moves of a position, or tell what it holds
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(clap::Subcommand)]
enum Task {
    Build(build::Arguments),
    Probe(probe::Arguments),
    Info(info::Arguments),
}

impl Arguments {
    pub(crate) fn writes_files(&self) -> bool {
        match self.task {
            Task::Build(_) => true,
            Task::Probe(_) | Task::Info(_) => false,
        }
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    match &arguments.task {
        Task::Build(arguments) => build::run(arguments, out),
        Task::Probe(arguments) => probe::run(arguments, out),
        Task::Info(arguments) => info::run(arguments, out),
    }
}
