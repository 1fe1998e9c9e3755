//! Joins the answers of many trees into one, without their nodes.
//!
//! ```text
//! group by @ply select @ply, avg(best), 100.0 * count(type & PVNode) / count(*)
//!   each tree    key @ply, partial: (avg, count of known) · count · count
//!   joined       by key: weighted mean · sum · sum
//!   at the end   the columns as they are written, order and limit
//! ```
//!
//! `count`, `sum`, `min`, `max`, `avg`, `any` and `all` can be joined; the others have no small partial
//! state.

mod merge;

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;

use gt_query::ir::{
    Aggregate, AggregateId, Arrangement, Evaluated, Expr, Frame, Function, Operand, Operation, Outcome,
    ResultColumn, evaluate,
};
use gt_query::{Program, RunError, Type, Value};

use crate::answers::Row;
use crate::column::Column;
use crate::question::Unanswered;
use merge::{added, merge};

/// One answer over all logs.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// The reason why answers cannot be joined, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unjoinable(pub String);

impl fmt::Display for Unjoinable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The rule by which two values of an aggregate become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Add,
    Least,
    Most,
    /// Two cells: the mean, and the number of its values.
    Mean,
    Any,
    All,
}

impl Rule {
    fn of(function: Function) -> Result<Self, Unjoinable> {
        let name = match function {
            Function::Count | Function::Sum => return Ok(Self::Add),
            Function::Min => return Ok(Self::Least),
            Function::Max => return Ok(Self::Most),
            Function::Avg => return Ok(Self::Mean),
            Function::Any => return Ok(Self::Any),
            Function::All => return Ok(Self::All),
            Function::Stddev => "stddev",
            Function::Median | Function::Quantile => "median` or `quantile",
            Function::Corr => "corr",
            Function::Distinct => "count(distinct …)",
            Function::First => "first",
            Function::Last => "last",
            Function::ArgMin => "arg_min",
            Function::ArgMax => "arg_max",
        };
        Err(Unjoinable(format!(
            "`{name}` of many logs cannot be made of that of each; count, sum, min, max, avg, any and all can be joined"
        )))
    }

    const fn cells(self) -> usize {
        match self {
            Self::Mean => 2,
            Self::Add | Self::Least | Self::Most | Self::Any | Self::All => 1,
        }
    }
}

/// How the answers of a query are joined: the rule for each place where it names an aggregate.
pub(crate) struct Joint {
    keys: usize,
    is_count: bool,
    rules: Vec<Rule>,
}

/// The state so far: for each key, the cells of the aggregates in sequence.
pub(crate) struct Gathered<'j> {
    joint: &'j Joint,
    by_key: HashMap<Row, Row>,
}

impl Joint {
    pub(crate) fn of(program: &Program) -> Result<Self, Unjoinable> {
        let keys = match &program.queries[0].outcome {
            Outcome::Count | Outcome::Aggregate(_) => 0,
            Outcome::Groups { keys, .. } => keys.len(),
            Outcome::Nodes(_) | Outcome::Rows { .. } => {
                let sentence = "the query lists nodes, and these cannot be joined; ask for count(…), another aggregate, or \
                                groups";
                return Err(Unjoinable(sentence.to_owned()));
            }
        };
        let rule = |id: AggregateId| Rule::of(program.aggregates[id.0].function);
        let rules = named(program).into_iter().map(rule).collect::<Result<_, _>>()?;
        Ok(Self { keys, is_count: matches!(program.queries[0].outcome, Outcome::Count), rules })
    }

