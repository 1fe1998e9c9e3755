//! Logs that are written on: what was there stays, and what cannot be added to is left as it is.

use std::path::Path;

use gt_log::{Error, Header, Kind, Log, LogWriter, Metadata, Schema, Value, Walker};
use proptest::prelude::*;

fn header() -> Header {
    Header::new("nim", Schema::new([("best", Kind::I32), ("name", Kind::Text)]).unwrap())
}

/// Adds a tree with a root and this many leaves.
fn add_tree(log: &LogWriter, leaves: i64) {
    let mut tree =
        log.dynamic_tree(&Metadata::new().with("leaves", leaves), gt_log::Options::default()).unwrap();
    tree.enter(0).unwrap();
    for leaf in 0..leaves {
        tree.enter(leaf).unwrap();
        let name = Value::Text(format!("leaf {}", leaf % 3));
        tree.leave_values(&[Value::Int(leaf), name]).unwrap();
    }
    tree.leave_values(&[Value::Int(-leaves), Value::Missing]).unwrap();
    tree.finish().unwrap();
}

fn write(path: &Path, sessions: &[Vec<i64>]) {
    for trees in sessions {
        let log = LogWriter::append(path, header()).unwrap();
        trees.iter().for_each(|&leaves| add_tree(&log, leaves));
        log.finish().unwrap();
    }
}

/// The log encoded anew, in the one way that its contents allow.
fn compacted(path: &Path) -> Vec<u8> {
    let compact = path.with_extension("compact");
    let file = std::fs::File::create(&compact).unwrap();
    gt_log::compact(&Log::open(path).unwrap(), file, gt_log::COMPACT_LEVEL, |_| {}).unwrap();
    std::fs::read(&compact).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn sessions_leave_the_log_that_one_session_leaves(
        sessions in prop::collection::vec(prop::collection::vec(0..40_i64, 0..4), 1..5),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (many, one) = (folder.path().join("many.gtf"), folder.path().join("one.gtf"));
        write(&many, &sessions);
        write(&one, &[sessions.concat()]);
        // Not to the byte: a session does not know what encodings served the trees of the one before.
        prop_assert!(compacted(&many) == compacted(&one));
        let log = Log::open(&many).unwrap();
        prop_assert!(log.condition().is_whole());
        for (tree, leaves) in log.trees().zip(sessions.concat()) {
            tree.verify(|_| ()).unwrap();
            prop_assert_eq!(tree.nodes(), leaves as u64 + 1);
            let mut walker = Walker::new(tree);
            let root = walker.root();
            prop_assert_eq!(walker.value(root, 0).unwrap(), Value::Int(-leaves));
        }
    }
}

#[test]
fn a_log_without_its_end_keeps_what_it_had() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gtf");
    write(&path, &[vec![5, 6]]);
    let log = LogWriter::append(&path, header()).unwrap();
    let refused = LogWriter::append(&path, header()).err().unwrap();
    assert!(matches!(refused, Error::BeingWritten { .. }), "{refused}");
    add_tree(&log, 7);
    // As after a crash: nothing closes it.
    let nodes: Vec<u64> = Log::open(&path).unwrap().trees().map(|tree| tree.nodes()).collect();
    assert_eq!(nodes, [6, 7, 8]);
    std::mem::forget(log);
}

#[test]
fn another_log_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gtf");
    write(&path, &[vec![5]]);
    let before = std::fs::read(&path).unwrap();
    let refused = |header: Header, words: &str| {
        let error = LogWriter::append(&path, header).err().unwrap().to_string();
        assert!(error.contains(words), "{error}");
        assert!(std::fs::read(&path).unwrap() == before);
    };
    let schema = || header().schema;
    refused(Header::new("chess", schema()), "it is of the game `nim`, and not `chess`");
    let other = Schema::new([("best", Kind::I64), ("name", Kind::Text)]).unwrap();
    refused(Header::new("nim", other), "(best: i32, name: text), and not (best: i64, name: text)");
    let named = schema().with_aliases([("Win", 1)]).unwrap();
    refused(Header::new("nim", named), "its aliases are others");

    let cut = folder.path().join("cut.gtf");
    std::fs::write(&cut, &before[..before.len() - 3]).unwrap();
    assert!(matches!(LogWriter::append(&cut, header()).err(), Some(Error::NotClosed)));
    assert_eq!(std::fs::metadata(&cut).unwrap().len(), before.len() as u64 - 3);
    let text = folder.path().join("text.gtf");
    std::fs::write(&text, "no log").unwrap();
    assert!(LogWriter::append(&text, header()).is_err());
    assert_eq!(std::fs::read(&text).unwrap(), b"no log");
}
