//! Matches in, answers out: counting, collecting, grouping, ordering.
//!
//! Every evaluator finds the matches in its own way and hands them to a [`Collector`]; matches may come in any
//! order. An overflow in an `order by` or `group by` key, or in what is aggregated, is an error of the query; one
//! in a cell of `select` only where the row is shown.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::convert::Infallible;

use crate::accumulator::Accumulator;
use crate::evaluate::{Evaluated, Frame, NoNode, RunError, evaluate};
use crate::ir::{AggregateId, Arrangement, Expr, Operand, Outcome, Program, ResultColumn};
use crate::sorted::sorted;
use crate::value::{Overflow, Type, Value};

/// The answer to a query.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The node_ids of the matches, ascending, or as `order by` says.
    Nodes(Vec<u64>),
    /// The number of matches.
    Count(u64),
    /// The aggregate that `node:` asks for.
    Value(Option<Value>),
    /// What `select` asks for.
    Rows {
        /// The columns' headings and types.
        columns: Vec<(String, Type)>,
        /// The rows; `None` is unknown.
        rows: Vec<Vec<Option<Value>>>,
    },
}

/// Takes the matches of one query and makes its answer.
#[derive(Clone, Debug)]
pub struct Collector {
    /// The query's place in the program.
    index: usize,
    state: State,
    overflow: Option<Overflow>,
}

#[derive(Clone, Debug)]
enum State {
    Count(u64),
    Aggregate(AggregateId, Accumulator),
    Nodes(Vec<u64>),
    Rows(Vec<Row>),
    Groups { aggregates: Vec<AggregateId>, groups: Groups },
}

#[derive(Clone, Debug)]
struct Row {
    node_id: u64,
    order: Vec<Option<Value>>,
    cells: Vec<Evaluated>,
}

impl Collector {
    /// A collector for the query at this place in the program.
    #[must_use]
    pub fn new(program: &Program, index: usize) -> Self {
        let query = &program.queries[index];
        let state = match &query.outcome {
            Outcome::Count => State::Count(0),
            Outcome::Aggregate(id) => State::Aggregate(*id, Accumulator::new(&program.aggregates[id.0])),
            Outcome::Nodes(Arrangement { order, limit: None }) if order.is_empty() => {
                State::Nodes(Vec::new())
            }
            Outcome::Nodes(_) | Outcome::Rows { .. } => State::Rows(Vec::new()),
            Outcome::Groups { columns, arrangement, .. } => {
                let aggregates = matches_aggregates(columns, arrangement);
                State::Groups { aggregates, groups: HashMap::new() }
            }
        };
        Self { index, state, overflow: None }
    }

    /// Takes a match; `frame` stands at it.
    pub fn add(&mut self, program: &Program, node_id: u64, frame: &dyn Frame) {
        let outcome = &program.queries[self.index].outcome;
        let added = match &mut self.state {
            State::Count(count) => {
                *count += 1;
                Ok(())
            }
            State::Nodes(nodes) => {
                nodes.push(node_id);
                Ok(())
            }
            State::Aggregate(id, accumulator) => {
                accumulator.take(&program.aggregates[id.0], frame);
                Ok(())
            }
            State::Rows(rows) => add_row(rows, outcome, node_id, frame),
            State::Groups { aggregates, groups } => add_to_group(groups, aggregates, program, outcome, frame),
        };
        if let Err(overflow) = added {
            self.fail(overflow);
        }
    }

    /// The aggregates over the matches that groups are made of, in the order of [`Collector::add_group`].
    #[must_use]
    pub fn aggregates(&self) -> &[AggregateId] {
        match &self.state {
            State::Aggregate(id, _) => std::slice::from_ref(id),
            State::Groups { aggregates, .. } => aggregates,
            _ => &[],
        }
    }

    /// Takes all matches of a group at once: its key, and what each aggregate gathers from them.
    pub fn add_group(&mut self, key: Vec<Option<Value>>, accumulators: &[Accumulator]) {
        match &mut self.state {
            State::Aggregate(_, accumulator) => accumulators.iter().for_each(|more| accumulator.merge(more)),
            State::Groups { groups, .. } => merge_group(groups, key, accumulators),
            // These make no groups.
            State::Count(_) | State::Nodes(_) | State::Rows(_) => {}
        }
    }

    /// Takes all matches that another has taken, of the same query.
    pub fn merge(&mut self, program: &Program, other: Self) {
        if let Some(overflow) = other.overflow {
            self.fail(overflow);
        }
        // Each state takes its own kind: a new one does not compile until it says how.
        match &mut self.state {
            State::Count(count) => {
                if let State::Count(more) = other.state {
                    *count += more;
                }
            }
            State::Nodes(nodes) => {
                if let State::Nodes(more) = other.state {
                    nodes.extend(more);
                }
            }
            State::Aggregate(_, accumulator) => {
                if let State::Aggregate(_, more) = &other.state {
                    accumulator.merge(more);
                }
            }
            State::Rows(rows) => {
                if let State::Rows(more) = other.state {
                    rows.extend(more);
                }
                let outcome = &program.queries[self.index].outcome;
                if let Outcome::Rows { arrangement, .. } | Outcome::Nodes(arrangement) = outcome {
                    keep_few(rows, arrangement);
                }
            }
            State::Groups { groups, .. } => {
                if let State::Groups { groups: more, .. } = other.state {
                    more.into_iter().for_each(|(key, accumulators)| merge_group(groups, key, &accumulators));
                }
            }
        }
    }

