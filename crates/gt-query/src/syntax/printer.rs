//! Tree to text: what is printed parses to the same tree, with no parenthesis that is not needed.

use std::fmt::{self, Display, Formatter};

use super::ast::{Arithmetic, BinaryOperator, Expr, ExprKind, Item, Let, OrderKey, Query, QueryFile};
use crate::vocabulary::{Clause, Part};

/// How tightly an expression holds together; the parser's levels.
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
            ExprKind::Or(_) => Self::Or,
            ExprKind::And(_) => Self::And,
            ExprKind::Not(_) => Self::Not,
            ExprKind::In(..) | ExprKind::Is(..) => Self::Comparison,
            ExprKind::Binary(operator, ..) => Self::of_operator(*operator),
            ExprKind::Negate(_) => Self::Minus,
            ExprKind::Integer(value) if *value < 0 => Self::Minus,
            ExprKind::Float(value) if value.is_sign_negative() => Self::Minus,
            _ => Self::Primary,
        }
    }

    const fn of_operator(operator: BinaryOperator) -> Self {
        match operator {
            BinaryOperator::Comparison(_) => Self::Comparison,
            BinaryOperator::Arithmetic(Arithmetic::BitOr) => Self::BitOr,
            BinaryOperator::Arithmetic(Arithmetic::Add | Arithmetic::Subtract) => Self::Sum,
            BinaryOperator::Arithmetic(Arithmetic::BitAnd) => Self::BitAnd,
            BinaryOperator::Arithmetic(_) => Self::Product,
        }
    }

    /// The level that holds together more tightly than this one.
    const fn above(self) -> Self {
        match self {
            Self::Or => Self::And,
            Self::And => Self::Not,
            Self::Not => Self::Comparison,
            Self::Comparison => Self::BitOr,
            Self::BitOr => Self::Sum,
            Self::Sum => Self::Product,
            Self::Product => Self::BitAnd,
            Self::BitAnd => Self::Minus,
            Self::Minus | Self::Primary => Self::Primary,
        }
    }
}

/// Prints in parentheses what holds together less tightly than `least`.
struct AtLeast<'a>(&'a Expr, Level);

impl Display for AtLeast<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if Level::of(self.0) < self.1 { write!(f, "({})", self.0) } else { write!(f, "{}", self.0) }
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Wildcard => f.write_str("*"),
            ExprKind::Integer(value) => write!(f, "{value}"),
            // Always with a point or an exponent, so that it stays a float.
            ExprKind::Float(value) => write!(f, "{value:?}"),
            ExprKind::Text(value) => text(value, f),
            ExprKind::Parameter(name) => write!(f, "${name}"),
            ExprKind::Name(relative, name) => {
                write!(f, "{}{name}", relative.map_or("", |relative| relative.spelling()))
            }
            ExprKind::Structure(relative, name) => {
                write!(f, "{}@{name}", relative.map_or("", |relative| relative.spelling()))
            }
            ExprKind::Aggregate { scope, function, argument, filter } => {
                if let Some(scope) = scope {
                    write!(f, "{}:", scope.spelling())?;
                }
                write!(f, "{}({argument}", function.spelling())?;
                if let Some(filter) = filter {
                    write!(f, " where {filter}")?;
                }
                f.write_str(")")
            }
            ExprKind::Abs(inner) => write!(f, "abs({inner})"),
            ExprKind::Negate(inner) if is_number(inner) => write!(f, "-({inner})"),
            ExprKind::Negate(inner) => write!(f, "-{}", AtLeast(inner, Level::Minus)),
            ExprKind::Not(inner) => write!(f, "not {}", AtLeast(inner, Level::Not)),
            ExprKind::And(terms) => chain(terms, " and ", Level::Not, f),
            ExprKind::Or(terms) => chain(terms, " or ", Level::And, f),
            ExprKind::Binary(operator, left, right) => {
                let level = Level::of_operator(*operator);
                let (left, right) = (AtLeast(left, level), AtLeast(right, level.above()));
                write!(f, "{left} {} {right}", operator.spelling())
            }
            ExprKind::In(item, list) => {
                write!(f, "{} in (", AtLeast(item, Level::Comparison))?;
                separated(list, ", ", f)?;
                f.write_str(")")
            }
            ExprKind::Is(value, known) => {
                let word = if *known { "known" } else { "unknown" };
                write!(f, "{} is {word}", AtLeast(value, Level::Comparison))
            }
            ExprKind::Invalid => f.write_str("…"),
        }
    }
}

/// A number with no sign: a minus before it would become part of it.
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

impl Display for Let {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "let {} = {}", self.name.text, self.value)
    }
}

/// On one line, without its name.
impl Display for Query {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let parts = Part::all().filter_map(|(name, part)| Some((name, self.part(part)?)));
        separated(parts.map(|(name, expr)| format!("{name}: {expr}")), "; ", f)?;
        let has_parts = Part::all().any(|(_, part)| self.part(part).is_some());
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

/// One item a line, a blank line after each query.
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
