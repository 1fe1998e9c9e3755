//! The figures of a profile: by hand on a tiny tree, and against a plain count on random ones.

use gt_log::{Kind, Schema, Value};
use gt_query::Answer;
use gt_report::profile::{Answered, Figure, distribution, figures_for, minimal_tree, query_file, run};
use gt_report::{Chart, Places};
use proptest::prelude::*;

use crate::tiny::{Line, TINY, log_of, moves_of, window_log, window_schema};

fn answered<'a>(all: &'a [Answered<'a>], name: &str) -> &'a Answered<'a> {
    all.iter().find(|answered| answered.figure.name == name).unwrap_or_else(|| panic!("no figure {name}"))
}

fn points(chart: &Chart, series: usize) -> Vec<(f64, Option<f64>)> {
    let Places::Numbers(places) = &chart.x.places else { panic!("{:?}", chart.x) };
    places.iter().copied().zip(chart.series[series].values.iter().copied()).collect()
}

#[test]
fn a_tiny_tree_by_hand() {
    let log = window_log(&TINY);
    let selection = figures_for(log.schema());
    let all = run(&selection.figures, log.tree(0).unwrap(), &gt_query::engine::Options::default()).unwrap();
    let number = |name: &str| answered(&all, name).number();
    let expected = [
        ("nodes", 11.0),
        ("leaves", 7.0),
        ("height", 3.0),
        ("depth", 2.0),
        ("quiescence-nodes", 3.0),
        ("quiescence-below-roots", 2.0),
        ("quiescence-searches", 1.0),
        ("cutoffs", 2.0),
        ("first-move-cutoffs-all", 1.0),
        ("re-searches", 1.0),
        ("null-moves", 1.0),
    ];
    for (name, value) in expected {
        assert_eq!(number(name), Some(value), "{name}");
    }
    let chart = |name: &str| answered(&all, name).chart().unwrap();
    let nodes = chart("nodes-per-ply");
    let names: Vec<_> = nodes.series.iter().map(|series| series.name.as_str()).collect();
    assert_eq!(names, ["principal variation", "cut", "all", "quiescence"], "no node is another");
    assert_eq!(points(&nodes, 0), [(0.0, Some(1.0)), (1.0, Some(2.0)), (2.0, Some(0.0)), (3.0, Some(0.0))]);
    assert_eq!(points(&nodes, 3), [(0.0, Some(0.0)), (1.0, Some(0.0)), (2.0, Some(1.0)), (3.0, Some(2.0))]);
    let branching = chart("branching");
    assert_eq!(points(&branching, 0), [(0.0, Some(4.0)), (1.0, Some(2.0)), (2.0, None)]);
    assert_eq!(points(&branching, 1), [(0.0, None), (1.0, None), (2.0, Some(2.0))]);
    assert_eq!(points(&chart("first-move-cutoffs"), 0), [(1.0, Some(50.0))]);
    assert_eq!(points(&chart("best-move-rank"), 0), [(1.0, Some(1.5))]);
    assert_eq!(points(&chart("cutoff-ranks"), 0), [(1.0, Some(1.0)), (2.0, Some(1.0))]);
    assert_eq!(points(&chart("re-search-rate"), 0), [(0.0, Some(0.0)), (1.0, Some(25.0)), (2.0, Some(0.0))]);
    // Three moves at the root, searched through; none at ply 1 was.
    assert_eq!(points(&chart("minimal-tree"), 1), [(0.0, Some(1.0)), (1.0, Some(3.0)), (2.0, None)]);
    let Ok(Answer::Rows { rows, .. }) = &answered(&all, "heaviest-moves").answer else { panic!() };
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[0][2], Some(gt_query::Value::Integer(4)));
}

#[test]
fn what_is_missing_is_named() {
    let bare = figures_for(&Schema::default());
    let names: Vec<_> = bare.figures.iter().map(|figure| figure.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "nodes",
            "leaves",
            "unfinished",
            "height",
            "nodes-per-ply",
            "branching",
            "minimal-tree",
            "heaviest-moves",
            "heaviest-subtrees"
        ]
    );
    let told: Vec<String> = bare.left_out.iter().map(ToString::to_string).collect();
    assert!(told.contains(&"Why nodes ended: the log has no `ended`".to_owned()), "{told:?}");
    assert!(
        told.contains(&"First-move cut-off rate per depth: the log has no `best`, `beta`".to_owned()),
        "{told:?}"
    );
}

