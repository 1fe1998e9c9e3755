//! Errors as text for people.
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

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::error::{Error, Note};
use crate::evaluate::RunError;
use crate::span::{Position, Span};

/// The length from which a line is cut to fit on a screen, in columns.
const LINE_COLUMNS_MAX: usize = 88;
/// The number of columns of such a line shown on each side of an error.
const CONTEXT_COLUMNS: usize = 35;

/// Draws an error of the query text `text`, which came from `name` (a file, or a stand-in for one).
#[must_use]
pub fn render(error: &Error, name: &str, text: &str) -> String {
    draw(&format!("error: {error}"), error.label(), error.note(), error.span, name, text)
}

/// Draws a note on the query text, in the style of an error.
#[must_use]
pub fn render_note(note: &Note, name: &str, text: &str) -> String {
    let sentence = format!("note: {}", note.text);
    match note.span {
        Some(span) => draw(&sentence, note.label.clone(), None, span, name, text),
        None => sentence + "\n",
    }
}

/// The maximum number of errors drawn: a file that is not a query can have millions.
const ERRORS_DRAWN_MAX: usize = 200;

/// Draws all errors, separated by blank lines; if there are too many, the first ones and the total number.
#[must_use]
pub fn render_all(errors: &[Error], name: &str, text: &str) -> String {
    let drawn = errors.iter().take(ERRORS_DRAWN_MAX).map(|error| render(error, name, text));
    let mut out = drawn.collect::<Vec<_>>().join("\n");
    if let Some(more) = errors.len().checked_sub(ERRORS_DRAWN_MAX).filter(|more| *more > 0) {
        let _ = writeln!(out, "\nand {more} more errors");
    }
    out
}

/// Draws an error that occurred while a query ran.
#[must_use]
pub fn render_run(error: &RunError, name: &str, text: &str) -> String {
    draw(&format!("error: {error}"), None, None, error.span, name, text)
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
    let _ = writeln!(out, "{sentence}");
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

/// The line on which the span starts, as displayed, with the number of columns before the span and in it.
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
    let is_short = !up_to(text[line_start..line_end].trim_end().chars(), LINE_COLUMNS_MAX).1;
    let context = if is_short { LINE_COLUMNS_MAX } else { CONTEXT_COLUMNS };
    let (mut before, is_cut) = up_to(text[line_start..start].chars().rev(), context);
    if is_cut {
        before += " …";
    }
    let before: String = before.chars().rev().collect();
    // The underlined text is shown whole if possible, with some of the text after it.
    let (under, is_long) = up_to(text[start..end].chars(), LINE_COLUMNS_MAX.min(2 * context));
    let (mut after, is_cut) = match is_long {
        true => (String::new(), true),
        false => up_to(text[end..line_end].trim_end().chars(), context),
    };
    if is_cut {
        after += " …";
    }
    let (width, carets) = (before.width(), under.width().max(1));
    (before + &under + &after, width, carets)
}

/// The characters as displayed, up to a number of columns, and whether there are more.
fn up_to(characters: impl Iterator<Item = char>, columns_max: usize) -> (String, bool) {
    let mut shown = String::new();
    let mut columns = 0;
    for character in characters.flat_map(show) {
        columns += character.width().unwrap_or(0);
        if columns > columns_max {
            return (shown, true);
        }
        shown.push(character);
    }
    (shown, false)
}

/// Makes a character safe to display: tabs get a fixed width, and no query can control the terminal.
fn show(character: char) -> impl Iterator<Item = char> {
    let (shown, times) = match character {
        '\t' => (' ', 4),
        '\r' => (' ', 1),
        c if c.is_control() => ('\u{fffd}', 1),
        c => (c, 1),
    };
    std::iter::repeat_n(shown, times)
}
