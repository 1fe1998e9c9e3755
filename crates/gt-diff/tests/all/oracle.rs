//! Random pairs of small trees, held against the definition.

use crate::support::{ATTRIBUTES, Node, Pair, Random, events, expected, logged, same_event};
use gt_diff::{Diff, Options, Side};
use gt_log::{Column, Log, LogWriter};
use proptest::prelude::*;

fn diff<'a>(a: &'a Log, b: &'a Log, threads: usize) -> Diff<'a> {
    let options = Options { threads, ..Options::default() };
    Diff::of(Side::new(a, a.tree(0).unwrap(), "A"), Side::new(b, b.tree(0).unwrap(), "B"), &options).unwrap()
}

/// The first event that is not the same: the nodes that are entered or left there.
fn first_event(a: &Node, b: &Node) -> Option<(Pair, bool)> {
    let (of_a, of_b) = (events(a), events(b));
    let place = of_a.iter().zip(&of_b).position(|(a, b)| !same_event(a, b))?;
    let (one, other) = (&of_a[place], &of_b[place]);
    Some(match (one.is_enter, other.is_enter) {
        (true, false) => ((Some(one.node), None), true),
        (false, true) => ((None, Some(other.node)), true),
        (is_enter, _) => ((Some(one.node), Some(other.node)), is_enter),
    })
}

/// The merged tree's nodes, and whether all it says of them fits its parts.
fn merged_pairs(diff: &Diff<'_>) -> Vec<Pair> {
    let writer = LogWriter::to_memory(diff.merged_header().unwrap()).unwrap();
    diff.write_merged(&writer).unwrap();
    let log = Log::from_bytes(writer.into_memory().unwrap()).unwrap();
    let tree = log.tree(0).unwrap();
    assert_eq!(log.verify(|_| {}).map(drop).map_err(|error| error.to_string()), Ok(()));
    let schema = log.schema();
    let names = ["node_a", "node_b", "changed", "difference", "cause", "only_a", "only_b", "matched"];
    let columns: Vec<Column> =
        names.iter().map(|name| Column::Attribute(schema.position(name).unwrap())).collect();
    let mut pairs = Vec::new();
    tree.preorder::<gt_log::Error>(&columns, |batch| {
        for place in 0..batch.len() {
            let id = |column: usize| {
                let cells = &batch.cells[column];
                (!cells.is_missing(place)).then(|| cells.integers[place] as u64)
            };
            let truth = |column: usize| batch.cells[column].integers[place] != 0;
            let pair: Pair = (id(0), id(1));
            let difference = match pair {
                (Some(_), Some(_)) => u64::from(truth(2)),
                (Some(_), None) => 2,
                (None, _) => 3,
            };
            assert_eq!(id(3), Some(difference));
            assert_eq!(id(4).is_some(), difference != 0, "every difference has a cause, and nothing else");
            assert_eq!(truth(5), pair.1.is_none());
            assert_eq!(truth(6), pair.0.is_none());
            assert_eq!(truth(7), pair.0.is_some() && pair.1.is_some());
            pairs.push(pair);
        }
        Ok(())
    })
    .unwrap();
    pairs
}

fn check(a: &Node, b: &Node, seed: u64) {
    let mut random = Random(seed);
    let rows = [1, 2, 3, 7, 64][random.below(5) as usize];
    let rows_b = if random.below(2) == 0 { rows } else { 5 };
    let flushes = random.below(2) == 0;
    let log_a = logged(a, rows, || flushes && random.below(4) == 0);
    let mut random = Random(seed + 1);
    let log_b = logged(b, rows_b, || flushes && random.below(4) == 0);
    let diff = diff(&log_a, &log_b, 1 + (seed % 3) as usize);
    let summary = diff.summary().unwrap();
    let expected = expected(a, b);

    let count = |is: fn(&Pair) -> bool| expected.pairs.iter().filter(|pair| is(pair)).count() as u64;
    assert_eq!(summary.matched, count(|pair| pair.0.is_some() && pair.1.is_some()));
    assert_eq!(summary.only_a, count(|pair| pair.1.is_none()));
    assert_eq!(summary.only_b, count(|pair| pair.0.is_none()));
    assert_eq!(summary.changed_nodes, expected.changed_nodes);
    let names = ATTRIBUTES.iter().map(|(name, _)| (*name).to_owned());
    assert_eq!(summary.changed, names.zip(expected.changed.iter().copied()).collect::<Vec<_>>());

    let first = first_event(a, b);
    assert_eq!(summary.same, first.is_none());
    let told = summary.first.as_ref().map(|first| ((first.node_a, first.node_b), first.on_entry));
    assert_eq!(told, first);

    let explained: u64 = summary.causes.iter().map(|cause| cause.nodes).sum();
    assert_eq!(explained, summary.only_a + summary.only_b + summary.changed_nodes);
    let mut pairs = merged_pairs(&diff);
    pairs.sort();
    assert_eq!(pairs, expected.pairs);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn changed_trees_are_compared_as_defined(seed in any::<u32>(), rate in 2..40_u64) {
        let mut random = Random(u64::from(seed));
        let a = random.node(5);
        let mut b = random.changed(&a, rate);
        b.last_move = random.below(3) as i64;
        check(&a, &b, u64::from(seed));
    }

    #[test]
    fn trees_that_share_little_are_compared_as_defined(seed in any::<u32>()) {
        let mut random = Random(u64::from(seed));
        let (a, mut b) = (random.node(4), random.node(4));
        b.is_unfinished = random.below(2) == 0;
        check(&a, &b, u64::from(seed));
    }

    #[test]
    fn a_tree_is_the_same_as_itself(seed in any::<u32>()) {
        let a = Random(u64::from(seed)).node(5);
        check(&a, &a, u64::from(seed));
    }
}
