use gt_log::{Header, Kind, Log, LogWriter, Metadata, Schema, TreeBuilder, Value as LogValue};
use gt_query::engine;
use proptest::prelude::*;

use super::*;
use crate::Theme;

/// A tree in which node `i + 1` is below one of those before it, chosen by the number at `i`; its shape determines
/// which are likely.
fn log(numbers: &[prop::sample::Index], shape: u8) -> Log {
    let schema = Schema::new([("v", Kind::I32)]).unwrap();
    let mut below = vec![Vec::new()];
    for (index, number) in numbers.iter().enumerate() {
        let parent = match shape {
            0 => number.index(index + 1),
            // Chains: quiescence tails.
            1 => index - number.index(3.min(index + 1)),
            // A star.
            2 => number.index(4.min(index + 1)),
            _ => number.index(1 + index / 8),
        };
        below[parent].push(index + 1);
        below.push(Vec::new());
    }
    let mut tree = TreeBuilder::new(&schema);
    let mut waiting = vec![(0, None)];
    let mut id = 0;
    while let Some((node, parent)) = waiting.pop() {
        tree.add(parent, 0, &[LogValue::Int(node as i64 % 7 - 3)]).unwrap();
        waiting.extend(below[node].iter().rev().map(|&child: &usize| (child, Some(id))));
        id += 1;
    }
    let writer = LogWriter::to_memory(Header::new("", schema)).unwrap();
    tree.finish(&writer, &Metadata::new(), gt_log::Options::default()).unwrap();
    Log::from_bytes(writer.into_memory().unwrap()).unwrap()
}

/// By ply, the number of nodes in the subtrees that begin there: the total width.
fn widths(subject: &Subject<'_>, root: &Root) -> Vec<f64> {
    let rows = subject
        .rows(
            &format!(
                "node: node_id >= {} and node_id < {} select @ply, @size",
                root.node,
                root.node + root.size
            ),
            "",
            &engine::Options::default(),
        )
        .unwrap();
    let mut widths = vec![0.0; root.plies as usize];
    for row in rows {
        let [Some(Value::Integer(ply)), Some(Value::Integer(size))] = &row[..] else { panic!("{row:?}") };
        widths[*ply as usize - root.ply as usize] += *size as f64;
    }
    widths
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn what_is_drawn_is_as_wide_as_what_is_there_at_every_ply(
        numbers in proptest::collection::vec(any::<prop::sample::Index>(), 0..1500),
        shape in 0_u8..4,
        columns in 3_usize..400,
        node in any::<prop::sample::Index>(),
    ) {
        let log = log(&numbers, shape);
        let subject = Subject { log: &log, tree: log.tree(0).unwrap(), moves: None, written: None };
        let options = engine::Options::default();
        let root = subject.root(node.index(numbers.len() + 1) as u64, &options).unwrap();
        let marked: Vec<u64> = (root.node..root.node + root.size).filter(|id| id % 5 == 0).collect();
        let marks = NodeSet::of(log.tree(0).unwrap().nodes(), &marked);
        let spans = spans(&subject, &root, &Scale::plain(Theme::Light), columns, Some(&marks), &options).unwrap();
        prop_assert_eq!(spans.counts.marked, marked.len() as u64);
        let wanted = widths(&subject, &root);
        prop_assert_eq!(spans.columns.len(), wanted.len());
        for (depth, exists) in wanted.iter().enumerate() {
            let singles: u64 = spans
                .singles
                .iter()
                .filter(|single| single.ply - root.ply == depth as u64)
                .map(|single| single.size)
                .sum();
            let merged: f64 = spans.columns[depth].iter().map(|density| f64::from(density.weight)).sum();
            let drawn = singles as f64 + merged * root.size as f64 / columns as f64;
            prop_assert!((drawn - exists).abs() < 0.01 * exists, "ply {}: {} of {}", depth, drawn, exists);
        }
        for single in &spans.singles {
            prop_assert_eq!(single.is_marked, single.node % 5 == 0);
        }
        let narrow_marks = spans.columns.iter().flatten().filter(|density| density.is_marked).count();
        let single_marks = spans.singles.iter().filter(|single| single.is_marked).count();
        prop_assert_eq!(narrow_marks > 0, single_marks < marked.len(), "a match below a column is marked");
    }
}
