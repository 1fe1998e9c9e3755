//! What is said on standard error: sentences for people, beside the answers on standard output.
//!
//! **Invariant:** saying something never ends the work. Where standard error is closed, is a pipe that nobody reads any
//! more, or lies on a full disk, the words are lost and nothing else is: `eprintln!` would panic there, so no other place
//! of this crate writes to it (`tests/house` looks).

use std::fmt::Display;
use std::io::Write;

use crate::printable;

/// Says a sentence, after the program's name.
pub(crate) fn tell(sentence: impl Display) {
    write(&format!("gt: {sentence}\n"));
}

/// Says a line.
pub(crate) fn tell_line(line: impl Display) {
    write(&format!("{line}\n"));
}

/// Says whole lines that were drawn elsewhere.
pub(crate) fn tell_lines(lines: &str) {
    write(lines);
}

fn write(text: &str) {
    // If stderr is closed, there is nowhere to report that.
    let _ = std::io::stderr().write_all(printable::lines(text).as_bytes());
}
