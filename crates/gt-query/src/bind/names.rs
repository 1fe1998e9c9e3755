//! Names: attributes, aliases, derived columns, structure, parameters, and the relatives from which they are read.

use gt_log::Schema;

use super::Binder;
use super::context::{Context, Place};
use super::typed::{Bound, Typed, constant};
use crate::aliases::aliases_of;
use crate::error::ErrorKind;
use crate::ir::{Anchor, Expr, Field, Operand, Operation, Step};
use crate::nearest::nearest;
use crate::span::Span;
use crate::syntax::ast::{self, ExprKind};
use crate::syntax::token::written_other;
use crate::value::{Type, Value};
use crate::vocabulary::{Relative, Structure, marked};

/// The possible names of the attribute with a node's value; the first that exists is used.
pub const VALUE_NAMES: [&str; 3] = ["best", "value", "score"];

/// Whether an attribute holds the values of nodes: it is a number, and one of the [usual names](VALUE_NAMES) is its own
/// name or another that the log gives it.
#[must_use]
pub fn holds_values(schema: &Schema, attribute: usize) -> bool {
    let is_number = schema.attributes().get(attribute).is_some_and(|found| type_of(found.kind).is_number());
    is_number && VALUE_NAMES.iter().any(|name| schema.position(name) == Some(attribute))
}

