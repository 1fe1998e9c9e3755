//! Expressions that begin with a word: names, calls of functions and aggregates, scopes.

use super::expression::{AFTER_VALUE, Read, is_operator, is_reserved};
use super::{Failed, Parser};
use crate::error::ErrorKind;
use crate::nearest::nearest;
use crate::span::Span;
use crate::syntax::NEVER_AFTER_DISTINCT;
use crate::syntax::ast::{ExprKind, Scope};
use crate::syntax::token::{Symbol, TokenKind};
use crate::vocabulary::{Function, Part, called, operations};

impl Parser<'_> {
    /// Reads an attribute, alias or derived column; a call; or, in a `let`, the scope of the aggregates that follow.
    pub(super) fn name(&mut self) -> Read {
        let token = self.peek().clone();
        let word = self.word().to_owned();
        let part = self.at_part();
        if let Some(part) = part.filter(|part| *part != Part::Node && self.in_let) {
            self.scope = Some(self.scope(part)?);
            return match self.at_part() {
                Some(_) => Err(self.expected("an aggregate")),
                None => self.unary(),
            };
        }
        if part.is_none() && self.kind_at(1) == Some(&TokenKind::Symbol(Symbol::Open)) && !is_operator(&word)
        {
            return self.call(&word, token.span);
        }
        if part.is_some() || is_reserved(&word) {
            return Err(self.expected("a name, a number or `(`"));
        }
        self.at += 1;
        self.make(ExprKind::Name(None, word), token.span)
    }

    /// Reads `child:`, `twin(A, B):` and similar, up to the colon.
    pub(super) fn scope(&mut self, part: Part) -> Result<Scope, Failed> {
        self.at += 1;
        let mut keys = Vec::new();
        if part == Part::Twin {
            let open = self.peek().span;
            self.at += 1;
            keys = self.values()?;
            self.close(open, "`,` or `)`")?;
            if self.symbol() != Some(Symbol::Colon) {
                return Err(self.expected("`:` after the keys of `twin`"));
            }
        }
        self.at += 1;
        Ok(Scope { part, keys })
    }

    /// Reads a call of a function of values or of an aggregate.
    fn call(&mut self, word: &str, name: Span) -> Read {
        let open = self.tokens[self.at + 1].span;
        let mut function = Function::find(word).filter(|function| *function != Function::Distinct);
        let operation = operations().find(|(spelling, _)| *spelling == word).map(|(_, operation)| operation);
        if function.is_none() && operation.is_none() {
            let kind = ErrorKind::UnknownFunction { name: word.to_owned(), nearest: nearest(word, called()) };
            self.refuse(name, kind);
        }
        self.at += 2;
        if self.symbol() == Some(Symbol::Close) {
            let span = name.to(self.peek().span);
            self.refuse(span, ErrorKind::EmptyAggregate(word.to_owned()));
            return Err(Failed);
        }
        if function == Some(Function::Count) && self.at_distinct() {
            self.at += 1;
            function = Some(Function::Distinct);
        }
        let scope = self.scope.clone();
        let arguments = self.values()?;
        let count = arguments.len();
        // `min` and `max` are aggregates of one value, or functions of two.
        let operation = operation.filter(|_| function.is_none() || count > 1);
        let may_filter = operation.is_none() && function.is_some();
        let filter =
            if may_filter && self.eat_word("where") { Some(Box::new(self.expression()?)) } else { None };
        let may_filter = may_filter && filter.is_none();
        let after = if may_filter { "an operator, `where` or `)`" } else { AFTER_VALUE };
        let span = name.to(self.close(open, after)?);
        self.scope.clone_from(&scope);
        let (wanted, kind) = match (operation, function) {
            (Some(operation), _) => (operation.arguments().0, ExprKind::Apply(operation, arguments)),
            (None, Some(function)) => {
                (function.arguments(), ExprKind::Aggregate { scope, function, arguments, filter })
            }
            (None, None) => (count, ExprKind::Invalid),
        };
        if count != wanted {
            self.refuse(span, ErrorKind::WrongArguments { name: word.to_owned(), wanted, count });
            return self.make(ExprKind::Invalid, span);
        }
        self.make(kind, span)
    }

    /// Whether `distinct` stands before a value here; otherwise it is itself the name of a value.
    fn at_distinct(&self) -> bool {
        let value_follows = match self.kind_at(1) {
            Some(TokenKind::Name) => !NEVER_AFTER_DISTINCT.contains(&self.word_at(1)),
            Some(TokenKind::Relative(_) | TokenKind::Structure(_) | TokenKind::Parameter(_)) => true,
            Some(TokenKind::OtherName | TokenKind::Integer(_) | TokenKind::Float(_) | TokenKind::Text(_)) => {
                true
            }
            Some(TokenKind::Symbol(symbol)) => *symbol == Symbol::Open,
            _ => false,
        };
        self.word() == "distinct" && value_follows
    }
}
