//! Expressions, by precedence, loosest first:
//!
//! ```text
//! or · and · not · = != < <= > >= in is · | · + - · * / % · & · unary - · names, numbers, calls, ( )
//! ```

use super::{Failed, Parser};
use crate::error::ErrorKind;
use crate::nearest::nearest;
use crate::span::Span;
use crate::syntax::ast::{Arithmetic, Comparison, Expr, ExprKind, Operation, Scope};
use crate::syntax::token::{Symbol, TokenKind};
use crate::syntax::{DEPTH_MAX, NEVER_AFTER_DISTINCT};
use crate::vocabulary::{Function, Part, Relative, called, operations};

type Read = Result<Expr, Failed>;

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

/// What may follow a whole value, in words.
const AFTER_VALUE: &str = "an operator or `)`";

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

    /// `known` or `unknown` after `A is`.
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

    /// `(B, C)` after `A in`.
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

    /// Values with commas between.
    fn values(&mut self) -> Result<Vec<Expr>, Failed> {
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

    fn unary(&mut self) -> Read {
        let mut starts = Vec::new();
        while self.symbol() == Some(Symbol::Minus) {
            starts.push(self.peek().span);
            self.at += 1;
        }
        // The sign directly before a number is part of it.
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
            TokenKind::Name if !is_reserved(self.word()) => {
                ExprKind::Name(Some(relative), self.word().to_owned())
            }
            _ => return Err(self.expected("the name of an attribute after the brackets")),
        };
        self.at += 1;
        self.make(kind, start.to(token.span))
    }

    fn name(&mut self) -> Read {
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

    /// `child:`, `twin(A, B):` and the like, up to the colon.
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

    /// A function of values, or an aggregate.
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
        // `min` and `max` are aggregates of one value, functions of two.
        let operation = operation.filter(|_| function.is_none() || count > 1);
        let filter = match operation {
            None if function.is_some() && self.eat_word("where") => Some(Box::new(self.expression()?)),
            _ => None,
        };
        let is_open = operation.is_none() && function.is_some() && filter.is_none();
        let after = if is_open { "an operator, `where` or `)`" } else { AFTER_VALUE };
        let span = name.to(self.close(open, after)?);
        self.scope.clone_from(&scope);
        let wanted = match (operation, function) {
            (Some(operation), _) => operation.arguments().0,
            (None, function) => function.map_or(count, Function::arguments),
        };
        if count != wanted {
            self.refuse(span, ErrorKind::WrongArguments { name: word.to_owned(), wanted, count });
            return self.make(ExprKind::Invalid, span);
        }
        self.make(
            match (operation, function) {
                (Some(operation), _) => ExprKind::Apply(operation, arguments),
                (None, Some(function)) => ExprKind::Aggregate { scope, function, arguments, filter },
                (None, None) => ExprKind::Invalid,
            },
            span,
        )
    }

    /// Whether `distinct` stands here before a value; else it is the name of one.
    fn at_distinct(&self) -> bool {
        let value_follows = match self.kind_at(1) {
            Some(TokenKind::Name) => !NEVER_AFTER_DISTINCT.contains(&self.word_at(1)),
            Some(TokenKind::Relative(_) | TokenKind::Structure(_) | TokenKind::Parameter(_)) => true,
            Some(TokenKind::Integer(_) | TokenKind::Float(_) | TokenKind::Text(_)) => true,
            Some(TokenKind::Symbol(symbol)) => *symbol == Symbol::Open,
            _ => false,
        };
        self.word() == "distinct" && value_follows
    }

    /// Takes the `)` that belongs to the `(` at `open`.
    fn close(&mut self, open: Span, expected: &'static str) -> Result<Span, Failed> {
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

    fn make(&mut self, kind: ExprKind, span: Span) -> Read {
        let expr = Expr::new(kind, span);
        if expr.depth() > DEPTH_MAX {
            self.refuse(span, ErrorKind::TooDeep);
            return Err(Failed);
        }
        Ok(expr)
    }
}

fn is_operator(word: &str) -> bool {
    matches!(word, "and" | "or" | "not")
}

/// The words of the core, which can name nothing.
fn is_reserved(word: &str) -> bool {
    is_operator(word) || matches!(word, "node" | "child" | "subtree" | "count")
}