#[test]
fn names_of_other_types_or_of_our_own_do_no_harm() {
    let attributes = [
        ("depth", Kind::Text),
        ("type", Kind::F64),
        ("best", Kind::Bool),
        ("rank", Kind::I8),
        ("moves", Kind::I8),
        ("largest", Kind::I8),
        ("ended", Kind::Text),
        ("beta", Kind::I32),
        ("table_hit", Kind::I32),
    ];
    let schema =
        Schema::new(attributes).unwrap().with_aliases([("PVNode", 1), ("Cutoff", 1), ("rank_", 3)]).unwrap();
    let values = vec![
        Value::Text("x".into()),
        Value::Float(0.5),
        Value::Bool(true),
        Value::Int(1),
        Value::Int(1),
        Value::Int(1),
        Value::Text("y".into()),
        Value::Int(0),
        Value::Int(1),
    ];
    let log = log_of(&schema, &[(0, values.clone()), (1, values)]);
    let selection = figures_for(log.schema());
    let all = run(&selection.figures, log.tree(0).unwrap(), &gt_query::engine::Options::default()).unwrap();
    assert_eq!(answered(&all, "nodes").number(), Some(2.0));
    assert_eq!(points(&answered(&all, "branching").chart().unwrap(), 0), [(0.0, Some(1.0))]);
}

#[test]
fn the_query_file_says_what_each_query_means() {
    let text = query_file(&figures_for(&window_schema()).figures);
    assert!(text.contains("# First-move cut-off rate per depth. Of the nodes of the main search"), "{text}");
    assert!(
        text.contains("[first-move-cutoffs]\nnode: not type & (QNode | QRootNode) and best >= beta"),
        "{text}"
    );
    assert_eq!(text.matches("let rank = ").count(), 1, "{text}");
}

#[test]
fn the_minimal_tree_is_knuth_and_moores() {
    for branching in [1_u32, 2, 7, 35] {
        let plies = minimal_tree((0..9).map(|_| (0, Some(f64::from(branching)))));
        for ply in plies {
            let (up, down) = (ply.ply.div_ceil(2) as i32, (ply.ply / 2) as i32);
            let b = f64::from(branching);
            assert_eq!(ply.minimal, Some(b.powi(up) + b.powi(down) - 1.0));
        }
    }
}

#[test]
fn distributions_of_every_type() {
    let attributes =
        [("i", Kind::I32), ("u", Kind::U64), ("f", Kind::F64), ("b", Kind::Bool), ("t", Kind::Text)];
    let schema = Schema::new(attributes).unwrap();
    let node = |k: i64| {
        let values = vec![
            Value::Int(k * k - 50),
            Value::UInt(u64::MAX - k as u64),
            Value::Float(k as f64 / 7.0),
            Value::Bool(k % 3 == 0),
            Value::Text(format!("t{}", k % 2)),
        ];
        (k as usize, values)
    };
    let log = log_of(&schema, &(0..100).map(node).collect::<Vec<_>>());
    let tree = log.tree(0).unwrap();
    for name in ["i", "u", "f", "b", "t"] {
        let figure: Figure = distribution(tree, name).unwrap();
        let all = run(std::slice::from_ref(&figure), tree, &gt_query::engine::Options::default()).unwrap();
        let chart = all[0].chart().unwrap();
        let sum: f64 = chart.series[0].values.iter().flatten().sum();
        assert_eq!(sum, 100.0, "{name}: {chart:?}");
        assert!(chart.x.places.len() <= 40, "{name}");
    }
    assert_eq!(distribution(tree, "none"), None);
}

