//! `gt play`: a game against programs, or among persons, in the browser or in the terminal.

mod arguments;
mod browser;
mod opening;
mod terminal;

use std::io::Write;

use crate::failure::Outcome;
pub(crate) use arguments::Arguments;

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    if arguments.terminal { terminal::run(arguments, out) } else { browser::run(arguments, out) }
}
