//! What is read besides an answer's columns, so that people can see their values in words.
//!
//! ```text
//! select last_move, best         the query's columns
//! last_move, best, @ply, @line   what is read: a mate in n is counted from the node's ply,
//!                                and `Nf3` can be said only of a position, which the line leads to
//! ```
//!
//! Where nodes name their moves themselves, the name is read along with the move.
//!
//! A row belongs to one node, and its relatives are a known number of plies above or below that node. A group has a
//! ply only if `@ply` is one of its keys.

use gt_log::Schema;
use gt_query::ir::{
    Aggregate, Anchor, Expr, Field, Operand, Outcome, Program, ResultColumn, Scope, Step, Structure,
};
use gt_query::tools::vocabulary::Function;
use gt_query::{Type, Value, holds_values};

/// What the words of an answer need.
#[derive(Clone, Copy, Debug, Default)]
pub struct Needs {
    /// Whether to read the plies of nodes whose values are shown: the distance of a mate is counted from there.
    pub plies: bool,
    /// Whether to read the lines to nodes whose moves are shown.
    pub lines: bool,
    /// The attribute with the names that nodes give to their moves, if these are shown.
    pub names: Option<usize>,
}

/// The places, in an answer's rows, of what is read besides its columns.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    ply: Option<usize>,
    line: Option<usize>,
    node: Option<usize>,
    /// By column.
    cells: Vec<About>,
}

/// What a column's values belong to.
#[derive(Clone, Copy, Debug, Default)]
struct About {
    /// How many plies below the row's node the values' node is, if they belong to one node.
    level: Option<i64>,
    is_value: bool,
    is_move: bool,
    /// The place of the move's name.
    name: Option<usize>,
}

/// What is known about the node to which a cell belongs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Near<'r> {
    /// The ply of the node whose value the cell is, if it is a node's value.
    pub ply: Option<u64>,
    /// If the cell is a move, the line to the row's node, and how many of its moves come before that move.
    pub line: Option<(&'r gt_query::Line, usize)>,
    /// If the cell is a move, the name that its node gives to it, if any.
    pub name: Option<&'r str>,
    /// The row's node, if lines are shown and nodes name their moves.
    pub node: Option<u64>,
}

impl Beside {
    /// Adds what the words of a query's answer need to the query's columns.
    #[must_use]
    pub fn add(program: &mut Program, query: usize, schema: &Schema, needs: Needs) -> Self {
        let cells = cells(program, query, schema);
        let some = |wanted: fn(&About) -> bool| cells.iter().any(|cell| cell.level.is_some() && wanted(cell));
        let (plies, lines) =
            (needs.plies && some(|cell| cell.is_value), needs.lines && some(|cell| cell.is_move));
        let mut beside = Self { ply: None, line: None, node: None, cells };
        let (columns, ply, line, node) = match &mut program.queries[query].outcome {
            Outcome::Rows { columns, .. } => {
                let node =
                    Expr::Read(Operand { anchor: Anchor::Node, step: Step::Here, field: Field::NodeId });
                (columns, Some(of_node(Structure::Ply)), Some(of_node(Structure::Line)), Some(node))
            }
            Outcome::Groups { keys, columns, .. } => {
                let ply = keys.iter().position(|key| *key == of_node(Structure::Ply)).map(Expr::Key);
                (columns, ply, None, None)
            }
            Outcome::Count | Outcome::Aggregate(_) | Outcome::Nodes(_) => return beside,
        };
        let has_lines = columns.iter().any(|column| column.expr == of_node(Structure::Line));
        let names: Vec<Option<Expr>> = match needs.names {
            Some(attribute) => columns.iter().map(|column| name_of(&column.expr, attribute)).collect(),
            None => Vec::new(),
        };
        let mut add = |expr: Option<Expr>, value_type| {
            columns.push(ResultColumn { heading: String::new(), expr: expr?, value_type, names: None });
            Some(columns.len() - 1)
        };
        beside.ply = add(ply.filter(|_| plies), Type::Integer);
        beside.line = add(line.filter(|_| lines), Type::Line);
        beside.node = add(node.filter(|_| needs.names.is_some() && has_lines), Type::Integer);
        for (cell, name) in beside.cells.iter_mut().zip(names) {
            cell.name = add(name, Type::Text);
        }
        beside
    }

