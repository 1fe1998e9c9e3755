//! `gt man`: manual pages for `man`, made from the same words as `--help`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::CommandFactory;
use clap_mangen::Man;

use super::Outcome;
use crate::failure::Failure;

/// Print the manual page, or write those of all commands into a folder
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  gt man | man -l -\n  gt man -o ~/.local/share/man/man1")]
pub(crate) struct Arguments {
    /// Write a page for each command into this folder, which is made where it is not there
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    output: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let command = crate::Arguments::command().disable_help_subcommand(true);
    match &arguments.output {
        None => Man::new(command).render(out)?,
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(|error| Failure::about(folder, error))?;
            clap_mangen::generate_to(command, folder).map_err(|error| Failure::about(folder, error))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
