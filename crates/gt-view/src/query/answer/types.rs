//! What `/api/runs/RUN` answers.

use serde::Serialize;

use crate::bound::Bound;
use crate::query::results::ResultKind;
use crate::query::runs::RunState;
use crate::values::Scalar;

/// A run and a page of its results.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RunAnswer {
    pub(super) run: u64,
    pub(super) log: usize,
    pub(super) tree: usize,
    pub(super) generation: u64,
    /// The query.
    pub(super) text: String,
    pub(crate) state: RunState,
    /// The share of the blocks that are done, 0 to 1; nothing unless it runs.
    pub(super) progress: Option<f64>,
    pub(super) seconds: f64,
    /// Why the run failed.
    pub(super) error: Option<String>,
    pub(super) results: Vec<RunResult>,
}

/// A page of one query's result.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RunResult {
    pub(super) name: Option<String>,
    pub(super) kind: ResultKind,
    /// Rows that can be had.
    pub(super) count: u64,
    /// Nodes behind the result, which marks and steps go over; nothing where it is one value.
    pub(super) matches: Option<u64>,
    /// Whether there are more rows than can be had.
    pub(super) truncated: bool,
    pub(super) offset: u64,
    /// Why there is no answer.
    pub(super) error: Option<String>,
    /// The column that rows are sorted by.
    pub(super) sort: Option<String>,
    pub(super) descending: bool,
    pub(super) columns: Vec<ColumnHeading>,
    pub(super) rows: Vec<Vec<Scalar>>,
    /// The node_id of each row, if rows are nodes.
    pub(super) nodes: Option<Vec<u64>>,
    /// Which rows' values are bounds, where the values are among the columns.
    pub(super) bounds: Option<Vec<Option<Bound>>>,
    /// The plies of the rows' nodes, where rows are nodes.
    pub(super) plies: Option<Vec<u64>>,
}

/// A column of a result.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct ColumnHeading {
    pub(super) name: String,
    pub(super) r#type: &'static str,
    /// The attribute whose aliases name the values, where it is not the column's own name that tells.
    pub(super) names: Option<String>,
}
