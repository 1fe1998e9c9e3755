//! The tokens of PGN: tags, words, comments and brackets.

use crate::saved::cursor::Cursor;
use crate::saved::error::Problem;
use std::io::BufRead;

/// A piece of PGN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `[Name "value"]`.
    Tag(String, String),
    /// `{so}` or `; so`, with white space collapsed to single spaces.
    Comment(String),
    /// A move, a move's number, a result, a mark.
    Word(String),
    /// `(`: a variation begins.
    Open,
    /// `)`: it ends.
    Close,
    /// Text that is not PGN, and why.
    Wrong(String),
}

/// A token and the line where it begins.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) line: usize,
    pub(super) token: Token,
}

/// Returns the next token; none at the end of the input.
///
/// # Errors
/// Returns an error if the input cannot be read further.
pub(super) fn next<R: BufRead>(cursor: &mut Cursor<R>) -> Result<Option<Placed>, Problem> {
    loop {
        if !cursor.next_text()? {
            return Ok(None);
        }
        if cursor.is_at_line_start() && cursor.rest().starts_with('%') {
            cursor.skip_line();
            continue;
        }
        let line = cursor.number();
        let token = match cursor.rest().chars().next() {
            Some('{') => comment(cursor)?,
            Some('[') => tag(cursor),
            Some(';') => {
                let text = plain_spaces(&cursor.rest()[1..]);
                cursor.skip_line();
                Token::Comment(text)
            }
            Some(sign @ ('(' | ')' | '}' | ']')) => {
                cursor.skip(1);
                bracket(sign)
            }
            Some('$') => {
                let rest = &cursor.rest()[1..];
                let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
                cursor.skip(1 + digits);
                continue;
            }
            _ => word(cursor),
        };
        return Ok(Some(Placed { line, token }));
    }
}

fn bracket(sign: char) -> Token {
    match sign {
        '(' => Token::Open,
        ')' => Token::Close,
        _ => Token::Wrong(format!("a `{sign}` closes what was not opened")),
    }
}

fn word<R: BufRead>(cursor: &mut Cursor<R>) -> Token {
    let rest = cursor.rest();
    let is_end = |c: char| c.is_whitespace() || "{}()[];$".contains(c);
    let word = rest[..rest.find(is_end).unwrap_or(rest.len())].to_owned();
    cursor.skip(word.len());
    Token::Word(word)
}

fn comment<R: BufRead>(cursor: &mut Cursor<R>) -> Result<Token, Problem> {
    let mut text = String::new();
    cursor.skip(1);
    loop {
        if let Some(end) = cursor.rest().find('}') {
            text.push_str(&cursor.rest()[..end]);
            cursor.skip(end + 1);
            return Ok(Token::Comment(plain_spaces(&text)));
        }
        text.push_str(cursor.rest());
        text.push(' ');
        if !cursor.next_line()? {
            return Ok(Token::Wrong("a comment `{` is never closed by `}`".to_owned()));
        }
    }
}

pub(super) fn plain_spaces(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads a tag, which ends on its line. Quotes inside its value should be escaped, and often are not: then the line's
/// last quote ends it.
fn tag<R: BufRead>(cursor: &mut Cursor<R>) -> Token {
    let rest = cursor.rest();
    let found = escaped_tag(rest).or_else(|| careless_tag(rest));
    match found {
        Some((token, bytes)) => {
            cursor.skip(bytes);
            token
        }
        None => {
            cursor.skip_line();
            Token::Wrong("a tag is written [Name \"value\"] in one line".to_owned())
        }
    }
}

/// The name of a tag, and the text after its opening quote.
fn name_of(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('[')?.trim_start();
    let (name, rest) = text.split_at(text.find(|c: char| c.is_whitespace() || c == '"')?);
    let value = rest.trim_start().strip_prefix('"')?;
    let is_name = |name: &str| !name.is_empty() && !name.contains(['[', ']', '{', '}']);
    is_name(name).then_some((name, value))
}

fn escaped_tag(text: &str) -> Option<(Token, usize)> {
    let (name, rest) = name_of(text)?;
    let mut value = String::new();
    let mut letters = rest.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some(&(_, next @ ('"' | '\\')))) => {
                value.push(next);
                letters.next();
            }
            ('"', _) => {
                let after = rest[at + 1..].trim_start().strip_prefix(']')?;
                return Some((Token::Tag(name.to_owned(), value), text.len() - after.len()));
            }
            _ => value.push(letter),
        }
    }
    None
}

fn careless_tag(text: &str) -> Option<(Token, usize)> {
    let (name, rest) = name_of(text)?;
    let value = rest.trim_end().strip_suffix(']')?.trim_end().strip_suffix('"')?;
    Some((Token::Tag(name.to_owned(), value.to_owned()), text.len()))
}
