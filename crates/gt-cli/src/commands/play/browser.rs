//! A game in the browser.

use std::io::Write;

use super::Arguments;
use crate::commands::Outcome;
use crate::failure::Failure;

pub(super) fn run(_: &Arguments, _: &mut dyn Write) -> Outcome {
    Err(Failure::new("games are played in the terminal: add --terminal"))
}
