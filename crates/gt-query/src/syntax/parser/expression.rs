//! Expressions, by precedence, loosest first:
//!
//! ```text
//! or · and · not · = != < <= > >= in is · | · + - · * / % · & · unary - · names, numbers, calls, ( )
//! ```

use super::{Failed, Parser};
use crate::error::ErrorKind;
use crate::span::Span;
use crate::syntax::DEPTH_MAX;
use crate::syntax::ast::{Arithmetic, Comparison, Expr, ExprKind, Operation};
use crate::syntax::token::{Symbol, TokenKind, other_attribute};
use crate::vocabulary::Relative;

pub(super) type Read = Result<Expr, Failed>;

/// The arithmetic operators by level, loosest first.
const LEVELS: [&[(Symbol, Arithmetic)]; 4] = [
    &[(Symbol::Bar, Arithmetic::BitOr)],
    &[(Symbol::Plus, Arithmetic::Add), (Symbol::Minus, Arithmetic::Subtract)],
    &[
        (Symbol::Star, Arithmetic::Multiply),
        (Symbol::Slash, Arithmetic::Divide),
        (Symbol::Percent, Arithmetic::Remainder),
    ],
    &[(Symbol::Ampersand, Arithmetic::BitAnd)],
];

const COMPARISONS: [(Symbol, Comparison); 6] = [
    (Symbol::Equal, Comparison::Equal),
    (Symbol::NotEqual, Comparison::NotEqual),
    (Symbol::Less, Comparison::Less),
    (Symbol::LessEqual, Comparison::LessEqual),
    (Symbol::Greater, Comparison::Greater),
    (Symbol::GreaterEqual, Comparison::GreaterEqual),
];

/// The description of what may follow a complete value.
pub(super) const AFTER_VALUE: &str = "an operator or `)`";

