//! Orders of a result: rows that are kept are sorted; a set of nodes is ordered by a query of its own.

use std::cmp::Ordering as Order;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use gt_query::ir::{Arrangement, Field, OrderKey, Outcome};
use gt_query::{Answer as Found, Value, engine};
use tokio::sync::watch;

use super::binding::Binding;
use super::plan::{ROWS_MAX, here};
use super::runs::{Origin, Run};
use crate::error::{Answer, Kind, Refusal};

/// By what, and which way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sort {
    pub(crate) column: String,
    pub(crate) descending: bool,
}

/// The orders of a run that were asked for last.
#[derive(Default)]
pub(crate) struct Orders {
    known: Mutex<Vec<Known>>,
    /// Told when an order is there.
    changed: watch::Sender<()>,
}

struct Known {
    result: usize,
    sort: Sort,
    /// Nothing while the query runs.
    ids: Option<Answer<Arc<Vec<u64>>>>,
}

/// The maximum number of orders that are kept for a run.
const KNOWN_MAX: usize = 2;

impl Orders {
    pub(super) fn bytes(&self) -> usize {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let ids = known.iter().filter_map(|known| known.ids.as_ref().and_then(|ids| ids.as_ref().ok()));
        ids.map(|ids| 8 * ids.len()).sum()
    }

    /// Something that changes when an order is there.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// The nodes of a result in an order; nothing while a thread finds that out.
    pub(crate) fn nodes(
        &self,
        run: &Arc<Run>,
        result: usize,
        sort: &Sort,
        field: Field,
    ) -> Answer<Option<Arc<Vec<u64>>>> {
        let is_asked = |known: &Known| known.result == result && known.sort == *sort;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.iter().any(is_asked) {
            if known.len() >= KNOWN_MAX {
                let oldest = known.iter().position(|known| known.ids.is_some());
                let Some(oldest) = oldest else {
                    return Err(Refusal::new(
                        Kind::Conflict,
                        "two orders of this result are being made already",
                    ));
                };
                known.remove(oldest);
            }
            known.push(Known { result, sort: sort.clone(), ids: None });
            let (run, sort) = (Arc::clone(run), sort.clone());
            let spawned = std::thread::Builder::new().name("order".to_owned()).spawn(move || {
                let ids = catch_unwind(AssertUnwindSafe(|| ordered(&run, result, field, sort.descending)));
                let failed =
                    |_| Err(Refusal::new(Kind::Log, "the viewer failed to answer this; please report it"));
                run.orders.found(result, &sort, ids.unwrap_or_else(failed).map(Arc::new));
            });
            if let Err(error) = spawned {
                known.retain(|known| !is_asked(known));
                return Err(Refusal::new(
                    Kind::Conflict,
                    format!("the order's thread cannot be started: {error}"),
                ));
            }
        }
        match known.iter().find(|known| is_asked(known)).and_then(|known| known.ids.clone()) {
            Some(ids) => ids.map(Some),
            None => Ok(None),
        }
    }

    fn found(&self, result: usize, sort: &Sort, ids: Answer<Arc<Vec<u64>>>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.iter_mut().find(|known| known.result == result && known.sort == *sort) {
            known.ids = Some(ids);
        }
        drop(known);
        self.changed.send_replace(());
    }
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
