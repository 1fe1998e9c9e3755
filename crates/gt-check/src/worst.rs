//! The nodes that make a check fail: the worst few, with their lines.
//!
//! ```text
//! node: E                   the nodes that match, largest subtree first (or in the order that the query asks for)
//! node: max(A where E)      the nodes with the largest A; the least, where the number is too low
//! query of query, too low   the nodes that only the second query matches
//! ```

use gt_query::engine::{self, Finding, Options};
use gt_query::ir::{
    Anchor, Arrangement, Expr, Field, Operand, Operation, OrderKey, Outcome, Part, Query, ResultColumn, Step,
    Structure,
};
use gt_query::{Answer, Program, Span, Type, Value, compile, holds_values};
use gt_report::Mates;

use crate::measure::{Joined, Place, Question};
use crate::moves::NodeLine;

/// A node that makes a check fail.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstNode {
    /// Its node_id.
    pub node: u64,
    /// The number of nodes in its subtree.
    pub size: u64,
    /// The value that the query computes, if it does.
    pub value: Option<f64>,
    /// That value in words, if it is a node's and says who wins: `mate in 3`.
    pub mate: Option<String>,
    /// The moves that lead there, in the game's notation.
    pub line: Vec<String>,
}

/// A node as the engine returns it.
pub(crate) struct Found {
    pub(crate) size: u64,
    pub(crate) value: Option<f64>,
    pub(crate) mate: Option<String>,
    pub(crate) line: NodeLine,
}

/// The nodes to look for.
pub(crate) struct Search<'a> {
    pub(crate) query: Question<'a>,
    pub(crate) of: Option<Question<'a>>,
    /// Whether the number is too high, as opposed to too low.
    pub(crate) is_high: bool,
}

impl Search<'_> {
    /// The worst nodes, at most `most`. None if the query is not about nodes.
    pub(crate) fn nodes(
        &self,
        place: &Place<'_>,
        most: usize,
        options: &Options<'_>,
    ) -> Result<Vec<Found>, engine::Failure> {
        let wants_rest = !self.is_high && self.of.is_some();
        let asked: Vec<&Question<'_>> = match &self.of {
            Some(of) if wants_rest => vec![of, &self.query],
            _ => vec![&self.query],
        };
        let Joined { text, parameters } = Joined::of(asked.into_iter());
        let Ok(mut program) = compile(&text, &place.environment(&parameters)) else { return Ok(Vec::new()) };
        if wants_rest {
            leave_rest(&mut program);
        }
        program.queries.truncate(1);
        if !arrange(&mut program, most, self.is_high) {
            return Ok(Vec::new());
        }
        let mates = mates(&program, place);
        let mut findings = engine::find(&program, place.tree, options)?;
        let Ok(Finding::Answer(Answer::Rows { rows, .. })) = findings.found.remove(0) else {
            return Ok(Vec::new());
        };
        Ok(rows.into_iter().filter_map(|row| found(&row, mates)).collect())
    }
}

/// Turns the first query into one for the nodes that match it but not the second.
fn leave_rest(program: &mut Program) {
    let [of, query] = program.queries.as_mut_slice() else { return };
    let all = query.filters().cloned().reduce(|all, more| Expr::apply(Operation::And, [all, more], NOWHERE));
    let matched = all.unwrap_or(Expr::TRUE);
    of.filters.push((Part::Node, Expr::apply(Operation::Not, [matched], NOWHERE)));
}

/// The place of the computed value among the columns of [`arrange`].
const VALUE: usize = 3;
const NOWHERE: Span = Span::new(0, 0);

/// Makes the only query give rows: node_id, size, line and the computed value. Returns whether that is
/// possible.
fn arrange(program: &mut Program, most: usize, is_high: bool) -> bool {
    let Some(query) = program.queries.first_mut() else { return false };
    let size = read(Field::Structure(Structure::Size));
    let by_size = vec![OrderKey { expr: size.clone(), descending: true }];
    let (order, value) = match &query.outcome {
        Outcome::Nodes(arrangement) | Outcome::Rows { arrangement, .. } if !arrangement.order.is_empty() => {
            (arrangement.order.clone(), None)
        }
        Outcome::Count | Outcome::Nodes(_) | Outcome::Rows { .. } => (by_size, None),
        Outcome::Aggregate(id) => {
            let aggregate = &program.aggregates[id.0];
            if !aggregate.filter.is_true() {
                query.filters.push((Part::Node, aggregate.filter.clone()));
            }
            let asked = aggregate.argument.clone();
            let is_number = aggregate.value_type.is_number() && !matches!(asked, Expr::Constant(_));
            if !is_number {
                return false;
            }
            (vec![OrderKey { expr: asked.clone(), descending: is_high }], Some(asked))
        }
        Outcome::Groups { .. } => return false,
    };
    let mut columns = vec![
        column("node_id", read(Field::NodeId), Type::Integer),
        column("@size", size, Type::Integer),
        column("@line", read(Field::Structure(Structure::Line)), Type::Line),
    ];
    columns.extend(value.map(|value| column("value", value, Type::Float)));
    query.outcome = Outcome::Rows { columns, arrangement: Arrangement { order, limit: Some(most) } };
    true
}

fn read(field: Field) -> Expr {
    Expr::Read(Operand { anchor: Anchor::Node, step: Step::Here, field })
}

fn column(heading: &str, expr: Expr, value_type: Type) -> ResultColumn {
    ResultColumn { heading: heading.to_owned(), expr, value_type, names: None }
}

/// How the values of the only query say who wins, if they are values of the nodes themselves.
fn mates(program: &Program, place: &Place<'_>) -> Option<Mates> {
    let Outcome::Rows { columns, .. } = &program.queries.first()?.outcome else { return None };
    let Expr::Read(Operand { step: Step::Here, field: Field::Attribute(attribute), .. }) =
        &columns.get(VALUE)?.expr
    else {
        return None;
    };
    Mates::of(place.log, place.tree).filter(|_| holds_values(place.log.schema(), *attribute))
}

fn found(row: &[Option<Value>], mates: Option<Mates>) -> Option<Found> {
    let whole = |place: usize| match row.get(place)? {
        Some(Value::Integer(number)) => u64::try_from(*number).ok(),
        _ => None,
    };
    let moves = match row.get(2)? {
        Some(Value::Line(line)) => line.moves().to_vec(),
        _ => Vec::new(),
    };
    let (value, mate) = match row.get(VALUE).and_then(Option::as_ref) {
        Some(Value::Integer(number)) => {
            (Some(*number as f64), mates.and_then(|mates| mates.text(*number, moves.len() as u64)))
        }
        Some(Value::Float(number)) => (Some(*number), None),
        _ => (None, None),
    };
    Some(Found { size: whole(1)?, value, mate, line: NodeLine { node: whole(0)?, moves } })
}

/// The query in the form in which a person would ask it, to see the nodes.
pub(crate) fn visible(query: &Query) -> String {
    match &query.outcome {
        Outcome::Nodes(arrangement) if arrangement.order.is_empty() && arrangement.limit.is_none() => {
            format!("{} select node_id, @size, @line order by @size desc limit 10", query.text)
        }
        Outcome::Nodes(_) | Outcome::Rows { .. } | Outcome::Count => query.text.clone(),
        Outcome::Aggregate(_) | Outcome::Groups { .. } => query.text.clone(),
    }
}
