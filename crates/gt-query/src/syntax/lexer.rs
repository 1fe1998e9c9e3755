//! Text to tokens.
//!
//! Lines matter in two places only: a blank line ends a query and a line `[name]` names one. Both become tokens here,
//! so that the parser need not know about lines. Text that cannot be a token is reported and skipped (or replaced by
//! the probable intention), and lexing continues.

use super::token::{Symbol, Token, TokenKind};
use crate::error::{Error, ErrorKind};
use crate::span::Span;
use crate::vocabulary::{Part, Relative};

/// The tokens of a text.
#[derive(Clone, Debug, Default)]
pub struct Lexed {
    /// The tokens; the last one is [`TokenKind::End`].
    pub tokens: Vec<Token>,
    /// The comments, `#` included.
    pub comments: Vec<Span>,
    /// The errors.
    pub errors: Vec<Error>,
}

/// Splits a text into tokens.
#[must_use]
pub fn lex(text: &str) -> Lexed {
    let mut lexer = Lexer { text, at: 0, lexed: Lexed::default() };
    if text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    lexer.run();
    lexer.lexed
}

/// Operators of other languages, and their equivalents: a symbol, or else a word.
const FOREIGN_OPERATORS: [(&str, &str, Option<Symbol>); 9] = [
    ("=>", ">=", Some(Symbol::GreaterEqual)),
    ("=<", "<=", Some(Symbol::LessEqual)),
    ("==", "=", Some(Symbol::Equal)),
    ("<>", "!=", Some(Symbol::NotEqual)),
    ("&&", "and", None),
    ("||", "or", None),
    ("!", "not", None),
    ("≤", "<=", Some(Symbol::LessEqual)),
    ("≥", ">=", Some(Symbol::GreaterEqual)),
];

/// The maximum distance of the `]` of a relative from its `[`.
const RELATIVE_CHARACTERS_MAX: usize = 32;

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    lexed: Lexed,
}

