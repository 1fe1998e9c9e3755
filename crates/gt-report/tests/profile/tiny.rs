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
pub(crate) type Line = (usize, [i64; 4]);

pub(crate) fn window_schema() -> Schema {
    let attributes = ["depth", "beta", "best", "type"].map(|name| (name, Kind::I32));
    Schema::new(attributes).unwrap().with_aliases(FLAGS).unwrap()
}

/// A log of one tree whose nodes are reached by moves of their own: their numbers.
pub(crate) fn log_of(schema: &Schema, nodes: &[(usize, Vec<Value>)]) -> Log {
    let nodes: Vec<_> = nodes
        .iter()
        .enumerate()
        .map(|(number, (ply, values))| (*ply, number as i64, values.clone()))
        .collect();
    log_of_moves(schema, &nodes)
}

/// A log of one tree: of each node its ply, the move that leads to it, and its values.
pub(crate) fn log_of_moves(schema: &Schema, nodes: &[(usize, i64, Vec<Value>)]) -> Log {
    let mut tree = TreeBuilder::new(schema);
    let mut open: Vec<u64> = Vec::new();
    for (ply, last_move, values) in nodes {
        open.truncate(*ply);
        let node = tree.add(open.last().copied(), *last_move, values).unwrap();
        open.push(node);
    }
    let writer = LogWriter::to_memory(Header::new("test", schema.clone())).unwrap();
    tree.finish(&writer, &Metadata::new(), Options::default()).unwrap();
    Log::from_bytes(writer.into_memory().unwrap()).unwrap()
}

/// A log of these nodes, with the moves of [`moves_of`].
pub(crate) fn window_log(lines: &[Line]) -> Log {
    let nodes: Vec<_> = lines
        .iter()
        .zip(moves_of(lines))
        .map(|((ply, values), last_move)| (*ply, last_move, values.map(Value::Int).to_vec()))
        .collect();
    log_of_moves(&window_schema(), &nodes)
}

/// The moves that lead to these nodes: the node's number, or the move of the sibling before where the node is the re-search
/// of a move.
pub(crate) fn moves_of(lines: &[Line]) -> Vec<i64> {
    let mut moves: Vec<i64> = Vec::new();
    let mut last_at_ply: Vec<usize> = Vec::new();
    for (number, (ply, values)) in lines.iter().enumerate() {
        let is_move = |&&sibling: &&usize| lines[sibling].1[3] & 64 == 0;
        let sibling = last_at_ply.get(*ply).filter(is_move).filter(|_| values[3] & 32 != 0);
        moves.push(sibling.map_or(number as i64, |&sibling| moves[sibling]));
        last_at_ply.truncate(*ply);
        last_at_ply.push(number);
    }
    moves
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
pub(crate) const TINY: [Line; 11] = [
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
