//! Queries asked within a set of nodes: only these match, and all that is read is as it is without.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::engine_support::{Cut, log_of};
use gt_query::engine::{self, Finding, NodeSet, Options};
use gt_query::ir::{Anchor, Expr, Field, Operand, Operation, Origin, Part, ResultColumn, Step};
use gt_query::stream::{RowSink, stream};
use gt_query::{Answer, Environment, Program, Span, Value, compile, reference};
use proptest::prelude::*;
use proptest::sample::select;

/// Compiles a random query; `None` where its constants overflow or are to give an order.
fn program(text: &str) -> Option<Program> {
    let (schema, moves) = (crate::support::random::schema(), crate::support::random::moves());
    let environment = Environment::new(&schema).with_moves(&moves).with_parameter("x", Value::Integer(2));
    compile(text, &environment).ok()
}

/// The program with one more filter in each query: `node_id in (…)`.
fn filtered(program: &Program, ids: &BTreeSet<u64>) -> Program {
    let node_id = Operand { anchor: Anchor::Node, step: Step::Here, field: Field::NodeId };
    let number = |id: &u64| Expr::Constant(Some(Value::Integer((*id).into())));
    let items = std::iter::once(Expr::Read(node_id)).chain(ids.iter().map(number)).collect();
    let filter = Expr::Apply(Operation::In, items, Origin(Span::default()));
    let mut program = program.clone();
    program.queries.iter_mut().for_each(|query| query.filters.push((Part::Node, filter.clone())));
    program
}

/// The rows of each query that are handed over.
struct Rows(Vec<Vec<Vec<Option<Value>>>>);

impl RowSink for Rows {
    fn begin(&mut self, _: usize, _: &[ResultColumn]) {}

    fn rows(&mut self, query: usize, rows: Vec<Vec<Option<Value>>>) -> ControlFlow<()> {
        self.0[query].extend(rows);
        ControlFlow::Continue(())
    }
}

proptest! {
    #![proptest_config(crate::support::cases(300))]

    #[test]
    fn only_the_chosen_nodes_match(
        text in crate::support::random::query_file(),
        tree in crate::support::random::tree(40),
        chosen in proptest::collection::vec(any::<prop::sample::Index>(), 0..40),
        rows in select(vec![1, 2, 3, 5, 11, 100]),
        threads in 1..3_usize,
    ) {
        let Some(program) = program(&text) else { return Ok(()) };
        let ids: BTreeSet<u64> = chosen.iter().map(|index| index.index(tree.0.nodes().len()) as u64).collect();
        let expected = reference::answer(&filtered(&program, &ids), &tree.0);
        let log = log_of(&tree.0, Cut::rows(rows));
        let (log_tree, ids) = (log.tree(0).unwrap(), ids.into_iter().collect::<Vec<_>>());
        let set = NodeSet::checked(log_tree.nodes(), &ids).unwrap();
        let options = Options { threads, within: Some(&set), ..Options::default() };
        let found = engine::run(&program, log_tree, &options).unwrap().answers;
        let mut given = Rows(vec![Vec::new(); program.queries.len()]);
        let streamed = stream(&program, log_tree, &options, &mut given).unwrap().found;
        let counted = Options { count_only: true, ..options };
        let counted = engine::run(&program, log_tree, &counted).unwrap().answers;
        for (place, query) in program.queries.iter().enumerate() {
            let (found, counted) = (&found[place], &counted[place]);
            match &expected[place] {
                Ok(expected) => prop_assert_eq!(found.as_ref().ok(), Some(expected), "{}", query.text),
                Err(_) => prop_assert!(found.is_err(), "{}", query.text),
            }
            match found {
                Ok(Answer::Nodes(nodes)) => {
                    prop_assert_eq!(counted.as_ref().ok(), Some(&Answer::Count(nodes.len() as u64)));
                }
                Ok(Answer::Rows { rows, .. }) if gt_query::stream::is_streamed(&query.outcome) => {
                    prop_assert_eq!(&given.0[place], rows, "{}", query.text);
                    prop_assert!(matches!(&streamed[place], Ok(Finding::Answer(Answer::Count(count))) if *count == rows.len() as u64));
                }
                Ok(_) | Err(_) => {}
            }
        }
    }
}

/// Few nodes of many blocks, and none.
#[test]
fn a_few_nodes_of_many_blocks() {
    let mut tree =
        gt_query::plain_tree::PlainTree::new(gt_log::Schema::new([("best", gt_log::Kind::I32)]).unwrap());
    for node in 0..2000_usize {
        let parent = (node > 0).then(|| (node - 1) / 40 * 40);
        tree.push(parent, 0, vec![Some(Value::Integer(node as i128 % 17))]).unwrap();
    }
    let log = log_of(&tree, Cut::rows(100));
    let program = compile("node: best / 2 = 3", &Environment::new(log.schema())).unwrap();
    let tree = log.tree(0).unwrap();
    let run = |ids: &[u64]| {
        let set = NodeSet::of(tree.nodes(), ids);
        let outcome =
            engine::run(&program, tree, &Options { within: Some(&set), ..Options::default() }).unwrap();
        let Ok(Answer::Nodes(nodes)) = outcome.answers[0].clone() else { panic!("nodes") };
        (nodes, outcome.stats.matches[0])
    };
    assert_eq!(run(&[]), (vec![], 0));
    assert_eq!(run(&[6, 7, 8, 1706]), (vec![6, 7, 1706], 3));
    assert_eq!(NodeSet::checked(tree.nodes(), &[5, 2000, 9]), Err(2000));
}
