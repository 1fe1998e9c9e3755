//! The value of an expression at each rectangle.
//!
//! An expression over the node alone is evaluated at the nodes that are drawn, a few thousand. One that looks at
//! children, ancestors or subtrees is gt-query's to answer: it goes over the whole tree once.

use std::cell::RefCell;
use std::collections::HashMap;

use gt_query::ir::Structure;
use gt_query::ir::evaluate;
use gt_query::ir::{Anchor, Expr, Field, Operand, Outcome, Program, Step};
use gt_query::{Answer as QueryAnswer, Type, Value, engine};

use super::at_item::AtItem;
use super::color::{Color, range};
use super::density::Palette;
use super::outline::Outline;
use super::sketch::{Item, Sketch};
use crate::bound::Bound;
use crate::calls::Subject;
use crate::calls::logs::labels;
use crate::error::{Answer, Kind, Refusal};
use crate::query::binding::{Binding, message};
use crate::values::{self, Scalar};

const LET: &str = "let gt_view_color = ";

/// The values of an expression at the items of a sketch.
pub(super) struct Painted {
    pub(super) values: Vec<Scalar>,
    /// Which values are bounds, if the expression reads the nodes' values.
    pub(super) bounds: Option<Vec<Option<Bound>>>,
    /// What the values mean for colours.
    pub(super) color: Color,
}

/// An expression that colours a picture, bound to its tree.
pub(super) struct Coloring {
    expression: String,
    program: Program,
}

impl Coloring {
    pub(super) fn compile(subject: &Subject<'_>, outline: &Outline, expression: &str) -> Answer<Self> {
        let items = &outline.sketch.items;
        let smallest = items.iter().map(|item| item.largest.size).min().unwrap_or(1);
        let (first, end) = (outline.node.id, outline.node.id + outline.node.size);
        let text = format!(
            "{LET}{expression}\nnode: node_id >= {first} and node_id < {end} and @size >= {smallest} \
             select node_id, gt_view_color"
        );
        let program = compile(subject, &text, expression)?;
        wanted(&program)?;
        Ok(Self { expression: expression.to_owned(), program })
    }

    /// The values at the items of an outline's sketch.
    pub(super) fn paint(&self, subject: &mut Subject<'_>, outline: &Outline) -> Answer<Painted> {
        let (sketch, program) = (&outline.sketch, &self.program);
        let (expr, value_type) = wanted(program)?;
        let found = if is_of_the_node(expr, program) {
            at_items(subject, outline, program, expr)?
        } else {
            by_query(subject, sketch, program)?
        };
        let attribute = attribute_of(expr, program);
        let unknown = attribute.and_then(|place| unknown_number(subject, place));
        let drawn: Vec<Scalar> = found
            .iter()
            .map(|value| match value {
                Some(Value::Integer(number)) if Some(*number) == unknown => Scalar::Null,
                value => values::answer(value.as_ref(), value_type, subject.notation),
            })
            .collect();
        let labels = attribute.and_then(|place| labels(subject.opened, place));
        let range = attribute.filter(|_| unknown.is_none()).and_then(|place| range(subject.tree, place));
        let color = Color::of(&self.expression, value_type, labels, range, &drawn);
        let bounds = match subject.window {
            Some(window) if reads(expr, program, window.value) => {
                Some(sketch.items.iter().map(|item| subject.bound(item.largest.row)).collect::<Answer<_>>()?)
            }
            _ => None,
        };
        Ok(Painted { values: drawn, bounds, color })
    }

    /// The values of classes of nodes, where the expression has such.
    pub(super) fn palette<'p>(&'p self, subject: &Subject<'p>) -> Option<Palette<'p>> {
        let (expr, value_type) = wanted(&self.program).ok()?;
        let unknown = |place| {
            let number = unknown_number(subject, place)?;
            // An expression reads the number as it stands.
            attribute_of(expr, &self.program)?;
            i64::try_from(number).ok()
        };
        Palette::of(expr, &self.program, value_type, subject.notation, unknown)
    }
}

/// The attribute that an expression is, where it is one.
fn attribute_of(expr: &Expr, program: &Program) -> Option<usize> {
    match resolved(expr, program) {
        Expr::Read(Operand { step: Step::Here, field: Field::Attribute(place), .. }) => Some(*place),
        _ => None,
    }
}

/// Whether an expression reads an attribute of the node itself.
fn reads(expr: &Expr, program: &Program, attribute: usize) -> bool {
    let mut found = false;
    expr.leaves(&mut |leaf| {
        found |= match leaf {
            Expr::Read(Operand { anchor: Anchor::Node, step: Step::Here, field }) => match field {
                Field::Attribute(place) => *place == attribute,
                Field::Column(id) => reads(&program.columns[id.0].expr, program, attribute),
                _ => false,
            },
            _ => false,
        }
    });
    found
}

