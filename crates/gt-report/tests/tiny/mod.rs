//! Trees that tests write node by node.

use gt_log::{Header, Kind, Log, LogWriter, Metadata, Options, Schema, TreeBuilder, Value};

const FLAGS: [(&str, i64); 7] = [
    ("PVNode", 1),
    ("CutNode", 2),
    ("AllNode", 4),
    ("QNode", 8),
    ("QRootNode", 16),
    ("ResearchNode", 32),
    ("NullMove", 64),
];

/// A node as a test writes it: its ply, and `depth beta best type`.
pub type Line = (usize, [i64; 4]);

pub fn window_schema() -> Schema {
    let attributes = ["depth", "beta", "best", "type"].map(|name| (name, Kind::I32));
    Schema::new(attributes).unwrap().with_aliases(FLAGS).unwrap()
}

pub fn log_of(schema: &Schema, nodes: &[(usize, Vec<Value>)]) -> Log {
    let mut tree = TreeBuilder::new(schema);
    let mut open: Vec<u64> = Vec::new();
    for (number, (ply, values)) in nodes.iter().enumerate() {
        open.truncate(*ply);
        let node = tree.add(open.last().copied(), number as i64, values).unwrap();
        open.push(node);
    }
    let writer = LogWriter::to_memory(Header::new("test", schema.clone())).unwrap();
    tree.finish(&writer, &Metadata::new(), Options::default()).unwrap();
    Log::from_bytes(writer.into_memory().unwrap()).unwrap()
}

pub fn window_log(lines: &[Line]) -> Log {
    let nodes: Vec<_> = lines
        .iter()
        .map(|(ply, values)| (*ply, values.iter().map(|&value| Value::Int(value)).collect()))
        .collect();
    log_of(&window_schema(), &nodes)
}

/// The principal variation, two cut nodes, a null move, a quiescence search of three nodes, a re-search:
///
/// ```text
/// 0 root            PV  depth 2   three moves, the second searched twice: searched through
/// 1   first move    PV  depth 1   cut off by its first move
/// 2     quiescence root, 3 and 4 below it
/// 5   second move   Cut depth 1   cut off by its second move, after a null move
/// 6     null move
/// 7     reply
/// 8     reply
/// 9   second again  PV, re-search, searched through
/// 10  third move    Cut depth 1   a leaf
/// ```
pub const TINY: [Line; 11] = [
    (0, [2, 100, 5, 1]),
    (1, [1, 3, 4, 1]),
    (2, [0, 50, -4, 17]),
    (3, [-1, 50, 1, 9]),
    (3, [-1, 50, 2, 9]),
    (1, [1, -5, -5, 2]),
    (2, [0, 9, 0, 68]),
    (2, [0, 9, 1, 4]),
    (2, [0, 9, 5, 4]),
    (1, [1, 100, -5, 33]),
    (1, [1, -5, -9, 2]),
];