impl<'a> Lexer<'a> {
    fn run(&mut self) {
        let mut line_begins = true;
        while let Some(next) = self.rest().chars().next() {
            if line_begins && self.whole_line() {
                continue;
            }
            line_begins = next == '\n';
            match next {
                _ if next.is_whitespace() => self.at += next.len_utf8(),
                '#' => self.comment(),
                '"' => self.text_literal(),
                '\'' => self.single_quotes(),
                '[' => self.relative(),
                '@' | '$' => self.marked_name(next),
                _ if next.is_ascii_digit() => self.number(),
                '.' if self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) => self.bare_point(),
                _ if next.is_alphabetic() => self.name(),
                _ => self.sign(next),
            }
        }
        self.push(TokenKind::End, 0);
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let span = Span::new(self.at, self.at + length);
        self.lexed.tokens.push(Token { kind, span });
        self.at += length;
    }

    fn refuse(&mut self, kind: ErrorKind, length: usize) {
        self.lexed.errors.push(Error::new(Span::new(self.at, self.at + length), kind));
        self.at += length;
    }

    /// Reports a bad number or text, which the parser then treats as a value.
    fn refuse_value(&mut self, kind: ErrorKind, length: usize) {
        let span = Span::new(self.at, self.at + length);
        self.lexed.errors.push(Error::new(span, kind));
        self.push(TokenKind::Refused, length);
    }

    /// Takes the line that begins here if it is blank or `[name]`.
    fn whole_line(&mut self) -> bool {
        let line = self.rest().split('\n').next().unwrap_or("");
        let length = line.len();
        // A last line without an end is not a blank line: nothing comes after it.
        if line.trim().is_empty() && self.at + length < self.text.len() {
            self.push(TokenKind::BlankLine, length);
            self.at += 1;
            return true;
        }
        let Some((name, at)) = query_name(line).filter(|(name, _)| self.is_no_relative(name, length)) else {
            return false;
        };
        let (name, start) = (name.to_owned(), self.at + at);
        let span = Span::new(start, start + name.len());
        self.lexed.tokens.push(Token { kind: TokenKind::QueryName(name), span });
        if let Some(hash) = line.find('#') {
            self.lexed.comments.push(Span::new(self.at + hash, self.at + length));
        }
        self.at += length;
        if !self.rest().is_empty() {
            self.at += 1;
        }
        true
    }

    /// Whether `[name]`, alone on a line, names a query: `[0]` can be a relative, unless a query follows.
    fn is_no_relative(&self, name: &str, line_length: usize) -> bool {
        let bracketed = format!("[{}]", name.split_whitespace().collect::<String>());
        if Relative::find(&bracketed).is_none() {
            return true;
        }
        let mut after = self.rest()[line_length..].trim_start();
        while after.starts_with('#') {
            after = after.split_once('\n').map_or("", |(_, after)| after.trim_start());
        }
        let (word, rest) = after.split_at(name_length(after));
        let sign = if word == "twin" { '(' } else { ':' };
        let is_part = Part::find(word).is_some() && rest.trim_start().starts_with(sign);
        is_part || matches!(word, "let" | "select" | "limit" | "group" | "order")
    }

    fn comment(&mut self) {
        let length = self.rest().find('\n').unwrap_or(self.rest().len());
        self.lexed.comments.push(Span::new(self.at, self.at + length));
        self.at += length;
    }

    fn text_literal(&mut self) {
        let mut value = String::new();
        let mut characters = self.rest().char_indices().skip(1);
        let mut bad_escape = None;
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    if let Some((at, letter)) = bad_escape {
                        self.lexed.errors.push(Error::new(
                            Span::new(self.at + at, self.at + at + 1),
                            ErrorKind::UnknownEscape(letter),
                        ));
                    }
                    return self.push(TokenKind::Text(value), at + 1);
                }
                '\n' => return self.unclosed_text(at),
                '\\' => match characters.next() {
                    Some((_, '"')) => value.push('"'),
                    Some((_, '\\')) => value.push('\\'),
                    Some((_, 'n')) => value.push('\n'),
                    Some((_, 't')) => value.push('\t'),
                    Some((at, '\n')) => return self.unclosed_text(at),
                    Some((_, other)) => bad_escape = bad_escape.or(Some((at, other))),
                    None => break,
                },
                _ => value.push(character),
            }
        }
        self.refuse_value(ErrorKind::UnclosedText, self.rest().len());
    }

    /// Reports a quoted text that has no end on its line, and skips its part on the next line.
    fn unclosed_text(&mut self, length: usize) {
        self.refuse_value(ErrorKind::UnclosedText, length);
        let next_line = self.rest()[1..].split('\n').next().unwrap_or("");
        if next_line.matches('"').count() % 2 == 1 {
            self.at += 2 + next_line.find('"').unwrap_or(0);
        }
    }

    fn single_quotes(&mut self) {
        let inner = &self.rest()[1..];
        let length = match inner.find(['\'', '\n']) {
            Some(length) if inner[length..].starts_with('\'') => length,
            _ => return self.refuse(ErrorKind::UnexpectedCharacter('\''), 1),
        };
        let value = inner[..length].to_owned();
        let span = Span::new(self.at, self.at + length + 2);
        self.lexed.errors.push(Error::new(span, ErrorKind::SingleQuotes(value.clone())));
        self.push(TokenKind::Text(value), length + 2);
    }

    fn relative(&mut self) {
        // Relatives are short; looking no further keeps the time linear for any text.
        let near = self.rest().char_indices().take(RELATIVE_CHARACTERS_MAX).take_while(|(_, c)| *c != '\n');
        let close = near.filter(|(_, c)| *c == ']').map(|(at, _)| at).next();
        let Some(close) = close else { return self.refuse(ErrorKind::UnknownRelative("[".into()), 1) };
        let written: String = self.rest()[..=close].chars().filter(|c| !c.is_whitespace()).collect();
        match Relative::find(&written) {
            Some(relative) => self.push(TokenKind::Relative(relative), close + 1),
            None => self.refuse(ErrorKind::UnknownRelative(written), close + 1),
        }
    }

    fn marked_name(&mut self, mark: char) {
        let length = name_length(&self.rest()[1..]);
        let name = self.rest()[1..=length].to_owned();
        match (length, mark) {
            (0, _) => self.refuse(ErrorKind::UnexpectedCharacter(mark), 1),
            (_, '@') => self.push(TokenKind::Structure(name), length + 1),
            _ => self.push(TokenKind::Parameter(name), length + 1),
        }
    }

    fn name(&mut self) {
        let name = self.rest();
        let length = name_length(name);
        let of_other = name.strip_prefix("other.").map_or(0, name_length);
        if of_other > 0 {
            return self.push(TokenKind::OtherName, "other.".len() + of_other);
        }
        match name[length..].chars().next() {
            Some(letter) if letter.is_alphanumeric() => {
                let whole = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
                self.refuse_value(ErrorKind::NameLetter(letter), whole);
            }
            _ => self.push(TokenKind::Name, length),
        }
    }

    /// Reports a number such as `.5`, which has no digit before its point.
    fn bare_point(&mut self) {
        let length = 1 + number_length(&self.rest()[1..]).0;
        let meant = format!("0{}", &self.rest()[..length]);
        self.refuse_value(ErrorKind::BarePoint(meant), length);
    }

    fn number(&mut self) {
        let (length, is_float) = number_length(self.rest());
        let after = name_length(&self.rest()[length..]);
        let digits = &self.rest()[..length];
        if after > 0 {
            let letters = &self.rest()[length..length + after];
            let hexadecimal = letters.strip_prefix(['x', 'X']).filter(|_| digits == "0");
            let kind = match hexadecimal {
                Some(hexadecimal) => ErrorKind::NotDecimal(u64::from_str_radix(hexadecimal, 16).ok()),
                None => ErrorKind::NameBeginsWithDigit,
            };
            return self.refuse_value(kind, length + after);
        }
        if self.rest()[length..].starts_with('.') && !is_float {
            return self.refuse_value(ErrorKind::BarePoint(format!("{digits}.0")), length + 1);
        }
        if !is_float {
            return match digits.parse() {
                Ok(value) => self.push(TokenKind::Integer(value), length),
                Err(_) => self.refuse_value(ErrorKind::NumberTooLarge, length),
            };
        }
        match digits.parse::<f64>() {
            Ok(value) if value.is_finite() => self.push(TokenKind::Float(value), length),
            _ => self.refuse_value(ErrorKind::FloatTooLarge, length),
        }
    }

    fn sign(&mut self, next: char) {
        for (found, meant, symbol) in FOREIGN_OPERATORS {
            if self.rest().starts_with(found) && !self.rest().starts_with("!=") {
                let span = Span::new(self.at, self.at + found.len());
                self.lexed.errors.push(Error::new(span, ErrorKind::ForeignOperator { found, meant }));
                let kind = symbol.map_or(TokenKind::Meant(meant), TokenKind::Symbol);
                self.push(kind, found.len());
                return;
            }
        }
        match Symbol::ALL.iter().find(|(spelling, _)| self.rest().starts_with(spelling)) {
            Some((spelling, symbol)) => self.push(TokenKind::Symbol(*symbol), spelling.len()),
            None => self.refuse(ErrorKind::UnexpectedCharacter(next), next.len_utf8()),
        }
    }
}

/// The name in a line `[name]`, and its start.
fn query_name(line: &str) -> Option<(&str, usize)> {
    let open = line.find('[')?;
    let close = line.find(']')?;
    let inside = line.get(open + 1..close)?;
    let after = line[close + 1..].trim_start();
    let alone = line[..open].trim().is_empty() && (after.is_empty() || after.starts_with('#'));
    let name = inside.trim();
    let is_name = !name.is_empty() && !name.contains(['[', '#']);
    (alone && is_name).then(|| (name, open + 1 + inside.find(name).unwrap_or(0)))
}

fn name_length(text: &str) -> usize {
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return 0;
    }
    text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())
}

/// The length in bytes of the number that `text` begins with, and whether it has a point or an exponent.
fn number_length(text: &str) -> (usize, bool) {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut length = digits(0);
    let mut is_float = false;
    if text[length..].starts_with('.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
        is_float = true;
    }
    if text[length..].starts_with(['e', 'E']) {
        let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
        let exponent = digits(length + 1 + sign);
        if exponent > 0 {
            length += 1 + sign + exponent;
            is_float = true;
        }
    }
    (length, is_float)
}