    pub(crate) fn start(&self) -> Gathered<'_> {
        Gathered { joint: self, by_key: HashMap::new() }
    }

    /// The program that computes the partial answer of a tree.
    pub(crate) fn partial(program: &Program, joint: &Self) -> Result<Program, Unanswered> {
        let unlike =
            || Unanswered::Query("the query comes to another form here than on the first log".to_owned());
        let own = Self::of(program).map_err(|_| unlike())?;
        if own.keys != joint.keys || own.rules != joint.rules || own.is_count != joint.is_count {
            return Err(unlike());
        }
        let mut partial = program.clone();
        let keys = match &program.queries[0].outcome {
            Outcome::Groups { keys, .. } => keys.clone(),
            Outcome::Count => return Ok(partial),
            Outcome::Aggregate(_) | Outcome::Nodes(_) | Outcome::Rows { .. } => Vec::new(),
        };
        let mut cells: Vec<Expr> = (0..keys.len()).map(Expr::Key).collect();
        for (id, rule) in named(program).into_iter().zip(&joint.rules) {
            cells.push(Expr::Aggregate(id));
            if *rule == Rule::Mean {
                cells.push(Expr::Aggregate(count_of(&mut partial, id)));
            }
        }
        let column =
            |expr| ResultColumn { heading: String::new(), expr, value_type: Type::Integer, names: None };
        let columns = cells.into_iter().map(column).collect();
        partial.queries[0].outcome = Outcome::Groups { keys, columns, arrangement: Arrangement::default() };
        Ok(partial)
    }

    /// The answer over all trees, by the program of the first.
    pub(crate) fn finish(&self, program: &Program, gathered: Gathered<'_>) -> Result<Totals, RunError> {
        let mut groups = gathered.by_key;
        if self.keys == 0 && groups.is_empty() {
            groups.insert(Vec::new(), Vec::new());
        }
        let (columns, arrangement) = match &program.queries[0].outcome {
            Outcome::Count => {
                let rows =
                    groups.into_values().map(|cells| vec![cells.into_iter().next().flatten().or(ZERO)]);
                return Ok(Totals { columns: Vec::new(), rows: rows.collect() });
            }
            Outcome::Aggregate(id) => (vec![Expr::Aggregate(*id)], Arrangement::default()),
            Outcome::Groups { columns, arrangement, .. } => {
                (columns.iter().map(|column| column.expr.clone()).collect(), arrangement.clone())
            }
            Outcome::Nodes(_) | Outcome::Rows { .. } => (Vec::new(), Arrangement::default()),
        };
        let ids = named(program);
        let mut rows = Vec::with_capacity(groups.len());
        for (key, cells) in groups {
            let group = Group { key: &key, values: self.values(program, &ids, &cells)? };
            let value = |expr: &Expr| {
                evaluate(expr, &group).map_err(|overflow| run_error(overflow.span, overflow.node))
            };
            let order = arrangement.order.iter().map(|key| value(&key.expr)).collect::<Result<Row, _>>()?;
            let row = columns.iter().map(value).collect::<Result<Row, _>>()?;
            rows.push((order, key, row));
        }
        rows.sort_by(|left, right| arranged(&arrangement, (&left.0, &left.1), (&right.0, &right.1)));
        rows.truncate(arrangement.limit.unwrap_or(usize::MAX));
        Ok(Totals { columns: Vec::new(), rows: rows.into_iter().map(|(_, _, row)| row).collect() })
    }

    /// The value of each aggregate of a group.
    fn values(
        &self,
        program: &Program,
        ids: &[AggregateId],
        cells: &[Option<Value>],
    ) -> Result<Vec<(AggregateId, Option<Value>)>, RunError> {
        let mut at = 0;
        let mut values = Vec::with_capacity(ids.len());
        for (&id, rule) in ids.iter().zip(&self.rules) {
            let value = cells.get(at).cloned().flatten();
            at += rule.cells();
            let aggregate = &program.aggregates[id.0];
            let value = value.or_else(|| of_nothing(aggregate));
            if let Some(Value::Integer(sum)) = value
                && *rule == Rule::Add
                && i64::try_from(sum).is_err()
            {
                return Err(run_error(aggregate.origin.0, None));
            }
            values.push((id, value));
        }
        Ok(values)
    }
}

const ZERO: Option<Value> = Some(Value::Integer(0));

/// The value of an aggregate without nodes.
fn of_nothing(aggregate: &Aggregate) -> Option<Value> {
    gt_query::accumulator::Accumulator::new(aggregate).value(aggregate.origin.0).unwrap_or(None)
}

fn run_error(span: gt_query::Span, node: Option<u64>) -> RunError {
    RunError { query: "1".to_owned(), span, node }
}

