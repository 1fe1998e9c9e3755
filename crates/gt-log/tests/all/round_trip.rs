//! What is written is what is read: trees of every shape and type, at every block size.

use crate::support::{Model, models, open};
use gt_log::{Column, Value, Walker, compact, recover};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_tree_comes_back(model in models(120), block_rows in 1..140_usize) {
        let log = open(model.to_bytes(block_rows));
        prop_assert!(log.condition().is_whole());
        let tree = log.tree(0).unwrap();
        prop_assert_eq!(tree.nodes(), model.nodes.len() as u64);
        prop_assert_eq!(tree.depth() as usize, model.plies().into_iter().max().unwrap());
        let verified = tree.verify(|_| {}).unwrap();
        prop_assert_eq!(verified.nodes, tree.nodes());
        model.assert_same(&Model::read(tree).unwrap());
    }

    #[test]
    fn nodes_are_found_one_by_one(model in models(60), block_rows in 1..20_usize) {
        let log = open(model.to_bytes(block_rows));
        let mut walker = Walker::new(log.tree(0).unwrap());
        let (sizes, plies) = (model.sizes(), model.plies());
        for (number, node) in model.nodes.iter().enumerate() {
            let found = walker.find(number as u64).unwrap();
            prop_assert_eq!(found.line.len(), plies[number]);
            prop_assert_eq!(found.ancestors.len(), plies[number]);
            prop_assert_eq!(walker.size(found.row).unwrap(), sizes[number]);
            prop_assert_eq!(walker.last_move(found.row).unwrap(), node.last_move);
            // The law of the file: row, ply and size give the number.
            prop_assert_eq!(found.row + plies[number] as u64 + 1 - sizes[number], number as u64);
            let children: Vec<i64> =
                walker.children(found.row).unwrap().into_iter().map(|c| walker.last_move(c).unwrap()).collect();
            let expected: Vec<i64> =
                model.nodes.iter().filter(|n| n.parent == Some(number)).map(|n| n.last_move).collect();
            prop_assert_eq!(children, expected);
        }
    }

    #[test]
    fn plies_of_a_block_need_no_other_block(model in models(120), block_rows in 1..30_usize) {
        let log = open(model.to_bytes(block_rows));
        let tree = log.tree(0).unwrap();
        let (sizes, plies) = (model.sizes(), model.plies());
        let mut by_row = vec![0; model.nodes.len()];
        for node in 0..model.nodes.len() {
            by_row[node + sizes[node] as usize - 1 - plies[node]] = plies[node] as i64;
        }
        let read: Vec<i64> = (0..tree.block_count()).flat_map(|b| tree.plies(b).unwrap()).collect();
        prop_assert_eq!(read, by_row);
    }

    #[test]
    fn the_order_of_adding_does_not_matter(model in models(80), keys in prop::collection::vec(any::<u64>(), 1..80)) {
        let log = open(model.to_bytes_in_any_order(&keys));
        model.assert_same(&Model::read(log.tree(0).unwrap()).unwrap());
    }

    #[test]
    fn several_trees_share_a_file(models in prop::collection::vec(models(30), 1..4)) {
        let mut models = models;
        let kinds = models[0].kinds.clone();
        models.retain(|model| model.kinds == kinds);
        let log = gt_log::LogWriter::to_memory(models[0].header()).unwrap();
        for model in &models {
            model.write_into(&log, 7);
        }
        let log = open(log.into_memory().unwrap());
        prop_assert_eq!(log.tree_count(), models.len());
        for (model, tree) in models.iter().zip(log.trees()) {
            model.assert_same(&Model::read(tree).unwrap());
            let nodes = model.nodes.len().to_string();
            prop_assert_eq!(tree.metadata().get("nodes"), Some(nodes.as_str()));
        }
    }

    #[test]
    fn compacting_and_recovering_change_nothing(model in models(120), block_rows in 1..140_usize) {
        let log = open(model.to_bytes(block_rows));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("anew.gtf");
        for compacted in [true, false] {
            let target = std::fs::File::create(&path).unwrap();
            let anew = if compacted { compact(&log, target, 3, |_| {}) } else { recover(&log, target, |_| {}) };
            let anew = anew.unwrap();
            let log = gt_log::Log::open(&path).unwrap();
            prop_assert!(log.condition().is_whole());
            log.tree(0).unwrap().verify(|_| {}).unwrap();
            model.assert_same(&Model::read(log.tree(0).unwrap()).unwrap());
            prop_assert_eq!(anew.trees[0].nodes_lost, 0);
        }
    }
}

