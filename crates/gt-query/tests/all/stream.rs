//! Rows that are handed over while they are found, the progress of a run, and what it may hold in memory.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::engine_support::{Cut, log_of};
use gt_log::{Artificial, Flush, Kind, Log, LogWriter, Schema, Shape};
use gt_query::answer::MemoryUse;
use gt_query::engine::{self, Failure, Finding, Options};
use gt_query::ir::ResultColumn;
use gt_query::plain_tree::PlainTree;
use gt_query::stream::{Progress, RowSink, stream};
use gt_query::{Answer, Environment, Program, Value, compile};

/// 55,987 nodes in blocks of 1,000.
fn log() -> Log {
    full_tree(6, 6)
}

/// A tree in blocks of 1,000 nodes.
fn full_tree(branching: u64, depth: usize) -> Log {
    let writer = LogWriter::to_memory(Artificial::header().unwrap()).unwrap();
    let options =
        gt_log::Options { flush: Flush { nodes_max: 1000, time_ms_max: None }, ..Default::default() };
    let tree = Artificial { shape: Shape::Full, depth, branching, seed: 3 };
    tree.write(&writer, options, |_| ()).unwrap();
    Log::from_bytes(writer.into_memory().unwrap()).unwrap()
}

fn bound(log: &Log, text: &str) -> Program {
    compile(text, &Environment::new(log.schema())).unwrap()
}

/// Keeps the rows of each query, and breaks off after so many batches.
#[derive(Default)]
struct Kept {
    headings: Vec<(usize, Vec<String>)>,
    rows: Vec<(usize, Vec<Vec<Option<Value>>>)>,
    batches_max: Option<usize>,
}

impl RowSink for Kept {
    fn begin(&mut self, query: usize, columns: &[ResultColumn]) {
        self.headings.push((query, columns.iter().map(|column| column.heading.clone()).collect()));
    }

    fn rows(&mut self, query: usize, rows: Vec<Vec<Option<Value>>>) -> ControlFlow<()> {
        assert!(self.headings.iter().any(|(begun, _)| *begun == query), "rows before `begin`");
        assert!(!rows.is_empty());
        self.rows.push((query, rows));
        let is_enough = self.batches_max.is_some_and(|most| self.rows.len() >= most);
        if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

const QUERIES: &str = "node: best > 5 select node_id, best, @line

node: best > 5 select best order by best, node_id desc limit 7

node: best > 1000 select node_id

node: count(best > 5)

node: best > 5 select node_id limit 5000

node: best > 5";

#[test]
fn rows_go_to_the_sink_and_the_rest_is_answered() {
    let log = log();
    let (program, tree) = (bound(&log, QUERIES), log.tree(0).unwrap());
    let whole = engine::run(&program, tree, &Options::default()).unwrap().answers;
    let mut kept = Kept::default();
    let found = stream(&program, tree, &Options::default(), &mut kept).unwrap().found;

    let begun: Vec<usize> = kept.headings.iter().map(|(query, _)| *query).collect();
    assert_eq!(begun, [0, 1, 2, 4]);
    assert_eq!(kept.headings[0].1, ["node_id", "best", "@line"]);
    assert!(kept.rows.iter().filter(|(query, _)| *query == 0).count() > 1, "all rows in one batch");
    for (query, (found, whole)) in found.into_iter().zip(whole).enumerate() {
        let (found, whole) = (found.unwrap(), whole.unwrap());
        let of_query = kept.rows.iter().filter(|(of, _)| *of == query);
        let streamed: Vec<_> = of_query.flat_map(|(_, rows)| rows.clone()).collect();
        match (found, whole) {
            (Finding::Answer(Answer::Count(count)), Answer::Rows { rows, .. }) => {
                assert_eq!((count, &streamed), (rows.len() as u64, &rows), "query {query}");
            }
            (other, whole) => {
                assert!(streamed.is_empty(), "query {query}");
                assert_eq!(other.into_answer(&Options::default()).unwrap(), whole, "query {query}");
            }
        }
    }
}

/// Rows with lines of moves do not wait for the last block.
#[test]
fn rows_with_lines_come_while_blocks_are_read() {
    struct Shown<'a> {
        blocks_done: &'a AtomicU64,
        first_at: Option<u64>,
        rows: u64,
        at_once: usize,
    }
    impl RowSink for Shown<'_> {
        fn begin(&mut self, _: usize, _: &[ResultColumn]) {}
        fn rows(&mut self, _: usize, rows: Vec<Vec<Option<Value>>>) -> ControlFlow<()> {
            self.first_at.get_or_insert(self.blocks_done.load(Relaxed));
            for row in &rows {
                let [Some(Value::Integer(node_id)), Some(Value::Line(line))] = row.as_slice() else {
                    panic!("{row:?}")
                };
                assert_eq!(*node_id, i128::from(self.rows));
                assert!(line.len() <= 7);
                self.rows += 1;
            }
            self.at_once = self.at_once.max(rows.len());
            ControlFlow::Continue(())
        }
    }

