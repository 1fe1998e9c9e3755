//! Notes: text that is not an error, but probably not what was meant.

use super::Binder;
use crate::aliases::aliases_of;
use crate::error::Note;
use crate::ir::{Anchor, Expr, Field, Operand, Operation, Scope};
use crate::operation::{Arithmetic, Comparison};
use crate::span::Span;
use crate::syntax::ast::{self, ExprKind};
use crate::value::Value;

impl Binder<'_> {
    fn note(&mut self, span: Option<Span>, text: String, label: Option<String>) {
        let note = Note { span, text, label };
        // A name that `order by` takes from `select` is bound twice.
        if !self.program.notes.contains(&note) {
            self.program.notes.push(note);
        }
    }

    /// Notes parameters that were given with the queries but not used by any.
    pub(super) fn note_unused(&mut self) {
        let given = self.environment.parameters.iter().filter(|(_, given)| given.is_asked_for);
        let unused = given.filter(|(name, _)| !self.parameters_used.contains(*name));
        let unused: Vec<String> = unused.map(|(name, _)| name.clone()).collect();
        unused
            .into_iter()
            .for_each(|name| self.note(None, format!("`${name}` was given, but no query uses it"), None));
    }

    /// Notes an aggregate over children, siblings or twins that reads only values of the node itself.
    pub(super) fn note_own(&mut self, scope: Scope, written: &ast::Expr, exprs: &[&Expr]) {
        let mut anchors = Vec::new();
        for expr in exprs {
            expr.leaves(&mut |leaf| {
                if let Expr::Read(operand) = leaf {
                    anchors.push(operand.anchor);
                }
            });
        }
        let other = match scope {
            Scope::Child => "child",
            Scope::Before | Scope::After => "sibling",
            Scope::Twin(_) => "twin",
            Scope::Subtree | Scope::Path | Scope::Tree | Scope::Matches => return,
        };
        if anchors.is_empty() || anchors.contains(&Anchor::Other) {
            return;
        }
        let label = first_name(written)
            .map(|name| format!("`{name}` is the node's own, `[]{name}` is the {other}'s"));
        self.note(Some(written.span), format!("`{written}` reads nothing of the {other}"), label);
    }

    /// Notes a condition that is always true, or never.
    pub(super) fn note_condition(&mut self, written: &ast::Expr, bound: &Expr) {
        let is_literal = match &written.kind {
            ExprKind::Wildcard | ExprKind::Parameter(_) | ExprKind::Invalid => true,
            ExprKind::Name(_, name) => matches!(name.as_str(), "true" | "false"),
            // Their terms have their own notes.
            ExprKind::Apply(operation, _) => {
                matches!(operation, Operation::And | Operation::Or | Operation::Not)
            }
            _ => false,
        };
        if is_literal || names_parameter(written) {
            return;
        }
        if let Some(holds) = verdict(bound) {
            let label = bits(bound).filter(|_| holds).map(|_| "`&` tests bits, `|` sets them".to_owned());
            let text = match bound {
                Expr::Constant(_) if holds => "this is always true",
                _ if holds => "this is true wherever it is known",
                _ => "this is never true",
            };
            return self.note(Some(written.span), text.to_owned(), label);
        }
        if let Some((place, (least, most))) = self.out_of_range(bound) {
            let name = &self.environment.schema.attributes()[place].name;
            let text = format!("this is never true: `{name}` lies between {least} and {most} in this log");
            return self.note(Some(written.span), text, None);
        }
        if let Some((attribute, flag)) = self.flag_among_others(written, bound) {
            let text = format!(
                "values of `{attribute}` have several flags in this log, and this compares all of them"
            );
            self.note(Some(written.span), text, Some(format!("`{attribute} & {flag}` tests one")));
        }
    }

    /// The attribute and the flag of a comparison such as `type = QNode`, where the log has values with several flags.
    fn flag_among_others(&self, written: &ast::Expr, bound: &Expr) -> Option<(String, String)> {
        let Expr::Apply(Operation::Compare(Comparison::Equal | Comparison::NotEqual), _, _) = bound else {
            return None;
        };
        let ExprKind::Apply(_, sides) = &written.kind else { return None };
        let [ExprKind::Name(None, left), ExprKind::Name(None, right)] = [&sides[0].kind, &sides[1].kind]
        else {
            return None;
        };
        let schema = self.environment.schema;
        let (attribute, flag) = if schema.position(left).is_some() { (left, right) } else { (right, left) };
        let place = schema.position(attribute)?;
        let is_flag = |value: i64| value.cast_unsigned().is_power_of_two();
        let mut aliases = aliases_of(schema, place).peekable();
        aliases.peek()?;
        let (_, most) = self.environment.ranges.get(place).copied().flatten()?;
        let is_mixed = aliases.all(|alias| is_flag(alias.value)) && most > 0 && !is_flag(most);
        let is_asked = aliases_of(schema, place).any(|alias| alias.name == *flag);
        (is_mixed && is_asked).then(|| (attribute.clone(), flag.clone()))
    }

    /// The attribute whose range keeps a comparison from ever being true, with that range.
    fn out_of_range(&self, bound: &Expr) -> Option<(usize, (i64, i64))> {
        let Expr::Apply(operation, arguments, _) = bound else { return None };
        let (operator, sides) = match (operation, &arguments[..]) {
            (Operation::Compare(operator), [left, right]) => (Some(*operator), [left, right]),
            (Operation::NotZero, [Expr::Apply(Operation::Arithmetic(Arithmetic::BitAnd), sides, _)]) => {
                (None, [&sides[0], &sides[1]])
            }
            _ => return None,
        };
        let (place, constant, is_mirrored) = match sides {
            [Expr::Read(Operand { field: Field::Attribute(place), .. }), Expr::Constant(Some(constant))] => {
                (*place, constant, false)
            }
            [Expr::Constant(Some(constant)), Expr::Read(Operand { field: Field::Attribute(place), .. })] => {
                (*place, constant, true)
            }
            _ => return None,
        };
        let range = self.environment.ranges.get(place).copied().flatten()?;
        let [least, most] = [range.0, range.1].map(|end| Value::Integer(end.into()));
        let holds_at = |operator: Comparison, end: &Value| {
            operator.holds(if is_mirrored { constant.order(end) } else { end.order(constant) })
        };
        let can_hold = match (operator, constant) {
            (Some(Comparison::Equal), _) => least.order(constant).is_le() && most.order(constant).is_ge(),
            (Some(Comparison::NotEqual), _) => least != most || least.order(constant).is_ne(),
            (Some(operator), _) => holds_at(operator, &least) || holds_at(operator, &most),
            (None, Value::Integer(mask)) => range.0 < 0 || i128::from(range.1) >= (mask & -mask),
            (None, _) => true,
        };
        (!can_hold).then_some((place, range))
    }
}

