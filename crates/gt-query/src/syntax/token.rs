//! The pieces a query text is cut into.

use crate::span::Span;
use crate::vocabulary::Relative;

/// A sign of the language.
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
    /// Every sign, the longer ones before those they begin with.
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

    /// How it is written.
    #[must_use]
    pub fn spelling(self) -> &'static str {
        Self::ALL.iter().find(|(_, symbol)| *symbol == self).map_or("", |(spelling, _)| spelling)
    }
}

/// What a token is. A name's letters are in the text, at the token's span.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenKind {
    /// A word of the language, an attribute, an alias, a derived column.
    Name,
    /// `other.best`, the attribute `other_best` of the other tree of two that were merged.
    OtherName,
    /// A sign of another language, taken for the word that it stands for.
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
    /// `[<]` and the like.
    Relative(Relative),
    /// A line `[name]`, which names the query below it.
    QueryName(String),
    /// A line with nothing on it, which ends a query.
    BlankLine,
    /// A sign.
    Symbol(Symbol),
    /// A number or text that was refused, so that only one error tells of it.
    Refused,
    /// The end of the text.
    End,
}

/// A piece of a query text.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Span,
}

/// What `other.` before a name is in the names of attributes.
const OTHER: &str = "other_";

/// The attribute that `other.NAME` reads.
pub(crate) fn other_attribute(written: &str) -> String {
    let name = written.split_once('.').map_or(written, |(_, name)| name);
    format!("{OTHER}{name}")
}

/// How an attribute is written that may be another tree's: `other_best` as `other.best`.
pub(crate) fn written_other(attribute: &str) -> Option<String> {
    attribute.strip_prefix(OTHER).map(|name| format!("other.{name}"))
}
