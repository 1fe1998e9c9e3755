//! Prints a tree as text that parses to the same tree, without unnecessary parentheses.

use std::fmt::{self, Display, Formatter};

use super::NEVER_AFTER_DISTINCT;
use super::ast::{
    Arithmetic, Expr, ExprKind, Item, Let, Operation, OrderKey, Query, QueryFile, Scope, Selected,
};
use crate::vocabulary::{Clause, Function, Relative};

/// The precedence of an expression: the parser's levels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Not,
    Comparison,
    BitOr,
    Sum,
    Product,
    BitAnd,
    Minus,
    Primary,
}

impl Level {
    fn of(expr: &Expr) -> Self {
        match &expr.kind {
            ExprKind::Apply(Operation::Not, arguments) if known(&arguments[0]).is_some() => Self::Comparison,
            ExprKind::Apply(operation, _) => Self::of_operation(*operation),
            ExprKind::Integer(value) if *value < 0 => Self::Minus,
            ExprKind::Float(value) if value.is_sign_negative() => Self::Minus,
            _ => Self::Primary,
        }
    }

    const fn of_operation(operation: Operation) -> Self {
        match operation {
            Operation::Or => Self::Or,
            Operation::And => Self::And,
            Operation::Not => Self::Not,
            Operation::Compare(_) | Operation::In | Operation::Known => Self::Comparison,
            Operation::Arithmetic(Arithmetic::BitOr) => Self::BitOr,
            Operation::Arithmetic(Arithmetic::Add | Arithmetic::Subtract) => Self::Sum,
            Operation::Arithmetic(Arithmetic::Multiply | Arithmetic::Divide | Arithmetic::Remainder) => {
                Self::Product
            }
            Operation::Arithmetic(Arithmetic::BitAnd) => Self::BitAnd,
            Operation::Negate => Self::Minus,
            Operation::Abs | Operation::Sqrt | Operation::Log | Operation::Round | Operation::Lower => {
                Self::Primary
            }
            Operation::StartsWith | Operation::Contains | Operation::If => Self::Primary,
            Operation::Least | Operation::Greatest | Operation::NotZero | Operation::Bound => Self::Primary,
        }
    }

    /// The next tighter level.
    fn above(self) -> Self {
        use Level::*;
        let levels = [Or, And, Not, Comparison, BitOr, Sum, Product, BitAnd, Minus, Primary];
        levels.into_iter().find(|level| *level > self).unwrap_or(Primary)
    }
}

/// Prints an expression in parentheses if it binds less tightly than the level.
struct AtLeast<'a>(&'a Expr, Level);

impl Display for AtLeast<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if Level::of(self.0) < self.1 { write!(f, "({})", self.0) } else { write!(f, "{}", self.0) }
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let of =
            |relative: &Option<Relative>| relative.map_or(String::new(), |relative| relative.to_string());
        match &self.kind {
            ExprKind::Wildcard => f.write_str("*"),
            ExprKind::Integer(value) => write!(f, "{value}"),
            // Always with a point or an exponent, so that it stays a float.
            ExprKind::Float(value) => write!(f, "{value:?}"),
            ExprKind::Text(value) => text(value, f),
            ExprKind::Parameter(name) => write!(f, "${name}"),
            ExprKind::Name(relative, name) => write!(f, "{}{name}", of(relative)),
            ExprKind::Structure(relative, name) => write!(f, "{}@{name}", of(relative)),
            ExprKind::Aggregate { scope, function, arguments, filter } => {
                if let Some(scope) = scope {
                    write!(f, "{scope}:")?;
                }
                match function {
                    Function::Distinct => write!(f, "count(distinct {}", after_distinct(&arguments[0]))?,
                    function => write!(f, "{}({}", function.spelling(), list(arguments))?,
                }
                if let Some(filter) = filter {
                    write!(f, " where {filter}")?;
                }
                f.write_str(")")
            }
            ExprKind::Apply(operation, arguments) => applied(*operation, arguments, f),
            ExprKind::Invalid => f.write_str("…"),
        }
    }
}

