//! A plain tree to hold logs against: nodes in preorder, each with its parent, move and values.

use gt_log::{
    Column, Flush, Header, Kind, Log, LogWriter, Metadata, Options, Schema, Tree, TreeBuilder, Value,
};
use proptest::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) parent: Option<usize>,
    pub(crate) last_move: i64,
    pub(crate) values: Vec<Value>,
}

#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) kinds: Vec<Kind>,
    pub(crate) nodes: Vec<Node>,
}

impl Model {
    pub(crate) fn schema(&self) -> Schema {
        Schema::new(self.kinds.iter().enumerate().map(|(i, kind)| (format!("a{i}"), *kind))).unwrap()
    }

    pub(crate) fn header(&self) -> Header {
        Header::new("model", self.schema())
    }

    /// Feeds a writer as a depth-first search would.
    pub(crate) fn feed(&self, mut enter: impl FnMut(i64), mut leave: impl FnMut(&[Value])) {
        let mut open: Vec<usize> = Vec::new();
        for (node, data) in self.nodes.iter().enumerate() {
            while open.last().copied() != data.parent {
                leave(&self.nodes[open.pop().unwrap()].values);
            }
            enter(data.last_move);
            open.push(node);
        }
        while let Some(node) = open.pop() {
            leave(&self.nodes[node].values);
        }
    }

    pub(crate) fn write_into(&self, log: &LogWriter, block_rows: usize) {
        let flush = Flush { nodes_max: block_rows, time_ms_max: None };
        self.write_with(log, Options { flush, ..Options::default() }, false);
    }

    pub(crate) fn write_with(&self, log: &LogWriter, options: Options, background: bool) {
        let tree = log.dynamic_tree(&Metadata::new().with("nodes", self.nodes.len()), options).unwrap();
        let tree = std::cell::RefCell::new(tree.background(background));
        self.feed(
            |last_move| tree.borrow_mut().enter(last_move).unwrap(),
            |values| tree.borrow_mut().leave_values(values).unwrap(),
        );
        tree.into_inner().finish().unwrap();
    }

    pub(crate) fn to_bytes(&self, block_rows: usize) -> Vec<u8> {
        let log = LogWriter::to_memory(self.header()).unwrap();
        self.write_into(&log, block_rows);
        log.into_memory().unwrap()
    }

    /// The same tree through the builder, its nodes added in the order of `keys`.
    pub(crate) fn to_bytes_in_any_order(&self, keys: &[u64]) -> Vec<u8> {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&node| keys[node % keys.len()]);
        // Siblings keep their order: the builder takes them as they come.
        let mut by_parent: std::collections::HashMap<Option<usize>, std::collections::VecDeque<usize>> =
            std::collections::HashMap::new();
        for (node, data) in self.nodes.iter().enumerate() {
            by_parent.entry(data.parent).or_default().push_back(node);
        }
        let mut tree = TreeBuilder::new(&self.schema());
        let mut numbers = vec![0; self.nodes.len()];
        for node in order {
            let node = by_parent.get_mut(&self.nodes[node].parent).unwrap().pop_front().unwrap();
            let data = &self.nodes[node];
            numbers[node] = tree.add(None, data.last_move, &data.values).unwrap();
        }
        for (node, data) in self.nodes.iter().enumerate() {
            let parent = data.parent.map(|parent| numbers[parent]);
            tree.set_parent(numbers[node], parent).unwrap();
        }
        let log = LogWriter::to_memory(self.header()).unwrap();
        tree.finish(&log, &Metadata::new(), Options::default()).unwrap();
        log.into_memory().unwrap()
    }

    pub(crate) fn read(tree: Tree<'_>) -> gt_log::Result<Self> {
        let kinds: Vec<Kind> = tree.schema().attributes().iter().map(|a| a.kind).collect();
        let mut columns = vec![Column::LastMove];
        columns.extend((0..kinds.len()).map(Column::Attribute));
        let mut nodes = Vec::new();
        tree.preorder(&columns, |batch| {
            assert_eq!(batch.first_node, nodes.len() as u64);
            for i in 0..batch.len() {
                nodes.push(Node {
                    parent: usize::try_from(batch.parents[i]).ok(),
                    last_move: batch.cells[0].integers[i],
                    values: kinds
                        .iter()
                        .zip(&batch.cells[1..])
                        .map(|(kind, cells)| cells.value(*kind, i))
                        .collect(),
                });
            }
            Ok::<(), gt_log::Error>(())
        })?;
        Ok(Self { kinds, nodes })
    }

    pub(crate) fn plies(&self) -> Vec<usize> {
        let mut plies: Vec<usize> = Vec::new();
        for node in &self.nodes {
            plies.push(node.parent.map_or(0, |parent| plies[parent] + 1));
        }
        plies
    }

    pub(crate) fn sizes(&self) -> Vec<u64> {
        let mut sizes = vec![1; self.nodes.len()];
        for node in (1..self.nodes.len()).rev() {
            sizes[self.nodes[node].parent.unwrap()] += sizes[node];
        }
        sizes
    }

    /// Floats by their bits: a NaN equals itself here.
    pub(crate) fn assert_same(&self, other: &Self) {
        assert_eq!(self.kinds, other.kinds);
        assert_eq!(self.nodes.len(), other.nodes.len());
        for (number, (a, b)) in self.nodes.iter().zip(&other.nodes).enumerate() {
            assert_eq!((a.parent, a.last_move), (b.parent, b.last_move), "node {number}");
            for (kind, (a, b)) in self.kinds.iter().zip(a.values.iter().zip(&b.values)) {
                assert_eq!(bits(*kind, a), bits(*kind, b), "node {number}");
            }
        }
    }
}

