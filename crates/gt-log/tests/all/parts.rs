//! The rows of a block are handed over by the few thousand: whatever the parts, the file says the same.

use gt_log::{Flush, Header, Kind, Log, LogWriter, Metadata, Options, Schema, Tree, Value, Walker};

/// So many that the attributes that a row lacks take two words.
const ATTRIBUTES: usize = 70;
/// Several parts, the last of them not full and no multiple of 64.
const NODES: u64 = 13_333;

fn schema() -> Schema {
    let kinds = [Kind::I16, Kind::Text, Kind::U64, Kind::Bool, Kind::F64, Kind::I8, Kind::U32];
    let names: Vec<String> = (0..ATTRIBUTES).map(|number| format!("a{number}")).collect();
    Schema::new(names.iter().enumerate().map(|(number, name)| (name.as_str(), kinds[number % kinds.len()])))
        .unwrap()
}

/// What the node with this number has for an attribute. Some attributes are missing in long stretches, some here and there, one
/// always.
fn value(node: u64, attribute: usize, kind: Kind) -> Value {
    let mixed = (node ^ attribute as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let is_missing = match attribute % 5 {
        0 => false,
        1 => mixed.is_multiple_of(3),
        2 => node / 3000 % 2 == 1,
        3 => attribute == 68,
        _ => node == 5000,
    };
    match kind {
        _ if is_missing => Value::Missing,
        Kind::Text => Value::Text(format!("text {}", mixed % 50)),
        Kind::F64 => Value::Float(mixed as f64 / 4.0),
        Kind::Bool => Value::Bool(mixed % 2 == 1),
        Kind::U64 => Value::UInt(mixed << 30),
        Kind::I8 => Value::Int(mixed as i64 % 100),
        Kind::I16 => Value::Int(mixed as i64 % 1000 - 500),
        _ => Value::Int(mixed as i64),
    }
}

fn values(schema: &Schema, node: u64) -> Vec<Value> {
    let attributes = schema.attributes().iter().enumerate();
    attributes.map(|(number, attribute)| value(node, number, attribute.kind)).collect()
}

/// A comb: a root whose children each have two. Every third of all nodes is entered with its values and left without.
fn write(schema: &Schema, block_rows: usize, background: bool, flush_at: Option<u64>) -> Vec<u8> {
    let log = LogWriter::to_memory(Header::new("test", schema.clone())).unwrap();
    let flush = Flush { nodes_max: block_rows, time_ms_max: None };
    let mut tree = log
        .dynamic_tree(&Metadata::new(), Options { flush, ..Options::default() })
        .unwrap()
        .background(background);
    let nothing = vec![Value::Missing; ATTRIBUTES];
    let mut rows = 0;
    tree.enter(0).unwrap();
    while rows + 1 < NODES {
        // The row that a node gets is known before: it has no children, or two.
        let leaves = if rows + 4 <= NODES { 2 } else { 0 };
        let row = rows + leaves;
        if row.is_multiple_of(3) {
            tree.enter_values(7, &values(schema, row)).unwrap();
        } else {
            tree.enter(7).unwrap();
        }
        for leaf in 0..leaves {
            tree.enter(leaf as i64).unwrap();
            tree.leave_values(&values(schema, rows)).unwrap();
            rows += 1;
        }
        let at_leave = if row.is_multiple_of(3) { nothing.clone() } else { values(schema, row) };
        tree.leave_values(&at_leave).unwrap();
        rows += 1;
        if flush_at == Some(row) {
            tree.flush().unwrap();
        }
    }
    tree.leave_values(&values(schema, rows)).unwrap();
    assert_eq!(tree.finish().unwrap().nodes, NODES);
    log.into_memory().unwrap()
}

fn assert_whole(tree: Tree<'_>) {
    tree.verify(|_| {}).unwrap();
    let mut walker = Walker::new(tree);
    for row in 0..NODES {
        for (number, attribute) in tree.schema().attributes().iter().enumerate() {
            let expected = value(row, number, attribute.kind);
            assert_eq!(walker.value(row, number).unwrap(), expected, "row {row}, attribute {number}");
        }
    }
}

#[test]
fn a_block_of_several_parts_has_every_value() {
    let schema = schema();
    let whole = write(&schema, 65_536, false, None);
    let log = Log::from_bytes(whole.clone()).unwrap();
    assert_eq!(log.tree(0).unwrap().block_count(), 1);
    assert_whole(log.tree(0).unwrap());
    assert_eq!(write(&schema, 65_536, true, None), whole, "in the background");
}

#[test]
fn a_flush_between_two_parts_ends_the_block() {
    let schema = schema();
    for block_rows in [65_536, 5000] {
        for flush_at in [4097, 8191] {
            // The row of a node with two leaves.
            let flush_at = flush_at - flush_at % 3 + 2;
            let here = write(&schema, block_rows, false, Some(flush_at));
            assert_whole(Log::from_bytes(here.clone()).unwrap().tree(0).unwrap());
            assert_eq!(write(&schema, block_rows, true, Some(flush_at)), here);
        }
    }
}

#[test]
fn a_thread_that_is_asked_for_within_a_block_starts_with_the_next() {
    let schema = Schema::new([("best", Kind::I32)]).unwrap();
    let log = LogWriter::to_memory(Header::new("test", schema)).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    tree.enter(0).unwrap();
    for node in 0..200_000_i64 {
        if node == 10_000 {
            tree = tree.background(true);
        }
        tree.enter(1).unwrap();
        tree.leave_values(&[Value::Int(node)]).unwrap();
    }
    tree.leave_values(&[Value::Int(-1)]).unwrap();
    tree.finish().unwrap();
    let log = Log::from_bytes(log.into_memory().unwrap()).unwrap();
    let tree = log.tree(0).unwrap();
    tree.verify(|_| {}).unwrap();
    assert_eq!(tree.nodes(), 200_001);
    let mut walker = Walker::new(tree);
    for row in [0, 9_999, 10_000, 65_535, 65_536, 199_999] {
        assert_eq!(walker.value(row, 0).unwrap(), Value::Int(row as i64));
    }
}