/// The truth value of a condition, if it is the same wherever it is known.
fn verdict(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::Constant(value) => Some(*value == Some(Value::Boolean(true))),
        Expr::Apply(Operation::Compare(operator), sides, _) if sides[0] == sides[1] => {
            Some(operator.holds(std::cmp::Ordering::Equal))
        }
        _ => bits(expr),
    }
}

/// The result of a test of bits, if it is the same for all numbers.
fn bits(expr: &Expr) -> Option<bool> {
    let Expr::Apply(Operation::NotZero, arguments, _) = expr else { return None };
    let [Expr::Apply(Operation::Arithmetic(operator), sides, _)] = &arguments[..] else { return None };
    let constant = sides.iter().find_map(|side| match side {
        Expr::Constant(Some(Value::Integer(value))) => Some(*value),
        _ => None,
    })?;
    match operator {
        Arithmetic::BitOr if constant != 0 => Some(true),
        Arithmetic::BitAnd if constant == 0 => Some(false),
        _ => None,
    }
}

/// The first name in an expression that is read from the node itself.
fn first_name(expr: &ast::Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Name(None, _) | ExprKind::Structure(None, _) => return Some(expr.to_string()),
        _ => {}
    }
    let mut found = None;
    expr.kind.each(&mut |inner| found = found.take().or_else(|| first_name(inner)));
    found
}

fn names_parameter(expr: &ast::Expr) -> bool {
    let mut found = matches!(expr.kind, ExprKind::Parameter(_));
    expr.kind.each(&mut |inner| found |= names_parameter(inner));
    found
}
