//! The tokens of a query text.

use crate::span::Span;
use crate::vocabulary::Relative;

/// A symbol of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // `spelling` says it.
pub enum Symbol {
    Colon,
    Semicolon,
    Comma,
    Open,
    Close,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Ampersand,
    Bar,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
}

impl Symbol {
    /// Every symbol; longer ones before their prefixes.
    pub const ALL: [(&'static str, Symbol); 18] = [
        ("!=", Symbol::NotEqual),
        ("<=", Symbol::LessEqual),
        (">=", Symbol::GreaterEqual),
        ("<", Symbol::Less),
        (">", Symbol::Greater),
        ("=", Symbol::Equal),
        (":", Symbol::Colon),
        (";", Symbol::Semicolon),
        (",", Symbol::Comma),
        ("(", Symbol::Open),
        (")", Symbol::Close),
        ("&", Symbol::Ampersand),
        ("|", Symbol::Bar),
        ("+", Symbol::Plus),
        ("-", Symbol::Minus),
        ("*", Symbol::Star),
        ("/", Symbol::Slash),
        ("%", Symbol::Percent),
    ];

    /// Returns the spelling.
    #[must_use]
    pub fn spelling(self) -> &'static str {
        Self::ALL.iter().find(|(_, symbol)| *symbol == self).map_or("", |(spelling, _)| spelling)
    }
}

/// The kind of a token. The text of a name is at the token's span.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenKind {
    /// A word of the language, an attribute, an alias, a derived column.
    Name,
    /// `other.best`: in a log of two merged trees, the attribute `other_best` of the second tree.
    OtherName,
    /// A symbol of another language; the parser treats it as this word.
    Meant(&'static str),
    /// A whole number.
    Integer(u64),
    /// A number with a point or an exponent.
    Float(f64),
    /// A text in quotes, without them.
    Text(String),
    /// `@ply`; the name is without the `@`.
    Structure(String),
    /// `$x`; the name is without the `$`.
    Parameter(String),
    /// `[<]` and similar.
    Relative(Relative),
    /// A line `[name]`, which names the query below it.
    QueryName(String),
    /// A line with nothing on it, which ends a query.
    BlankLine,
    /// A symbol.
    Symbol(Symbol),
    /// A rejected number or text, whose error is already recorded.
    Refused,
    /// The end of the text.
    End,
}

/// A token of a query text.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Its place.
    pub span: Span,
}

/// The prefix in attribute names that corresponds to `other.`.
const OTHER: &str = "other_";

/// The attribute that `other.NAME` reads.
pub(crate) fn other_attribute(written: &str) -> String {
    let name = written.split_once('.').map_or(written, |(_, name)| name);
    format!("{OTHER}{name}")
}

/// The spelling in queries of an attribute of the other tree, `other.best` for `other_best`; `None` for all others.
pub(crate) fn written_other(attribute: &str) -> Option<String> {
    of_first_tree(attribute).map(|name| format!("other.{name}"))
}

/// The first tree's counterpart of an attribute of the other tree, `best` for `other_best`; `None` for all others.
pub(crate) fn of_first_tree(attribute: &str) -> Option<&str> {
    attribute.strip_prefix(OTHER)
}