/// Numbers without a pattern (the mixing steps of SplitMix64).
fn scatter(i: i64) -> u64 {
    let mut z = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// What one encoding or another is made for, in columns long enough for all of them.
#[test]
fn every_encoding_is_chosen_and_comes_back() {
    let rows = 5000_usize;
    type ValueOf = fn(i64) -> i64;
    let columns: [(&str, ValueOf); 8] = [
        ("constant", |_| 7),
        ("packed", |i| (scatter(i) >> 58) as i64 + 100),
        ("delta", |i| i * 1_000_003),
        ("dictionary", |i| [0, 1 << 40, -5, 1 << 50][(scatter(i) >> 62) as usize]),
        ("alternating", |i| if i % 2 == 0 { i * 1_000_003 } else { -i * 1_000_003 }),
        ("sparse", |i| if scatter(i) >> 62 == 0 { (scatter(i) >> 40 & 0xffff) as i64 } else { 12_345 }),
        ("alpha", |i| (scatter(i + 9) >> 44) as i64),
        ("relative", |i| (scatter(i + 9) >> 44) as i64 + 1 + i64::from(i % 97 == 0)),
    ];
    let schema = gt_log::Schema::new(columns.iter().map(|(name, _)| (*name, gt_log::Kind::I64))).unwrap();
    let log = gt_log::LogWriter::to_memory(gt_log::Header::new("", schema)).unwrap();
    let mut tree = log.dynamic_tree(&gt_log::Metadata::new(), gt_log::Options::default()).unwrap();
    let values = |i: i64| columns.iter().map(|(_, f)| Value::Int(f(i))).collect::<Vec<_>>();
    tree.enter(0).unwrap();
    for i in 0..rows as i64 {
        tree.enter(scatter(i) as i64 & 63).unwrap();
        tree.leave_values(&values(i)).unwrap();
    }
    tree.leave_values(&values(0)).unwrap();
    tree.finish().unwrap();
    let log = open(log.into_memory().unwrap());
    let tree = log.tree(0).unwrap();
    for (position, (name, f)) in columns.iter().enumerate() {
        let column = Column::Attribute(position);
        let encoding = tree.encoding(0, column).unwrap().to_string();
        let expected = if *name == "alpha" { "packed" } else { name };
        assert!(encoding.contains(expected), "{name} was written as {encoding}");
        let read = tree.decode(0, column).unwrap();
        assert!((0..rows).all(|i| read.get(i) == f(i as i64)), "{name}");
    }
}

/// A remaining depth that falls by one with every ply, and by more where a move was reduced.
#[test]
fn a_depth_that_follows_the_ply_costs_little() {
    let schema = gt_log::Schema::new([("depth", gt_log::Kind::I16)]).unwrap();
    let log = gt_log::LogWriter::to_memory(gt_log::Header::new("", schema)).unwrap();
    let mut tree = log.dynamic_tree(&gt_log::Metadata::new(), gt_log::Options::default()).unwrap();
    let mut open = Vec::new();
    let mut rows = Vec::new();
    for step in 0..20_000_i64 {
        let chance = scatter(step);
        if open.len() > 1 && (open.len() > 14 || chance >> 62 != 0) {
            let depth = open.pop().unwrap();
            rows.push(depth);
            tree.leave_values(&[Value::Int(depth)]).unwrap();
        } else {
            let reduction = i64::from(chance & 63 == 0);
            open.push(open.last().map_or(20, |depth| depth - 1 - reduction));
            tree.enter(0).unwrap();
        }
    }
    while let Some(depth) = open.pop() {
        rows.push(depth);
        tree.leave_values(&[Value::Int(depth)]).unwrap();
    }
    tree.finish().unwrap();
    let log = open_log(log);
    let tree = log.tree(0).unwrap();
    let encoding = tree.encoding(0, Column::Attribute(0)).unwrap().to_string();
    assert!(encoding.contains("ply-delta"), "{encoding}");
    let read = tree.decode(0, Column::Attribute(0)).unwrap();
    assert!(rows.iter().enumerate().all(|(row, depth)| read.get(row) == *depth));
}

fn open_log(log: gt_log::LogWriter) -> gt_log::Log {
    open(log.into_memory().unwrap())
}

/// A column that repeats the ply takes no room at all.
#[test]
fn a_logged_ply_costs_nothing() {
    let log = gt_log::LogWriter::to_memory(gt_log::Header::new(
        "",
        gt_log::Schema::new([("ply", gt_log::Kind::U8)]).unwrap(),
    ))
    .unwrap();
    let flush = gt_log::Flush { nodes_max: 100, time_ms_max: None };
    let mut tree =
        log.dynamic_tree(&gt_log::Metadata::new(), gt_log::Options { flush, ..Default::default() }).unwrap();
    let mut depth = 0;
    for step in 0..3000_i64 {
        if depth > 1 && step % 3 != 0 {
            depth -= 1;
            tree.leave_values(&[Value::Int(depth)]).unwrap();
        } else {
            tree.enter(step).unwrap();
            depth += 1;
        }
    }
    while depth > 0 {
        depth -= 1;
        tree.leave_values(&[Value::Int(depth)]).unwrap();
    }
    tree.finish().unwrap();
    let log = open(log.into_memory().unwrap());
    let tree = log.tree(0).unwrap();
    assert!(tree.block_count() > 5);
    for block in 0..tree.block_count() {
        let encoding = tree.encoding(block, Column::Attribute(0)).unwrap().to_string();
        assert!(encoding == "ply" || encoding == "constant", "{encoding}");
        let values = tree.decode(block, Column::Attribute(0)).unwrap();
        let rows = tree.block(block).rows as usize;
        assert_eq!(values.widened(rows), tree.plies(block).unwrap());
    }
}
