//! The parser's access to tokens: the next token, its word, and errors where it does not fit.

use super::{Failed, Parser};
use crate::error::{Error, ErrorKind};
use crate::nearest::nearest;
use crate::span::Span;
use crate::syntax::token::{Symbol, Token, TokenKind};
use crate::vocabulary::Part;

/// Words of other languages, and their equivalents.
const FOREIGN_WORDS: [(&str, &str); 9] = [
    ("between", "write two comparisons with `and` between them"),
    ("as", "`select A as name` names a column; `let name = …` above the query names a value of a node"),
    ("like", "`contains(text, part)` and `starts_with(text, part)` look into texts"),
    ("null", "`is known` and `is unknown` tell whether there is a value"),
    ("from", "a query asks the log that it is given"),
    ("where", "conditions of the query stand in `node:`; `where` is for those of an aggregate"),
    ("having", "groups are not filtered; the nodes that they are made of are, in `node:`"),
    (
        "distinct",
        "`count(distinct x)` counts the different values, `group by x select x` gives each of them once",
    ),
    ("offset", "`limit` gives the first"),
];

impl Parser<'_> {
    /// Records what was expected instead of the next token.
    pub(super) fn expected(&mut self, what: &'static str) -> Failed {
        // If a colon follows what was read as a name, that name is the mistake.
        let at_colon = self.symbol() == Some(Symbol::Colon);
        let word_at = if at_colon { self.at.saturating_sub(1) } else { self.at };
        let word = self.word_of(word_at).to_owned();
        let colon = at_colon || self.kind_at(1) == Some(&TokenKind::Symbol(Symbol::Colon));
        if let Some(kind) = self.part_in_condition(word_at, &word).filter(|_| colon) {
            let span = self.tokens.get(word_at).map_or(self.peek().span, |token| token.span);
            self.refuse(span, kind);
            return Failed;
        }
        let keyword = [
            "and", "or", "not", "in", "is", "known", "unknown", "where", "select", "limit", "order", "group",
            "by", "desc", "asc",
        ]
        .into_iter()
        .find(|keyword| *keyword == word.to_lowercase() && *keyword != word);
        let foreign = FOREIGN_WORDS.into_iter().find(|(found, _)| *found == word.to_lowercase());
        let is_by_missing = matches!(&*word, "order" | "group") && self.word_of(word_at + 1) != "by";
        let (kind, at) = match keyword {
            None if is_by_missing => {
                let what = if word == "order" { "`by` after `order`" } else { "`by` after `group`" };
                (ErrorKind::Expected { what, found: self.describe(word_at + 1) }, word_at)
            }
            Some(meant) => (ErrorKind::WordSpelling { found: word, meant }, word_at),
            None if colon && !word.is_empty() && Part::find(&word).is_none() => {
                let parts = Part::all().map(|(name, _)| name);
                (ErrorKind::UnknownPart { nearest: nearest(&word, parts), name: word }, word_at)
            }
            None => match foreign {
                Some((found, mend)) => (ErrorKind::ForeignWord { found, mend }, word_at),
                None => (ErrorKind::Expected { what, found: self.describe(self.at) }, self.at),
            },
        };
        let span = self.tokens.get(at).map_or(self.peek().span, |token| token.span);
        self.refuse(span, kind);
        Failed
    }

    /// The error for a part's keyword, such as `child`, after `and`, `or` or `not`.
    fn part_in_condition(&self, at: usize, word: &str) -> Option<ErrorKind> {
        let part = Part::find(word)?;
        let before = self.word_of(at.checked_sub(1)?);
        let is_in_condition = matches!(before, "and" | "or" | "not");
        is_in_condition.then(|| ErrorKind::PartInCondition { part, is_conjunct: before == "and" })
    }

    pub(super) fn describe(&self, at: usize) -> String {
        let Some(token) = self.tokens.get(at) else { return "the end".into() };
        match &token.kind {
            TokenKind::End => "the end".into(),
            TokenKind::BlankLine => "a blank line, which ends a query".into(),
            TokenKind::QueryName(_) => "the name of the next query".into(),
            _ => format!("`{}`", token.span.of(self.text)),
        }
    }

    pub(super) fn refuse(&mut self, span: Span, kind: ErrorKind) {
        self.errors.push(Error::new(span, kind));
    }

    /// The next token; the last one, `End`, is repeated forever.
    pub(super) fn peek(&self) -> &Token {
        static END: Token = Token { kind: TokenKind::End, span: Span::new(0, 0) };
        self.tokens.get(self.at).or(self.tokens.last()).unwrap_or(&END)
    }

    pub(super) fn kind_at(&self, offset: usize) -> Option<&TokenKind> {
        self.tokens.get(self.at + offset).map(|token| &token.kind)
    }

    /// The text of the next token if it is a name, otherwise empty.
    pub(super) fn word(&self) -> &str {
        self.word_at(0)
    }

    pub(super) fn word_at(&self, offset: usize) -> &str {
        self.word_of(self.at + offset)
    }

    /// The text of the token at an index, if it is a name.
    fn word_of(&self, at: usize) -> &str {
        match self.tokens.get(at) {
            Some(Token { kind: TokenKind::Name, span }) => span.of(self.text),
            Some(Token { kind: TokenKind::Meant(word), .. }) => word,
            _ => "",
        }
    }

    pub(super) fn symbol(&self) -> Option<Symbol> {
        match self.peek().kind {
            TokenKind::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.word() == word;
        self.at += usize::from(found);
        found
    }

    /// The span of the token before the next one.
    pub(super) fn before(&self) -> Span {
        self.tokens.get(self.at.saturating_sub(1)).map_or(Span::default(), |token| token.span)
    }
}
