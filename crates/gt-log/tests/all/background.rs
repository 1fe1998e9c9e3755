//! Encoding in the background changes when blocks are written, and nothing else.

use std::sync::{Arc, Mutex};

use crate::support::models;
use gt_log::{Budget, Error, Flush, Header, Log, LogWriter, Metadata, Options, Schema, TreeWriter};
use proptest::prelude::*;

gt_log::record! {
    /// One number.
    #[derive(Clone, Copy)]
    struct Node {
        best: i32,
    }
}

fn header() -> Header {
    Header::new("test", Schema::of::<Node>().unwrap())
}

fn options(nodes_max: usize) -> Options {
    let flush = Flush { nodes_max, time_ms_max: None };
    Options { flush, ..Options::default() }
}

fn tree(log: &LogWriter, options: Options) -> TreeWriter<Node> {
    log.tree_with(&Metadata::new(), options).unwrap().background(true)
}

/// A full tree: `branching` moves from 1 at every node down to `depth`.
fn full(tree: &mut TreeWriter<Node>, last_move: i64, depth: u32, branching: i64) {
    tree.enter(last_move).unwrap();
    if depth > 0 {
        for mv in 1..=branching {
            full(tree, mv, depth - 1, branching);
        }
    }
    tree.leave(&Node { best: depth as i32 }).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_file_is_the_same_to_the_byte(model in models(120), block_rows in 1..140_usize) {
        let log = LogWriter::to_memory(model.header()).unwrap();
        model.write_with(&log, options(block_rows), true);
        prop_assert_eq!(log.into_memory().unwrap(), model.to_bytes(block_rows));
    }

    #[test]
    fn several_trees_of_one_thread_share_a_file(model in models(60), block_rows in 1..20_usize) {
        let log = LogWriter::to_memory(model.header()).unwrap();
        model.write_with(&log, options(block_rows), true);
        model.write_with(&log, options(block_rows), true);
        let log = crate::support::open(log.into_memory().unwrap());
        prop_assert!(log.condition().is_whole());
        for tree in log.trees() {
            tree.verify(|_| {}).unwrap();
            model.assert_same(&crate::support::Model::read(tree).unwrap());
        }
    }
}

#[test]
fn a_flush_is_in_the_file_when_it_returns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.gtf");
    let log = LogWriter::create(&path, header()).unwrap();
    let mut tree = tree(&log, options(3));
    tree.enter(0).unwrap();
    for count in 1..=50_u64 {
        full(&mut tree, 1, 0, 0);
        tree.flush().unwrap();
        let nodes: u64 = Log::open(&path).unwrap().trees().map(|tree| tree.nodes()).sum();
        assert_eq!(nodes, count + 1, "the leaves and the open root");
    }
    for _ in 0..50 {
        full(&mut tree, 1, 0, 0);
    }
    tree.flush().unwrap();
    let nodes: u64 = Log::open(&path).unwrap().trees().map(|tree| tree.nodes()).sum();
    assert_eq!(nodes, 101);
}

#[test]
fn a_panic_in_the_engine_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("panic.gtf");
    let inner = path.clone();
    let search = std::thread::spawn(move || {
        let log = LogWriter::create(&inner, header()).unwrap();
        let mut tree = tree(&log, options(5));
        tree.enter(0).unwrap();
        full(&mut tree, 1, 6, 3);
        tree.enter(2).unwrap();
        panic!("the engine's own fault");
    });
    assert!(search.join().is_err());
    let log = Log::open(&path).unwrap();
    assert!(log.condition().is_whole());
    assert_eq!(log.tree(0).unwrap().nodes(), 1 + 1093 + 1);
    assert_eq!(log.tree(0).unwrap().verify(|_| {}).unwrap().unfinished, 2);
}

#[test]
fn a_dropped_tree_is_ended() {
    let log = LogWriter::to_memory(header()).unwrap();
    let mut tree = tree(&log, options(4));
    full(&mut tree, 0, 5, 3);
    drop(tree);
    let log = Log::from_bytes(log.into_memory().unwrap()).unwrap();
    assert!(log.condition().is_whole());
    assert_eq!(log.tree(0).unwrap().nodes(), 364);
}

