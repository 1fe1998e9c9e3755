//! `gt completions`: what a shell needs to complete `gt`.

use std::io::Write;
use std::process::ExitCode;

use crate::failure::Outcome;
use clap_complete::Shell;

/// Print the completions for a shell
#[derive(clap::Args)]
#[command(after_help = "Example:\n  gt completions bash > ~/.local/share/bash-completion/completions/gt")]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments, mut command: clap::Command, out: &mut dyn Write) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "gt", &mut script);
    out.write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
