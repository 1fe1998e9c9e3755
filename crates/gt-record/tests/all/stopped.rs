//! Nodes that a search does not finish say what was known of them, and no more.

use std::sync::Mutex;

use gt_games::connect_four::{ConnectFour, Threats};
use gt_log::{Column, Log, LogWriter, Metadata, Value, Walker, status};
use gt_record::Recorder;
use gt_search::{EntryRecord, Limits, NodeType, Observer, Options, Plain, Record, Searcher, StoredTree};

fn attribute(log: &Log, name: &str) -> usize {
    log.schema().attributes().iter().position(|attribute| attribute.name == name).unwrap()
}

/// Whether every node of the last tree that is marked unfinished, and no other, lacks what is known at its end.
#[track_caller]
fn check_last_tree(log: &Log, what: &str) {
    let tree = log.trees().last().unwrap();
    let [ply, depth, beta, best, ended] =
        ["ply", "depth", "beta", "best", "ended"].map(|name| attribute(log, name));
    let stopped = Value::Int(log.schema().alias("Stopped").unwrap());
    let mut walker = Walker::new(tree);
    let mut unfinished = 0;
    for node in 0..tree.nodes() {
        let found = walker.find(node).unwrap();
        let bits = walker.integer(found.row, Column::Status).unwrap();
        let is_unfinished = bits & i64::from(status::UNFINISHED) != 0;
        let mut value = |attribute| walker.value(found.row, attribute).unwrap();
        assert_eq!(value(ply), Value::Int(found.line.len() as i64), "{what}");
        assert!(value(depth) != Value::Missing && value(beta) != Value::Missing, "{what}");
        assert_eq!(value(best) == Value::Missing, is_unfinished, "{what}, node {node}");
        assert_eq!(value(ended) == stopped, is_unfinished, "{what}, node {node}");
        unfinished += u64::from(is_unfinished);
    }
    assert!(unfinished > 1, "{what}: the root and at least a child were open");
}

#[test]
fn a_search_that_is_stopped_has_no_values_that_it_did_not_find() {
    let game = ConnectFour::new();
    let limits = Limits::nodes(3000);
    type Search<'a> = &'a dyn Fn(&mut Recorder<'_>);
    let searches: [(&str, Search<'_>); 4] = [
        ("strong", &|recorder| {
            Searcher::new(Threats, Options::selective()).search_observed(&game, &limits, recorder, |_| ());
        }),
        ("pvs", &|recorder| {
            Searcher::new(Threats, Options::default()).search_observed(&game, &limits, recorder, |_| ());
        }),
        ("alpha-beta", &|recorder| {
            Plain::AlphaBeta.search(&game, &Threats, &limits, recorder, |_| ());
        }),
        ("stored tree", &|recorder| {
            StoredTree::new(game, Threats, 1_000_000).search_observed(&limits, recorder, |_| ());
        }),
    ];
    for (name, search) in searches {
        let log = LogWriter::to_memory(gt_record::header("connect-four").unwrap()).unwrap();
        let mut recorder = Recorder::new(&log, Metadata::new());
        search(&mut recorder);
        recorder.finish().unwrap();
        check_last_tree(&Log::from_bytes(log.into_memory().unwrap()).unwrap(), name);
    }
}

/// A process that is killed leaves nodes that were entered and never left.
#[test]
fn a_node_that_is_never_left_keeps_what_was_known_at_its_entry() {
    let bytes = {
        let log = LogWriter::to_memory(gt_record::header("nim").unwrap()).unwrap();
        let mut recorder = Recorder::new(&log, Metadata::new());
        let root =
            EntryRecord { depth: 7, alpha: -5, beta: 9, node_type: NodeType::PV, ..EntryRecord::default() };
        let child = EntryRecord { ply: 1, depth: 6, alpha: -9, beta: 5, move_index: 3, ..root };
        Observer::<i64>::enter_known(&mut recorder, None, || root, || 0, || 0);
        Observer::<i64>::enter_known(&mut recorder, Some(4), || child, || 4, || 0);
        recorder.finish().unwrap_err();
        log.into_memory().unwrap()
    };
    let log = Log::from_bytes(bytes).unwrap();
    let mut walker = Walker::new(log.tree(0).unwrap());
    let child = walker.find(1).unwrap().row;
    let mut shown = |name: &str| walker.value(child, attribute(&log, name)).unwrap();
    assert_eq!((shown("ply"), shown("depth")), (Value::Int(1), Value::Int(6)));
    assert_eq!((shown("alpha"), shown("beta")), (Value::Int(-9), Value::Int(5)));
    assert_eq!((shown("move_index"), shown("type")), (Value::Int(3), Value::Int(1)));
    for unknown in ["best", "static_eval", "table_hit", "ended"] {
        assert_eq!(shown(unknown), Value::Missing, "{unknown}");
    }
}

/// Takes so many bytes, and refuses the rest as a full disk does.
struct SmallDisk(usize);

impl std::io::Write for SmallDisk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_told_once_and_when_it_happens() {
    let log = LogWriter::to_writer(SmallDisk(2500), gt_record::header("nim").unwrap()).unwrap();
    let told = Mutex::new(Vec::new());
    let mut recorder = Recorder::new(&log, Metadata::new())
        .background(false)
        .on_error(|error| told.lock().unwrap().push(error.to_string()));
    let mut trees_after = 0;
    for _ in 0..20 {
        Observer::<i64>::begin(&mut recorder, 1);
        Observer::<i64>::enter(&mut recorder, None);
        for mv in 0..2000 {
            Observer::<i64>::enter(&mut recorder, Some(mv));
            let record = Record { best: (mv * 7919 % 1009) as i32, ..Record::default() };
            Observer::<i64>::leave(&mut recorder, &record);
        }
        Observer::<i64>::leave(&mut recorder, &Record::default());
        trees_after += usize::from(!told.lock().unwrap().is_empty());
    }
    assert_eq!(told.lock().unwrap().len(), 1);
    assert!(trees_after > 10, "told in the middle of the work");
    assert!(recorder.finish().is_err());
    assert!(log.finish().is_err(), "a log that lacks trees gets no index");
}