fn applied(operation: Operation, arguments: &[Expr], f: &mut Formatter<'_>) -> fmt::Result {
    let (level, word, first) = (Level::of_operation(operation), operation.spelling(), &arguments[0]);
    match operation {
        Operation::Or => chain(arguments, " or ", level.above(), f),
        Operation::And => chain(arguments, " and ", level.above(), f),
        Operation::Not => match known(first) {
            Some(value) => write!(f, "{} is unknown", AtLeast(value, Level::Comparison)),
            None => write!(f, "not {}", AtLeast(first, level)),
        },
        Operation::Known => write!(f, "{} {word}", AtLeast(first, level)),
        Operation::In => write!(f, "{} in ({})", AtLeast(first, level), list(&arguments[1..])),
        Operation::Negate if is_number(first) => write!(f, "-({first})"),
        Operation::Negate => write!(f, "-{}", AtLeast(first, level)),
        Operation::Arithmetic(_) | Operation::Compare(_) => {
            write!(f, "{} {word} {}", AtLeast(first, level), AtLeast(&arguments[1], level.above()))
        }
        Operation::Abs
        | Operation::Sqrt
        | Operation::Log
        | Operation::Round
        | Operation::Lower
        | Operation::StartsWith
        | Operation::Contains
        | Operation::If
        | Operation::Least
        | Operation::Greatest
        | Operation::NotZero
        | Operation::Bound => write!(f, "{word}({})", list(arguments)),
    }
}

/// The value that `A is known` tests.
fn known(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Apply(Operation::Known, arguments) => arguments.first(),
        _ => None,
    }
}

/// An expression after the name `distinct`, in parentheses if it could be read as an operator.
fn after_distinct(expr: &Expr) -> String {
    let text = expr.to_string();
    let word = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
    let is_plain = !word.is_empty() || text.starts_with(['@', '$', '[', '"', '(']);
    if is_plain && !NEVER_AFTER_DISTINCT.contains(&word) { text } else { format!("({text})") }
}

impl Display for Scope {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.part.spelling())?;
        if self.keys.is_empty() { Ok(()) } else { write!(f, "({})", list(&self.keys)) }
    }
}

/// Whether the expression is a number without a sign, so that a minus before it would become part of it.
fn is_number(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Integer(_) | ExprKind::Float(_)) && Level::of(expr) == Level::Primary
}

fn chain(terms: &[Expr], word: &str, least: Level, f: &mut Formatter<'_>) -> fmt::Result {
    separated(terms.iter().map(|term| AtLeast(term, least)), word, f)
}

fn separated<T: Display>(
    items: impl IntoIterator<Item = T>,
    between: &str,
    f: &mut Formatter<'_>,
) -> fmt::Result {
    for (i, item) in items.into_iter().enumerate() {
        write!(f, "{}{item}", if i == 0 { "" } else { between })?;
    }
    Ok(())
}

fn text(value: &str, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str("\"")?;
    for character in value.chars() {
        match character {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            other => write!(f, "{other}")?,
        }
    }
    f.write_str("\"")
}

impl Display for OrderKey {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.expr, if self.descending { " desc" } else { "" })
    }
}

impl Display for Selected {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.expr)?;
        self.name.as_ref().map_or(Ok(()), |name| write!(f, " as {}", name.text))
    }
}

impl Display for Let {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "let {} = {}", self.name.text, self.value)
    }
}

/// Prints on one line, without its name.
impl Display for Query {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        separated(self.parts.iter().map(|(scope, expr)| format!("{scope}: {expr}")), "; ", f)?;
        let has_parts = !self.parts.is_empty();
        let clauses = [
            (Clause::GroupBy, list(&self.group_by)),
            (Clause::Select, list(&self.select)),
            (Clause::OrderBy, list(&self.order_by)),
            (Clause::Limit, list(self.limit.as_ref())),
        ];
        let written = clauses.into_iter().filter(|(_, list)| !list.is_empty());
        for (i, (clause, list)) in written.enumerate() {
            let space = if i > 0 || has_parts { " " } else { "" };
            write!(f, "{space}{} {list}", clause.spelling())?;
        }
        Ok(())
    }
}

fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

/// Prints one item per line, with a blank line after each query.
impl Display for QueryFile {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for item in &self.items {
            match item {
                Item::Let(item) => writeln!(f, "{item}")?,
                Item::Query(query) => {
                    if let Some(name) = &query.name {
                        writeln!(f, "[{}]", name.text)?;
                    }
                    writeln!(f, "{query}\n")?;
                }
            }
        }
        Ok(())
    }
}
