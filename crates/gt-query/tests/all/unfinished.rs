//! Searches that were stopped in the middle: open nodes have the values that they were entered with and lack the others,
//! in the engine as in the reference.

use crate::engine_support::{answers, put};
use gt_log::{Flush, Header, Log, LogWriter, Metadata, Options, Row, Schema};
use gt_query::plain_tree::{PlainTree, Visit};
use gt_query::{Environment, Value, compile, reference};
use proptest::prelude::*;

/// How a search ends.
#[derive(Clone, Copy, Debug)]
enum End {
    /// It gives the tree up.
    Abandoned,
    /// The program is killed: no index, no end of the tree.
    Killed,
}

/// Which attributes a node has when it is entered.
#[derive(Clone, Copy, Debug)]
struct Entered(u16);

impl Entered {
    fn values(self, values: &[Option<Value>]) -> Vec<Option<Value>> {
        let known =
            |(place, value): (usize, &Option<Value>)| value.clone().filter(|_| self.0 >> place & 1 == 1);
        values.iter().enumerate().map(known).collect()
    }
}

fn store(schema: &Schema, row: &mut Row<'_>, values: &[Option<Value>]) -> Result<(), String> {
    schema
        .attributes()
        .iter()
        .zip(values)
        .for_each(|(attribute, value)| put(row, attribute.kind, value.as_ref()));
    Ok(())
}

/// The log of the first so many steps of a search, and the tree that it is the log of.
fn stopped(tree: &PlainTree, steps: usize, entered: Entered, rows: usize, end: End) -> (Log, PlainTree) {
    let log = LogWriter::to_memory(Header::new("random", tree.schema().clone())).expect("memory");
    let flush = Flush { nodes_max: rows, time_ms_max: None };
    let mut writer =
        log.dynamic_tree(&Metadata::new(), Options { flush, ..Options::default() }).expect("a tree");
    let mut expected = PlainTree::new(tree.schema().clone());
    for visit in tree.walk().into_iter().take(steps) {
        match visit {
            Visit::Enter(number) => {
                let node = &tree.nodes()[number];
                let known = entered.values(&node.values);
                writer
                    .enter_with(node.last_move, |schema, row| store(schema, row, &known))
                    .expect("one root");
                expected.push(node.parent, node.last_move, known).expect("preorder");
                expected.node_mut(number).expect("just made").unfinished = true;
            }
            Visit::Leave(number) => {
                let node = &tree.nodes()[number];
                writer.leave_with(|schema, row| store(schema, row, &node.values)).expect("the values fit");
                let left = expected.node_mut(number).expect("it was entered");
                (left.values, left.unfinished) = (node.values.clone(), false);
            }
        }
    }
    match end {
        End::Abandoned => drop(writer.abandon(&Metadata::new()).expect("memory")),
        End::Killed => {
            writer.flush().expect("memory");
            std::mem::forget(writer);
        }
    }
    let mut bytes = log.into_memory().expect("the bytes");
    if matches!(end, End::Killed) {
        // Into the trailer: there is no index to be found.
        bytes.truncate(bytes.len() - 4);
    }
    (Log::from_bytes(bytes).expect("a log"), expected)
}

proptest! {
    #![proptest_config(crate::support::cases(400))]

    #[test]
    fn what_was_not_logged_is_unknown(
        text in crate::support::random::query_file(),
        tree in crate::support::random::tree(40),
        steps in 1..80_usize,
        entered in prop_oneof![Just(0_u16), Just(u16::MAX), any::<u16>()].prop_map(Entered),
        rows in proptest::sample::select(vec![1_usize, 2, 3, 7, 100]),
        end in proptest::sample::select(vec![End::Abandoned, End::Killed]),
    ) {
        let (schema, moves) = (crate::support::random::schema(), crate::support::random::moves());
        let environment = Environment::new(&schema).with_moves(&moves).with_parameter("x", Value::Integer(2));
        let Ok(program) = compile(&text, &environment) else { return Ok(()) };
        let (log, tree) = stopped(&tree.0, steps, entered, rows, end);
        prop_assume!(log.tree_count() == 1);
        let expected = reference::answer(&program, &tree);
        let found = answers(&program, &log, 2);
        for ((query, expected), found) in program.queries.iter().zip(&expected).zip(&found) {
            // Which of several overflows is reported may differ; that there is one may not.
            match (expected, found) {
                (Ok(expected), Ok(found)) => prop_assert_eq!(expected, found, "{}", query.text),
                (expected, found) => prop_assert_eq!(expected.is_err(), found.is_err(), "{}", query.text),
            }
        }
    }
}
