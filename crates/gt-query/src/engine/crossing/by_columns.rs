//! The contributions of blocks to twins that are computed by columns, and the results.

use crate::engine::scan::TwinColumns;
use crate::engine::twins::{Arranged, Results};
use crate::ir::AggregateId;

/// The aggregates over twins that are computed by columns.
pub(super) struct ByColumns<'a> {
    pub(super) columns: &'a [Option<TwinColumns>],
    pub(super) threads: usize,
    /// By aggregate: the blocks' contributions, and the results.
    pub(super) blocks: Vec<Vec<Arranged>>,
    pub(super) results: Vec<Option<Results>>,
}

impl<'a> ByColumns<'a> {
    pub(super) fn new(columns: &'a [Option<TwinColumns>], threads: usize) -> Self {
        let blocks = columns.iter().map(|_| Vec::new()).collect();
        let results = columns.iter().map(|_| None).collect();
        Self { columns, threads, blocks, results }
    }

    pub(super) fn columns_of(&self, id: AggregateId) -> Option<&'a TwinColumns> {
        self.columns.get(id.0)?.as_ref()
    }
}
