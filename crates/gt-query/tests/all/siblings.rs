//! Aggregates over siblings that read the node too agree with the reference: in small families, in wide ones, and in
//! families that lie in many blocks.

use crate::engine_support::{Cut, answers, log_of};
use crate::twins::{condition, program, shaped};
use gt_log::{Header, Log, LogWriter, Metadata, Schema};
use gt_query::engine::{self, Options};
use gt_query::{Answer, Environment, compile, reference};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// What is asked of the siblings before or after a node.
fn question() -> impl Strategy<Value = String> {
    let conditions = || vec(condition(), 1..4).prop_map(|conditions| conditions.join(" and "));
    let filter = option::of(conditions())
        .prop_map(|filter| filter.map_or_else(String::new, |filter| format!(" where {filter}")));
    let counted = (select(vec!["count", "any", "all"]), conditions(), filter).prop_map(
        |(function, condition, filter)| {
            let test = if function == "count" { " > 1" } else { "" };
            format!("{function}({condition}{filter}){test}")
        },
    );
    let gathered = {
        let function = select(vec![
            "sum([]best",
            "avg([]best",
            "min([]best",
            "max([]ratio",
            "max([]depth - 3",
            "stddev([]ratio",
            "avg([]ratio",
            "corr([]best, []depth",
            "arg_max([]best, []node_id",
            "arg_min([]ratio, []last_move",
            "first([]best",
            "last([]best",
            "median([]best",
            "min(depth",
        ]);
        let compared = select(vec!["> 0", "< 2", "is known", "is unknown"]);
        (function, conditions(), compared)
            .prop_map(|(function, condition, compared)| format!("{function} where {condition}) {compared}"))
    };
    let condition = (prop_oneof![counted, gathered], any::<bool>())
        .prop_map(|(counted, holds)| if holds { counted } else { format!("not {counted}") });
    (select(vec!["before", "after"]), condition)
        .prop_map(|(scope, condition)| format!("{scope}: {condition}"))
}

proptest! {
    #![proptest_config(crate::support::cases(400))]

    #[test]
    fn siblings_are_folded_as_the_reference_does(
        question in question(),
        tree in prop_oneof![shaped(60, 9, 4), shaped(300, 9, 1), shaped(200, 9, 2)],
        rows in select(vec![1, 7, 50, 1000]),
        threads in 1..3_usize,
    ) {
        let program = program(&question);
        let expected = reference::answer(&program, &tree);
        prop_assert_eq!(answers(&program, &log_of(&tree, Cut::rows(rows)), threads), expected, "{}", question);
    }
}

/// With a look at every pair, all five thousand million of them, this test would take minutes.
#[test]
fn a_very_wide_family_is_folded_by_ranks() {
    gt_log::record! { struct Node { best: i32 } }
    let header = Header::new("wide", Schema::of::<Node>().unwrap());
    let log = LogWriter::to_memory(header).unwrap();
    let mut tree = log.tree::<Node>(&Metadata::new()).unwrap();
    // The two largest numbers so far tell how many of the siblings before are larger: none, one, or more.
    let (mut largest, mut second) = (i32::MIN, i32::MIN);
    let (mut below_one, mut below_two) = (0, 0);
    tree.enter(0).unwrap();
    for number in 0..100_000_i32 {
        let best = number.wrapping_mul(0x9e37_79b9_u32 as i32) >> 8;
        below_one += u64::from(best < largest);
        below_two += u64::from(best < second);
        second = second.max(best.min(largest));
        largest = largest.max(best);
        tree.enter(1).unwrap();
        tree.leave(&Node { best }).unwrap();
    }
    tree.leave(&Node { best: 0 }).unwrap();
    tree.finish().unwrap();
    let log = Log::from_bytes(log.into_memory().unwrap()).unwrap();
    let queries = [
        ("any([]best > best)", below_one),
        ("count([]best > best) > 1", below_two),
        ("max([]best where []best > best) > best", below_one),
        ("avg([]best where best < []best) is known", below_one),
        ("first([]node_id where []best > best) < max([]node_id where []best > best)", below_two),
    ];
    for (condition, expected) in queries {
        let text = format!("node: count(*); before: {condition}");
        let program = compile(&text, &Environment::new(log.schema())).unwrap();
        let found = engine::run(&program, log.tree(0).unwrap(), &Options::default()).unwrap();
        assert_eq!(found.answers[0], Ok(Answer::Count(expected)), "{text}");
    }
}
