//! Errors of a query, with a place and a kind. [`mod@crate::render`] draws them.

mod mend;

use std::fmt;

use crate::span::Span;
use crate::value::Type;
use crate::vocabulary::Part;

/// An error in a query text.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// Its place.
    pub span: Span,
    /// Its kind.
    pub kind: ErrorKind,
}

impl Error {
    /// Makes an error at a place.
    #[must_use]
    pub const fn new(span: Span, kind: ErrorKind) -> Self {
        Self { span, kind }
    }
}

/// A remark on a query that is not an error. [`crate::render_note`] draws it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Its place, unless it is about the queries as a whole.
    pub span: Option<Span>,
    /// The remark, in one sentence.
    pub text: String,
    /// The label for the underlined place.
    pub label: Option<String>,
}

/// The kinds of errors; the displayed sentence of [`Error`] describes each.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum ErrorKind {
    UnexpectedCharacter(char),
    ForeignOperator { found: &'static str, meant: &'static str },
    UnclosedText,
    UnknownEscape(char),
    SingleQuotes(String),
    NumberTooLarge,
    FloatTooLarge,
    BarePoint(String),
    NotDecimal(Option<u64>),
    NameBeginsWithDigit,
    NameLetter(char),
    UnknownRelative(String),
    Expected { what: &'static str, found: String },
    WordSpelling { found: String, meant: &'static str },
    ForeignWord { found: &'static str, mend: &'static str },
    EmptyList,
    NoPart,
    NoCondition { part: Part, clause: &'static str },
    PartInCondition { part: Part, is_conjunct: bool },
    UnknownPart { name: String, nearest: Vec<String> },
    UnclosedParenthesis,
    TooDeep,
    UnknownFunction { name: String, nearest: Vec<String> },
    EmptyAggregate(String),
    WrongArguments { name: String, wanted: usize, count: usize },
    ClauseTwice(&'static str),
    NameWithoutQuery,
    QueryNameTwice(String),
    UnknownName { name: String, nearest: Vec<String>, known: Vec<String>, defined_below: bool },
    UnknownStructure { name: String, nearest: Vec<String> },
    UnknownParameter { name: String, nearest: Vec<String>, known: Vec<String> },
    NameTaken { name: String, by: &'static str },
    PartWithoutAggregate(Part),
    NodeComparesAggregate,
    AggregateInAggregate,
    AggregateWithoutScope,
    AggregateInClause(&'static str),
    OtherOutsideAggregate(Part),
    NoOther,
    RelativeOfConstant(String),
    NotBoolean { found: Type },
    ValueAlone { value: String, attribute: String, operator: char },
    NotNumber { operator: &'static str, found: Type },
    NotOrdered { operator: &'static str, found: Type },
    NotInteger { operator: &'static str, found: Type },
    NotText { operator: &'static str, found: Type },
    TwoTypes { operator: &'static str, left: Type, right: Type },
    BadShare,
    CannotCompare { left: Type, right: Type },
    ComparisonsChained,
    NoOrder(Type),
    UnknownMove(String),
    NoNotation,
    MoveAgainstText,
    LineNotSelected,
    NoBound { lacking: &'static str, known: Vec<String> },
    ConstantOverflow,
    ConstantOrder,
    BadLimit,
    ClauseWithAggregateResult(&'static str),
    NotGrouped(String),
    GroupWithoutSelect,
}

impl fmt::Display for Error {
    /// Writes the error's sentence, without its place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ErrorKind as K;
        match &self.kind {
            K::UnexpectedCharacter(c) => write!(f, "`{}` has no meaning in a query", c.escape_debug()),
            K::ForeignOperator { found, meant } => write!(f, "`{found}` is written `{meant}`"),
            K::UnclosedText => f.write_str("a text ends with `\"` on the line it begins on"),
            K::UnknownEscape(c) => write!(f, "`\\{}` is no escape", c.escape_debug()),
            K::SingleQuotes(_) => f.write_str("a text is written in double quotes"),
            K::NumberTooLarge | K::FloatTooLarge => f.write_str("this number is too large"),
            K::BarePoint(_) => f.write_str("a number has digits on both sides of its point"),
            K::NotDecimal(_) => f.write_str("numbers are written in decimal"),
            K::NameLetter(c) => write!(f, "`{}` cannot be in a name", c.escape_debug()),
            K::ForeignWord { found, .. } => write!(f, "`{found}` has no meaning here"),
            K::EmptyList => f.write_str("nothing is in an empty list"),
            K::NameBeginsWithDigit => f.write_str("a name cannot begin with a digit"),
            K::UnknownRelative(found) => write!(f, "`{}` names no relative of a node", found.escape_debug()),
            K::Expected { what, found } => write!(f, "expected {what}, found {found}"),
            K::WordSpelling { found, meant } => write!(f, "`{found}` is written `{meant}`"),
            K::NoPart => f.write_str("a query begins with a part"),
            K::NoCondition { part, clause } => {
                write!(f, "`{}` has no condition before `{clause}`", part.heading())
            }
            K::PartInCondition { part, .. } => {
                write!(f, "`{}` begins a part of its own and cannot stand inside a condition", part.heading())
            }
            K::UnknownPart { name, .. } => write!(f, "`{name}:` is not a part of a query"),
            K::UnclosedParenthesis => f.write_str("this `(` is not closed before the query ends"),
            K::TooDeep => write!(f, "the query is nested more than {} deep", crate::syntax::DEPTH_MAX),
            K::UnknownFunction { name, .. } => write!(f, "there is no function `{name}`"),
            K::EmptyAggregate(name) => write!(f, "`{name}()` does not say of what"),
            K::ClauseTwice(name) => write!(f, "`{name}` is there twice"),
            K::NameWithoutQuery => f.write_str("this name has no query below it"),
            K::QueryNameTwice(name) => write!(f, "two queries are called `{name}`"),
            K::UnknownName { name, .. } => write!(f, "`{name}` is not an attribute or alias of this log"),
            K::UnknownStructure { name, .. } => {
                write!(f, "`@{name}` is not something a tree knows of its nodes")
            }
            K::UnknownParameter { name, .. } => write!(f, "`${name}` has no value"),
            K::WrongArguments { name, wanted, count } => {
                let values = if *wanted == 1 { "value" } else { "values" };
                write!(f, "`{name}` takes {wanted} {values}, not {count}")
            }
            K::NameTaken { name, by } => write!(f, "`{name}` is already {by}"),
            K::PartWithoutAggregate(part) => {
                write!(f, "`{}` needs an aggregate such as `count()`", part.heading())
            }
            K::NodeComparesAggregate => {
                f.write_str("an aggregate in `node:` must be the whole of it: it is the result of the query")
            }
            K::AggregateInAggregate => f.write_str("an aggregate cannot stand directly inside another"),
            K::AggregateWithoutScope => f.write_str("this aggregate does not say over which nodes"),
            K::AggregateInClause(clause) => {
                write!(f, "`{clause}` takes values of one node, not an aggregate")
            }
            K::OtherOutsideAggregate(part) => {
                write!(f, "in `{}`, `[]` has a meaning only inside an aggregate", part.heading())
            }
            K::NoOther => f.write_str("`[]` is the node that an aggregate over children, siblings or twins looks at; there is none here"),
            K::RelativeOfConstant(name) => write!(f, "`{name}` is a constant: it has no relatives"),
            K::NotBoolean { found } => write!(f, "expected something that is true or false, found {found}"),
            K::ValueAlone { value, attribute, .. } => {
                write!(f, "`{value}` is a value of `{attribute}`, which is no condition")
            }
            K::NotNumber { operator, found } => write!(f, "`{operator}` takes numbers, not {found}"),
            K::NotOrdered { operator, found } => {
                write!(f, "`{operator}` takes numbers and texts, not {found}")
            }
            K::NotInteger { operator, found } => write!(f, "`{operator}` takes integers, not {found}"),
            K::NotText { operator, found } => write!(f, "`{operator}` takes texts, not {found}"),
            K::TwoTypes { operator, left, right } => {
                write!(f, "`{operator}` chooses between values of one type, not {left} and {right}")
            }
            K::BadShare => f.write_str("`quantile` takes a constant share from 0 to 1"),
            K::CannotCompare { left, right } => write!(f, "{left} cannot be compared with {right}"),
            K::ComparisonsChained => f.write_str("comparisons do not chain"),
            K::NoOrder(found) => write!(f, "{found} can be equal or not, but has no order"),
            K::UnknownMove(text) => write!(f, "`{}` is not a move of this game", text.escape_debug()),
            K::NoNotation => f.write_str("the notation of this log's game is not known here"),
            K::MoveAgainstText => {
                f.write_str("a move can be compared with a text only where the text is a constant")
            }
            K::LineNotSelected => f.write_str("`@line` can be selected, and nothing else"),
            K::NoBound { lacking, .. } => write!(
                f,
                "`@bound` compares `best` with the window from `alpha` to `beta`, but this log has no number `{lacking}`"
            ),
            K::ConstantOverflow => f.write_str("this is outside the 64-bit integers"),
            K::ConstantOrder => f.write_str("a constant gives no order"),
            K::BadLimit => f.write_str("`limit` takes a whole number, 0 or more"),
            K::ClauseWithAggregateResult(clause) => {
                write!(f, "`{clause}` has nothing to work on: the aggregate in `node:` is the whole result")
            }
            K::NotGrouped(text) => write!(f, "`{text}` is not a key of `group by` and not an aggregate"),
            K::GroupWithoutSelect => {
                f.write_str("`group by` needs a `select` that says what to show of each group")
            }
        }
    }
}

impl std::error::Error for Error {}
