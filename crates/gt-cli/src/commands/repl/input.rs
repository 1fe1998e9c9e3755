//! When what was typed is a whole query, and where what comes through a pipe falls into queries.
//!
//! ```text
//! typed   Enter runs what is complete; `;`, an operator, `(`, `,` or `\` at the end goes on; an empty line runs it
//! piped   a query ends as in a query file: at a blank line, or at what cannot continue it
//! both    a line that begins with `.` is a command, and ends the query before it
//! ```

use gt_query::ErrorKind;
use gt_query::tools::ast::Item;
use gt_query::tools::lex;
use gt_query::tools::parse;
use gt_query::tools::token::{Symbol, Token, TokenKind};

/// A command, or a text with queries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    /// The number of its first line in what is read, from 1.
    pub(super) line_first: usize,
}

/// Whether more lines of what is typed are to come.
pub(super) fn is_incomplete(text: &str) -> bool {
    let last_line = text.rsplit('\n').next().unwrap_or("");
    if last_line.trim().is_empty() || is_command(last_line) {
        return false;
    }
    if last_line.trim_end().ends_with('\\') {
        return true;
    }
    let text = joined(text);
    let end = text.trim_end().len();
    let open =
        |kind: &ErrorKind| matches!(kind, ErrorKind::UnclosedParenthesis | ErrorKind::NameWithoutQuery);
    let parsed = parse(&text);
    let (cut_short, wrong): (Vec<_>, Vec<_>) =
        parsed.errors.iter().partition(|error| open(&error.kind) || error.span.start >= end);
    // An error elsewhere is not mended by writing on.
    wrong.is_empty() && (!cut_short.is_empty() || ends_with_semicolon(&text))
}

fn ends_with_semicolon(text: &str) -> bool {
    let tokens = lex(text).tokens;
    let last = tokens.iter().rev().find(|token| !matches!(token.kind, TokenKind::End));
    last.is_some_and(|token| token.kind == TokenKind::Symbol(Symbol::Semicolon))
}

/// The text without the `\` at the ends of lines; every byte keeps its place.
pub(super) fn joined(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let end = line.trim_end();
        end.strip_suffix('\\')
            .map_or_else(|| line.to_owned(), |start| format!("{start} {}", &line[end.len()..]))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// What was typed or pasted at one prompt: its commands, and the queries between them together.
pub(super) fn typed_pieces(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for line in text.split('\n') {
        match pieces.last_mut() {
            Some(piece) if !is_command(line) && !is_command(&piece.text) => {
                piece.text.push('\n');
                piece.text += line;
            }
            _ => pieces.push(Piece { text: line.to_owned(), line_first: 1 }),
        }
    }
    pieces.iter_mut().for_each(|piece| piece.text = joined(&piece.text));
    pieces
}

fn is_command(line: &str) -> bool {
    line.trim_start().starts_with('.')
}

/// Cuts what is read into queries and commands, line by line.
///
/// **Invariant:** from a pipe, the queries are those that a query file with the same text has; one is handed out as
/// soon as it is certain where it ends.
pub(super) struct Cutter {
    pending: String,
    /// The number of the first line that is pending.
    line_first: usize,
    /// Whether a person types the lines, and expects an answer at Enter.
    is_typed: bool,
}

impl Cutter {
    /// For lines from a pipe, or for lines that are typed without an editor.
    pub(super) fn new(is_typed: bool) -> Self {
        Self { pending: String::new(), line_first: 1, is_typed }
    }

    /// Takes a line, and gives what is complete now.
    pub(super) fn take(&mut self, line: &str) -> Vec<Piece> {
        if self.is_typed {
            self.pending += line;
            if is_incomplete(&self.pending) {
                self.pending.push('\n');
                return Vec::new();
            }
            return typed_pieces(&std::mem::take(&mut self.pending));
        }
        if is_command(line) {
            let mut pieces = self.end();
            pieces.push(Piece { text: line.trim().to_owned(), line_first: self.line_first });
            self.line_first += 1;
            return pieces;
        }
        self.pending += &joined(line);
        self.pending.push('\n');
        if line.trim().is_empty() {
            return if is_named(&self.pending) { Vec::new() } else { self.end() };
        }
        let starts = starts(&self.pending);
        match starts.last() {
            Some(&last) if starts.len() > 1 && !is_named(&self.pending[..last]) => {
                self.cut(&starts[..starts.len() - 1], last)
            }
            _ => Vec::new(),
        }
    }

    /// What is left when no line comes any more.
    pub(super) fn end(&mut self) -> Vec<Piece> {
        if self.is_typed {
            return typed_pieces(&std::mem::take(&mut self.pending));
        }
        let starts = starts(&self.pending);
        self.cut(&starts, self.pending.len())
    }

    /// Hands out the pieces that begin at `starts` and stand before `end`; what precedes the first belongs to it.
    fn cut(&mut self, starts: &[usize], end: usize) -> Vec<Piece> {
        let rest = self.pending.split_off(end);
        let text = std::mem::replace(&mut self.pending, rest);
        let ends = starts.iter().skip(1).copied().chain([end]);
        let mut begin = 0;
        let mut pieces = Vec::new();
        for end in ends {
            let piece = &text[begin..end];
            if !piece.trim().is_empty() {
                pieces.push(Piece { text: piece.to_owned(), line_first: self.line_first });
            }
            self.line_first += piece.matches('\n').count();
            begin = end;
        }
        pieces
    }
}

/// Where the queries and `let`s of a text begin, the names of queries included.
fn starts(text: &str) -> Vec<usize> {
    let tokens = lex(text).tokens;
    let before = |at: usize| {
        let place = tokens.partition_point(|token: &Token| token.span.start < at);
        place.checked_sub(1).map_or(at, |place| tokens[place].span.start)
    };
    let start = |item: &Item| match item {
        // The word `let`.
        Item::Let(item) => before(item.name.span.start),
        Item::Query(query) => match &query.name {
            Some(name) => text[..name.span.start].rfind('\n').map_or(0, |at| at + 1),
            None => query.span.start,
        },
    };
    let mut starts: Vec<usize> = Vec::new();
    for start in parse(text).file.items.iter().map(start) {
        // A `let` between a name and its query goes with them.
        while starts.last().is_some_and(|last| *last >= start) {
            starts.pop();
        }
        starts.push(start);
    }
    starts
}

/// Whether the text ends with a name whose query is still to come.
fn is_named(text: &str) -> bool {
    let parsed = parse(text);
    let query_end = parsed.file.items.iter().rev().find_map(|item| match item {
        Item::Query(query) => Some(query.span.end),
        Item::Let(_) => None,
    });
    let mut unused = parsed.errors.iter().filter(|error| error.kind == ErrorKind::NameWithoutQuery);
    unused.any(|error| query_end.is_none_or(|end| error.span.start >= end))
}

#[cfg(test)]
mod tests;
