//! The tokens of the text, each with its position.

use crate::error::NotationError;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Word,
    /// One of `():,=@~`.
    Sign(char),
    End,
}

/// A token of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) sort: Sort,
    pub(super) text: &'a str,
    start: usize,
}

/// Walks over the text token by token.
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { text, at: start }
    }

    pub(super) fn peek(&self) -> Token<'a> {
        let start = self.start_of_next();
        let rest = &self.text[start..];
        let (sort, length) = match rest.chars().next() {
            None => (Sort::End, 0),
            Some(sign) if is_sign(sign) => (Sort::Sign(sign), sign.len_utf8()),
            Some(_) => (
                Sort::Word,
                rest.find(|c: char| c.is_whitespace() || is_sign(c) || c == '#').unwrap_or(rest.len()),
            ),
        };
        Token { sort, text: &rest[..length], start }
    }

    pub(super) fn next(&mut self) -> Token<'a> {
        let token = self.peek();
        self.at = token.start + token.text.len();
        token
    }

    /// Whether a name and its colon come next.
    pub(super) fn is_name(&self) -> bool {
        let word = self.peek();
        let behind = Self { text: self.text, at: word.start + word.text.len() };
        word.sort == Sort::Word && behind.peek().sort == Sort::Sign(':')
    }

    /// Skips the word if it comes next and is not a name.
    pub(super) fn skip_word(&mut self, word: &str) -> bool {
        let found = self.peek().text == word && !self.is_name();
        if found {
            self.next();
        }
        found
    }

    pub(super) fn skip_sign(&mut self, sign: char) -> bool {
        let found = self.peek().sort == Sort::Sign(sign);
        if found {
            self.next();
        }
        found
    }

    /// An error at a token.
    pub(super) fn error(&self, token: Token<'_>, problem: impl AsRef<str>) -> NotationError {
        self.error_at(token.start, problem)
    }

    /// An error at a position in the text, shown with its line.
    pub(super) fn error_at(&self, place: usize, problem: impl AsRef<str>) -> NotationError {
        let before = &self.text[..place];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let (line, column) = (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1);
        let shown = self.text[line_start..].lines().next().unwrap_or("").trim();
        NotationError::syntax(shown, format!("line {line}, column {column}: {}", problem.as_ref()))
    }

    fn start_of_next(&self) -> usize {
        let mut at = self.at;
        loop {
            let rest = &self.text[at..];
            let trimmed = rest.trim_start();
            at += rest.len() - trimmed.len();
            if !trimmed.starts_with('#') {
                return at;
            }
            at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }
}

impl Token<'_> {
    /// The position where it begins.
    pub(super) fn place(&self) -> usize {
        self.start
    }
}

fn is_sign(character: char) -> bool {
    matches!(character, '(' | ')' | ':' | ',' | '=' | '@' | '~')
}
