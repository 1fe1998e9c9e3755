//! The writer's manners: wrong calls, triggers, budgets, threads, panics, full disks.

use crate::support::Model;
use gt_log::{
    Budget, Error, Flush, Header, Kind, Log, LogWriter, Metadata, Options, Schema, TreeWriter, Trigger,
    Value, Walker,
};

gt_log::record! {
    /// One number.
    #[derive(Clone, Copy)]
    struct Node {
        best: i32,
    }
}

fn log() -> LogWriter {
    LogWriter::to_memory(Header::new("test", Schema::of::<Node>().unwrap())).unwrap()
}

fn tree(log: &LogWriter, options: Options) -> TreeWriter<Node> {
    log.tree_with(&Metadata::new(), options).unwrap()
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

fn read(log: LogWriter) -> Log {
    let log = Log::from_bytes(log.into_memory().unwrap()).unwrap();
    for tree in log.trees() {
        tree.verify(|_| {}).unwrap();
    }
    log
}

#[test]
fn wrong_nesting_is_named_and_the_file_stays_good() {
    let log = log();
    let mut tree = tree(&log, Options::default());
    let error = tree.leave(&Node { best: 0 }).unwrap_err();
    assert!(matches!(error, Error::LeaveWithoutEnter { tree: 0, nodes_left: 0 }), "{error}");
    full(&mut tree, 0, 2, 2);
    let error = tree.leave(&Node { best: 0 }).unwrap_err();
    assert!(error.to_string().contains("(7 had been left before)"), "{error}");
    let error = tree.enter(42).unwrap_err();
    assert!(error.to_string().contains("second root was entered (move 42)"), "{error}");
    tree.finish().unwrap();
    assert_eq!(read(log).tree(0).unwrap().nodes(), 7);
}

#[test]
fn open_nodes_are_reported_and_marked() {
    let log = log();
    let mut tree = tree(&log, Options::default());
    tree.enter(0).unwrap();
    full(&mut tree, 5, 1, 2);
    tree.enter(9).unwrap();
    let error = tree.finish().unwrap_err().to_string();
    assert!(error.contains("2 nodes still open, the deepest node 4 (move 9)"), "{error}");
    let log = read(log);
    assert_eq!(log.tree(0).unwrap().verify(|_| {}).unwrap().unfinished, 2);
    assert!(log.condition().is_whole());
}

#[test]
fn a_record_must_fit_the_schema() {
    gt_log::record! { struct Other { best: i64 } }
    let log = log();
    let error = log.tree::<Other>(&Metadata::new()).err().unwrap().to_string();
    assert!(error.contains("the log has (best: i32), the record type (best: i64)"), "{error}");

    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    tree.enter(0).unwrap();
    let message = |outcome: gt_log::Result<()>| outcome.unwrap_err().to_string();
    assert!(message(tree.leave_values(&[])).contains("0 values, the schema has 1"));
    assert!(
        message(tree.leave_values(&[Value::Bool(true)]))
            .contains("attribute `best`: true is not a value of type i32")
    );
    assert!(
        message(tree.leave_values(&[Value::Int(1 << 40)]))
            .contains("1099511627776 is not a value of type i32")
    );
    tree.leave_values(&[Value::Int(-3)]).unwrap();
    tree.finish().unwrap();
    assert_eq!(read(log).tree(0).unwrap().nodes(), 1);
}

#[test]
fn below_a_line_only() {
    let log = log();
    let options = Options { trigger: Some(Trigger::line([2, 1])), ..Options::default() };
    let mut tree = tree(&log, options);
    full(&mut tree, 0, 4, 2); // 31 nodes; below the line 2, 1 a subtree of 7.
    let summary = tree.finish().unwrap();
    assert_eq!((summary.nodes, summary.left_out), (9, 22));
    let log = read(log);
    let model = Model::read(log.tree(0).unwrap()).unwrap();
    let moves: Vec<i64> = model.nodes.iter().map(|node| node.last_move).collect();
    assert_eq!(moves, [0, 2, 1, 1, 1, 2, 2, 1, 2]);
    assert_eq!(log.tree(0).unwrap().left_out().unwrap() + log.tree(0).unwrap().nodes(), 31);
    let mut walker = Walker::new(log.tree(0).unwrap());
    let left_out = |walker: &mut Walker<'_>, node| {
        let row = walker.find(node).unwrap().row;
        walker.integer(row, gt_log::Column::LeftOut).unwrap()
    };
    assert_eq!([0, 1, 2].map(|node| left_out(&mut walker, node)), [15, 7, 0]);
}

