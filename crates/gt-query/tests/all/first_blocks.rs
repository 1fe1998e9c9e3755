//! Lists with a limit: the first blocks of a log may be enough for them.

use std::ops::ControlFlow;

use gt_log::{Artificial, Flush, Log, LogWriter, Shape};
use gt_query::engine::{self, Options};
use gt_query::ir::ResultColumn;
use gt_query::stream::{RowSink, stream};
use gt_query::{Answer, Environment, Program, Value, compile, reference};
use proptest::prelude::*;
use proptest::sample::select;

use crate::engine_support::{Cut, log_of};

/// The rows that are handed over.
#[derive(Default)]
struct Given(Vec<Vec<Option<Value>>>);

impl RowSink for Given {
    fn begin(&mut self, _: usize, _: &[ResultColumn]) {}

    fn rows(&mut self, _: usize, rows: Vec<Vec<Option<Value>>>) -> ControlFlow<()> {
        self.0.extend(rows);
        ControlFlow::Continue(())
    }
}

fn program(text: &str) -> Program {
    let (schema, moves) = (crate::support::random::schema(), crate::support::random::moves());
    compile(text, &Environment::new(&schema).with_moves(&moves)).unwrap()
}

/// Conditions and cells of one row, and some of others.
fn list() -> impl Strategy<Value = String> {
    let truth = select(vec![
        "*",
        "best > 1",
        "type & 1",
        "@ply > 2",
        "@ply <= 2",
        "@size > 1",
        "@size = 1",
        "label = \"a\"",
        "best is unknown",
        "flag or ratio > 0",
        "not @unfinished",
        "best * big > 0",
        "node_id % 3 = 0",
        "[^]best > 0",
        "@children > 1",
    ]);
    let clauses = select(vec![
        "",
        " select node_id, best",
        " select *",
        " select @ply, @size, last_move, label",
        " select hash * hash, node_id",
        " select @line, node_id",
        " select [^]best",
    ]);
    (truth, clauses, 0..12_u32)
        .prop_map(|(truth, clauses, limit)| format!("node: {truth}{clauses} limit {limit}"))
}

proptest! {
    #![proptest_config(crate::support::cases(300))]

    #[test]
    fn lists_with_a_limit_agree_with_the_reference(
        text in list(),
        tree in crate::support::random::tree(200),
        rows in 1..4_usize,
        threads in 1..4_usize,
    ) {
        let program = program(&text);
        let log = log_of(&tree.0, Cut::rows(rows));
        let log_tree = log.tree(0).unwrap();
        let options = Options { threads, ..Options::default() };
        let expected = &reference::answer(&program, &tree.0)[0];
        let found = &engine::run(&program, log_tree, &options).unwrap().answers[0];
        prop_assert_eq!(found, expected, "{}", text);
        if let Ok(Answer::Rows { rows, .. }) = expected {
            let mut given = Given::default();
            let found = stream(&program, log_tree, &options, &mut given).unwrap().found;
            prop_assert_eq!(&given.0, rows, "{}", text);
            prop_assert!(found[0].is_ok(), "{}", text);
        }
    }
}

#[test]
fn most_blocks_are_not_read_where_the_first_are_enough() {
    let writer = LogWriter::to_memory(Artificial::header().unwrap()).unwrap();
    let options =
        gt_log::Options { flush: Flush { nodes_max: 500, time_ms_max: None }, ..Default::default() };
    let tree = Artificial { shape: Shape::Full, depth: 6, branching: 6, seed: 3 };
    tree.write(&writer, options, |_| ()).unwrap();
    let log = Log::from_bytes(writer.into_memory().unwrap()).unwrap();
    let blocks_read = |text: &str| {
        let program = compile(text, &Environment::new(log.schema())).unwrap();
        let tree = log.tree(0).unwrap();
        let stats = engine::run(&program, tree, &Options::default()).unwrap().stats;
        assert_eq!(stats.blocks, 112);
        stats.blocks_read + stats.blocks_skipped
    };
    for few in ["node: best = 0 limit 5", "node: best = 0 select node_id, best limit 5", "select * limit 700"]
    {
        assert!(blocks_read(few) < 25, "{few}: {}", blocks_read(few));
    }
    for all in [
        "node: best = 0",
        "node: best = 0 limit 10000",
        "node: best = 0 order by best limit 5",
        "node: best = 0; subtree: count(*) > 100000 limit 5",
    ] {
        assert!(blocks_read(all) >= 112, "{all}: {}", blocks_read(all));
    }
}
