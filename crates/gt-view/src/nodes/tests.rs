//! Going from node to node, against a plain tree.

use proptest::prelude::*;
use proptest::strategy::ValueTree;

use gt_log::Value;

use super::*;
use crate::plain::{Plain, trees};

fn check(plain: &Plain, rows: usize) -> std::result::Result<(), TestCaseError> {
    let log = plain.log(rows);
    let blocks = Blocks::new(10_000);
    let cancel = Cancel::default();
    let mut nodes = Nodes::new(log.tree(0).unwrap(), &blocks, 0, &cancel);
    let mut last = None;
    for id in 0..plain.parents.len() {
        let located = nodes.locate(id as u64).unwrap();
        prop_assert_eq!(located.node.id, id as u64);
        prop_assert_eq!(located.node.size, plain.sizes[id]);
        prop_assert_eq!(located.ply(), plain.plies[id]);
        prop_assert_eq!(located.parent().map(|parent| parent.id as usize), plain.parents[id]);
        // The row tells the node by what it carries, and the node_id by the law of rows.
        prop_assert_eq!(nodes.last_move(located.node.row).unwrap(), 1000 + id as i64);
        prop_assert_eq!(located.node.row + located.ply() + 1 - located.node.size, id as u64);
        prop_assert_eq!(nodes.value(located.node.row, 0).unwrap(), Value::Int(plain.values[id]));

        let children = &plain.children[id];
        let count = nodes.child_count(located.node).unwrap();
        prop_assert_eq!(count, children.len() as u64);
        let half = count / 2;
        let mut found = nodes.children(located.node, count, 0..half).unwrap();
        found.extend(nodes.children(located.node, count, half..count).unwrap());
        prop_assert_eq!(found.iter().map(|child| child.id as usize).collect::<Vec<_>>(), children.clone());
        for (index, child) in found.iter().enumerate() {
            prop_assert_eq!(nodes.index(located.node, *child).unwrap(), (index as u64, count));
        }
        let again = nodes.locate_from(last.take(), id as u64).unwrap();
        prop_assert_eq!(again.node, located.node);
        prop_assert_eq!(&again.ancestors, &located.ancestors);
        last = Some(again);
    }
    // And back, from each to the one before it.
    for id in (0..plain.parents.len()).rev() {
        let back = nodes.locate_from(last.take(), id as u64).unwrap();
        prop_assert_eq!(back.node.id, id as u64);
        prop_assert_eq!(back.parent().map(|parent| parent.id as usize), plain.parents[id]);
        last = Some(back);
    }
    prop_assert!(nodes.locate(plain.parents.len() as u64).is_err());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn nodes_are_where_a_plain_tree_has_them(plain in trees(60), rows in 1_usize..40) {
        check(&plain, rows)?;
    }
}

#[test]
fn kept_blocks_stay_within_their_budget() {
    const BUDGET: usize = 4_000;
    const BLOCK: usize = 1_000;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let plain = trees(2000).new_tree(&mut runner).unwrap().current();
    let log = plain.log(16);
    let blocks = Blocks::new(BUDGET);
    let cancel = Cancel::default();
    let mut nodes = Nodes::new(log.tree(0).unwrap(), &blocks, 0, &cancel);
    for id in 0..plain.parents.len() as u64 {
        let row = nodes.locate(id).unwrap().node.row;
        nodes.value(row, 0).unwrap();
        assert!(blocks.bytes() <= BUDGET + BLOCK, "{} bytes are kept", blocks.bytes());
    }
}

/// A root with so many children, each with one child of its own.
fn brush(children: usize) -> Plain {
    let mut numbers = vec![0; children];
    numbers.extend(1..=children);
    Plain::attached(&numbers)
}

#[test]
fn nodes_in_falling_order_are_located_in_one_walk() {
    const CHILDREN: u64 = 10_000;
    let plain = brush(CHILDREN as usize);
    let log = plain.log(64);
    let blocks = Blocks::new(1 << 20);
    let cancel = Cancel::default();
    let mut nodes = Nodes::new(log.tree(0).unwrap(), &blocks, 0, &cancel);
    let mut last = None;
    for id in (0..=2 * CHILDREN).rev() {
        last = Some(nodes.locate_from(last.take(), id).unwrap());
    }
    assert!(nodes.hops() <= 4 * CHILDREN, "{} hops", nodes.hops());
}

#[test]
fn a_cancelled_walk_ends() {
    let plain = brush(3 * HOPS_PER_LOOK as usize);
    let log = plain.log(64);
    let blocks = Blocks::new(1 << 20);
    let cancel = Cancel::default();
    let mut nodes = Nodes::new(log.tree(0).unwrap(), &blocks, 0, &cancel);
    let root = nodes.root().unwrap();
    assert_eq!(nodes.child_count(root).unwrap(), 3 * HOPS_PER_LOOK);
    cancel.set();
    let before = nodes.hops();
    assert!(matches!(nodes.child_count(root), Err(Failure::Cancelled)));
    assert!(nodes.hops() - before <= HOPS_PER_LOOK, "{} hops more", nodes.hops() - before);
}