#[test]
fn where_a_predicate_first_holds() {
    for (once, nodes) in [(false, 1 + 4 + 8), (true, 1 + 1 + 1 + 3)] {
        let log = log();
        // Every node reached by two equal moves in a row.
        let trigger = Trigger::when(|line| matches!(line, [.., a, b] if a == b));
        let trigger = if once { trigger.once() } else { trigger };
        let mut tree = tree(&log, Options { trigger: Some(trigger), ..Options::default() });
        full(&mut tree, 0, 3, 2);
        let summary = tree.finish().unwrap();
        let expected = if once { 1 + 1 + 3 } else { nodes };
        assert_eq!(summary.nodes + summary.left_out, 15);
        assert!(summary.nodes <= expected as u64, "{summary:?}");
        let log = read(log);
        let tree = log.tree(0).unwrap();
        assert_eq!(tree.nodes() + tree.left_out().unwrap(), 15);
    }
}

#[test]
fn a_budget_of_nodes_keeps_exact_totals() {
    for nodes_max in 1..40 {
        let log = log();
        let budget = Budget { nodes_max: Some(nodes_max), bytes_max: None };
        let mut tree = tree(&log, Options { budget, ..Options::default() });
        full(&mut tree, 0, 3, 3); // 40 nodes.
        let summary = tree.finish().unwrap();
        assert_eq!(summary.nodes, nodes_max);
        assert_eq!(summary.left_out, 40 - nodes_max);
        let log = read(log);
        let tree = log.tree(0).unwrap();
        assert_eq!(tree.left_out().unwrap(), 40 - nodes_max);
        let mut walker = Walker::new(tree);
        for row in 0..tree.nodes() {
            let count = walker.integer(row, gt_log::Column::LeftOut).unwrap();
            let status = walker.integer(row, gt_log::Column::Status).unwrap();
            assert_eq!(count > 0, status & i64::from(gt_log::status::LEFT_OUT) != 0);
        }
    }
}

#[test]
fn a_budget_of_bytes_ends_the_rows_not_the_count() {
    let log = log();
    let flush = Flush { nodes_max: 100, time_ms_max: None };
    let budget = Budget { nodes_max: None, bytes_max: Some(2_000) };
    let mut tree = tree(&log, Options { flush, budget, ..Options::default() });
    full(&mut tree, 0, 9, 3); // 29,524 nodes.
    let summary = tree.finish().unwrap();
    assert!(summary.nodes < 20_000 && summary.nodes > 100, "{summary:?}");
    assert_eq!(summary.nodes + summary.left_out, 29_524);
    let log = read(log);
    assert!(log.condition().bytes < 6_000, "{}", log.condition().bytes);
}

#[test]
fn nodes_go_to_the_file_by_count_and_by_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.gtf");
    let log = LogWriter::create(&path, Header::new("test", Schema::of::<Node>().unwrap())).unwrap();
    let flush = Flush { nodes_max: 4, time_ms_max: None };
    let mut writer = tree(&log, Options { flush, ..Options::default() });
    writer.enter(0).unwrap();
    for mv in 0..10 {
        full(&mut writer, mv, 0, 0);
    }
    let seen = |path| Log::open(path).unwrap().trees().map(|tree| tree.nodes()).sum::<u64>();
    assert_eq!(seen(&path), 8 + 1, "two blocks, and the open root completed");
    writer.flush().unwrap();
    assert_eq!(seen(&path), 10 + 1);

    let flush = Flush { nodes_max: 1 << 20, time_ms_max: Some(1) };
    let mut timed = tree(&log, Options { flush, ..Options::default() });
    timed.enter(0).unwrap();
    let mut turns = 0;
    while seen(&path) < 13 {
        std::thread::sleep(std::time::Duration::from_millis(2));
        full(&mut timed, 1, 0, 0);
        turns += 1;
        assert!(turns < 10_000, "the time never came");
    }
}