    /// Returns what is known about the node to which a cell of a row belongs.
    #[must_use]
    pub fn near<'r>(&self, row: &'r [Option<Value>], column: usize) -> Near<'r> {
        let Some(About { level, is_value, is_move, name }) = self.cells.get(column).copied() else {
            return Near::default();
        };
        let read = |place: Option<usize>| row.get(place?)?.as_ref();
        let name = match read(name) {
            Some(Value::Text(text)) if !text.is_empty() => Some(&**text),
            _ => None,
        };
        let node = match read(self.node) {
            Some(Value::Integer(node)) => u64::try_from(*node).ok(),
            _ => None,
        };
        let Some(level) = level else { return Near { name, node, ..Near::default() } };
        let below = |plies: usize| usize::try_from(i64::try_from(plies).ok()?.checked_add(level)?).ok();
        let ply = match read(self.ply.filter(|_| is_value)) {
            Some(Value::Integer(ply)) => u64::try_from(*ply + i128::from(level)).ok(),
            _ => None,
        };
        let line = match read(self.line.filter(|_| is_move)) {
            Some(Value::Line(line)) => {
                below(line.len()).and_then(|plies| plies.checked_sub(1)).map(|before| (line, before))
            }
            _ => None,
        };
        // A child's move comes after the whole line; no move comes later than that.
        Near { ply, line: line.filter(|(line, before)| *before <= line.len()), name, node }
    }
}

fn of_node(structure: Structure) -> Expr {
    Expr::Read(Operand { anchor: Anchor::Node, step: Step::Here, field: Field::Structure(structure) })
}

/// The name that a node gives to the move that an expression reads from it.
fn name_of(expr: &Expr, attribute: usize) -> Option<Expr> {
    match expr {
        Expr::Read(operand @ Operand { field: Field::LastMove, .. }) => {
            Some(Expr::Read(Operand { field: Field::Attribute(attribute), ..*operand }))
        }
        _ => None,
    }
}

fn cells(program: &Program, query: usize, schema: &Schema) -> Vec<About> {
    let (columns, keys): (&[ResultColumn], &[Expr]) = match &program.queries[query].outcome {
        Outcome::Rows { columns, .. } => (columns, &[]),
        Outcome::Groups { keys, columns, .. } => (columns, keys),
        Outcome::Count | Outcome::Aggregate(_) | Outcome::Nodes(_) => (&[], &[]),
    };
    let about = |column: &ResultColumn| {
        let expr = match &column.expr {
            Expr::Key(place) => keys.get(*place).unwrap_or(&column.expr),
            other => other,
        };
        let is_value = program.attribute_of(expr).is_some_and(|place| holds_values(schema, place));
        About {
            level: level(program, expr, None),
            is_value,
            is_move: column.value_type == Type::Move,
            name: None,
        }
    };
    columns.iter().map(about).collect()
}

/// How many plies below the node the one lies whose value an expression passes on; `other` is the level of the other
/// nodes over which an aggregate ranges.
fn level(program: &Program, expr: &Expr, other: Option<i64>) -> Option<i64> {
    match expr {
        Expr::Read(Operand { anchor, step, field }) => {
            let start = match anchor {
                Anchor::Node => Some(0),
                Anchor::Other => other,
            };
            let stepped = match step {
                Step::Here | Step::Sibling(_) => 0,
                Step::Parent => -1,
                Step::Grandparent => -2,
                Step::Child(_) => 1,
            };
            let inner = match field {
                Field::Attribute(_) | Field::LastMove => 0,
                Field::Column(id) => level(program, &program.columns[id.0].expr, None)?,
                Field::NodeId | Field::Structure(_) => return None,
            };
            Some(start? + stepped + inner)
        }
        Expr::Aggregate(id) => {
            let Aggregate { scope, function, argument, second, .. } = &program.aggregates[id.0];
            let ranged = match scope {
                Scope::Child => Some(1),
                Scope::Before | Scope::After => Some(0),
                Scope::Matches => None,
                Scope::Subtree | Scope::Path | Scope::Tree | Scope::Twin(_) => return None,
            };
            match function {
                Function::Min | Function::Max | Function::First | Function::Last => {
                    level(program, argument, ranged)
                }
                Function::ArgMin | Function::ArgMax => level(program, second.as_ref()?, ranged),
                _ => None,
            }
        }
        Expr::Constant(_) | Expr::Key(_) | Expr::Apply(..) => None,
    }
}
