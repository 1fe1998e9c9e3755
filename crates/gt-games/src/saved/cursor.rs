//! A text, line by line, with a place in the line.
//!
//! Lines that are not UTF-8 are taken for Latin-1, in which most old collections of games are written.
//! Invariant: no more than [`GAME_BYTES_MAX`] of the input are in memory for one game.

use super::error::Problem;
use std::io::{BufRead, Read};

/// No game is longer; what is, is no game.
const GAME_BYTES_MAX: usize = 16 << 20;

pub(super) struct Cursor<R> {
    input: R,
    line: String,
    /// The byte of `line` to be read next.
    at: usize,
    number: usize,
    /// How many bytes of the current game were read.
    taken: usize,
}

impl<R: BufRead> Cursor<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, line: String::new(), at: 0, number: 0, taken: 0 }
    }

    /// Another game begins.
    pub(super) fn begin_game(&mut self) {
        self.taken = 0;
    }

    /// The number of the line, from 1.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// What is left of the line.
    pub(super) fn rest(&self) -> &str {
        &self.line[self.at..]
    }

    /// Whether nothing of the line was read.
    pub(super) fn is_at_line_start(&self) -> bool {
        self.at == 0
    }

    /// Passes over some bytes of the line, which must end between characters.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.line.len());
    }

    /// Passes over the rest of the line.
    pub(super) fn skip_line(&mut self) {
        self.at = self.line.len();
    }

    /// Passes over white space within the line.
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

    /// Goes to the next character that is no white space, over as many lines as it takes.
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