fn compile(subject: &Subject<'_>, text: &str, expression: &str) -> Answer<Program> {
    let binding = Binding::new(subject.opened, subject.tree);
    binding.compile(text).map_err(|errors| {
        // Where the expression breaks off, what is blamed is our own text after it, unless the expression stands alone.
        let alone = binding.compile(&format!("{LET}{expression}\n")).err();
        let error = alone.unwrap_or(errors).into_iter().next();
        let sentence = error.map_or_else(|| "it cannot be read".to_owned(), |error| message(&error));
        let shown: String = expression.chars().take(80).collect();
        Refusal::bad("color", format!("the colour `{}`: {sentence}", shown.escape_debug()))
    })
}

/// The expression to paint by, and its type.
fn wanted(program: &Program) -> Answer<(&Expr, Type)> {
    let odd =
        || Refusal::bad("color", "a colour is one expression over a node, such as `best` or `@size / 2`");
    let [query] = &program.queries[..] else { return Err(odd()) };
    let Outcome::Rows { columns, .. } = &query.outcome else { return Err(odd()) };
    match &columns[..] {
        [_, column] if column.heading == "gt_view_color" => Ok((&column.expr, column.value_type)),
        _ => Err(odd()),
    }
}

/// A derived column's own expression.
fn resolved<'p>(expr: &'p Expr, program: &'p Program) -> &'p Expr {
    match expr {
        Expr::Read(Operand { step: Step::Here, field: Field::Column(id), .. }) => {
            resolved(&program.columns[id.0].expr, program)
        }
        expr => expr,
    }
}

/// Whether the expression can be told from the node itself.
fn is_of_the_node(expr: &Expr, program: &Program) -> bool {
    let mut local = true;
    expr.leaves(&mut |leaf| {
        local &= match leaf {
            Expr::Read(Operand { anchor: Anchor::Node, step: Step::Here, field }) => match field {
                Field::Attribute(_) | Field::LastMove | Field::NodeId => true,
                Field::Structure(structure) => {
                    !matches!(structure, Structure::Height | Structure::Total | Structure::Line)
                }
                Field::Column(id) => is_of_the_node(&program.columns[id.0].expr, program),
            },
            _ => false,
        }
    });
    local
}

/// What stands for "unknown" in an attribute: the least number of its type, where the log has a name for it.
fn unknown_number(subject: &Subject<'_>, place: usize) -> Option<i128> {
    let schema = subject.tree.schema();
    let least = match schema.attributes()[place].kind {
        gt_log::Kind::I16 => i64::from(i16::MIN),
        gt_log::Kind::I32 => i64::from(i32::MIN),
        gt_log::Kind::I64 => i64::MIN,
        _ => return None,
    };
    schema.aliases().iter().any(|alias| alias.value == least).then_some(i128::from(least))
}

fn by_query(subject: &Subject<'_>, sketch: &Sketch, program: &Program) -> Answer<Vec<Option<Value>>> {
    let options = engine::Options { cancel: Some(subject.cancel.flag()), ..engine::Options::default() };
    let outcome = engine::run(program, subject.tree, &options)?;
    let answer = outcome.answers.into_iter().next();
    let rows = match answer {
        Some(Ok(QueryAnswer::Rows { rows, .. })) => rows,
        Some(Err(error)) => return Err(Refusal::bad("color", error.to_string())),
        _ => return Err(Refusal::new(Kind::Bad, "the colour has no values").at("color")),
    };
    let by_node: HashMap<i128, Option<Value>> = rows
        .into_iter()
        .filter_map(|row| match <[Option<Value>; 2]>::try_from(row) {
            Ok([Some(Value::Integer(node)), value]) => Some((node, value)),
            _ => None,
        })
        .collect();
    let value = |item: &Item| by_node.get(&i128::from(item.largest.id)).cloned().flatten();
    Ok(sketch.items.iter().map(value).collect())
}

fn at_items(
    subject: &mut Subject<'_>,
    outline: &Outline,
    program: &Program,
    expr: &Expr,
) -> Answer<Vec<Option<Value>>> {
    let sketch = &outline.sketch;
    let mut parents = vec![outline.parent.map(|parent| parent.id); sketch.items.len()];
    for item in &sketch.items {
        parents[item.below.clone()].fill(Some(item.first.id));
    }
    let root_index = match outline.parent {
        Some(parent) => subject.nodes.index(parent, outline.node)?.0,
        None => 0,
    };
    let (nodes, failure) = (RefCell::new(&mut subject.nodes), RefCell::new(None));
    let mut values = Vec::with_capacity(sketch.items.len());
    for (place, (item, parent)) in sketch.items.iter().zip(parents).enumerate() {
        let index = if place == 0 { root_index } else { item.index };
        let ply = outline.ply + u64::from(item.depth);
        let at = AtItem { nodes: &nodes, failure: &failure, program, item, ply, parent, index };
        // What overflows has no colour.
        values.push(evaluate(expr, &at).unwrap_or_default());
        if let Some(failure) = failure.take() {
            return Err(failure.into());
        }
    }
    Ok(values)
}
