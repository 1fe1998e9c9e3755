//! Boards as text: rows from the top, `/` between them, a letter for a piece, a number for a run of empty
//! places.
//!
//! ```text
//! . x .
//! . . o      is      1x1/2o/3
//! . . .
//! ```
//!
//! Knows no game: the meaning of the letters and the valid shapes are up to the caller.

use crate::error::{NotationError, Result, span_in};
use std::fmt::Write as _;

/// A row's places, from the left: 0 is empty, `n` is the n-th of the given letters.
pub(crate) type Row = Vec<u8>;

/// The maximum length of a row.
const ROW_LENGTH_MAX: usize = 13;
/// The maximum number of rows.
const ROWS_MAX: usize = 17;

/// Reads `board`, which is a slice of `input` (for the error's span).
pub(crate) fn parse_rows(input: &str, board: &str, letters: &str) -> Result<Vec<Row>> {
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() > ROWS_MAX {
        let problem = format!("the board has {} rows; no board has more than {ROWS_MAX}", rows.len());
        return Err(NotationError::syntax(input, problem).at(span_in(input, board)));
    }
    rows.into_iter().map(|row| parse_row(input, row, letters)).collect()
}

fn parse_row(input: &str, text: &str, letters: &str) -> Result<Row> {
    let mut row = Row::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let taken = if digits > 0 { digits } else { first.len_utf8() };
        let (token, after) = rest.split_at(taken);
        if digits > 0 {
            let run = token.parse::<usize>().ok().filter(|run| (1..=ROW_LENGTH_MAX).contains(run));
            let Some(run) = run else {
                let problem = format!("a run of empty places is a number from 1 to {ROW_LENGTH_MAX}");
                return Err(NotationError::syntax(input, problem).at(span_in(input, token)));
            };
            row.resize(row.len() + run, 0);
        } else {
            let Some(letter) = letters.find(first) else {
                let problem = format!("`{}` is not one of `{letters}` or a number", first.escape_debug());
                return Err(NotationError::syntax(input, problem).at(span_in(input, token)));
            };
            row.push(letter as u8 + 1);
        }
        if row.len() > ROW_LENGTH_MAX {
            let problem = format!("this row is longer than {ROW_LENGTH_MAX} places");
            return Err(NotationError::syntax(input, problem).at(span_in(input, text)));
        }
        rest = after;
    }
    Ok(row)
}

/// Writes rows as [`parse_rows`] reads them.
pub(crate) fn rows_text(rows: impl IntoIterator<Item = Row>, letters: &str) -> String {
    let rows: Vec<String> = rows.into_iter().map(|row| row_text(&row, letters.as_bytes())).collect();
    rows.join("/")
}

fn row_text(row: &[u8], letters: &[u8]) -> String {
    let mut text = String::new();
    let mut run = 0;
    for &place in row {
        if place == 0 {
            run += 1;
            continue;
        }
        push_run(&mut text, &mut run);
        text.push(char::from(letters[usize::from(place) - 1]));
    }
    push_run(&mut text, &mut run);
    text
}

fn push_run(text: &mut String, run: &mut usize) {
    if *run > 0 {
        // Writing to a string cannot fail.
        let _ = write!(text, "{run}");
        *run = 0;
    }
}

/// Splits a position's text into exactly `N` fields.
pub(crate) fn fields<'a, const N: usize>(input: &'a str, names: &str) -> Result<[&'a str; N]> {
    let fields: Vec<&str> = input.split_whitespace().collect();
    let found = fields.len();
    fields.try_into().map_err(|_| {
        NotationError::syntax(input, format!("a position has {N} fields ({names}), this one {found}"))
    })
}

/// A drawing with ranks counted from the bottom and files lettered from `a`; `rows` are from the top.
pub(crate) fn draw_rows(rows: &[Row], letters: &str) -> String {
    let mut drawing = String::new();
    for (index, row) in rows.iter().enumerate() {
        let _ = write!(drawing, "{:>2}", rows.len() - index);
        for &place in row {
            let piece = if place == 0 { '.' } else { char::from(letters.as_bytes()[usize::from(place) - 1]) };
            let _ = write!(drawing, " {piece}");
        }
        drawing.push('\n');
    }
    drawing.push_str("  ");
    for file in 0..rows.first().map_or(0, Vec::len) {
        let _ = write!(drawing, " {}", file_letter(file));
    }
    drawing.push('\n');
    drawing
}

/// `a` for 0, `b` for 1 …
pub(crate) fn file_letter(file: usize) -> char {
    char::from(b'a' + file as u8)
}