    let log = full_tree(8, 6);
    let tree = log.tree(0).unwrap();
    let (blocks_done, blocks) = (AtomicU64::new(0), AtomicU64::new(0));
    let note = |progress: Progress| {
        blocks_done.store(progress.blocks_done, Relaxed);
        blocks.store(progress.blocks, Relaxed);
    };
    let options = Options { threads: 1, progress: Some(&note), ..Options::default() };
    let mut shown = Shown { blocks_done: &blocks_done, first_at: None, rows: 0, at_once: 0 };
    stream(&bound(&log, "select node_id, @line"), tree, &options, &mut shown).unwrap();
    assert_eq!(shown.rows, tree.nodes());
    assert!(shown.at_once < 10_000, "{} rows at once", shown.at_once);
    // The last of the passes over all blocks finds the rows.
    let (first_at, blocks) = (shown.first_at.unwrap(), blocks.load(Relaxed));
    assert!(
        first_at + tree.block_count() as u64 / 2 < blocks,
        "the first row came after {first_at} of {blocks} blocks"
    );
}

/// Values of every kind, in more rows than are kept at once, against a plain sort.
#[test]
fn ordered_rows_are_those_of_a_plain_sort() {
    let kinds = [("small", Kind::I8), ("large", Kind::U64), ("ratio", Kind::F64), ("name", Kind::Text)];
    let mut tree = PlainTree::new(Schema::new(kinds).unwrap());
    for node in 0..3000_u64 {
        let mixed = node.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let known = |place: u64| !(mixed >> place).is_multiple_of(9);
        let (small, ratio) = ((mixed >> 56) as i8, (mixed >> 40 & 63) as f64 / 8.0 - 3.0);
        let large = if mixed & 1 == 0 { u64::MAX - (mixed >> 61) } else { mixed >> (mixed >> 8 & 63) };
        let values = [
            Some(Value::Integer(small.into())),
            Some(Value::Integer(large.into())),
            Some(Value::Float(ratio)),
            Some(Value::text(["", "a", "b", "ba"][(mixed >> 20 & 3) as usize])),
        ];
        let values = values.into_iter().enumerate();
        let values = values.map(|(place, value)| value.filter(|_| known(7 * place as u64))).collect();
        tree.push((node > 0).then(|| (node as usize - 1) / 40 * 40), 0, values).unwrap();
    }
    let log = log_of(&tree, Cut::rows(100));
    let of_log = log.tree(0).unwrap();
    let columns = "small, large, ratio, name, small > 3, node_id";
    let plain = engine::run(&bound(&log, &format!("select {columns}")), of_log, &Options::default()).unwrap();
    let Ok(Answer::Rows { rows: plain, .. }) = plain.answers[0].clone() else { panic!("rows") };
    for (order, keys) in [
        ("small", vec![(0, false)]),
        ("large desc", vec![(1, true)]),
        ("ratio, name desc", vec![(2, false), (3, true)]),
        ("name, small desc, large", vec![(3, false), (0, true), (1, false)]),
        ("small > 3 desc, ratio desc", vec![(4, true), (2, true)]),
    ] {
        let mut expected = plain.clone();
        expected.sort_by(|left, right| {
            let by_keys = keys.iter().map(|(key, descending)| match (&left[*key], &right[*key]) {
                (Some(left), Some(right)) if *descending => right.order(left),
                (Some(left), Some(right)) => left.order(right),
                // Unknown values come last in either direction.
                (left, right) => left.is_none().cmp(&right.is_none()),
            });
            by_keys.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        });
        for limit in [usize::MAX, 700, 5, 0] {
            let mut text = format!("select {columns} order by {order}");
            if limit < usize::MAX {
                text += &format!(" limit {limit}");
            }
            expected.truncate(limit);
            let program = bound(&log, &text);
            let answer =
                engine::run(&program, of_log, &Options::default()).unwrap().answers.remove(0).unwrap();
            let Answer::Rows { rows, .. } = answer else { panic!("{text}") };
            assert!(rows == expected, "{text}");
            let mut kept = Kept::default();
            let found = stream(&program, of_log, &Options::default(), &mut kept).unwrap().found.remove(0);
            assert!(
                matches!(found, Ok(Finding::Answer(Answer::Count(count))) if count == rows.len() as u64),
                "{text}"
            );
            let given: Vec<_> = kept.rows.into_iter().flat_map(|(_, rows)| rows).collect();
            assert!(given == expected, "{text}");
        }
    }
}

