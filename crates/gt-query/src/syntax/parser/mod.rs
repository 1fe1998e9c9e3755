//! Tokens to tree, by recursive descent.
//!
//! This file parses query files: the beginning and end of a query, its parts and clauses. Expressions are in the
//! modules below. After an error the parser continues at the next `;`, part, clause, `let`, name line or blank line.

mod call;
mod cursor;
mod expression;

use super::ast::{Expr, ExprKind, Item, Let, Name, OrderKey, Query, QueryFile, Scope, Selected};
use super::lexer::lex;
use super::token::{Symbol, Token, TokenKind};
use crate::error::{Error, ErrorKind};
use crate::nearest::nearest;
use crate::vocabulary::{Clause, Part};

/// The result of parsing a text, as far as it could be read.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree, with [`ExprKind::Invalid`] in the place of errors.
    pub file: QueryFile,
    /// The errors, in the order of their places.
    pub errors: Vec<Error>,
}

/// Parses a query file.
///
/// ```
/// let parsed = gt_query::tools::parse("node: type & PVNode; child: count([]type & PVNode) > 7");
/// assert!(parsed.errors.is_empty());
/// assert_eq!(parsed.file.items.len(), 1);
/// ```
#[must_use]
pub fn parse(text: &str) -> Parsed {
    let lexed = lex(text);
    let mut parser = Parser {
        text,
        tokens: lexed.tokens,
        at: 0,
        errors: lexed.errors,
        nesting: 0,
        in_let: false,
        scope: None,
    };
    let file = parser.file();
    parser.errors.sort_by_key(|error| error.span);
    Parsed { file, errors: parser.errors }
}

/// Marks that an error was recorded.
#[derive(Debug)]
struct Failed;

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    errors: Vec<Error>,
    /// The nesting depth of the expression being read.
    nesting: u32,
    /// Whether a `let` is being read, where `child:` and similar set the scope of the aggregates after them.
    in_let: bool,
    /// The current scope.
    scope: Option<Scope>,
}