fn bits(kind: Kind, value: &Value) -> (i128, String) {
    match value {
        Value::Int(v) => (i128::from(*v), String::new()),
        Value::UInt(v) => (i128::from(*v), String::new()),
        Value::Float(v) if kind == Kind::F32 => (i128::from((*v as f32).to_bits()), String::new()),
        Value::Float(v) => (i128::from(v.to_bits()), String::new()),
        Value::Bool(v) => (i128::from(*v), String::new()),
        Value::Text(v) => (0, v.clone()),
        Value::Missing => (i128::MAX, String::new()),
    }
}

pub(crate) fn open(bytes: Vec<u8>) -> Log {
    Log::from_bytes(bytes).unwrap()
}

fn value(kind: Kind, style: u8, ply: usize) -> BoxedStrategy<Value> {
    match style {
        5 => prop_oneof![1 => Just(Value::Missing), 1 => known_value(kind, 1, ply)].boxed(),
        6 => prop_oneof![1 => Just(Value::Missing), 40 => known_value(kind, 4, ply)].boxed(),
        7 => Just(Value::Missing).boxed(),
        style => known_value(kind, style, ply),
    }
}

fn known_value(kind: Kind, style: u8, ply: usize) -> BoxedStrategy<Value> {
    macro_rules! int {
        ($type:ty) => {
            match style {
                0 => Just(Value::Int(3)).boxed(),
                1 => (0..4_i64).prop_map(Value::Int).boxed(),
                2 => prop_oneof![20 => (0..3_i64).prop_map(Value::Int), 1 => any::<$type>().prop_map(|v| Value::Int(v as i64))].boxed(),
                3 => Just(Value::Int((ply % 100) as i64)).boxed(),
                _ => any::<$type>().prop_map(|v| Value::Int(v as i64)).boxed(),
            }
        };
    }
    match kind {
        Kind::I8 => int!(i8),
        Kind::I16 => int!(i16),
        Kind::I32 => int!(i32),
        Kind::I64 => int!(i64),
        Kind::U8 => int!(u8),
        Kind::U16 => int!(u16),
        Kind::U32 => int!(u32),
        Kind::U64 => any::<u64>().prop_map(Value::UInt).boxed(),
        Kind::F32 => any::<f32>().prop_map(|v| Value::Float(f64::from(v))).boxed(),
        Kind::F64 => {
            prop_oneof![any::<f64>(), Just(f64::NAN), Just(-0.0), Just(0.5)].prop_map(Value::Float).boxed()
        }
        Kind::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        Kind::Text => prop_oneof!["[a-c]{0,2}", ".{0,8}"].prop_map(Value::Text).boxed(),
    }
}

/// Trees of all shapes: `slack` 0 is a chain, large ones are stars, between them bushes.
pub(crate) fn models(nodes_max: usize) -> impl Strategy<Value = Model> {
    let kinds = prop::collection::vec((prop::sample::select(&Kind::ALL[..]), 0..8_u8), 0..6);
    let shape = prop::collection::vec((any::<u32>(), any::<i16>()), 1..nodes_max);
    (kinds, shape, 0..6_u32).prop_flat_map(|(styled, shape, slack)| {
        let mut path = vec![0_usize];
        let mut parents = vec![None];
        for (node, (pick, _)) in shape.iter().enumerate().skip(1) {
            let back = if slack == 0 { 0 } else { *pick as usize % (slack as usize * slack as usize + 1) };
            path.truncate(path.len().saturating_sub(back).max(1));
            parents.push(path.last().copied());
            path.push(node);
        }
        let mut plies: Vec<usize> = Vec::new();
        for parent in &parents {
            plies.push(parent.map_or(0, |parent: usize| plies[parent] + 1));
        }
        let values: Vec<_> = plies
            .iter()
            .map(|&ply| styled.iter().map(|&(kind, style)| value(kind, style, ply)).collect::<Vec<_>>())
            .collect();
        let kinds: Vec<Kind> = styled.iter().map(|&(kind, _)| kind).collect();
        values.prop_map(move |values| Model {
            kinds: kinds.clone(),
            nodes: values
                .into_iter()
                .enumerate()
                .map(|(node, values)| Node {
                    parent: parents[node],
                    last_move: i64::from(shape[node].1),
                    values,
                })
                .collect(),
        })
    })
}

/// A fixed bush with a few attributes, for tests that need one small file.
pub(crate) fn small() -> Model {
    let parents = [None, Some(0), Some(1), Some(1), Some(0), Some(4), Some(5), Some(5), Some(0)];
    let nodes = parents
        .iter()
        .enumerate()
        .map(|(i, &parent)| Node {
            parent,
            last_move: i as i64 * 3,
            values: vec![
                Value::Int(i as i64 % 4 - 2),
                Value::Float(i as f64 / 2.0),
                Value::Text(["fail low", "", "fail high"][i % 3].to_owned()),
            ],
        })
        .collect();
    Model { kinds: vec![Kind::I16, Kind::F64, Kind::Text], nodes }
}
