//! Values that nodes lack, and values that they were entered with: never zeros, whatever is done to the log.

use crate::support::open;
use gt_log::{
    Dynamic, Error, Flush, Header, Kind, Log, LogWriter, Metadata, Options, Schema, TreeWriter, Value,
    Walker, compact, recover,
};

gt_log::record! {
    #[derive(Clone)]
    struct Node { alpha: Option<i32>, name: Option<String>, best: Option<i32>, value: Option<f64> }
}

fn header() -> Header {
    Header::new("test", Schema::of::<Node>().unwrap())
}

fn entered(alpha: i32) -> Node {
    Node { alpha: Some(alpha), name: Some(format!("node {alpha}")), best: None, value: None }
}

fn values(walker: &mut Walker<'_>, row: u64) -> Vec<Value> {
    (0..4).map(|attribute| walker.value(row, attribute).unwrap()).collect()
}

fn unfinished(alpha: i64) -> Vec<Value> {
    vec![Value::Int(alpha), Value::Text(format!("node {alpha}")), Value::Missing, Value::Missing]
}

/// A search that enters `depth` nodes, flushes after each, and leaves none.
fn descend(tree: &mut TreeWriter<Node>, depth: i32) {
    for alpha in 0..depth {
        tree.enter_record(i64::from(alpha), &entered(alpha)).unwrap();
        tree.flush().unwrap();
    }
}

#[test]
fn what_was_known_at_entry_survives_a_crash() {
    let log = LogWriter::to_memory(header()).unwrap();
    let mut tree = log.tree::<Node>(&Metadata::new()).unwrap();
    descend(&mut tree, 5);
    // Cut off: the index is never written, the tree never ended.
    std::mem::forget(tree);
    let mut bytes = log.into_memory().unwrap();
    bytes.truncate(bytes.len() - 4);
    let broken = open(bytes);
    let check = |log: &Log| {
        let mut walker = Walker::new(log.tree(0).unwrap());
        for row in 0..5 {
            assert_eq!(values(&mut walker, row), unfinished(4 - row as i64));
        }
    };
    check(&broken);
    let target = tempfile::NamedTempFile::new().unwrap();
    recover(&broken, target.reopen().unwrap(), |_| {}).unwrap();
    let saved = Log::open(target.path()).unwrap();
    saved.verify(|_| {}).unwrap();
    check(&saved);
    let smaller = tempfile::NamedTempFile::new().unwrap();
    compact(&saved, smaller.reopen().unwrap(), 3, |_| {}).unwrap();
    check(&Log::open(smaller.path()).unwrap());
}

#[test]
fn a_value_given_when_the_node_is_left_counts() {
    let log = LogWriter::to_memory(header()).unwrap();
    let mut tree = log.tree::<Node>(&Metadata::new()).unwrap();
    tree.enter_record(0, &entered(-3)).unwrap();
    tree.enter_record(1, &entered(7)).unwrap();
    tree.flush().unwrap();
    tree.leave(&Node { alpha: Some(8), name: None, best: Some(9), value: None }).unwrap();
    tree.leave(&Node { alpha: None, name: None, best: None, value: Some(f64::NAN) }).unwrap();
    tree.finish().unwrap();
    let log = open(log.into_memory().unwrap());
    log.verify(|_| {}).unwrap();
    let mut walker = Walker::new(log.tree(0).unwrap());
    let left = vec![Value::Int(8), Value::Text("node 7".to_owned()), Value::Int(9), Value::Missing];
    assert_eq!(values(&mut walker, 0), left);
    assert!(matches!(walker.value(1, 3).unwrap(), Value::Float(value) if value.is_nan()));
    assert_eq!(walker.value(1, 0).unwrap(), Value::Int(-3));
    assert_eq!(walker.value(1, 2).unwrap(), Value::Missing);
}

/// A record that does not fit leaves nothing of itself behind in the next one.
#[test]
fn a_refused_record_leaves_no_missing_values_behind() {
    let schema = Schema::new([("a", Kind::I8), ("b", Kind::I8)]).unwrap();
    let log = LogWriter::to_memory(Header::new("test", schema)).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    tree.enter(0).unwrap();
    let refused = tree.leave_values(&[Value::Missing, Value::Int(1000)]);
    assert!(matches!(refused, Err(Error::WrongRecord { .. })));
    assert!(tree.enter_values(1, &[Value::Missing]).is_err(), "too few values");
    tree.leave_values(&[Value::Int(3), Value::Int(4)]).unwrap();
    tree.leave_values(&[Value::Int(1), Value::Int(2)]).unwrap();
    tree.finish().unwrap();
    let log = open(log.into_memory().unwrap());
    let mut walker = Walker::new(log.tree(0).unwrap());
    assert_eq!(walker.value(1, 0).unwrap(), Value::Int(1));
    assert_eq!(walker.value(0, 0).unwrap(), Value::Int(3));
}