    /// The query has no answer: an overflow decided whether a node matches.
    pub fn fail(&mut self, overflow: Overflow) {
        self.overflow = Some(self.overflow.map_or(overflow, |before| before.min(overflow)));
    }

    /// The answer.
    ///
    /// # Errors
    /// An overflow that was met on the way.
    pub fn finish(self, program: &Program) -> Result<Answer, RunError> {
        match self.finish_unless(program, &mut || Ok::<(), Infallible>(())) {
            Ok(answer) => answer,
            Err(never) => match never {},
        }
    }

    /// Like [`Collector::finish`]; `check` is asked every few thousand rows whether to go on.
    ///
    /// # Errors
    /// What `check` says.
    pub fn finish_unless<E>(
        self,
        program: &Program,
        check: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Result<Answer, RunError>, E> {
        let query = &program.queries[self.index];
        let answer = match self.overflow {
            Some(overflow) => Err(overflow),
            None => self.state.answer(program, &query.outcome, check)?,
        };
        Ok(answer.map_err(|overflow| RunError {
            query: query.name.clone().unwrap_or_else(|| (self.index + 1).to_string()),
            span: overflow.span,
        }))
    }
}

impl State {
    fn answer<E>(
        self,
        program: &Program,
        outcome: &Outcome,
        check: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Result<Answer, Overflow>, E> {
        Ok(match self {
            Self::Count(count) => Ok(Answer::Count(count)),
            Self::Aggregate(id, accumulator) => {
                accumulator.value(program.aggregates[id.0].origin.0).map(Answer::Value)
            }
            Self::Nodes(mut nodes) => {
                nodes.sort_unstable();
                Ok(Answer::Nodes(nodes))
            }
            Self::Rows(rows) => arranged(rows, outcome, check)?,
            Self::Groups { aggregates, groups } => grouped(groups, &aggregates, program, outcome, check)?,
        })
    }
}

/// The aggregates over matches that these columns and this order are made of, ascending.
pub(crate) fn matches_aggregates(columns: &[ResultColumn], arrangement: &Arrangement) -> Vec<AggregateId> {
    let mut found = Vec::new();
    let exprs =
        columns.iter().map(|column| &column.expr).chain(arrangement.order.iter().map(|key| &key.expr));
    for expr in exprs {
        expr.leaves(&mut |leaf| {
            if let Expr::Aggregate(id) = leaf {
                found.push(*id);
            }
        });
    }
    found.sort();
    found.dedup();
    found
}

fn add_row(rows: &mut Vec<Row>, outcome: &Outcome, node_id: u64, frame: &dyn Frame) -> Result<(), Overflow> {
    let (columns, arrangement): (&[ResultColumn], _) = match outcome {
        Outcome::Rows { columns, arrangement } => (columns, arrangement),
        Outcome::Nodes(arrangement) => (&[], arrangement),
        _ => return Ok(()),
    };
    let order = arrangement.order.iter().map(|key| evaluate(&key.expr, frame)).collect::<Result<_, _>>()?;
    let cells = columns.iter().map(|column| evaluate(&column.expr, frame)).collect();
    rows.push(Row { node_id, order, cells });
    keep_few(rows, arrangement);
    Ok(())
}

/// Keeps no more than a few times what will be shown.
fn keep_few(rows: &mut Vec<Row>, arrangement: &Arrangement) {
    if let Some(limit) = arrangement.limit
        && rows.len() >= limit.saturating_mul(2).max(1024)
    {
        rows.select_nth_unstable_by(limit, |left, right| order_of_rows(arrangement, left, right));
        rows.truncate(limit);
    }
}

fn order_of_rows(arrangement: &Arrangement, left: &Row, right: &Row) -> Ordering {
    by_keys(arrangement, &left.order, &right.order).then(left.node_id.cmp(&right.node_id))
}

fn by_keys(arrangement: &Arrangement, left: &[Option<Value>], right: &[Option<Value>]) -> Ordering {
    let orders = arrangement.order.iter().zip(left.iter().zip(right)).map(|(key, (left, right))| {
        match (left, right) {
            (Some(left), Some(right)) if key.descending => right.order(left),
            (left, right) => unknown_last(left.as_ref(), right.as_ref()),
        }
    });
    orders.fold(Ordering::Equal, Ordering::then)
}

fn unknown_last(left: Option<&Value>, right: Option<&Value>) -> Ordering {
    match (left, right) {
        (Some(left), Some(right)) => left.order(right),
        (left, right) => left.is_none().cmp(&right.is_none()),
    }
}

fn arranged<E>(
    rows: Vec<Row>,
    outcome: &Outcome,
    check: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Result<Answer, Overflow>, E> {
    let (columns, arrangement): (&[ResultColumn], _) = match outcome {
        Outcome::Rows { columns, arrangement } => (columns, arrangement),
        Outcome::Nodes(arrangement) => (&[], arrangement),
        _ => return Ok(Ok(Answer::Nodes(Vec::new()))),
    };
    let mut rows = sorted(rows, &|left, right| order_of_rows(arrangement, left, right), check)?;
    rows.truncate(arrangement.limit.unwrap_or(usize::MAX));
    if columns.is_empty() {
        return Ok(Ok(Answer::Nodes(rows.into_iter().map(|row| row.node_id).collect())));
    }
    let rows = rows.into_iter().map(|row| row.cells.into_iter().collect()).collect::<Result<_, _>>();
    Ok(rows.map(|rows| Answer::Rows { columns: headings(columns), rows }))
}

fn headings(columns: &[ResultColumn]) -> Vec<(String, Type)> {
    columns.iter().map(|column| (column.heading.clone(), column.value_type)).collect()
}

fn add_to_group(
    groups: &mut Groups,
    aggregates: &[AggregateId],
    program: &Program,
    outcome: &Outcome,
    frame: &dyn Frame,
) -> Result<(), Overflow> {
    let Outcome::Groups { keys, .. } = outcome else { return Ok(()) };
    let key = keys.iter().map(|key| evaluate(key, frame)).collect::<Result<Vec<_>, _>>()?;
    let group = groups.entry(key).or_insert_with(|| of_nothing(aggregates, program));
    for (id, accumulator) in aggregates.iter().zip(group) {
        accumulator.take(&program.aggregates[id.0], frame);
    }
    Ok(())
}

type Groups = HashMap<Vec<Option<Value>>, Vec<Accumulator>>;

fn merge_group(groups: &mut Groups, key: Vec<Option<Value>>, accumulators: &[Accumulator]) {
    match groups.entry(key) {
        Entry::Occupied(mut group) => {
            group.get_mut().iter_mut().zip(accumulators).for_each(|(all, more)| all.merge(more));
        }
        Entry::Vacant(group) => {
            group.insert(accumulators.to_vec());
        }
    }
}

fn of_nothing(aggregates: &[AggregateId], program: &Program) -> Vec<Accumulator> {
    aggregates.iter().map(|id| Accumulator::new(&program.aggregates[id.0])).collect()
}

/// The order that a group stands in, its key, and what was gathered of it.
type GroupRow = (Vec<Option<Value>>, Vec<Option<Value>>, Vec<Accumulator>);

fn grouped<E>(
    mut groups: Groups,
    aggregates: &[AggregateId],
    program: &Program,
    outcome: &Outcome,
    check: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Result<Answer, Overflow>, E> {
    let Outcome::Groups { keys, columns, arrangement } = outcome else {
        return Ok(Ok(Answer::Nodes(Vec::new())));
    };
    if keys.is_empty() {
        groups.entry(Vec::new()).or_insert_with(|| of_nothing(aggregates, program));
    }
    let mut rows: Vec<GroupRow> = Vec::with_capacity(groups.len());
    for (key, accumulators) in groups {
        if rows.len().is_multiple_of(4096) {
            check()?;
        }
        let group = Group { key: &key, aggregates, accumulators: &accumulators, program };
        let order: Result<Vec<_>, Overflow> =
            arrangement.order.iter().map(|order| evaluate(&order.expr, &group)).collect();
        match order {
            Ok(order) => rows.push((order, key, accumulators)),
            Err(overflow) => return Ok(Err(overflow)),
        }
    }
    let by_order_and_key = |left: &GroupRow, right: &GroupRow| {
        let of_keys = left.1.iter().zip(&right.1).map(|(l, r)| unknown_last(l.as_ref(), r.as_ref()));
        by_keys(arrangement, &left.0, &right.0).then_with(|| of_keys.fold(Ordering::Equal, Ordering::then))
    };
    let mut rows = sorted(rows, &by_order_and_key, check)?;
    rows.truncate(arrangement.limit.unwrap_or(usize::MAX));
    let rows = rows.iter().map(|(_, key, accumulators)| {
        let group = Group { key, aggregates, accumulators, program };
        columns.iter().map(|column| evaluate(&column.expr, &group)).collect()
    });
    let rows: Result<_, Overflow> = rows.collect();
    Ok(rows.map(|rows| Answer::Rows { columns: headings(columns), rows }))
}

/// What the columns of a group are evaluated in.
struct Group<'a> {
    key: &'a [Option<Value>],
    aggregates: &'a [AggregateId],
    accumulators: &'a [Accumulator],
    program: &'a Program,
}

impl Frame for Group<'_> {
    fn read(&self, operand: Operand) -> Evaluated {
        NoNode.read(operand)
    }
    fn aggregate(&self, id: AggregateId) -> Evaluated {
        let place = self.aggregates.binary_search(&id).ok();
        let span = self.program.aggregates[id.0].origin.0;
        place.map_or(Ok(None), |place| self.accumulators[place].value(span))
    }
    fn key(&self, index: usize) -> Evaluated {
        Ok(self.key.get(index).cloned().flatten())
    }
}
