//! Errors as text, for people.
//!
//! ```text
//! error: `typ` is not an attribute or alias of this log
//!   --> queries.gtql:3:7
//!    |
//!  3 | node: typ & QRootNode
//!    |       ^^^ did you mean `type`?
//!    = this log has: node_id, last_move, ply, depth, alpha, beta, best, type
//! ```

use std::fmt::Write;

use crate::error::Error;
use crate::evaluate::RunError;
use crate::span::{Position, Span};

/// The characters of a line that are shown on each side of an error; the rest of a long line is cut.
const CONTEXT_CHARACTERS: usize = 90;

/// Draws an error of the query text `text`, which came from `name` (a file, or what stands for one).
#[must_use]
pub fn render(error: &Error, name: &str, text: &str) -> String {
    draw(&error.to_string(), error.label(), error.note(), error.span, name, text)
}

/// The most errors that are drawn; nobody reads more, and a file that is no query can have millions.
const ERRORS_DRAWN_MAX: usize = 200;

/// Draws all errors, a blank line between two; of very many, the first and how many there are.
#[must_use]
pub fn render_all(errors: &[Error], name: &str, text: &str) -> String {
    let drawn = errors.iter().take(ERRORS_DRAWN_MAX).map(|error| render(error, name, text));
    let mut out = drawn.collect::<Vec<_>>().join("\n");
    if let Some(more) = errors.len().checked_sub(ERRORS_DRAWN_MAX).filter(|more| *more > 0) {
        let _ = writeln!(out, "\nand {more} more errors");
    }
    out
}

/// Draws an error that came up when a query was run.
#[must_use]
pub fn render_run(error: &RunError, name: &str, text: &str) -> String {
    draw(&error.to_string(), None, None, error.span, name, text)
}

fn draw(
    sentence: &str,
    label: Option<String>,
    note: Option<String>,
    span: Span,
    name: &str,
    text: &str,
) -> String {
    let position = Position::of(text, span.start);
    let (line, before, under) = excerpt(text, span);
    let number = position.line.to_string();
    let margin = " ".repeat(number.len());
    let mut out = String::new();
    // Writing to a String does not fail.
    let _ = writeln!(out, "error: {sentence}");
    let _ = writeln!(out, " {margin}--> {name}:{}:{}", position.line, position.column);
    let _ = writeln!(out, " {margin} |");
    let _ = writeln!(out, " {number} | {line}");
    let carets = format!("{}{}", " ".repeat(before), "^".repeat(under));
    let label = label.map(|label| format!(" {label}")).unwrap_or_default();
    let _ = writeln!(out, " {margin} | {carets}{label}");
    if let Some(note) = note {
        let _ = writeln!(out, " {margin} = {note}");
    }
    out
}

/// The line of the span's start as it is shown, the characters before the span, and those in it.
fn excerpt(text: &str, span: Span) -> (String, usize, usize) {
    let floor = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = floor(span.start);
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let end = floor(span.end).clamp(start, line_end);
    let shown =
        |text: &str| -> Vec<char> { text.chars().take(2 * CONTEXT_CHARACTERS).flat_map(show).collect() };
    let near = text[line_start..start].char_indices().rev().take(CONTEXT_CHARACTERS).last();
    let cut = near.map_or(0, |(at, _)| at);
    let mut before = shown(&text[line_start + cut..start]);
    if cut > 0 {
        before.splice(0..0, "… ".chars());
    }
    let (under, mut rest) = (shown(&text[start..end]).len(), shown(&text[start..line_end]));
    while rest.len() > under && rest.last() == Some(&' ') {
        rest.pop();
    }
    let rest_max = under.min(CONTEXT_CHARACTERS) + CONTEXT_CHARACTERS;
    if rest.len() > rest_max {
        rest.truncate(rest_max);
        rest.extend(" …".chars());
    }
    let (width, carets) = (before.len(), under.clamp(1, rest_max));
    (before.into_iter().chain(rest).collect(), width, carets)
}

/// Tabs have a fixed width, and nothing in a query may steer the terminal.
fn show(character: char) -> impl Iterator<Item = char> {
    let (shown, times) = match character {
        '\t' => (' ', 4),
        '\r' => (' ', 1),
        c if c.is_control() => ('\u{fffd}', 1),
        c => (c, 1),
    };
    std::iter::repeat_n(shown, times)
}
