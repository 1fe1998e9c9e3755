//! `gt man`: manual pages for `man`, made from the same words as `--help`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap_mangen::Man;

use super::files::new_file;
use crate::failure::{Failure, Outcome};

/// Print the manual page, or write those of all commands into a folder
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  gt man | man -l -\n  gt man -o ~/.local/share/man/man1")]
pub(crate) struct Arguments {
    /// Write a page for each command into this folder, which is made where it is not there
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    output: Option<PathBuf>,
}

impl Arguments {
    /// Whether the pages go into files.
    pub(crate) fn writes_files(&self) -> bool {
        self.output.is_some()
    }
}

pub(crate) fn run(arguments: &Arguments, command: clap::Command, out: &mut dyn Write) -> Outcome {
    let mut command = command.disable_help_subcommand(true);
    match &arguments.output {
        None => Man::new(command).render(out)?,
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(|error| Failure::about(folder, error))?;
            command.build();
            for (name, page) in pages(command)? {
                new_file(&folder.join(name), &[], |file| Ok(file.write_all(&page)?))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The page of a command and those of its own commands, with the names of their files.
fn pages(command: clap::Command) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut pages = Vec::new();
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        pages.extend(self::pages(below.clone())?);
    }
    let (man, mut page) = (Man::new(command), Vec::new());
    man.render(&mut page)?;
    pages.push((man.get_filename(), page));
    Ok(pages)
}