#[test]
fn a_panic_in_the_engine_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("panic.gtf");
    let inner = path.clone();
    let search = std::thread::spawn(move || {
        let log = LogWriter::create(&inner, Header::new("test", Schema::of::<Node>().unwrap())).unwrap();
        let mut tree = log.tree::<Node>(&Metadata::new()).unwrap();
        tree.enter(0).unwrap();
        full(&mut tree, 1, 2, 3);
        tree.enter(2).unwrap();
        panic!("the engine's own fault");
    });
    assert!(search.join().is_err());
    let log = Log::open(&path).unwrap();
    assert!(log.condition().is_whole());
    assert_eq!(log.tree(0).unwrap().nodes(), 1 + 13 + 1);
    assert_eq!(log.tree(0).unwrap().verify(|_| {}).unwrap().unfinished, 2);
}

#[test]
fn threads_write_their_trees_into_one_file() {
    let log = log();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let flush = Flush { nodes_max: 10, time_ms_max: None };
            let mut tree: TreeWriter<Node> = log
                .tree_with(&Metadata::new().with("thread", thread), Options { flush, ..Options::default() })
                .unwrap();
            scope.spawn(move || {
                full(&mut tree, thread, 4, 2 + thread);
                tree.finish().unwrap();
            });
        }
    });
    let log = read(log);
    assert_eq!(log.tree_count(), 4);
    for tree in log.trees() {
        let branching: u64 = 2 + tree.metadata().get("thread").unwrap().parse::<u64>().unwrap();
        assert_eq!(tree.nodes(), (0..=4).map(|ply| branching.pow(ply)).sum::<u64>());
    }
}

/// A disk that is full after some bytes.
struct FullDisk(usize);