impl Parser<'_> {
    /// Reads an expression of any kind.
    pub(super) fn expression(&mut self) -> Read {
        if self.nesting == DEPTH_MAX {
            let span = self.peek().span;
            self.refuse(span, ErrorKind::TooDeep);
            return Err(Failed);
        }
        self.nesting += 1;
        let read = self.disjunction();
        self.nesting -= 1;
        read
    }

    fn disjunction(&mut self) -> Read {
        self.chain(Operation::Or, Self::conjunction)
    }

    fn conjunction(&mut self) -> Read {
        self.chain(Operation::And, Self::negation)
    }

    fn chain(&mut self, operation: Operation, term: fn(&mut Self) -> Read) -> Read {
        let first = term(self)?;
        let mut terms = vec![first];
        while self.eat_word(operation.spelling()) {
            terms.push(term(self)?);
        }
        match <[Expr; 1]>::try_from(terms) {
            Ok([only]) => Ok(only),
            Err(terms) => {
                let span = terms[0].span.to(terms[terms.len() - 1].span);
                self.make(ExprKind::Apply(operation, terms), span)
            }
        }
    }

    fn negation(&mut self) -> Read {
        let mut starts = Vec::new();
        while self.word() == "not" {
            starts.push(self.peek().span);
            self.at += 1;
        }
        let mut expr = self.comparison()?;
        for start in starts.into_iter().rev() {
            let span = start.to(expr.span);
            expr = self.make(ExprKind::Apply(Operation::Not, vec![expr]), span)?;
        }
        Ok(expr)
    }

    fn comparison(&mut self) -> Read {
        let mut left = self.arithmetic(0)?;
        loop {
            let negated = self.word() == "not" && self.word_at(1) == "in";
            if negated || self.word() == "in" {
                self.at += if negated { 2 } else { 1 };
                left = self.membership(left)?;
                if negated {
                    let span = left.span;
                    left = self.make(ExprKind::Apply(Operation::Not, vec![left]), span)?;
                }
                continue;
            }
            if self.eat_word("is") {
                left = self.knowledge(left)?;
                continue;
            }
            let found = self.symbol().and_then(|s| COMPARISONS.iter().find(|(symbol, _)| *symbol == s));
            let Some((_, operator)) = found else { return Ok(left) };
            self.at += 1;
            let right = self.arithmetic(0)?;
            left = self.binary(Operation::Compare(*operator), left, right)?;
        }
    }

    /// Reads `known` or `unknown` after `A is`.
    fn knowledge(&mut self, value: Expr) -> Read {
        let known = match self.word() {
            "known" => true,
            "unknown" => false,
            _ => return Err(self.expected("`known` or `unknown` after `is`")),
        };
        let span = value.span.to(self.peek().span);
        self.at += 1;
        let value = self.make(ExprKind::Apply(Operation::Known, vec![value]), span)?;
        if known { Ok(value) } else { self.make(ExprKind::Apply(Operation::Not, vec![value]), span) }
    }

    /// Reads `(B, C)` after `A in`.
    fn membership(&mut self, item: Expr) -> Read {
        let open = self.peek().span;
        if self.symbol() != Some(Symbol::Open) {
            return Err(self.expected("`(` and the values after `in`"));
        }
        self.at += 1;
        if self.symbol() == Some(Symbol::Close) {
            self.refuse(open.to(self.peek().span), ErrorKind::EmptyList);
            self.at += 1;
            return self.make(ExprKind::Invalid, open);
        }
        let start = item.span;
        let mut list = vec![item];
        list.extend(self.values()?);
        let close = self.close(open, "`,` or `)`")?;
        self.make(ExprKind::Apply(Operation::In, list), start.to(close))
    }

    /// Reads values separated by commas.
    pub(super) fn values(&mut self) -> Result<Vec<Expr>, Failed> {
        let mut list = vec![self.expression()?];
        while self.symbol() == Some(Symbol::Comma) {
            self.at += 1;
            list.push(self.expression()?);
        }
        Ok(list)
    }

    fn arithmetic(&mut self, level: usize) -> Read {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.arithmetic(level + 1)?;
        loop {
            let found = self.symbol().and_then(|s| operators.iter().find(|(symbol, _)| *symbol == s));
            let Some((_, operator)) = found else { return Ok(left) };
            self.at += 1;
            let right = self.arithmetic(level + 1)?;
            left = self.binary(Operation::Arithmetic(*operator), left, right)?;
        }
    }

    fn binary(&mut self, operation: Operation, left: Expr, right: Expr) -> Read {
        let span = left.span.to(right.span);
        self.make(ExprKind::Apply(operation, vec![left, right]), span)
    }

    pub(super) fn unary(&mut self) -> Read {
        let mut starts = Vec::new();
        while self.symbol() == Some(Symbol::Minus) {
            starts.push(self.peek().span);
            self.at += 1;
        }
        // A sign directly before a number is part of it.
        let signed = match (self.peek().kind.clone(), starts.last()) {
            (TokenKind::Integer(value), Some(_)) => Some(ExprKind::Integer(-i128::from(value))),
            (TokenKind::Float(value), Some(_)) => Some(ExprKind::Float(-value)),
            _ => None,
        };
        let mut expr = match (signed, starts.pop()) {
            (Some(kind), Some(start)) => {
                let span = start.to(self.peek().span);
                if matches!(kind, ExprKind::Integer(value) if value < i128::from(i64::MIN)) {
                    self.refuse(span, ErrorKind::NumberTooLarge);
                }
                self.at += 1;
                self.make(kind, span)?
            }
            (_, start) => {
                starts.extend(start);
                self.primary()?
            }
        };
        for start in starts.into_iter().rev() {
            let span = start.to(expr.span);
            expr = self.make(ExprKind::Apply(Operation::Negate, vec![expr]), span)?;
        }
        Ok(expr)
    }

    fn primary(&mut self) -> Read {
        let token = self.peek().clone();
        let kind = match token.kind {
            TokenKind::Integer(value) => ExprKind::Integer(i128::from(value)),
            TokenKind::Float(value) => ExprKind::Float(value),
            TokenKind::Text(value) => ExprKind::Text(value),
            TokenKind::Parameter(name) => ExprKind::Parameter(name),
            TokenKind::Structure(name) => ExprKind::Structure(None, name),
            TokenKind::Refused => ExprKind::Invalid,
            TokenKind::Symbol(Symbol::Star) => ExprKind::Wildcard,
            TokenKind::Symbol(Symbol::Open) => return self.parenthesised(),
            TokenKind::Relative(relative) => return self.relative(relative),
            TokenKind::OtherName => ExprKind::Name(None, other_attribute(token.span.of(self.text))),
            TokenKind::Name => return self.name(),
            _ => return Err(self.expected("a name, a number or `(`")),
        };
        self.at += 1;
        self.make(kind, token.span)
    }

    fn parenthesised(&mut self) -> Read {
        let open = self.peek().span;
        self.at += 1;
        let mut inner = self.expression()?;
        let close = self.close(open, AFTER_VALUE)?;
        inner.span = open.to(close);
        Ok(inner)
    }

    fn relative(&mut self, relative: Relative) -> Read {
        let start = self.peek().span;
        self.at += 1;
        let token = self.peek().clone();
        let kind = match token.kind {
            TokenKind::Structure(name) => ExprKind::Structure(Some(relative), name),
            TokenKind::OtherName => ExprKind::Name(Some(relative), other_attribute(token.span.of(self.text))),
            TokenKind::Name if !is_reserved(self.word()) => {
                ExprKind::Name(Some(relative), self.word().to_owned())
            }
            _ => return Err(self.expected("the name of an attribute after the brackets")),
        };
        self.at += 1;
        self.make(kind, start.to(token.span))
    }

    /// Takes the `)` that belongs to the `(` at `open`.
    pub(super) fn close(&mut self, open: Span, expected: &'static str) -> Result<Span, Failed> {
        let span = self.peek().span;
        if self.symbol() == Some(Symbol::Close) {
            self.at += 1;
            return Ok(span);
        }
        if self.part_ends() {
            self.refuse(open, ErrorKind::UnclosedParenthesis);
            return Err(Failed);
        }
        Err(self.expected(expected))
    }

    pub(super) fn make(&mut self, kind: ExprKind, span: Span) -> Read {
        let expr = Expr::new(kind, span);
        if expr.depth() > DEPTH_MAX {
            self.refuse(span, ErrorKind::TooDeep);
            return Err(Failed);
        }
        Ok(expr)
    }
}

pub(super) fn is_operator(word: &str) -> bool {
    matches!(word, "and" | "or" | "not")
}

/// Whether a word belongs to the core of the language, so that it cannot be a name.
pub(super) fn is_reserved(word: &str) -> bool {
    is_operator(word) || matches!(word, "node" | "child" | "subtree" | "count")
}
