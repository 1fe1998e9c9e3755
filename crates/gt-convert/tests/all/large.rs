//! Trees at the edges of their shapes, and the order of rows.

use gt_convert::{Format, ImportOptions, Selection, export, import, import_bytes, unwatched};
use gt_log::{Existing, Header, Kind, Log, LogWriter, Marks, Metadata, Options, Schema, Value};

/// More than a block, and far more than the stack of a test's thread takes.
const NODES: i64 = 140_000;

fn log(chain: bool) -> Log {
    let schema = Schema::new([("best", Kind::I32), ("kind", Kind::Text)]).unwrap();
    let log = LogWriter::to_memory(Header::new("", schema)).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    let values =
        |node: i64| [Value::Int(node % 77), Value::Text(["cut", "all"][node as usize % 2].to_owned())];
    tree.enter(0).unwrap();
    for node in 1..NODES {
        tree.enter(node % 500).unwrap();
        if !chain {
            tree.leave_values(&values(node)).unwrap();
        }
    }
    while tree.open_nodes() > 0 {
        tree.leave_values(&values(tree.open_nodes() as i64)).unwrap();
    }
    tree.finish().unwrap();
    Log::from_bytes(log.into_memory().unwrap()).unwrap()
}

fn round_trips(log: &Log) {
    let folder = tempfile::tempdir().unwrap();
    let expected = crate::common::digest(log);
    for name in ["a.parquet", "a.csv", "a.jsonl"] {
        let (file, target) = (folder.path().join(name), folder.path().join("back.gtf"));
        export(log, &Selection::All, None, &file, Existing::Keep, &mut unwatched).unwrap();
        let options = ImportOptions { existing: Existing::Replace, ..ImportOptions::default() };
        let report = import(&file, None, &options, &target, &mut unwatched).unwrap();
        assert_eq!((report.nodes, report.sorted), (NODES as u64, false));
        assert_eq!(crate::common::digest(&Log::open(&target).unwrap()), expected);
    }
}

#[test]
fn a_long_chain() {
    round_trips(&log(true));
}

#[test]
fn a_wide_star() {
    round_trips(&log(false));
}

/// The children of each node come in the order of their numbers, whatever the order of the rows.
#[test]
fn rows_from_the_last_to_the_first() {
    use std::fmt::Write;
    let mut table = String::from("node_id,parent_id,last_move,best\n");
    for node in (0..NODES).rev() {
        let parent = if node == 0 { -1 } else { (node - 1) / 10 };
        writeln!(table, "{},{},{},{}", node * 3, if parent < 0 { -1 } else { parent * 3 }, node, node % 10)
            .unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join("a.csv"), folder.path().join("a.gtf"));
    std::fs::write(&source, table).unwrap();
    let report = import(&source, None, &ImportOptions::default(), &target, &mut unwatched).unwrap();
    assert_eq!((report.nodes, report.sorted, report.renumbered), (NODES as u64, true, true));
    let log = Log::open(&target).unwrap();
    let tree = log.tree(0).unwrap();
    let mut walker = gt_log::Walker::new(tree);
    let children = walker.children(walker.root()).unwrap();
    let moves: Vec<i64> = children.iter().map(|&child| walker.last_move(child).unwrap()).collect();
    assert_eq!(moves, (1..=10).collect::<Vec<i64>>());
    assert_eq!(tree.depth(), 6);
}

#[test]
fn a_chain_deeper_than_any_log_is_refused() {
    use std::fmt::Write;
    let mut table = String::from("node_id,parent_id\n");
    for node in 0..=gt_log::DEPTH_MAX as i64 {
        writeln!(table, "{node},{}", node - 1).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join("a.csv"), folder.path().join("a.gtf"));
    std::fs::write(&source, table).unwrap();
    let error = import(&source, None, &ImportOptions::default(), &target, &mut unwatched).unwrap_err();
    assert!(error.to_string().contains("line 1048578"), "{error}");
    assert!(!target.exists());
}

/// Marks on every node, by hand: what a budget leaves out and what a crash leaves open.
#[test]
fn marks_survive() {
    let schema = Schema::new([("best", Kind::I32)]).unwrap();
    let log = LogWriter::to_memory(Header::new("", schema)).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    tree.enter(0).unwrap();
    tree.enter(1).unwrap();
    tree.leave_marked(Marks { unfinished: false, left_out: 1 << 62 }, |_, row| {
        row.put(&5_i32);
        Ok(())
    })
    .unwrap();
    tree.abandon(&Metadata::new()).unwrap();
    let log = Log::from_bytes(log.into_memory().unwrap()).unwrap();
    let expected = crate::common::contents(&log);
    for format in Format::ALL {
        let mut bytes = Vec::new();
        gt_convert::export_to(&log, &Selection::All, format, &mut bytes, &mut unwatched).unwrap();
        if format == Format::Csv {
            let text = String::from_utf8(bytes.clone()).unwrap();
            let rows: Vec<&str> = text.lines().skip(1).collect();
            assert_eq!(
                rows,
                [
                    "node_id,parent_id,ply,size,last_move,unfinished,left_out,best",
                    "0,-1,0,2,0,true,0,",
                    "1,0,1,1,1,false,4611686018427387904,5",
                ]
            );
        }
        let back = Log::from_bytes(import_bytes(&bytes, format).unwrap()).unwrap();
        assert_eq!(crate::common::contents(&back), expected);
    }
}