impl std::io::Write for FullDisk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0 == 0 {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        Ok(taken)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_turns_logging_off_with_an_error() {
    let header = Header::new("test", Schema::of::<Node>().unwrap());
    let log = LogWriter::to_writer(FullDisk(600), header).unwrap();
    let flush = Flush { nodes_max: 3, time_ms_max: None };
    let mut tree = tree(&log, Options { flush, ..Options::default() });
    tree.enter(0).unwrap();
    let mut errors = 0;
    for _ in 0..100 {
        tree.enter(1).unwrap();
        if let Err(error) = tree.leave(&Node { best: 1 }) {
            assert!(matches!(error, Error::Io(_)), "{error}");
            errors += 1;
        }
    }
    assert_eq!(errors, 1, "the error comes once, then logging is off");
    assert!(!tree.is_on());
    assert!(tree.finish().is_err());
}

#[test]
fn logging_that_is_off_does_nothing() {
    let log = LogWriter::off();
    let mut tree = log.tree::<Node>(&Metadata::new()).unwrap();
    assert!(!tree.is_on());
    tree.leave(&Node { best: 0 }).unwrap();
    full(&mut tree, 0, 3, 3);
    tree.finish().unwrap();
    assert_eq!(log.finish().unwrap(), 0);
}

#[test]
fn deeper_than_the_limit_is_left_out_and_said() {
    let log = log();
    let mut tree = tree(&log, Options::default());
    for _ in 0..gt_log::DEPTH_MAX {
        tree.enter(1).unwrap();
    }
    assert!(matches!(tree.enter(1), Err(Error::TooDeep)));
    tree.leave(&Node { best: 0 }).unwrap();
    for _ in 0..gt_log::DEPTH_MAX {
        tree.leave(&Node { best: 0 }).unwrap();
    }
    let summary = tree.finish().unwrap();
    assert_eq!((summary.nodes, summary.left_out), (gt_log::DEPTH_MAX as u64, 1));
    let log = read(log);
    assert_eq!(log.tree(0).unwrap().depth() as usize, gt_log::DEPTH_MAX - 1);
}

#[test]
fn names_are_checked_when_the_log_is_made() {
    let message = |names: &[(&'static str, Kind)]| Schema::new(names.to_vec()).unwrap_err().to_string();
    assert!(message(&[("1st", Kind::I8)]).contains("`1st` cannot name an attribute"));
    assert!(message(&[("count", Kind::I8)]).contains("word of the query language"));
    assert!(message(&[("node_id", Kind::I8)]).contains("of every log"));
    assert!(message(&[("a", Kind::I8), ("a", Kind::I8)]).contains("names two things"));
    let both = Schema::new([("type", Kind::I8)]).unwrap().with_aliases([("type", 1)]).unwrap_err();
    assert!(both.to_string().contains("share one set of names"));
    let many = (0..257).map(|i| (format!("a{i}"), Kind::I8));
    assert!(Schema::new(many).unwrap_err().to_string().contains("at most 256 attributes"));
}

#[test]
fn parents_must_make_one_tree() {
    let schema = Schema::of::<Node>().unwrap();
    let build = |parents: &[Option<u64>]| {
        let mut tree = gt_log::TreeBuilder::new(&schema);
        for _ in parents {
            tree.add(None, 0, &[Value::Int(0)]).unwrap();
        }
        for (node, parent) in parents.iter().enumerate() {
            tree.set_parent(node as u64, *parent)?;
        }
        tree.finish(&log(), &Metadata::new(), Options::default())
    };
    assert_eq!(build(&[Some(1), None]).unwrap().nodes, 2);
    let message = |parents: &[Option<u64>]| build(parents).unwrap_err().to_string();
    assert!(message(&[None, None]).contains("node 1 is a second root"));
    assert!(message(&[Some(1), Some(0)]).contains("there is no root"));
    assert!(message(&[None, Some(2), Some(1)]).contains("is its own ancestor"));
    assert!(message(&[None, Some(7)]).contains("the parent 7 has not been added"));
}

/// A node outside of the trigger gets no row. One that was open when a flush recorded the path is gone from it after the
/// next flush, also where no row came between.
#[test]
fn a_node_that_was_left_without_a_row_is_not_completed_after_a_crash() {
    let log = LogWriter::to_memory(Header::new("test", Schema::of::<Node>().unwrap())).unwrap();
    let options = Options { trigger: Some(Trigger::line([1, 1])), ..Options::default() };
    let mut tree = log.tree_with::<Node>(&Metadata::new(), options).unwrap();
    tree.enter(0).unwrap();
    tree.enter(5).unwrap();
    tree.flush().unwrap();
    tree.leave(&Node { best: 1 }).unwrap();
    tree.flush().unwrap();
    std::mem::forget(tree);
    let mut bytes = log.into_memory().unwrap();
    bytes.truncate(bytes.len() - 1);
    let log = Log::from_bytes(bytes).unwrap();
    assert_eq!(log.tree(0).unwrap().nodes(), 1, "the root alone was open");
}

/// The bytes of a log with trees of these depths, three moves at every node.
fn bytes_of_trees(depths: &[u32]) -> usize {
    let log = log();
    for &depth in depths {
        let mut tree = tree(&log, Options::default());
        full(&mut tree, 0, depth, 3);
        tree.finish().unwrap();
    }
    log.into_memory().unwrap().len()
}

/// A tree begins with the encodings that served the one before. Those of a small tree suit no large one.
#[test]
fn a_tree_takes_no_more_room_for_the_trees_before_it() {
    let alone = bytes_of_trees(&[9]) - bytes_of_trees(&[]);
    for before in [&[0][..], &[1], &[2, 3], &[1, 2, 3, 4, 5, 6, 7, 8], &[9], &[10, 0]] {
        let after = bytes_of_trees(&[before, &[9]].concat()) - bytes_of_trees(before);
        assert!(after <= alone + alone / 50 + 32, "{after} bytes after {before:?}, {alone} alone");
    }
}

#[test]
fn a_tree_that_was_given_up_in_a_block_leaves_nothing_to_the_next() {
    let log = log();
    let mut given_up = tree(&log, Options::default());
    given_up.enter(0).unwrap();
    (1..5000).for_each(|mv| {
        given_up.enter(mv).unwrap();
        given_up.leave(&Node { best: mv as i32 }).unwrap();
    });
    drop(given_up);
    let mut next = tree(&log, Options::default());
    full(&mut next, 0, 2, 2);
    next.finish().unwrap();
    let log = read(log);
    assert_eq!(log.tree(1).unwrap().nodes(), 7);
    let mut walker = Walker::new(log.tree(1).unwrap());
    let root = walker.root();
    assert_eq!(walker.value(root, 0).unwrap(), Value::Int(2));
}