/// Where a cell that would be shown overflows there is no answer, and nothing is passed on; beyond the limit it is no matter.
#[test]
fn an_overflow_in_an_ordered_row() {
    let mut tree = PlainTree::new(Schema::new([("big", Kind::I64)]).unwrap());
    for node in 0..50_i128 {
        let big = if node == 30 { i128::from(i64::MAX) } else { node };
        tree.push((node > 0).then_some(0), 0, vec![Some(Value::Integer(big))]).unwrap();
    }
    let log = log_of(&tree, Cut::rows(7));
    for (text, expected) in [
        ("select big + 1 order by big", Err(Some(30))),
        ("select big + 1 order by big desc limit 3", Err(Some(30))),
        ("select big + 1 order by big limit 49", Ok(49)),
    ] {
        let mut kept = Kept::default();
        let run = stream(&bound(&log, text), log.tree(0).unwrap(), &Options::default(), &mut kept);
        let found = run.unwrap().found.remove(0);
        let given: usize = kept.rows.iter().map(|(_, rows)| rows.len()).sum();
        match (found, expected) {
            (Ok(Finding::Answer(Answer::Count(count))), Ok(rows)) => {
                assert_eq!((count, given), (rows as u64, rows), "{text}");
            }
            (Err(error), Err(node)) => assert_eq!((error.node, given), (node, 0), "{text}"),
            (found, _) => panic!("{text}: {found:?}"),
        }
    }
}

#[test]
fn a_sink_that_breaks_off_ends_the_run() {
    let log = log();
    let mut kept = Kept { batches_max: Some(1), ..Kept::default() };
    let stopped =
        stream(&bound(&log, QUERIES), log.tree(0).unwrap(), &Options::default(), &mut kept).unwrap_err();
    assert!(matches!(stopped, Failure::Cancelled));
    assert_eq!(kept.rows.len(), 1);
}

/// Progress goes up to all blocks, whatever passes a query needs.
#[test]
fn progress_ends_where_all_blocks_are_done() {
    let log = log();
    let queries = [
        "node: count(best > 5)",
        "path: count(best > 5) > 2 select best",
        "let zeros = subtree: count(best = 0) node: best = 0; path: max(zeros) > 3000",
        QUERIES,
    ];
    for text in queries {
        for threads in [1, 2] {
            let told = Mutex::new(Vec::new());
            let note = |progress: Progress| told.lock().unwrap().push(progress);
            let options = Options { threads, progress: Some(&note), ..Options::default() };
            engine::run(&bound(&log, text), log.tree(0).unwrap(), &options).unwrap();
            let told = told.into_inner().unwrap();
            assert!(told.is_sorted_by_key(|progress| progress.blocks_done), "{text}: {told:?}");
            assert!(told.iter().all(|progress| progress.blocks == told[0].blocks), "{text}: {told:?}");
            let last = told.last().unwrap();
            assert_eq!(last.blocks_done, last.blocks, "{text}");
            assert!(last.blocks >= log.tree(0).unwrap().block_count() as u64, "{text}");
        }
    }
}

#[test]
fn groups_and_ordered_rows_have_a_bound_of_memory() {
    let log = log();
    let run = |text: &str, memory: usize| {
        let options = Options { memory, ..Options::default() };
        engine::run(&bound(&log, text), log.tree(0).unwrap(), &options)
    };
    let too_large = |text: &str, memory: usize| match run(text, memory) {
        Err(Failure::TooLarge { what, bytes }) => {
            assert!(bytes > memory, "{text}: {bytes} bytes");
            what
        }
        other => panic!("{text}: {other:?}"),
    };
    const SMALL: usize = 1 << 20;
    assert_eq!(too_large("group by node_id select node_id, count(*)", SMALL), MemoryUse::Groups);
    assert_eq!(too_large("select best order by best", SMALL / 2), MemoryUse::Rows);
    assert_eq!(too_large("order by best", SMALL / 2), MemoryUse::Rows);
    // A row of two small numbers takes some twenty bytes.
    assert!(run("select best order by best", 2 * SMALL).is_ok());
    assert_eq!(too_large("node: count(distinct node_id)", SMALL), MemoryUse::Values);
    assert_eq!(too_large("group by best / 5 select median(node_id)", SMALL), MemoryUse::Groups);
    // Few groups, few rows, and rows without an order are no matter.
    for text in [
        "group by best select best, count(*), median(best), count(distinct best)",
        "select best order by best limit 10",
        "select best order by best desc limit 2000",
        "order by best limit 10",
        "select node_id, best",
        "node: *",
    ] {
        let (small, large) = (run(text, SMALL).unwrap(), run(text, usize::MAX).unwrap());
        assert_eq!(small.answers, large.answers, "{text}");
    }
    // What the queries of a file hold counts together.
    let groups = "group by node_id / 8 select count(*)";
    assert!(run(groups, SMALL).is_ok());
    assert_eq!(too_large(&[groups; 9].join("\n\n"), SMALL), MemoryUse::Groups);
}

#[test]
fn what_is_too_large_is_told_with_its_mend() {
    let told = |what| Failure::TooLarge { what, bytes: (1 << 20) + 1 }.to_string();
    assert_eq!(
        told(MemoryUse::Groups),
        "the groups take 2 MiB and more; group by a coarser key, or allow more: `gt query --memory SIZE`"
    );
    assert!(told(MemoryUse::Rows).contains("add `limit N`"));
}