impl Binder<'_> {
    /// Binds `x` or `[<]x`.
    pub(super) fn name(
        &mut self,
        relative: Option<Relative>,
        name: &str,
        span: Span,
        context: &Context,
    ) -> Bound {
        if let Some(value) = self.constant_named(name) {
            if relative.is_some() {
                return self.refuse(span, ErrorKind::RelativeOfConstant(name.to_owned()));
            }
            return constant(value);
        }
        let (field, value_type) = self.field(name, span)?;
        let (anchor, step) = self.relative(relative, span, context)?;
        Some(Typed { expr: Expr::Read(Operand { anchor, step, field }), value_type })
    }

    /// Binds `@ply` or `[^]@ply`.
    pub(super) fn structure(
        &mut self,
        relative: Option<Relative>,
        name: &str,
        span: Span,
        context: &Context,
    ) -> Bound {
        if name == "bound" {
            return self.bound(relative, span, context);
        }
        let spelling = format!("@{name}");
        let Some(structure) = Structure::find(&spelling) else {
            let nearest = nearest(&spelling, marked());
            return self.refuse(span, ErrorKind::UnknownStructure { name: name.to_owned(), nearest });
        };
        let value_type = match structure {
            Structure::Line => Type::Line,
            Structure::Unfinished => Type::Boolean,
            _ => Type::Integer,
        };
        if value_type == Type::Line && !context.selected {
            return self.refuse(span, ErrorKind::LineNotSelected);
        }
        let (anchor, step) = self.relative(relative, span, context)?;
        let field = Field::Structure(structure);
        Some(Typed { expr: Expr::Read(Operand { anchor, step, field }), value_type })
    }

    /// Binds `@bound` or `[^]@bound`.
    fn bound(&mut self, relative: Option<Relative>, span: Span, context: &Context) -> Bound {
        let (anchor, step) = self.relative(relative, span, context)?;
        let read = |field| Expr::Read(Operand { anchor, step, field });
        let mut number = |names: &[&'static str]| match self.number_named(names) {
            Some(field) => Some(read(field)),
            None => {
                let attributes = self.environment.schema.attributes().iter();
                let known = attributes.map(|attribute| attribute.name.clone()).collect();
                self.refuse(span, ErrorKind::NoBound { lacking: names[0], known })
            }
        };
        let (value, alpha, beta) = (number(&VALUE_NAMES), number(&["alpha"]), number(&["beta"]));
        let expr = Expr::apply(Operation::Bound, [value?, alpha?, beta?], span);
        Some(Typed { expr, value_type: Type::Text })
    }

    /// The first of these names that is a numeric attribute.
    fn number_named(&self, names: &[&'static str]) -> Option<Field> {
        let schema = self.environment.schema;
        let is_number = |place: &usize| type_of(schema.attributes()[*place].kind).is_number();
        let place = names.iter().find_map(|name| schema.position(name).filter(is_number));
        place.map(Field::Attribute)
    }

    /// Binds `$x`.
    pub(super) fn parameter(&mut self, name: &str, span: Span) -> Bound {
        let parameters = &self.environment.parameters;
        if let Some(given) = parameters.get(name) {
            self.parameters_used.insert(name.to_owned());
            return constant(given.value.clone());
        }
        let known: Vec<String> = parameters.keys().map(|name| format!("${name}")).collect();
        let nearest = nearest(&format!("${name}"), known.iter().map(String::as_str));
        self.refuse(span, ErrorKind::UnknownParameter { name: name.to_owned(), nearest, known })
    }

    /// The value of an alias; also of `true` and `false`, if the log has no such names.
    fn constant_named(&self, name: &str) -> Option<Value> {
        let schema = self.environment.schema;
        if let Some(value) = schema.alias(name) {
            return Some(Value::Integer(value.into()));
        }
        let free = schema.position(name).is_none() && !self.lets.contains_key(name);
        match name {
            "true" | "false" if free => Some(Value::Boolean(name == "true")),
            _ => None,
        }
    }

    /// The error for a name such as `PVNode` as a condition: it is only a value of an attribute.
    pub(super) fn value_alone(&self, expr: &ast::Expr) -> Option<ErrorKind> {
        let ExprKind::Name(None, name) = &expr.kind else { return None };
        let schema = self.environment.schema;
        let alias = schema.aliases().iter().find(|alias| alias.name == *name)?;
        let attribute = alias.attribute?;
        let is_flag = |value: i64| value.cast_unsigned().is_power_of_two();
        let operator =
            if aliases_of(schema, attribute).all(|alias| is_flag(alias.value)) { '&' } else { '=' };
        let attribute = schema.attributes().get(attribute)?.name.clone();
        Some(ErrorKind::ValueAlone { value: name.clone(), attribute, operator })
    }

    fn field(&mut self, name: &str, span: Span) -> Option<(Field, Type)> {
        let schema = self.environment.schema;
        if let Some(position) = schema.position(name) {
            return Some((Field::Attribute(position), type_of(schema.attributes()[position].kind)));
        }
        match name {
            "node_id" => return Some((Field::NodeId, Type::Integer)),
            "last_move" => return Some((Field::LastMove, Type::Move)),
            _ => {}
        }
        match self.lets.get(name) {
            // A `let` with an error has already reported it.
            Some(column) => column.map(|id| (Field::Column(id), self.program.columns[id.0].value_type)),
            None => {
                let kind = self.unknown(name);
                self.refuse(span, kind)
            }
        }
    }

    fn unknown(&self, name: &str) -> ErrorKind {
        let schema = self.environment.schema;
        let mut known: Vec<String> = ["node_id", "last_move"].map(str::to_owned).to_vec();
        known.extend(schema.attributes().iter().map(|attribute| attribute.name.clone()));
        known.extend(schema.aliases().iter().map(|alias| alias.name.clone()));
        let derived = self.program.columns.iter().map(|column| column.name.as_str());
        let is_move = || self.environment.moves.is_some_and(|moves| moves.number(name).is_some());
        let nearest = match self.environment.parameters.contains_key(name) {
            true => vec![format!("${name}")],
            false if is_move() => vec![format!("\"{name}\"")],
            false => nearest(name, known.iter().map(String::as_str).chain(derived)),
        };
        // Correct a name that was written as `other.x` in the same form.
        let is_other = written_other(name).is_some();
        let as_written = |name: String| written_other(&name).filter(|_| is_other).unwrap_or(name);
        let nearest = nearest.into_iter().map(as_written).collect();
        let defined_below = self.let_names.contains(name);
        ErrorKind::UnknownName { name: name.to_owned(), nearest, known, defined_below }
    }

    fn relative(
        &mut self,
        relative: Option<Relative>,
        span: Span,
        context: &Context,
    ) -> Option<(Anchor, Step)> {
        let Some(relative) = relative else { return Some((Anchor::Node, Step::Here)) };
        match context.place {
            Place::Outside(part) if relative == Relative::Other => {
                return self.refuse(span, ErrorKind::OtherOutsideAggregate(part));
            }
            Place::Node if relative == Relative::Other => return self.refuse(span, ErrorKind::NoOther),
            Place::Node | Place::Outside(_) | Place::Other => {}
        }
        let is_others = matches!(relative, Relative::Other | Relative::Sibling(_));
        let anchor = if context.place == Place::Other && is_others { Anchor::Other } else { Anchor::Node };
        let step = match relative {
            Relative::Other => Step::Here,
            Relative::Parent => Step::Parent,
            Relative::Grandparent => Step::Grandparent,
            Relative::Sibling(places) => Step::Sibling(places),
            Relative::Child(place) => Step::Child(place),
        };
        Some((anchor, step))
    }
}

pub(super) fn type_of(kind: gt_log::Kind) -> Type {
    match kind {
        gt_log::Kind::Bool => Type::Boolean,
        gt_log::Kind::Text => Type::Text,
        kind if kind.is_float() => Type::Float,
        _ => Type::Integer,
    }
}
