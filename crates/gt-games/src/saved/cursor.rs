//! A text, line by line, with a position in the line.
//!
//! Lines that are not UTF-8 are read as Latin-1, in which most old collections of games are written.
//! Invariant: no more than [`GAME_BYTES_MAX`] of the input are in memory for one game.

use super::error::Problem;
use std::io::{BufRead, Read};

/// The maximum size of a game.
const GAME_BYTES_MAX: usize = 16 << 20;

pub(super) struct Cursor<R> {
    input: R,
    line: String,
    /// The index of the next byte of `line` to read.
    at: usize,
    number: usize,
    /// The number of bytes of the current game read so far.
    taken: usize,
}

impl<R: BufRead> Cursor<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, line: String::new(), at: 0, number: 0, taken: 0 }
    }

    /// Begins another game.
    pub(super) fn begin_game(&mut self) {
        self.taken = 0;
    }

    /// The number of the line, from 1.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// The rest of the line.
    pub(super) fn rest(&self) -> &str {
        &self.line[self.at..]
    }

    /// Whether nothing of the line was read yet.
    pub(super) fn is_at_line_start(&self) -> bool {
        self.at == 0
    }

    /// Skips some bytes of the line; must end at a character boundary.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.line.len());
    }

    /// Skips the rest of the line.
    pub(super) fn skip_line(&mut self) {
        self.at = self.line.len();
    }

    /// Skips white space within the line.
    pub(super) fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Goes to the next line, if there is one.
    pub(super) fn next_line(&mut self) -> Result<bool, Problem> {
        let mut bytes = Vec::new();
        let room = GAME_BYTES_MAX.saturating_sub(self.taken) as u64 + 1;
        let read = self.input.by_ref().take(room).read_until(b'\n', &mut bytes);
        let read = read.map_err(|error| Problem::new(self.number + 1, error.to_string()))?;
        self.taken += read;
        if self.taken > GAME_BYTES_MAX {
            let problem = format!("a game has at most {} MiB", GAME_BYTES_MAX >> 20);
            return Err(Problem::new(self.number + 1, problem));
        }
        self.number += usize::from(read > 0);
        self.line = decoded(bytes);
        self.at = 0;
        if self.number == 1 {
            self.at = if self.line.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        }
        Ok(read > 0)
    }

    /// Goes to the next character that is not white space, over as many lines as necessary.
    pub(super) fn next_text(&mut self) -> Result<bool, Problem> {
        self.skip_space();
        while self.rest().is_empty() {
            if !self.next_line()? {
                return Ok(false);
            }
            self.skip_space();
        }
        Ok(true)
    }
}

/// The text of a line, without its end.
fn decoded(bytes: Vec<u8>) -> String {
    let mut text = String::from_utf8(bytes).unwrap_or_else(|error| {
        // The first 256 characters of Unicode are those of Latin-1.
        error.into_bytes().into_iter().map(char::from).collect()
    });
    text.truncate(text.trim_end_matches(['\n', '\r']).len());
    text
}
