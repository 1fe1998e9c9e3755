//! Queries asked of some blocks of a tree: the parts add up to the answer of all of it.

use crate::engine_support::{Cut, log_of};
use gt_query::engine::{self, Options};
use gt_query::{Answer, Environment, Program, Value, compile};
use proptest::prelude::*;
use proptest::sample::select;

/// Compiles a random query; `None` where its constants overflow or are to give an order.
fn program(text: &str) -> Option<Program> {
    let (schema, moves) = (crate::support::random::schema(), crate::support::random::moves());
    let environment = Environment::new(&schema).with_moves(&moves).with_parameter("x", Value::Integer(2));
    compile(text, &environment).ok()
}

/// Each part's answer, and how many nodes match in it.
fn parts(program: &Program, tree: gt_log::Tree<'_>, cuts: &[usize]) -> Vec<engine::Outcome> {
    let ends = cuts.iter().copied().chain([tree.block_count()]);
    let mut start = 0;
    ends.map(|end| {
        let options = Options { threads: 1, blocks: Some((start, end)), ..Options::default() };
        start = end;
        engine::run(program, tree, &options).unwrap()
    })
    .collect()
}

proptest! {
    #![proptest_config(crate::support::cases(500))]

    #[test]
    fn parts_add_up(
        text in crate::support::random::query_file(),
        tree in crate::support::random::tree(40),
        rows in select(vec![1, 2, 3, 5, 11, 100]),
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 1..3),
    ) {
        let Some(program) = program(&text) else { return Ok(()) };
        let log = log_of(&tree.0, Cut::rows(rows));
        let tree = log.tree(0).unwrap();
        let mut cuts: Vec<usize> = cuts.iter().map(|index| index.index(tree.block_count() + 1)).collect();
        cuts.sort_unstable();
        let whole = engine::run(&program, tree, &Options::default()).unwrap();
        let parts = parts(&program, tree, &cuts);
        for (place, query) in program.queries.iter().enumerate() {
            let matches: u64 = parts.iter().map(|part| part.stats.matches[place]).sum();
            if whole.answers[place].is_err() {
                prop_assert!(parts.iter().any(|part| part.answers[place].is_err()), "{}", query.text);
                continue;
            }
            prop_assert_eq!(matches, whole.stats.matches[place], "{}", query.text);
            match &whole.answers[place] {
                Ok(Answer::Nodes(nodes)) if engine::is_divisible(&query.outcome) => {
                    let mut found = Vec::new();
                    for part in &parts {
                        let Ok(Answer::Nodes(part)) = &part.answers[place] else { panic!("nodes") };
                        found.extend_from_slice(part);
                    }
                    found.sort_unstable();
                    prop_assert_eq!(&found, nodes, "{}", query.text);
                }
                Ok(Answer::Rows { rows, .. }) if engine::is_divisible(&query.outcome) => {
                    let shown = |rows: &[Vec<Option<Value>>]| {
                        let mut shown: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
                        shown.sort_unstable();
                        shown
                    };
                    let mut found = Vec::new();
                    for part in &parts {
                        let Ok(Answer::Rows { rows, .. }) = &part.answers[place] else { panic!("rows") };
                        found.extend(rows.iter().cloned());
                    }
                    prop_assert_eq!(shown(&found), shown(rows), "{}", query.text);
                }
                Ok(_) | Err(_) => {}
            }
        }
    }
}

/// What a block tells alone is read of no other.
#[test]
fn other_blocks_are_not_read() {
    let mut tree =
        gt_query::plain_tree::PlainTree::new(gt_log::Schema::new([("best", gt_log::Kind::I32)]).unwrap());
    for node in 0..2000_usize {
        tree.push((node > 0).then_some(0), 0, vec![Some(Value::Integer(node as i128 % 17))]).unwrap();
    }
    let log = log_of(&tree, Cut::rows(100));
    let tree = log.tree(0).unwrap();
    let run = |text: &str, blocks| {
        let program = compile(text, &Environment::new(log.schema())).unwrap();
        let outcome =
            engine::run(&program, tree, &Options { blocks: Some(blocks), ..Options::default() }).unwrap();
        (outcome.stats.matches[0], outcome.stats.blocks_read)
    };
    assert_eq!(tree.block_count(), 20);
    assert_eq!(run("node: count(best = 3)", (5, 8)).1, 3);
    assert_eq!(run("node: count(*)", (5, 8)).0, 300);
    assert_eq!(run("node: count(*)", (19, 99)).0, 100);
    assert_eq!(run("node: count(*)", (40, 30)).0, 0);
    // What needs more than one block is answered with the first.
    let by_children = "node: count(*); child: count([]best = 3) > 0";
    assert_eq!((run(by_children, (0, 1)).0, run(by_children, (1, 20)).0), (1, 0));
}
