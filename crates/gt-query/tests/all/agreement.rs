//! The evaluators agree, on random trees and random queries of the whole grammar.

use gt_query::live::{Live, LiveError};
use gt_query::tools::parse;
use gt_query::{Answer, Environment, ErrorKind, Value, compile, plain_tree, reference};
use proptest::prelude::*;
use std::sync::{Arc, Mutex};

/// Compiles a random query; `None` where its constants overflow or are to give an order, which are the errors it may have.
fn program(text: &str) -> Option<gt_query::Program> {
    let (schema, moves) = (crate::support::random::schema(), crate::support::random::moves());
    let environment = Environment::new(&schema).with_moves(&moves).with_parameter("x", Value::Integer(2));
    match compile(text, &environment) {
        Ok(program) => Some(program),
        Err(errors) => {
            let rendered = gt_query::render_all(&errors, "query", text);
            let of_constants =
                |kind: &ErrorKind| matches!(kind, ErrorKind::ConstantOverflow | ErrorKind::ConstantOrder);
            assert!(errors.iter().all(|error| of_constants(&error.kind)), "{rendered}");
            None
        }
    }
}

proptest! {
    #![proptest_config(crate::support::cases(1000))]

    #[test]
    fn live_agrees_with_the_reference(text in crate::support::random::query_file(), tree in crate::support::random::tree(30)) {
        let Some(program) = program(&text) else { return Ok(()) };
        if !program.twins.is_empty() {
            prop_assert_eq!(Live::new(Arc::new(program)).err(), Some(LiveError::Twins));
            return Ok(());
        }
        let expected = reference::answer(&program, &tree.0);
        let found = crate::support::live(&program, &tree.0);
        for ((query, expected), found) in program.queries.iter().zip(&expected).zip(&found) {
            prop_assert_eq!(expected, found, "{}", query.text);
        }
    }

    #[test]
    fn matches_are_delivered_once_each(text in crate::support::random::query_file(), tree in crate::support::random::tree(20)) {
        let Some(program) = program(&text).filter(|program| program.twins.is_empty()) else { return Ok(()) };
        let expected = reference::answer(&program, &tree.0);
        let delivered = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&delivered);
        let live = Live::new(Arc::new(program.clone())).expect("no twins")
            .with_callback(move |found| sink.lock().unwrap().push((found.query, found.node_id)));
        let live = crate::support::feed(live, &tree.0);
        let delivered = delivered.lock().unwrap().clone();
        for (query, expected) in expected.iter().enumerate() {
            let mut nodes: Vec<u64> = delivered.iter().filter(|(q, _)| *q == query).map(|(_, id)| *id).collect();
            nodes.sort_unstable();
            prop_assert_eq!(live.matches(query), nodes.len() as u64);
            match expected {
                Ok(Answer::Nodes(expected)) if !program.queries[query].text.contains("limit ") => {
                    let mut expected = expected.clone();
                    expected.sort_unstable();
                    prop_assert_eq!(&expected, &nodes);
                }
                Ok(Answer::Count(count)) => prop_assert_eq!(*count, nodes.len() as u64),
                _ => {}
            }
        }
    }

    #[test]
    fn a_tree_is_the_same_as_text(tree in crate::support::random::tree(30)) {
        let text = plain_tree::print(&tree.0, &crate::support::random::moves());
        let (again, _) = plain_tree::parse(&text).unwrap();
        prop_assert_eq!(again, tree.0);
    }

    #[test]
    fn printing_and_parsing_gives_the_same(text in crate::support::random::query_file()) {
        let parsed = parse(&text);
        prop_assert!(parsed.errors.is_empty());
        let printed = parsed.file.to_string();
        let again = parse(&printed);
        prop_assert!(again.errors.is_empty(), "{}", printed);
        prop_assert_eq!(&again.file, &parsed.file, "{}", printed);
    }

    #[test]
    fn the_text_of_a_bound_query_stands_for_itself(text in crate::support::random::query_file(), tree in crate::support::random::tree(12)) {
        let Some(bound) = program(&text) else { return Ok(()) };
        let expected = reference::answer(&bound, &tree.0);
        for (query, expected) in bound.queries.iter().zip(&expected) {
            let alone = program(&query.text).expect("it was bound before");
            let found = reference::answer(&alone, &tree.0);
            prop_assert_eq!(found.len(), 1);
            match (expected, &found[0]) {
                (Ok(expected), Ok(found)) => prop_assert_eq!(expected, found, "{}", &query.text),
                (expected, found) => prop_assert_eq!(expected.is_err(), found.is_err(), "{}", &query.text),
            }
        }
    }
}
