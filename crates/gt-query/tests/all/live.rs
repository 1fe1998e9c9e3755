//! The live evaluator: when matches come, what is held, and calls that do not fit.

use std::sync::{Arc, Mutex};

use gt_log::{Kind, Schema};
use gt_query::live::{Delivery, Live, LiveError, Match};
use gt_query::{Answer, Environment, Program, Value, compile};

fn program(text: &str) -> Arc<Program> {
    let schema = Schema::new([("best", Kind::I32), ("type", Kind::U8)]).expect("a legal schema");
    Arc::new(
        compile(text, &Environment::new(&schema))
            .unwrap_or_else(|e| panic!("{}", gt_query::render_all(&e, "q", text))),
    )
}

fn node(best: i128) -> [Value; 2] {
    [Value::Integer(best), Value::Integer(1)]
}

/// Enters and leaves a tree of this depth, each node with so many children; `best` is the node's index.
fn full_tree(live: &mut Live, depth: u32, children: u32, index: i128) {
    live.enter(0).unwrap();
    for child in 0..if depth > 0 { children } else { 0 } {
        full_tree(live, depth - 1, children, child.into());
    }
    live.leave(&node(index)).unwrap();
}

#[test]
fn each_query_says_when_it_delivers() {
    let check = |text: &str, expected: Delivery| {
        assert_eq!(Live::new(program(text)).unwrap().delivery(0), Some(expected), "{text}");
    };
    check("node: best > 1", Delivery::LeaveOfAncestor(0));
    check("node: [<]best > 1", Delivery::LeaveOfAncestor(0));
    check("subtree: count(best > 1) > 3", Delivery::LeaveOfAncestor(0));
    check("subtree: count([^]best > 1) > 3", Delivery::LeaveOfAncestor(0));
    check("child: count([]best > best) > 3", Delivery::LeaveOfAncestor(0));
    check("node: [>]best > 1", Delivery::LeaveAfterAncestor(0));
    check("node: [^]best > 1", Delivery::LeaveOfAncestor(1));
    check("node: [^^]best > 1", Delivery::LeaveOfAncestor(2));
    check("child: count([]best > [^]best) > 3", Delivery::LeaveOfAncestor(1));
    check("let q = [>]best\nnode: [^]q > 1", Delivery::LeaveAfterAncestor(1));
    check("let q = [^]best\nnode: [0]q > 1", Delivery::LeaveOfAncestor(0));
    check("node: [<3]best > [-2]best + [5]best", Delivery::LeaveOfAncestor(0));
    check("node: [>2]best > 1", Delivery::LeaveOfAncestor(1));
    check("before: count([]best > 1) > 3", Delivery::LeaveOfAncestor(0));
    check("before: count([]best > best) > 3", Delivery::LeaveOfAncestor(0));
    check("before: count([>]best > 1) > 3", Delivery::LeaveAfterAncestor(0));
    check("before: count([]best > [^]best) > 3", Delivery::LeaveOfAncestor(1));
    check("after: count(*) > 3", Delivery::LeaveOfAncestor(1));
    check("tree: max(best) > 3", Delivery::End);
    check("path: count(best > 1) > 3", Delivery::End);
    check("path: count(last_move = 7) > 3", Delivery::LeaveOfAncestor(0));
    check("path: max(@index) > 3", Delivery::LeaveOfAncestor(0));
    check("let q = subtree:count(best=1)\nlet p = path:sum(q)\nsubtree: max(p) > 1", Delivery::End);
}

#[test]
fn a_match_comes_when_it_is_known() {
    let delivered = Arc::new(Mutex::new(Vec::<Match>::new()));
    let sink = Arc::clone(&delivered);
    let mut live = Live::new(program("node: [>]best = 2 select node_id, best"))
        .unwrap()
        .with_callback(move |found| sink.lock().unwrap().push(found.clone()));
    let count = || delivered.lock().unwrap().len();
    live.enter(0).unwrap();
    live.enter(1).unwrap();
    live.leave(&node(7)).unwrap();
    assert_eq!(count(), 0);
    live.enter(2).unwrap();
    assert_eq!(count(), 0);
    live.leave(&node(2)).unwrap();
    assert_eq!((count(), live.matches(0)), (1, 1));
    live.leave(&node(0)).unwrap();
    let found = delivered.lock().unwrap()[0].clone();
    let cells = vec![Ok(Some(Value::Integer(1))), Ok(Some(Value::Integer(7)))];
    assert_eq!(found, Match { query: 0, node_id: 1, cells });
}

/// The most nodes held for a query, on a full tree of depth 6 with 4 children each: 5461 nodes.
fn held(text: &str) -> usize {
    let mut live = Live::new(program(text)).unwrap();
    full_tree(&mut live, 6, 4, 0);
    assert_eq!(live.nodes_entered(), 5461);
    live.nodes_held_most()
}

