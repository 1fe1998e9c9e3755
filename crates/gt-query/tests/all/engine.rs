//! The engine agrees with the reference: random trees, random queries of the whole grammar, any blocks, any threads.

use crate::engine_support::{Cut, answers, log_of};
use gt_query::{Environment, ErrorKind, Program, Value, compile, reference};
use proptest::prelude::*;
use proptest::sample::select;

/// Compiles a random query; `None` where its constants overflow or are to give an order, which are the errors it may have.
fn program(text: &str) -> Option<Program> {
    let (schema, moves) = (crate::support::random::schema(), crate::support::random::moves());
    let environment = Environment::new(&schema).with_moves(&moves).with_parameter("x", Value::Integer(2));
    match compile(text, &environment) {
        Ok(program) => Some(program),
        Err(errors) => {
            let of_constants =
                |kind: &ErrorKind| matches!(kind, ErrorKind::ConstantOverflow | ErrorKind::ConstantOrder);
            assert!(errors.iter().all(|error| of_constants(&error.kind)), "{errors:?}");
            None
        }
    }
}

fn cut() -> impl Strategy<Value = Cut> {
    let rows = select(vec![1, 2, 3, 4, 5, 7, 11, 100]);
    let at_every_enter = select(vec![0, 0, 0, 1, 2, 5]);
    (rows, at_every_enter, 0..20_u8).prop_map(|(rows, at_every_enter, compact)| Cut {
        rows,
        at_every_enter,
        compact: compact == 0,
    })
}

proptest! {
    #![proptest_config(crate::support::cases(1000))]

    #[test]
    fn it_agrees_with_the_reference(
        text in crate::support::random::query_file(),
        tree in crate::support::random::tree(40),
        cut in cut(),
        threads in 1..4_usize,
    ) {
        let Some(program) = program(&text) else { return Ok(()) };
        let expected = reference::answer(&program, &tree.0);
        let found = answers(&program, &log_of(&tree.0, cut), threads);
        prop_assert_eq!(found.len(), expected.len());
        for ((query, expected), found) in program.queries.iter().zip(&expected).zip(&found) {
            // Which of several overflows is reported may differ; that there is one may not.
            match (expected, found) {
                (Ok(expected), Ok(found)) => prop_assert_eq!(expected, found, "{}", query.text),
                (expected, found) => prop_assert_eq!(expected.is_err(), found.is_err(), "{}", query.text),
            }
        }
    }
}

#[test]
fn the_goldens_are_answered_alike() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("gtql");
    let mut asked = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of goldens") {
        let golden = std::fs::read_to_string(entry.expect("an entry").path()).expect("a golden");
        let mut sections = golden.split("====\n");
        let tree_text = sections.next().expect("a tree");
        let (tree, moves) = gt_query::plain_tree::parse(tree_text).expect("a tree in text");
        let environment =
            Environment::new(tree.schema()).with_moves(&moves).with_parameter("x", Value::Integer(2));
        let logs = [1, 2, 3, 1000].map(|rows| log_of(&tree, Cut::rows(rows)));
        for section in sections {
            let query = section.split("----\n").next().unwrap_or("").trim_end_matches('\n');
            let Ok(program) = compile(query, &environment) else { continue };
            let expected = reference::answer(&program, &tree);
            for log in &logs {
                assert_eq!(answers(&program, log, 2), expected, "{query}");
            }
            asked += program.queries.len();
        }
    }
    assert!(asked > 100, "only {asked} queries of the goldens were asked");
}

/// An aggregate over siblings that reads the node too is made pair by pair: its sum must not lose its overflow there.
#[test]
fn sums_of_pairs_overflow() {
    let text = "attributes hash:u64\n\
                a hash=1\n  b hash=1\n  c hash=9223372036854775809\n  d hash=2\n  e hash=9223372036854775809\n  f hash=6\n";
    let (tree, moves) = gt_query::plain_tree::parse(text).expect("a tree in text");
    let environment = Environment::new(tree.schema()).with_moves(&moves);
    let queries = [
        "before: sum(hash) = 0",
        "before: sum(hash & []hash) = sum(0)",
        "before: sum(if(hash > 5, hash, 0)) = 0",
        "after: sum(hash & []hash) = 0",
    ];
    for query in queries {
        let program = compile(query, &environment).expect("a query");
        let expected = reference::answer(&program, &tree);
        assert!(expected[0].is_err(), "{query}");
        for rows in [1, 2, 3, 100] {
            let found = answers(&program, &log_of(&tree, Cut::rows(rows)), 2);
            assert!(found[0].is_err(), "{query}, {rows} rows a block: {found:?}");
        }
    }
}