#[test]
fn threads_write_their_trees_into_one_file() {
    let log = LogWriter::to_memory(header()).unwrap();
    std::thread::scope(|scope| {
        for branching in 2..6 {
            let mut tree = tree(&log, options(10));
            scope.spawn(move || {
                full(&mut tree, 0, 4, branching);
                tree.finish().unwrap();
            });
        }
    });
    let log = Log::from_bytes(log.into_memory().unwrap()).unwrap();
    let nodes: Vec<u64> = log.trees().map(|tree| tree.verify(|_| {}).unwrap().nodes).collect();
    assert_eq!(nodes, [31, 121, 341, 781]);
}

#[test]
fn a_budget_of_bytes_is_overrun_by_a_few_blocks_at_most() {
    let log = LogWriter::to_memory(header()).unwrap();
    let budget = Budget { nodes_max: None, bytes_max: Some(2_000) };
    let mut tree = tree(&log, Options { budget, ..options(100) });
    full(&mut tree, 0, 9, 3); // 29,524 nodes.
    let summary = tree.finish().unwrap();
    assert!(summary.nodes > 100 && summary.nodes < 20_000, "{summary:?}");
    assert_eq!(summary.nodes + summary.left_out, 29_524);
}

/// The first tree is one block, which is still being encoded when the second one begins.
#[test]
fn trees_on_their_way_to_the_file_count_for_a_budget_of_bytes() {
    let log = LogWriter::to_memory(header()).unwrap();
    let budget = Budget { nodes_max: None, bytes_max: Some(500) };
    let nodes = [1, 2].map(|_tree| {
        let mut tree = tree(&log, Options { budget, ..options(1 << 20) });
        full(&mut tree, 0, 3, 32);
        let summary = tree.finish_later(&Metadata::new()).unwrap();
        (summary.nodes, summary.left_out)
    });
    assert_eq!(nodes, [(33_825, 0), (1, 33_824)]);
}

/// Trees of all sizes, from those that start no thread to those of several batches, one after the other: none waits for the one before.
#[test]
fn trees_that_end_later_are_all_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("later.gtf");
    let log = LogWriter::create(&path, header()).unwrap();
    let shapes: Vec<(u32, i64)> = (0..60).map(|tree| (tree % 9, i64::from(tree % 3) + 1)).collect();
    let sizes: Vec<u64> = shapes
        .iter()
        .map(|&(depth, branching)| (0..=depth).map(|ply| (branching as u64).pow(ply)).sum())
        .collect();
    let mut summaries = Vec::new();
    for (number, &(depth, branching)) in shapes.iter().enumerate() {
        let rows = if number % 2 == 0 { 50 } else { 1 << 15 };
        let mut tree = tree(&log, options(rows));
        full(&mut tree, 0, depth, branching);
        let metadata = Metadata::new().with("number", number);
        summaries.push(if number % 5 == 0 {
            tree.enter(7).unwrap_err(); // A second root is refused, and ends nothing.
            tree.abandon_later(&metadata).unwrap().nodes
        } else {
            tree.finish_later(&metadata).unwrap().nodes
        });
        if number == 30 {
            log.flush().unwrap();
            let so_far = Log::open(&path).unwrap();
            assert_eq!(
                so_far.trees().map(|tree| tree.nodes()).sum::<u64>(),
                sizes[..=30].iter().sum::<u64>()
            );
        }
    }
    assert_eq!(summaries, sizes);
    log.finish().unwrap();
    let log = Log::open(&path).unwrap();
    assert!(log.condition().is_whole());
    log.verify(|_| {}).unwrap();
    for (number, (tree, nodes)) in log.trees().zip(&sizes).enumerate() {
        assert_eq!(tree.nodes(), *nodes);
        assert_eq!(tree.metadata().get("number"), Some(&*number.to_string()));
    }
    assert_eq!(log.tree_count(), sizes.len());
}

