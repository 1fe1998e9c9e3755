//! Orders of a result: rows that are kept are sorted; a set of nodes is ordered by a query of its own.

use std::cmp::Ordering as Order;
use std::sync::Arc;

use gt_query::ir::{Arrangement, Field, OrderKey, Outcome};
use gt_query::{Answer as Found, Value, engine};

use super::binding::Binding;
use super::orders::Sort;
use super::plan::{ROWS_MAX, here};
use super::runs::{Origin, Run};
use crate::error::{Answer, Kind, Refusal};

/// The nodes of a result in the order of a field; nothing while a thread finds that out.
pub(super) fn ordered_nodes(
    run: &Arc<Run>,
    result: usize,
    sort: &Sort,
    field: Field,
) -> Answer<Option<Arc<Vec<u64>>>> {
    let (asked, descending) = (Arc::clone(run), sort.descending);
    run.orders.nodes(result, sort, move || ordered(&asked, result, field, descending))
}

/// The nodes of a result in an order, as many as are kept: the same query with an order, or, of a result file, one for
/// all nodes among those of the file.
fn ordered(run: &Run, result: usize, field: Field, descending: bool) -> Answer<Vec<u64>> {
    let tree = run.opened.tree(run.question.tree)?;
    let binding = Binding::new(&run.opened, tree).with_parameters(run.question.parameters.clone());
    let odd = || Refusal::new(Kind::Conflict, "the query can no longer be ordered; run it again");
    let results = run.results()?;
    let (text, within) = match run.origin {
        Origin::Asked => (run.question.text.as_str(), None),
        Origin::File { .. } => ("node: *", results.get(result).and_then(|result| result.matches.as_ref())),
    };
    let mut program = binding.compile(text).map_err(|_| odd())?;
    if result >= program.queries.len() {
        return Err(odd());
    }
    let mut query = program.queries.swap_remove(result);
    query.outcome = Outcome::Nodes(Arrangement {
        order: vec![OrderKey { expr: here(field), descending }],
        limit: Some(ROWS_MAX),
    });
    program.queries = vec![query];
    let options = engine::Options { cancel: Some(run.cancel_flag()), within, ..engine::Options::default() };
    let outcome = engine::run(&program, tree, &options)?;
    match outcome.answers.into_iter().next() {
        Some(Ok(Found::Nodes(ids))) => Ok(ids),
        Some(Err(error)) => Err(Refusal::new(Kind::Conflict, error.to_string())),
        _ => Err(odd()),
    }
}

/// The places of rows in the order of a column; what is unknown comes last.
pub(crate) fn sorted(rows: &[Vec<Option<Value>>], column: usize, descending: bool) -> Vec<usize> {
    let cell = |row: usize| rows[row].get(column).and_then(Option::as_ref);
    let mut places: Vec<usize> = (0..rows.len()).collect();
    places.sort_by(|&left, &right| match (cell(left), cell(right)) {
        (Some(left), Some(right)) if descending => right.order(left),
        (Some(left), Some(right)) => left.order(right),
        (None, Some(_)) => Order::Greater,
        (Some(_), None) => Order::Less,
        (None, None) => Order::Equal,
    });
    places
}
