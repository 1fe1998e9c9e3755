//! The classes of the tokens of a query text, for syntax highlighting.

use crate::span::Span;
use crate::syntax::lexer::lex;
use crate::syntax::token::{Symbol, Token, TokenKind};
use crate::vocabulary::{self, Meaning, Part};

/// The class of a token in a query text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenClass {
    /// `node`, `and`, `select` …
    Keyword,
    /// `count`, `abs` …
    Function,
    /// An attribute, alias or derived column.
    Name,
    /// A number.
    Number,
    /// A text in quotes.
    Text,
    /// `@ply`.
    Structure,
    /// `$x`.
    Parameter,
    /// `[<]`.
    Relative,
    /// A sign.
    Operator,
    /// `# …`.
    Comment,
    /// The name in a line `[name]`.
    QueryName,
    /// Text that cannot be read.
    Error,
}

/// Returns the tokens of a text in order, without white space; they never overlap.
///
/// ```
/// use gt_query::tools::{TokenClass, tokens};
/// let classes: Vec<_> = tokens("node: best > 3 # why").into_iter().map(|(_, class)| class).collect();
/// use TokenClass::*;
/// assert_eq!(classes, [Keyword, Operator, Name, Operator, Number, Comment]);
/// ```
#[must_use]
pub fn tokens(text: &str) -> Vec<(Span, TokenClass)> {
    let lexed = lex(text);
    let mut pieces: Vec<(Span, TokenClass)> = Vec::new();
    for (at, token) in lexed.tokens.iter().enumerate() {
        if let Some(class) = classify(text, &lexed.tokens, at) {
            pieces.push((token.span, class));
        }
    }
    pieces.extend(lexed.comments.iter().map(|span| (*span, TokenClass::Comment)));
    pieces.sort_by_key(|(span, _)| *span);
    // Errors without a token; the others are marked at their token.
    let covered = |span: Span| {
        let next = pieces.partition_point(|(piece, _)| piece.end <= span.start);
        pieces.get(next).is_some_and(|(piece, _)| piece.start < span.end)
    };
    let errors: Vec<Span> =
        lexed.errors.iter().map(|error| error.span).filter(|span| !covered(*span)).collect();
    pieces.extend(errors.into_iter().map(|span| (span, TokenClass::Error)));
    pieces.sort_by_key(|(span, _)| *span);
    pieces
}

fn classify(text: &str, tokens: &[Token], at: usize) -> Option<TokenClass> {
    let next = tokens.get(at + 1).map(|token| &token.kind);
    Some(match &tokens[at].kind {
        TokenKind::End | TokenKind::BlankLine => return None,
        TokenKind::Name => {
            let after_is = at > 0 && tokens[at - 1].span.of(text) == "is";
            classify_word(tokens[at].span.of(text), after_is, next)
        }
        TokenKind::OtherName => TokenClass::Name,
        TokenKind::Integer(_) | TokenKind::Float(_) => TokenClass::Number,
        TokenKind::Text(_) => TokenClass::Text,
        TokenKind::Structure(_) => TokenClass::Structure,
        TokenKind::Parameter(_) => TokenClass::Parameter,
        TokenKind::Relative(_) => TokenClass::Relative,
        TokenKind::QueryName(_) => TokenClass::QueryName,
        TokenKind::Symbol(_) => TokenClass::Operator,
        TokenKind::Meant(_) | TokenKind::Refused => TokenClass::Error,
    })
}

fn classify_word(word: &str, after_is: bool, next: Option<&TokenKind>) -> TokenClass {
    let called = next == Some(&TokenKind::Symbol(Symbol::Open));
    let sign = if word == "twin" { Symbol::Open } else { Symbol::Colon };
    let is_part = Part::find(word).is_some() && next == Some(&TokenKind::Symbol(sign));
    let is_distinct =
        word == "distinct" && !matches!(next, None | Some(TokenKind::Symbol(_) | TokenKind::End));
    match vocabulary::find(word).map(|word| word.meaning) {
        Some(Meaning::Aggregate(_) | Meaning::Operation(_)) if called => TokenClass::Function,
        Some(Meaning::Word) if matches!(word, "known" | "unknown") && !after_is => TokenClass::Name,
        Some(Meaning::Operator | Meaning::Word | Meaning::Clause(_) | Meaning::Literal) => {
            TokenClass::Keyword
        }
        _ if is_part || is_distinct || matches!(word, "group" | "order" | "by") => TokenClass::Keyword,
        _ => TokenClass::Name,
    }
}
