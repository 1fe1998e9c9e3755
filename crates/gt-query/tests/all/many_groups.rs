//! So many groups that they are divided by their hashes: the answers are those of the reference, and the bound of
//! memory does not depend on how a tree is cut into blocks or on the threads.

use crate::engine_support::{Cut, log_of};
use gt_log::{Kind, Log, Schema};
use gt_query::engine::{self, Failure, Options};
use gt_query::plain_tree::PlainTree;
use gt_query::{Environment, Program, Value, compile, reference};

const NODES: i128 = 90_000;

/// A star whose nodes have one of 41,000 keys, or none.
fn tree() -> PlainTree {
    let schema =
        Schema::new([("key", Kind::I64), ("best", Kind::I32), ("name", Kind::Text)]).expect("a schema");
    let mut tree = PlainTree::new(schema);
    for number in 0..NODES {
        let key = number * 7919 % 41_000;
        let values = vec![
            (key != 17).then_some(Value::Integer(key << 40)),
            Some(Value::Integer(number * 31 % 1000 - 500)),
            Some(Value::text(&format!("n{}", number * 13 % 300))),
        ];
        tree.push((number > 0).then_some(0), 0, values).expect("preorder");
    }
    tree
}

fn cuts(tree: &PlainTree) -> Vec<(Log, usize)> {
    [(700, 1), (9000, 3), (65_536, 2)].map(|(rows, threads)| (log_of(tree, Cut::rows(rows)), threads)).into()
}

fn program(tree: &PlainTree, text: &str) -> Program {
    compile(text, &Environment::new(tree.schema())).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

#[test]
fn many_groups_agree_with_the_reference() {
    let tree = tree();
    let logs = cuts(&tree);
    for text in [
        "node: * group by key select key, count(*), sum(best), avg(best), max(best)",
        "node: best > 0 group by key, name select key, name, count(*), stddev(best) order by count(*) desc, key limit 50",
        "node: * group by key / 1000000000000000 select min(best), count(distinct name), median(best)",
        "node: * group by name select name, count(*), count(distinct key)",
        "node: * group by key select key, sum(best) order by sum(best), max(best) desc limit 3",
        "node: * group by key, best > 0 select key, min(best), sum(key) order by avg(best) desc limit 30000",
        "node: * group by key select count(*) order by count(*) limit 0",
    ] {
        let program = program(&tree, text);
        let expected = reference::answer(&program, &tree);
        for (log, threads) in &logs {
            let options = Options { threads: *threads, ..Options::default() };
            let found = engine::run(&program, log.tree(0).expect("a tree"), &options).expect("a sound log");
            assert!(found.answers == expected, "{text} with {threads} threads");
        }
    }
}

#[test]
fn the_bound_of_memory_is_exact() {
    let tree = tree();
    let logs = cuts(&tree);
    for text in [
        "node: * group by key select key, count(*)",
        "node: * group by name select count(distinct key)",
        "node: best > 300 group by key select sum(best), median(best)",
    ] {
        let program = program(&tree, text);
        let fits = |(log, threads): &(Log, usize), memory: usize| {
            let options = Options { threads: *threads, memory, ..Options::default() };
            match engine::run(&program, log.tree(0).expect("a tree"), &options) {
                Ok(_) => true,
                Err(Failure::TooLarge { bytes, .. }) if bytes > memory => false,
                other => panic!("{text}: {other:?}"),
            }
        };
        let (mut too_small, mut enough) = (0, 1 << 28);
        assert!(fits(&logs[2], enough), "{text}");
        while too_small + 1 < enough {
            let middle = too_small.midpoint(enough);
            *(if fits(&logs[2], middle) { &mut enough } else { &mut too_small }) = middle;
        }
        for log in &logs {
            assert!(
                fits(log, enough) && !fits(log, too_small),
                "{text}: {enough} bytes with {} threads",
                log.1
            );
        }
    }
}