/// A value that a node lacks is no 0: it is in no average, no share and no distribution, and makes no cut-off.
#[test]
fn missing_values_are_counted_nowhere() {
    let attributes = ["depth", "alpha", "beta", "best", "type", "reduction"].map(|name| (name, Kind::I32));
    let schema = Schema::new(attributes).unwrap().with_aliases([("QNode", 8)]).unwrap();
    let node = |ply, best, reduction| {
        let values = [Value::Int(1), Value::Int(-9), Value::Int(0), best, Value::Int(1), reduction];
        (ply, values.to_vec())
    };
    let nodes = [
        node(0, Value::Missing, Value::Missing),
        node(1, Value::Missing, Value::Int(2)),
        node(2, Value::Int(3), Value::Int(0)),
        node(1, Value::Int(3), Value::Missing),
        node(2, Value::Int(-3), Value::Missing),
    ];
    let log = log_of(&schema, &nodes);
    let tree = log.tree(0).unwrap();
    let selection = figures_for(log.schema());
    let all = run(&selection.figures, tree, &gt_query::engine::Options::default()).unwrap();
    assert_eq!(answered(&all, "cutoffs").number(), Some(1.0), "what has no value was not cut off");
    let reduced = answered(&all, "selectivity").chart().unwrap();
    assert_eq!(points(&reduced, 0), [(1.0, Some(50.0))], "one of the two nodes that say so");
    let Ok(Answer::Rows { rows, .. }) = &answered(&all, "root").answer else { panic!() };
    assert_eq!(rows[0][1..], [None, None]);
    let figure = distribution(tree, "best").unwrap();
    let all = run(std::slice::from_ref(&figure), tree, &gt_query::engine::Options::default()).unwrap();
    let chart = all[0].chart().unwrap();
    assert_eq!(chart.x.places, Places::Numbers(vec![-3.0, 3.0]), "0 is no value here");
}

/// Numbers that only one alias has are named by it; those of two by the usual name; where the attribute has aliases of its
/// own, by these.
#[test]
fn ends_have_the_names_that_the_engine_gave() {
    let bare = Schema::new([("ended", Kind::I32), ("type", Kind::I32)]).unwrap();
    let free = bare
        .clone()
        .with_aliases([("PVNode", 1), ("Cutoff", 1), ("Futility", 7), ("A", 9), ("B", 9)])
        .unwrap();
    let own = bare.with_aliases_of("ended", [("Pruned", 7), ("Failed", 1)]).unwrap();
    for (schema, names) in [(free, ["Cutoff", "Futility", "9"]), (own, ["Failed", "Pruned", "9"])] {
        let node = |ply, ended| (ply, vec![Value::Int(ended), Value::Int(0)]);
        let nodes = [node(0, 1), node(1, 1), node(1, 1), node(1, 7), node(1, 7), node(1, 9)];
        let log = log_of(&schema, &nodes);
        let selection = figures_for(log.schema());
        let all =
            run(&selection.figures, log.tree(0).unwrap(), &gt_query::engine::Options::default()).unwrap();
        assert_eq!(answered(&all, "ended").chart().unwrap().x.labels(), names);
    }
}

/// A value of a node that failed high or low is not counted as if it were the node's.
#[test]
fn a_distribution_of_values_tells_bounds_apart() {
    let schema = Schema::new(["alpha", "beta", "best"].map(|name| (name, Kind::I32))).unwrap();
    let node = |ply, values: [i64; 3]| (ply, values.map(Value::Int).to_vec());
    let log =
        log_of(&schema, &[node(0, [0, 9, 5]), node(1, [0, 5, 5]), node(1, [5, 9, 5]), node(1, [0, 9, 5])]);
    let tree = log.tree(0).unwrap();
    let figure = distribution(tree, "best").unwrap();
    let all = run(std::slice::from_ref(&figure), tree, &gt_query::engine::Options::default()).unwrap();
    let chart = all[0].chart().unwrap();
    let counts: Vec<_> = chart.series.iter().map(|series| (series.name.as_str(), series.values[0])).collect();
    assert_eq!(counts, [("exact", Some(2.0)), ("at least", Some(1.0)), ("at most", Some(1.0))]);
}

/// Random trees: each node's ply is at most one more than that of the node before.
fn trees() -> impl Strategy<Value = Vec<Line>> {
    let flags = prop::sample::select(vec![1_i64, 2, 4, 9, 10, 12, 17, 18, 20, 33, 49, 66, 84, 0]);
    let node = (0..6_usize, -2..5_i64, -5..5_i64, -5..5_i64, flags);
    prop::collection::vec(node, 1..80).prop_map(|nodes| {
        let mut ply = 0;
        let lines = nodes.into_iter().enumerate().map(|(number, (up, depth, beta, best, flags))| {
            ply = if number == 0 { 0 } else { (ply + 1_usize).saturating_sub(up).max(1) };
            (ply, [depth, beta, best, flags])
        });
        lines.collect()
    })
}