impl Parser<'_> {
    fn file(&mut self) -> QueryFile {
        let mut file = QueryFile::default();
        let mut name: Option<Name> = None;
        loop {
            let token = self.peek().clone();
            match token.kind {
                TokenKind::End => break,
                TokenKind::BlankLine | TokenKind::Symbol(Symbol::Semicolon) => self.at += 1,
                TokenKind::QueryName(text) => {
                    self.at += 1;
                    self.unused(name.replace(Name { text, span: token.span }));
                }
                _ if self.at_let() => file.items.extend(self.let_line()),
                _ if self.at_part().is_some() || self.at_clause().is_some() => {
                    let query = self.query(name.take());
                    file.items.push(Item::Query(Box::new(query)));
                }
                _ => {
                    // The name belongs to text that cannot be read.
                    name = None;
                    self.no_query();
                }
            }
        }
        self.unused(name);
        file
    }

    fn unused(&mut self, name: Option<Name>) {
        if let Some(name) = name {
            self.refuse(name.span, ErrorKind::NameWithoutQuery);
        }
    }

    fn let_line(&mut self) -> Option<Item> {
        self.at += 1;
        let token = self.peek().clone();
        let name = Name { text: self.word().to_owned(), span: token.span };
        self.at += 2;
        (self.in_let, self.scope) = (true, None);
        let value = self.expression_to("an operator or the end of the `let`", Self::item_ends);
        (self.in_let, self.scope) = (false, None);
        Some(Item::Let(Let { name, value }))
    }

    /// Reads a query up to a token that cannot continue it.
    fn query(&mut self, name: Option<Name>) -> Query {
        let mut query = Query { name, ..Query::default() };
        let start = self.peek().span;
        let mut last_part = None;
        loop {
            if let Some(part) = self.at_part().filter(|part| last_part.is_none_or(|last| last < *part)) {
                query.parts.push(match self.scope(part) {
                    Ok(scope) => (scope, self.condition(part)),
                    Err(Failed) => (Scope { part, keys: Vec::new() }, self.skip_broken(Self::part_ends)),
                });
                last_part = Some(part);
            } else if let Some(clause) = self.at_clause() {
                self.clause(clause, &mut query);
                // No part can follow a clause.
                last_part = Some(Part::Twin);
            } else if self.symbol() == Some(Symbol::Semicolon) {
                self.at += 1;
            } else {
                query.span = start.to(self.before());
                return query;
            }
        }
    }

    /// Reads the condition that follows `node:` and similar.
    fn condition(&mut self, part: Part) -> Expr {
        match self.at_clause_for_sure() {
            None => self.part(),
            Some(clause) => {
                let span = self.peek().span;
                self.refuse(span, ErrorKind::NoCondition { part, clause: clause.spelling() });
                Expr::new(ExprKind::Invalid, span)
            }
        }
    }

    fn part(&mut self) -> Expr {
        self.expression_to("an operator, `;` or the next part", Self::part_ends)
    }

    fn clause(&mut self, clause: Clause, query: &mut Query) {
        let span = self.peek().span;
        self.at += if matches!(clause, Clause::GroupBy | Clause::OrderBy) { 2 } else { 1 };
        let written = match clause {
            Clause::Select => !query.select.is_empty(),
            Clause::GroupBy => !query.group_by.is_empty(),
            Clause::OrderBy => !query.order_by.is_empty(),
            Clause::Limit => query.limit.is_some(),
        };
        if written {
            self.refuse(span, ErrorKind::ClauseTwice(clause.spelling()));
        }
        match clause {
            Clause::Select => {
                query.select = self.list(|parser, expr| Selected { name: parser.column_name(&expr), expr })
            }
            Clause::GroupBy => query.group_by = self.list(|_, expr| expr),
            Clause::OrderBy => {
                query.order_by = self.list(|parser, expr| {
                    let descending = parser.eat_word("desc");
                    let _ = descending || parser.eat_word("asc");
                    OrderKey { expr, descending }
                });
            }
            Clause::Limit => query.limit = Some(self.part()),
        }
    }

    /// Reads `as name` after a column.
    fn column_name(&mut self, column: &Expr) -> Option<Name> {
        let is_named = self.word() == "as" && self.kind_at(1) == Some(&TokenKind::Name);
        if !is_named || column.kind == ExprKind::Wildcard {
            return None;
        }
        self.at += 2;
        let span = self.before();
        Some(Name { text: span.of(self.text).to_owned(), span })
    }

    /// Reads expressions separated by commas, each with what `make` reads after it.
    fn list<T>(&mut self, make: impl Fn(&mut Self, Expr) -> T) -> Vec<T> {
        let mut items = Vec::new();
        loop {
            let Ok(expr) = self.expression() else {
                let broken = self.skip_broken(Self::part_ends);
                items.push(make(self, broken));
                return items;
            };
            items.push(make(self, expr));
            if self.symbol() == Some(Symbol::Comma) {
                self.at += 1;
                continue;
            }
            if !self.part_ends() {
                self.expected("an operator, `,` or the end of the query");
                self.skip_broken(Self::part_ends);
            }
            return items;
        }
    }

    /// Reads an expression that `ends` must follow; after an error, skips to that place.
    fn expression_to(&mut self, expected_after: &'static str, ends: fn(&Self) -> bool) -> Expr {
        let read = self.expression();
        if let Ok(expr) = read {
            if ends(self) {
                return expr;
            }
            self.expected(expected_after);
        }
        self.skip_broken(ends)
    }

    fn skip_broken(&mut self, ends: fn(&Self) -> bool) -> Expr {
        let start = self.peek().span;
        while !ends(self) {
            self.at += 1;
        }
        Expr::new(ExprKind::Invalid, start)
    }

    /// Whether a part ends here.
    fn part_ends(&self) -> bool {
        self.item_ends() || self.symbol() == Some(Symbol::Semicolon)
    }

    /// Whether a `let` or a query ends here.
    fn item_ends(&self) -> bool {
        matches!(self.peek().kind, TokenKind::End | TokenKind::BlankLine | TokenKind::QueryName(_))
            || self.symbol() == Some(Symbol::Semicolon)
            || self.at_part().is_some()
            || self.at_clause().is_some()
            || self.at_let()
    }

    /// Whether `let name =` begins here.
    fn at_let(&self) -> bool {
        self.word() == "let"
            && self.kind_at(1) == Some(&TokenKind::Name)
            && self.kind_at(2) == Some(&TokenKind::Symbol(Symbol::Equal))
    }

    /// The part that begins here with `node:`, `twin(` or similar.
    fn at_part(&self) -> Option<Part> {
        let part = Part::find(self.word())?;
        let after = if part == Part::Twin { Symbol::Open } else { Symbol::Colon };
        (self.kind_at(1) == Some(&TokenKind::Symbol(after))).then_some(part)
    }

    /// The clause that `select`, `group by` or similar begins here, where a name is not possible.
    fn at_clause(&self) -> Option<Clause> {
        match self.word() {
            "group" | "order" if self.word_at(1) == "by" => {
                Some(if self.word() == "group" { Clause::GroupBy } else { Clause::OrderBy })
            }
            "select" => Some(Clause::Select),
            "limit" => Some(Clause::Limit),
            _ => None,
        }
    }

    /// The clause that begins here, unless its word may be the name of an attribute in an expression.
    fn at_clause_for_sure(&self) -> Option<Clause> {
        use TokenKind as T;
        let clause = self.at_clause()?;
        let is_sure = match self.kind_at(1) {
            Some(T::Name) => !matches!(self.word_at(1), "and" | "or" | "in" | "is" | "not"),
            Some(T::Symbol(Symbol::Star)) => {
                self.kind_at(2) == Some(&T::End) || matches!(self.word_at(2), "order" | "limit")
            }
            Some(T::Integer(_) | T::Structure(_) | T::Relative(_) | T::OtherName | T::Parameter(_)) => true,
            _ => false,
        };
        is_sure.then_some(clause)
    }

    /// Reports an error where a query should begin, and skips it.
    fn no_query(&mut self) {
        let span = self.peek().span;
        let word = self.word().to_owned();
        let colon = self.kind_at(1) == Some(&TokenKind::Symbol(Symbol::Colon));
        let kind = if word == "let" {
            let what = "a name and `=` after `let`";
            ErrorKind::Expected { what, found: self.describe(self.at + 1) }
        } else if word == "twin" {
            ErrorKind::Expected { what: "`(` and the keys after `twin`", found: self.describe(self.at + 1) }
        } else if colon && !word.is_empty() {
            let parts = Part::all().map(|(name, _)| name);
            ErrorKind::UnknownPart { nearest: nearest(&word, parts), name: word }
        } else if Part::find(&word).is_some() {
            ErrorKind::Expected { what: "`:` after the name of a part", found: self.describe(self.at + 1) }
        } else {
            ErrorKind::NoPart
        };
        self.refuse(span, kind);
        self.at += 1;
        self.skip_broken(Self::item_ends);
    }
}
