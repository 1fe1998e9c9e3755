//! The summary of two trees: plain data, moves as numbers.

use gt_log::{Value, Walker};

use crate::best_line::{Step, best_line};
use crate::cause::Cause;
use crate::causes::Origin;
use crate::diff::{Diff, Side};
use crate::error::Result;
use crate::first::first_divergence;
use crate::matching::Child;
use crate::skeleton::Skeleton;

/// Two trees in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Whether there is no difference at all.
    pub same: bool,
    /// The nodes of A.
    pub nodes_a: u64,
    /// The nodes of B.
    pub nodes_b: u64,
    /// Nodes that both have.
    pub matched: u64,
    /// Nodes that only A has.
    pub only_a: u64,
    /// Nodes that only B has.
    pub only_b: u64,
    /// Matched nodes with an attribute that differs.
    pub changed_nodes: u64,
    /// For each compared attribute, the number of matched nodes in which it differs.
    pub changed: Vec<(String, u64)>,
    /// Pairs of nodes, each in one tree only, that a key matches; `None` if no key was requested.
    pub transposed: Option<u64>,
    /// The number of those pairs with different values.
    pub transposed_other_value: Option<u64>,
    /// The first divergence.
    pub first: Option<First>,
    /// The causes found, the one that explains most first.
    pub causes: Vec<CauseSummary>,
    /// Subtrees that grew or shrank, the greatest change first.
    pub grown: Vec<GrownSubtree>,
    /// Values and best moves along the best line from the root, as far as they differ.
    pub best_line: Vec<Step>,
}

/// The first divergence of the two searches.
#[derive(Clone, Debug, PartialEq)]
pub struct First {
    /// The moves that lead there: to A's node, or to B's if A has none.
    pub line: Vec<i64>,
    /// The moves that lead to B's node, if they differ.
    pub line_b: Option<Vec<i64>>,
    /// The node_id in A.
    pub node_a: Option<u64>,
    /// The node_id in B.
    pub node_b: Option<u64>,
    /// Whether the nodes were entered differently; if not, they were left differently.
    pub on_entry: bool,
    /// The two records, by compared attribute.
    pub record: Vec<RecordPair>,
}

/// An attribute of two nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordPair {
    /// Its name.
    pub name: String,
    /// A's value; missing if A has no such node.
    pub a: Value,
    /// B's value.
    pub b: Value,
}

/// A cause, and its consequences.
#[derive(Clone, Debug, PartialEq)]
pub struct CauseSummary {
    /// The cause.
    pub cause: Cause,
    /// The number of places where it is the first cause.
    pub origins: u64,
    /// The number of differing nodes that these explain, including themselves if they differ.
    pub nodes: u64,
    /// The place that explains most: the moves that lead to it.
    pub largest_line: Vec<i64>,
    /// Its node_id in A.
    pub largest_node_a: u64,
    /// Its node_id in B.
    pub largest_node_b: u64,
    /// The number of nodes that this place explains.
    pub largest_nodes: u64,
}

/// A subtree that grew or shrank.
#[derive(Clone, Debug, PartialEq)]
pub struct GrownSubtree {
    /// The moves that lead to it.
    pub line: Vec<i64>,
    /// Its node_id in A.
    pub node_a: Option<u64>,
    /// Its node_id in B.
    pub node_b: Option<u64>,
    /// Its nodes in A.
    pub size_a: u64,
    /// Its nodes in B.
    pub size_b: u64,
}