/// The children of every node.
fn children(lines: &[Line]) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); lines.len()];
    for (number, (ply, _)) in lines.iter().enumerate().skip(1) {
        let parent = (0..number).rev().find(|&before| lines[before].0 + 1 == *ply).unwrap();
        children[parent].push(number);
    }
    children
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn figures_are_those_of_a_plain_count(lines in trees()) {
        let log = window_log(&lines);
        let selection = figures_for(log.schema());
        let all = run(&selection.figures, log.tree(0).unwrap(), &gt_query::engine::Options::default()).unwrap();
        let children = children(&lines);
        let is_quiescence = |node: usize| lines[node].1[3] & 24 != 0;
        let plies = lines.iter().map(|(ply, _)| *ply).max().unwrap();

        let nodes = answered(&all, "nodes-per-ply").chart().unwrap();
        for ply in 0..=plies {
            let count = lines.iter().filter(|(p, _)| *p == ply).count() as f64;
            let sum: f64 = nodes.series.iter().filter_map(|series| series.values[ply]).sum();
            prop_assert_eq!(sum, count, "every node is of one kind");
        }

        // Cut-offs by moves, and the place of the move that made them.
        let cutoff = |node: usize| {
            let last = children[node].last();
            let [_, beta, best, _] = lines[node].1;
            !is_quiescence(node) && best >= beta && last.is_some_and(|&last| lines[last].1[3] & 64 == 0)
        };
        let moves = moves_of(&lines);
        let rank = |node: usize| {
            let is_move = |&&child: &&usize| lines[child].1[3] & 64 == 0;
            let mut different: Vec<i64> = children[node].iter().filter(is_move).map(|&child| moves[child]).collect();
            different.sort_unstable();
            different.dedup();
            different.len()
        };
        let cutoffs: Vec<usize> = (0..lines.len()).filter(|&node| cutoff(node)).collect();
        let firsts = cutoffs.iter().filter(|&&node| rank(node) == 1).count();
        prop_assert_eq!(answered(&all, "cutoffs").number(), Some(cutoffs.len() as f64));
        prop_assert_eq!(answered(&all, "first-move-cutoffs-all").number(), Some(firsts as f64));
        for (depth, mean) in points(&answered(&all, "best-move-rank").chart().unwrap(), 0) {
            let ranks: Vec<f64> = cutoffs.iter().filter(|&&node| lines[node].1[0] as f64 == depth).map(|&node| rank(node) as f64).collect();
            let expected = ranks.iter().sum::<f64>() / ranks.len() as f64;
            prop_assert!((mean.unwrap() - expected).abs() < 1e-9);
        }

        // The nodes of the main search and its horizon, and the moves of nodes that were searched through, ply by ply.
        let Ok(Answer::Rows { rows, .. }) = &answered(&all, "minimal-tree").answer else { panic!() };
        for row in rows {
            let Some(gt_query::Value::Integer(ply)) = row[0] else { panic!() };
            let main = lines.iter().filter(|(p, values)| *p as i128 == ply && values[3] & 8 == 0).count();
            prop_assert_eq!(&row[1], &Some(gt_query::Value::Integer(main as i128)));
            let through: Vec<f64> = (0..lines.len())
                .filter(|&node| lines[node].0 as i128 == ply && !is_quiescence(node) && lines[node].1[2] < lines[node].1[1] && !children[node].is_empty())
                .map(|node| rank(node) as f64)
                .collect();
            match &row[2] {
                None => prop_assert!(through.is_empty()),
                Some(gt_query::Value::Float(mean)) => {
                    prop_assert!((mean - through.iter().sum::<f64>() / through.len() as f64).abs() < 1e-9);
                }
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }
}

#[test]
fn positions_searched_before_at_no_lesser_depth_are_counted_where_there_are_keys() {
    let schema = Schema::new([("key", Kind::U64), ("depth", Kind::I16)]).unwrap();
    let node = |ply, key, depth| (ply, vec![Value::UInt(key), Value::Int(depth)]);
    let mut lacks_key = node(1, 0, 2);
    lacks_key.1[0] = Value::Missing;
    let nodes = [
        node(0, 1, 3),
        node(1, 7, 2),
        node(1, 8, 2),
        node(2, 7, 1), // as 7 before, which was searched deeper
        node(1, 7, 2), // again, as deep
        node(1, 8, 3), // deeper than before
        lacks_key.clone(),
        lacks_key,
    ];
    let log = log_of(&schema, &nodes);
    let selection = figures_for(log.schema());
    let all = run(&selection.figures, log.tree(0).unwrap(), &gt_query::engine::Options::default()).unwrap();
    assert_eq!(answered(&all, "transpositions").number(), Some(2.0));
    let bare = figures_for(&window_schema());
    assert!(bare.figure("transpositions").is_none());
    assert!(bare.left_out.iter().all(|left_out| left_out.name != "transpositions"));
}
