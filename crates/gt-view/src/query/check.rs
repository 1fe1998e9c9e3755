//! `/api/check`: what is wrong with a query text, and what its pieces are.

use gt_games::GameKind;
use gt_query::ir::{Outcome, Program};
use gt_query::tools::{TokenClass, tokens};
use gt_query::{Error, ErrorKind, Note, Span};
use serde::Serialize;

use super::binding::Binding;
use super::text::{Utf16, check_length};
use crate::error::Answer;
use crate::logs::Opened;

#[derive(Serialize)]
pub(crate) struct Checked {
    errors: Vec<Wrong>,
    /// What is no error, but probably not what was meant.
    notes: Vec<Wrong>,
    tokens: Vec<Piece>,
    queries: Vec<QueryEntry>,
}

/// An error of a query text, or a note on it.
#[derive(Serialize)]
pub(crate) struct Wrong {
    start: u32,
    end: u32,
    message: String,
    help: Option<String>,
    note: Option<String>,
}

#[derive(Serialize)]
struct Piece {
    start: u32,
    end: u32,
    kind: &'static str,
}

#[derive(Serialize)]
struct QueryEntry {
    name: Option<String>,
    start: u32,
    end: u32,
    result: &'static str,
}

/// More errors than these nobody reads.
const ERRORS_MAX: usize = 200;

pub(crate) fn check(opened: &Opened, binding: &Binding<'_>, text: &str) -> Answer<Checked> {
    check_length(text)?;
    let places = Utf16::new(text);
    let pieces = tokens(text).into_iter().map(|(span, class)| Piece {
        start: places.of_byte(span.start),
        end: places.of_byte(span.end),
        kind: class_name(class),
    });
    let (program, errors) = match binding.compile(text) {
        Ok(program) => (program, Vec::new()),
        Err(errors) => (Program::default(), wrong(&errors, text, opened.game)),
    };
    let queries = program.queries.iter().map(|query| QueryEntry {
        name: query.name.clone(),
        start: places.of_byte(query.span.start),
        end: places.of_byte(query.span.end),
        result: outcome_name(&query.outcome),
    });
    let notes = program.notes.iter().take(ERRORS_MAX).map(|note| note_on(note, &places, text)).collect();
    Ok(Checked { errors, notes, tokens: pieces.collect(), queries: queries.collect() })
}

/// A note in the command line's words; one about all queries is on the whole text.
fn note_on(note: &Note, places: &Utf16, text: &str) -> Wrong {
    let span = note.span.unwrap_or(Span::new(0, text.len()));
    Wrong {
        start: places.of_byte(span.start),
        end: places.of_byte(span.end),
        message: note.text.clone(),
        help: note.label.clone(),
        note: None,
    }
}

/// Errors in the command line's words.
pub(crate) fn wrong(errors: &[Error], text: &str, game: Option<GameKind>) -> Vec<Wrong> {
    let places = Utf16::new(text);
    let note = |error: &Error| match (&error.kind, game) {
        (ErrorKind::UnknownMove(_), Some(game)) => Some(game.move_form().to_owned()),
        _ => error.note(),
    };
    let entry = |error: &Error| Wrong {
        start: places.of_byte(error.span.start),
        end: places.of_byte(error.span.end),
        message: error.to_string(),
        help: error.label(),
        note: note(error),
    };
    errors.iter().take(ERRORS_MAX).map(entry).collect()
}

/// What kind of answer a query gives.
pub(crate) const fn outcome_name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Count => "count",
        Outcome::Aggregate(_) => "value",
        Outcome::Nodes(_) => "nodes",
        Outcome::Rows { .. } => "rows",
        Outcome::Groups { .. } => "groups",
    }
}

const fn class_name(class: TokenClass) -> &'static str {
    match class {
        TokenClass::Keyword => "keyword",
        TokenClass::Function => "function",
        TokenClass::Name => "name",
        TokenClass::Number => "number",
        TokenClass::Text => "text",
        TokenClass::Structure => "structure",
        TokenClass::Parameter => "parameter",
        TokenClass::Relative => "relative",
        TokenClass::Operator => "operator",
        TokenClass::Comment => "comment",
        TokenClass::QueryName => "query_name",
        TokenClass::Error => "error",
    }
}
