//! Plain trees for tests: nodes in vectors, by node_id, with the log that holds the same.

use gt_log::{Flush, Header, Kind, Log, LogWriter, Metadata, Options, Schema, TreeBuilder, Value};
use proptest::prelude::*;

/// A tree, node by node in preorder.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    pub(crate) parents: Vec<Option<usize>>,
    pub(crate) children: Vec<Vec<usize>>,
    pub(crate) sizes: Vec<u64>,
    pub(crate) plies: Vec<u64>,
    /// The attribute `v`.
    pub(crate) values: Vec<i64>,
}

impl Plain {
    /// A tree in which node `i + 1` was attached to one of those before it, by the number at `i`.
    pub(crate) fn attached(numbers: &[usize]) -> Self {
        let mut below = vec![Vec::new()];
        for (index, number) in numbers.iter().enumerate() {
            below[number % (index + 1)].push(index + 1);
            below.push(Vec::new());
        }
        let count = below.len();
        let mut plain = Self {
            parents: Vec::new(),
            children: vec![Vec::new(); count],
            sizes: vec![1; count],
            plies: Vec::new(),
            values: Vec::new(),
        };
        let mut waiting = vec![(0, None)];
        while let Some((node, parent)) = waiting.pop() {
            let id = plain.parents.len();
            plain.parents.push(parent);
            plain.plies.push(parent.map_or(0, |parent: usize| plain.plies[parent] + 1));
            plain.values.push((node as i64 * 7919) % 201 - 100);
            if let Some(parent) = parent {
                plain.children[parent].push(id);
            }
            waiting.extend(below[node].iter().rev().map(|&child| (child, Some(id))));
        }
        for id in (1..count).rev() {
            if let Some(parent) = plain.parents[id] {
                plain.sizes[parent] += plain.sizes[id];
            }
        }
        plain
    }

    /// The log of it, in blocks of so many rows; a node's move is its node_id plus 1000.
    pub(crate) fn log(&self, rows: usize) -> Log {
        let schema = Schema::new([("v", Kind::I32)]).unwrap();
        let mut tree = TreeBuilder::new(&schema);
        for (id, parent) in self.parents.iter().enumerate() {
            let parent = parent.map(|parent| parent as u64);
            tree.add(parent, 1000 + id as i64, &[Value::Int(self.values[id])]).unwrap();
        }
        let log = LogWriter::to_memory(Header::new("", schema)).unwrap();
        let flush = Flush { nodes_max: rows, time_ms_max: None };
        tree.finish(&log, &Metadata::new(), Options { flush, ..Options::default() }).unwrap();
        Log::from_bytes(log.into_memory().unwrap()).unwrap()
    }
}

/// Trees of all shapes: bushy, chains, stars, and what is between.
pub(crate) fn trees(nodes_max: usize) -> impl Strategy<Value = Plain> {
    let numbers = proptest::collection::vec(any::<prop::sample::Index>(), 0..nodes_max);
    (numbers, 0..4).prop_map(|(numbers, shape)| {
        let attach = |(index, number): (usize, &prop::sample::Index)| match shape {
            0 => number.index(index + 1),
            1 => index - number.index(3.min(index + 1)),
            2 => number.index(4.min(index + 1)),
            _ => number.index(1 + index / 8),
        };
        Plain::attached(&numbers.iter().enumerate().map(attach).collect::<Vec<_>>())
    })
}