/// Blocks where nothing, something and everything is missing say so, and have the extremes of what is known.
#[test]
fn a_block_says_which_columns_lack_values() {
    let schema = Schema::new([("a", Kind::I32), ("t", Kind::Text)]).unwrap();
    let log = LogWriter::to_memory(Header::new("test", schema)).unwrap();
    let flush = Flush { nodes_max: 4, time_ms_max: None };
    let mut tree = log.dynamic_tree(&Metadata::new(), Options { flush, ..Options::default() }).unwrap();
    tree.enter(0).unwrap();
    for child in 0..12 {
        let known = match child / 4 {
            0 => true,
            1 => child % 2 == 0,
            _ => false,
        };
        let row = match known {
            true => [Value::Int(child + 100), Value::Text("x".to_owned())],
            false => [Value::Missing, Value::Missing],
        };
        tree.enter(child).unwrap();
        tree.leave_values(&row).unwrap();
    }
    tree.leave_values(&[Value::Missing, Value::Text(String::new())]).unwrap();
    tree.finish().unwrap();
    let log = open(log.into_memory().unwrap());
    log.verify(|_| {}).unwrap();
    let tree = log.tree(0).unwrap();
    let missing: Vec<Option<Vec<u64>>> = (0..3).map(|block| tree.missing(block, 0).unwrap()).collect();
    assert_eq!(missing, [None, Some(vec![0b1010]), Some(vec![0b1111])]);
    let heads: Vec<(i64, i64, bool)> = tree
        .blocks()
        .map(|head| (head.columns[4].min, head.columns[4].max, head.columns[4].missing))
        .collect();
    assert_eq!(heads[..3], [(100, 103, false), (104, 106, true), (0, 0, true)]);
    let mut walker = Walker::new(tree);
    assert_eq!(walker.value(12, 1).unwrap(), Value::Text(String::new()), "the empty text is a value");
}

/// Writes a root with so many children, and expects every value back from the log and from the compacted log, both sound.
fn comes_back(
    log: LogWriter,
    mut tree: TreeWriter<Dynamic>,
    children: i64,
    row_values: impl Fn(i64) -> [Value; 4],
) {
    tree.enter(0).unwrap();
    for row in 0..children {
        tree.enter(1).unwrap();
        tree.leave_values(&row_values(row)).unwrap();
    }
    tree.leave_values(&row_values(children)).unwrap();
    tree.finish().unwrap();
    let light = open(log.into_memory().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.gtf");
    compact(&light, std::fs::File::create(&path).unwrap(), 3, |_| {}).unwrap();
    for log in [light, Log::open(&path).unwrap()] {
        log.verify(|_| {}).unwrap();
        let mut walker = Walker::new(log.tree(0).unwrap());
        for row in 0..=children {
            assert_eq!(values(&mut walker, row as u64), row_values(row), "row {row}");
        }
    }
}

/// Columns are stored as differences from others. One that lacks values has something there that no reader sees: a column that
/// follows it closely keeps its own values all the same, also when the values go missing from some block on.
#[test]
fn a_column_beside_one_that_lacks_values_keeps_its_own() {
    let schema =
        Schema::new([("a", Kind::I64), ("b", Kind::I64), ("c", Kind::I64), ("d", Kind::I64)]).unwrap();
    let log = LogWriter::to_memory(Header::new("test", schema)).unwrap();
    let flush = Flush { nodes_max: 3000, time_ms_max: None };
    let tree = log.dynamic_tree(&Metadata::new(), Options { flush, ..Options::default() }).unwrap();
    let row_values = |row: i64| {
        let a = (row * 7919 % 100_003) << 12;
        let b =
            if row > 9000 && row % 3 == 0 || row < 2000 { Value::Missing } else { Value::Int(a + row % 5) };
        let d = if row % 1000 < 400 { Value::Missing } else { Value::Int(a + 300 + row % 3) };
        [Value::Int(a), b, Value::Int(a + 900 - row % 7), d]
    };
    comes_back(log, tree, 20_000, row_values);
}

/// What stands where a value is missing is between the least and the greatest of the kind, also where that is not the order of the
/// integers that are stored: hashes with the highest bit, floats below zero.
#[test]
fn what_stands_for_a_missing_value_is_no_extreme() {
    let kinds = [("a", Kind::I64), ("hash", Kind::U64), ("b", Kind::I64), ("float", Kind::F64)];
    let log = LogWriter::to_memory(Header::new("test", Schema::new(kinds).unwrap())).unwrap();
    let tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    let row_values = |row: i64| {
        // Each follows the column before it closely, but for the rows that lack it: there that one is far away.
        let lacks = row % 5 == 0;
        let near = if row % 2 == 0 { 5 + row % 3 } else { i64::MIN + 9 + row % 3 };
        let hash = if lacks { Value::Missing } else { Value::UInt(near as u64) };
        let float = (if row % 2 == 0 { 1.5_f64 } else { -1.5 }).to_bits() as i64;
        let (b, float) = match lacks {
            true => ((-2.5_f64).to_bits() as i64, Value::Missing),
            false => (float, Value::Float(f64::from_bits(float as u64))),
        };
        [Value::Int(if lacks { -1 } else { near }), hash, Value::Int(b), float]
    };
    comes_back(log, tree, 3000, row_values);
}