impl Diff<'_> {
    /// Returns the summary.
    pub fn summary(&self) -> Result<Summary> {
        let matched = u64::from(self.matching.runs.matched());
        let (nodes_a, nodes_b) = (self.a.tree.nodes(), self.b.tree.nodes());
        let names = self.attributes.compared.iter().map(|attribute| attribute.name.clone());
        Ok(Summary {
            same: self.is_same(),
            nodes_a,
            nodes_b,
            matched,
            only_a: nodes_a - matched,
            only_b: nodes_b - matched,
            changed_nodes: u64::from(self.changes.count()),
            changed: names.zip(self.counts.iter().copied()).collect(),
            transposed: self.transposed.as_ref().map(|transposed| transposed.pairs),
            transposed_other_value: self.transposed.as_ref().and_then(|transposed| transposed.other_value),
            first: self.first()?,
            causes: self.cause_summaries(),
            grown: self.causes.ranking.iter().map(|grown| self.grown_subtree(grown.child)).collect(),
            best_line: best_line(self)?,
        })
    }

    fn first(&self) -> Result<Option<First>> {
        let Some(divergence) = first_divergence(self) else { return Ok(None) };
        let at_a = divergence.row_a.map(|row| self.place(&self.skeletons.a, row));
        let at_b = divergence.row_b.map(|row| self.place(&self.skeletons.b, row));
        let (line_a, node_a) = at_a.unzip();
        let (line_b, node_b) = at_b.unzip();
        let line = line_a.or_else(|| line_b.clone()).unwrap_or_default();
        let line_b = line_b.filter(|other| *other != line);
        let record = self.record(divergence.row_a, divergence.row_b)?;
        Ok(Some(First { line, line_b, node_a, node_b, on_entry: divergence.on_entry, record }))
    }

    fn record(&self, row_a: Option<u32>, row_b: Option<u32>) -> Result<Vec<RecordPair>> {
        let mut walkers = (Walker::new(self.a.tree), Walker::new(self.b.tree));
        let value = |walker: &mut Walker<'_>, row: Option<u32>, place| match row {
            Some(row) => walker.value(u64::from(row), place),
            None => Ok(Value::Missing),
        };
        let mut record = Vec::new();
        for attribute in &self.attributes.compared {
            let a = value(&mut walkers.0, row_a, attribute.place_a)?;
            let b = value(&mut walkers.1, row_b, attribute.place_b)?;
            record.push(RecordPair { name: attribute.name.clone(), a, b });
        }
        Ok(record)
    }

    /// The moves that lead to a held row, and its node_id.
    pub(crate) fn place(&self, skeleton: &Skeleton, row: u32) -> (Vec<i64>, u64) {
        let path = skeleton.path(row);
        let line: Vec<i64> =
            path[1..].iter().map(|row| self.skeletons.move_of(skeleton.code(*row))).collect();
        let node = u64::from(skeleton.start(row)) + line.len() as u64;
        (line, node)
    }

    fn cause_summaries(&self) -> Vec<CauseSummary> {
        let origins = &self.causes.origins;
        let of_cause = |cause: Cause| origins.iter().filter(move |origin| origin.cause == cause);
        let summary = |cause: Cause| {
            // Of equal ones, the first.
            let largest: &Origin = of_cause(cause).rev().max_by_key(|origin| origin.nodes)?;
            let (line, node_a) = self.place(&self.skeletons.a, largest.row_a);
            let row_b = self.matching.runs.to_b(largest.row_a)?;
            Some(CauseSummary {
                cause,
                origins: of_cause(cause).count() as u64,
                nodes: of_cause(cause).map(|origin| origin.nodes).sum(),
                largest_node_a: node_a,
                largest_node_b: u64::from(self.skeletons.b.start(row_b)) + line.len() as u64,
                largest_line: line,
                largest_nodes: largest.nodes,
            })
        };
        let mut causes: Vec<CauseSummary> = Cause::ALL.into_iter().filter_map(summary).collect();
        causes.sort_by_key(|cause| std::cmp::Reverse(cause.nodes));
        causes
    }

    fn grown_subtree(&self, child: Child) -> GrownSubtree {
        let (row_a, row_b) = match child {
            Child::Both(row_a, row_b) => (Some(row_a), Some(row_b)),
            Child::OnlyA(row) => (Some(row), None),
            Child::OnlyB(row) => (None, Some(row)),
        };
        let (a, b) = (&self.skeletons.a, &self.skeletons.b);
        let (line_a, node_a) = row_a.map(|row| self.place(a, row)).unzip();
        let (line_b, node_b) = row_b.map(|row| self.place(b, row)).unzip();
        GrownSubtree {
            line: line_a.or(line_b).unwrap_or_default(),
            node_a,
            node_b,
            size_a: row_a.map_or(0, |row| u64::from(a.size(row))),
            size_b: row_b.map_or(0, |row| u64::from(b.size(row))),
        }
    }

    /// The side A or B.
    pub(crate) fn side(&self, is_b: bool) -> &Side<'_> {
        if is_b { &self.b } else { &self.a }
    }
}