/// The aggregates in the answer, one for each place, in the order of the text.
fn named(program: &Program) -> Vec<AggregateId> {
    let mut found = Vec::new();
    match &program.queries[0].outcome {
        Outcome::Aggregate(id) => found.push(*id),
        Outcome::Groups { columns, arrangement, .. } => {
            let order = arrangement.order.iter().map(|key| &key.expr);
            columns.iter().map(|column| &column.expr).chain(order).for_each(|expr| {
                expr.leaves(&mut |leaf| {
                    if let Expr::Aggregate(id) = leaf {
                        found.push(*id);
                    }
                });
            });
        }
        Outcome::Count | Outcome::Nodes(_) | Outcome::Rows { .. } => {}
    }
    found
}

/// The aggregate that counts the values of which another one takes the mean.
fn count_of(program: &mut Program, id: AggregateId) -> AggregateId {
    let mean = &program.aggregates[id.0];
    let span = mean.origin.0;
    let count = Aggregate {
        function: Function::Count,
        argument: Expr::apply(Operation::Known, [mean.argument.clone()], span),
        second: None,
        value_type: Type::Integer,
        ..mean.clone()
    };
    let place = program.aggregates.iter().position(|aggregate| *aggregate == count);
    AggregateId(place.unwrap_or_else(|| {
        program.aggregates.push(count);
        program.aggregates.len() - 1
    }))
}

impl Gathered<'_> {
    /// Adds a row of keys and partial aggregates.
    pub(crate) fn add_row(&mut self, row: &[Option<Value>]) -> Result<(), Unanswered> {
        let joint = self.joint;
        // A count has one cell and no aggregate.
        let cells =
            joint.rules.iter().map(|rule| rule.cells()).sum::<usize>().max(usize::from(joint.is_count));
        if row.len() != joint.keys + cells {
            return Err(Unanswered::Query("a partial answer is of another query".to_owned()));
        }
        let (key, new) = row.split_at(joint.keys);
        let Some(cells) = self.by_key.get_mut(key) else {
            self.by_key.insert(key.to_vec(), new.to_vec());
            return Ok(());
        };
        if joint.is_count {
            cells[0] = added(cells[0].take(), new[0].clone());
        }
        let mut at = 0;
        for rule in &joint.rules {
            let width = rule.cells();
            merge(*rule, &mut cells[at..at + width], &new[at..at + width]);
            at += width;
        }
        Ok(())
    }

    /// Returns everything as rows that can be added elsewhere.
    pub(crate) fn into_rows(self) -> Vec<Row> {
        self.by_key.into_iter().map(|(key, cells)| key.into_iter().chain(cells).collect()).collect()
    }
}

/// The order of two groups: by `order by`, then by their keys; unknown values come last.
fn arranged(arrangement: &Arrangement, left: (&Row, &Row), right: (&Row, &Row)) -> Ordering {
    let unknown_last = |left: &Option<Value>, right: &Option<Value>| match (left, right) {
        (Some(left), Some(right)) => left.order(right),
        (left, right) => left.is_none().cmp(&right.is_none()),
    };
    let by_order = arrangement.order.iter().zip(left.0.iter().zip(right.0)).map(|(key, (left, right))| {
        let known = left.is_some() && right.is_some();
        if key.descending && known { unknown_last(right, left) } else { unknown_last(left, right) }
    });
    let by_key = left.1.iter().zip(right.1).map(|(left, right)| unknown_last(left, right));
    by_order.chain(by_key).fold(Ordering::Equal, Ordering::then)
}

/// The frame in which the columns of a joined group are evaluated.
struct Group<'a> {
    key: &'a [Option<Value>],
    values: Vec<(AggregateId, Option<Value>)>,
}

impl Frame for Group<'_> {
    fn read(&self, _: Operand) -> Evaluated {
        Ok(None)
    }

    fn aggregate(&self, id: AggregateId) -> Evaluated {
        Ok(self.values.iter().find(|(own, _)| *own == id).and_then(|(_, value)| value.clone()))
    }

    fn key(&self, index: usize) -> Evaluated {
        Ok(self.key.get(index).cloned().flatten())
    }
}
