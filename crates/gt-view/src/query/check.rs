//! `/api/check`: what is wrong with a query text, and which tokens and queries it has.

use gt_games::GameKind;
use gt_query::ir::Program;
use gt_query::tools::{TokenClass, tokens};
use gt_query::{Error, ErrorKind, Note, Span};
use serde::Serialize;

use super::binding::Binding;
use super::results::ResultKind;
use super::text::{Utf16, check_length};
use crate::error::{Answer, QueryError};
use crate::logs::Opened;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CheckAnswer {
    errors: Vec<QueryError>,
    /// What is no error, but probably not what was meant.
    notes: Vec<QueryError>,
    tokens: Vec<Token>,
    queries: Vec<QueryInfo>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Token {
    start: u32,
    end: u32,
    kind: &'static str,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct QueryInfo {
    name: Option<String>,
    start: u32,
    end: u32,
    result: ResultKind,
}

/// The maximum number of errors in an answer.
const ERRORS_MAX: usize = 200;

pub(crate) fn check(opened: &Opened, binding: &Binding<'_>, text: &str) -> Answer<CheckAnswer> {
    check_length(text)?;
    let places = Utf16::new(text);
    let tokens = tokens(text).into_iter().map(|(span, class)| Token {
        start: places.of_byte(span.start),
        end: places.of_byte(span.end),
        kind: class_name(class),
    });
    let (program, errors) = match binding.compile(text) {
        Ok(program) => (program, Vec::new()),
        Err(errors) => (Program::default(), query_errors(&errors, text, opened.game)),
    };
    let queries = program.queries.iter().map(|query| QueryInfo {
        name: query.name.clone(),
        start: places.of_byte(query.span.start),
        end: places.of_byte(query.span.end),
        result: ResultKind::of(&query.outcome),
    });
    let notes = program.notes.iter().take(ERRORS_MAX).map(|note| note_on(note, &places, text)).collect();
    Ok(CheckAnswer { errors, notes, tokens: tokens.collect(), queries: queries.collect() })
}

/// A note in the command line's words; one about all queries is on the whole text.
fn note_on(note: &Note, places: &Utf16, text: &str) -> QueryError {
    let span = note.span.unwrap_or(Span::new(0, text.len()));
    QueryError {
        start: places.of_byte(span.start),
        end: places.of_byte(span.end),
        message: note.text.clone(),
        help: note.label.clone(),
        note: None,
    }
}

/// Errors in the command line's words.
pub(crate) fn query_errors(errors: &[Error], text: &str, game: Option<GameKind>) -> Vec<QueryError> {
    let places = Utf16::new(text);
    let note = |error: &Error| match (&error.kind, game) {
        (ErrorKind::UnknownMove(_), Some(game)) => Some(game.move_form().to_owned()),
        _ => error.note(),
    };
    let entry = |error: &Error| QueryError {
        start: places.of_byte(error.span.start),
        end: places.of_byte(error.span.end),
        message: error.to_string(),
        help: error.label(),
        note: note(error),
    };
    errors.iter().take(ERRORS_MAX).map(entry).collect()
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