#[test]
fn nodes_that_are_open_when_a_tree_ends_later_are_an_error() {
    let log = LogWriter::to_memory(header()).unwrap();
    let mut open = tree(&log, options(100));
    open.enter(0).unwrap();
    full(&mut open, 1, 5, 3);
    assert!(matches!(open.finish_later(&Metadata::new()), Err(Error::StillOpen { .. })));
    let log = Log::from_bytes(log.into_memory().unwrap()).unwrap();
    assert_eq!(log.tree(0).unwrap().verify(|_| {}).unwrap().unfinished, 1);
}

/// The disk is full while the rest of a tree is on its way: the next one is told, and the end of the log.
#[test]
fn what_fails_after_a_trees_end_is_told_later() {
    let disk = FullDisk { room: 400, taken: Arc::default() };
    let log = LogWriter::to_writer(disk, header()).unwrap();
    let mut first = tree(&log, options(1 << 15));
    full(&mut first, 0, 7, 3); // 3,280 nodes, in one block.
    first.finish_later(&Metadata::new()).unwrap();
    assert!(matches!(log.flush(), Err(Error::Io(_))));
    assert!(matches!(log.tree::<Node>(&Metadata::new()), Err(Error::Io(_))));
    assert!(matches!(log.finish(), Err(Error::Io(_))));
}

/// A disk with room for so many bytes, which counts what it took.
#[derive(Clone)]
struct FullDisk {
    room: usize,
    taken: Arc<Mutex<Vec<u8>>>,
}

impl std::io::Write for FullDisk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut taken = self.taken.lock().unwrap();
        let count = bytes.len().min(self.room - taken.len());
        if count == 0 {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        taken.extend_from_slice(&bytes[..count]);
        Ok(count)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_turns_logging_off_with_an_error() {
    let disk = FullDisk { room: 600, taken: Arc::default() };
    let log = LogWriter::to_writer(disk.clone(), header()).unwrap();
    let mut tree = tree(&log, options(3));
    tree.enter(0).unwrap();
    let mut errors = 0;
    for _ in 0..1000 {
        tree.enter(1).unwrap();
        if let Err(error) = tree.leave(&Node { best: 1 }) {
            assert!(matches!(error, Error::Io(_)), "{error}");
            assert!(!error.to_string().contains("thread"), "the system's own words: {error}");
            errors += 1;
        }
    }
    assert_eq!(errors, 1, "the error comes once, then logging is off");
    assert!(!tree.is_on());
    assert!(tree.finish().is_err());
    let bytes = disk.taken.lock().unwrap().clone();
    let nodes = Log::from_bytes(bytes).unwrap().trees().map(|tree| tree.nodes()).sum::<u64>();
    assert!(nodes > 3, "what was written before can be read: {nodes} nodes");
}

#[test]
fn every_tree_of_a_log_is_told_why_nothing_is_written_any_more() {
    let disk = FullDisk { room: 600, taken: Arc::default() };
    let log = LogWriter::to_writer(disk, header()).unwrap();
    let (mut first, mut second) = (tree(&log, options(3)), tree(&log, options(3)));
    let failure = |tree: &mut TreeWriter<Node>| {
        tree.enter(0).unwrap();
        (0..1000).find_map(|_| {
            tree.enter(1).unwrap();
            tree.leave(&Node { best: 1 }).err()
        })
    };
    let told = failure(&mut first).unwrap().to_string();
    assert_eq!(failure(&mut second).unwrap().to_string(), told);
    assert!(first.finish().is_err() && second.finish().is_err());
    assert_eq!(log.finish().unwrap_err().to_string(), told);
}

#[test]
fn a_disk_that_fills_up_at_the_end_is_told_of_at_the_end() {
    let whole = {
        let log = LogWriter::to_memory(header()).unwrap();
        let mut tree = tree(&log, options(20));
        full(&mut tree, 0, 3, 3);
        tree.flush().unwrap();
        log.bytes() as usize
    };
    let disk = FullDisk { room: whole - 1, taken: Arc::default() };
    let log = LogWriter::to_writer(disk, header()).unwrap();
    let mut tree = tree(&log, options(20));
    full(&mut tree, 0, 3, 3); // 40 nodes: the second block is on its way when the root is left.
    assert!(matches!(tree.finish(), Err(Error::Io(_))));
}