#[test]
fn memory_is_what_the_manual_says() {
    let path = 7;
    assert!(held("node: best > 1; subtree: count(best = 0) > 3; child: count([]best > 0) > 0") <= path + 1);
    assert!(held("node: best > 1 child: count([]best > [<]best) > 0") <= 2 * path);
    assert!(held("node: [0]best > 1 child: count([]best > [<]best) > 0") <= 3 * path);
    assert!(held("node: [>]best > 1") <= 3 * path);
    assert!(held("path: count(last_move = 7) > 0") <= path + 1);
    assert!(held("before: max([]best) > 1") <= path + 1);
    let three = held("node: [<3]best = 0 or [-2]best > 3");
    assert!(three > 2 * path && three <= 4 * path, "{three}");
    // All children of the open nodes.
    let children = 4 * path;
    let parent = held("child: count([]best > best) > 0");
    assert!(parent > 2 * path && parent <= children, "{parent}");
    let parent = held("node: [^]best > 1");
    assert!(parent > 2 * path && parent <= children, "{parent}");
    for text in ["before: count([]best > best) > 0", "after: max([]best) > 1", "node: [>2]best > 1"] {
        let siblings = held(text);
        assert!(siblings > 2 * path && siblings <= children, "{siblings} for {text}");
    }
    // All grandchildren too.
    let grandparent = held("node: [^^]best > 1");
    assert!(grandparent > children && grandparent <= 20 * path, "{grandparent}");
    // The candidates and their ancestors: one in 4^3 leaves is reached by `best = 3` all the way.
    let candidates =
        held("node: best = 3 and @index = 3 and @size = 1 and @ply = 6; path: count(best = 3) = 5");
    assert!(candidates > 1000 && candidates < 3000, "{candidates}");
    assert_eq!(held("path: count(best = 3) = 5"), 5461);
    assert_eq!(held("tree: max(best) = 5"), 5461);
    let candidates = held("node: best = 3 and @index = 3 and @size = 1; tree: max(best) = 5");
    assert!(candidates < 3000, "{candidates}");
}

#[test]
fn twins_are_for_logs() {
    let refused = Live::new(program("twin(type): count([]best > best) > 0")).err();
    assert_eq!(refused, Some(LiveError::Twins));
}

#[test]
fn a_long_chain_and_a_wide_star() {
    let text = "node: count(best = 1); subtree: count(best = 1) > 10\n\nnode: count(best = 1); child: count([]best = [<]best) > 0\n\n\
                node: count(*); path: count(last_move = 1) > 150000\n\n\
                node: count(*); before: sum([]best) > 10\n\nnode: count([<2]best = 1)";
    let chain = |live: &mut Live| {
        (0..300_000).for_each(|_| live.enter(1).unwrap());
        (0..300_000).for_each(|_| live.leave(&node(1)).unwrap());
    };
    let mut live = Live::new(program(text)).unwrap();
    chain(&mut live);
    let expected = [299_989, 0, 149_999, 0, 0].map(|count| Ok(Answer::Count(count)));
    assert_eq!(live.finish().unwrap(), expected);
    let mut live = Live::new(program(text)).unwrap();
    live.enter(0).unwrap();
    (0..300_000).for_each(|_| {
        live.enter(1).unwrap();
        live.leave(&node(1)).unwrap();
    });
    live.leave(&node(1)).unwrap();
    assert!(live.nodes_held_most() < 10);
    assert_eq!(live.finish().unwrap(), [1, 1, 0, 299_989, 299_998].map(|count| Ok(Answer::Count(count))));
}

#[test]
fn calls_that_do_not_fit_are_refused() {
    let mut live = Live::new(program("node: type = 1")).unwrap();
    assert_eq!(live.leave(&node(0)), Err(LiveError::NothingOpen));
    live.enter(0).unwrap();
    assert_eq!(live.leave(&[]), Err(LiveError::TooFewValues { needed: 2, given: 0 }));
    live.enter(1).unwrap();
    live.leave(&node(0)).unwrap();
    live.leave(&node(0)).unwrap();
    assert_eq!(live.enter(0), Err(LiveError::SecondRoot));
    assert_eq!(live.finish().unwrap(), [Ok(Answer::Nodes(vec![0, 1]))]);

    let mut live = Live::new(program("node: best = 1")).unwrap();
    live.enter(0).unwrap();
    assert_eq!(live.finish().unwrap_err(), LiveError::StillOpen(1));

    let mut live = Live::new(program("path: count(best = 1) > 0")).unwrap().with_nodes_held_max(3);
    live.enter(0).unwrap();
    for _ in 0..2 {
        live.enter(0).unwrap();
        live.leave(&node(0)).unwrap();
    }
    // From then on the calls cannot be matched to nodes.
    let refused = LiveError::TooManyHeld { nodes_held_max: 3 };
    assert_eq!(live.enter(0), Err(refused));
    assert_eq!(live.leave(&node(0)), Err(refused));
    assert_eq!(live.finish().unwrap_err(), refused);
}

#[test]
fn a_tree_of_no_nodes_has_answers_too() {
    let live =
        Live::new(program("node: count(*)\nnode: max(best)\nnode: * select count(*), sum(best)\nnode: * "))
            .unwrap();
    let answers: Vec<Answer> = live.finish().unwrap().into_iter().map(Result::unwrap).collect();
    assert_eq!(answers[..2], [Answer::Count(0), Answer::Value(None)]);
    assert!(
        matches!(&answers[2], Answer::Rows { rows, .. } if rows == &[[Some(Value::Integer(0)), Some(Value::Integer(0))]])
    );
    assert_eq!(answers[3], Answer::Nodes(vec![]));
}
