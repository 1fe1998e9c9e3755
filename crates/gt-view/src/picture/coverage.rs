//! What a picture draws, held against all that exists: ply by ply, node_id by node_id.

use proptest::prelude::*;
use proptest::strategy::ValueTree;

use super::tests::wanted;
use super::*;
use crate::blocks::Blocks;
use crate::calls::names::Names;
use crate::logs::Opened;
use crate::nodes::Nodes;
use crate::plain::{Plain, trees};
use crate::work::Cancel;

/// Draws a picture of a plain tree; `matches` are marked.
fn drawn(
    plain: &Plain,
    rows: usize,
    wanted: &PictureRequest,
    shared: &Shared,
    matches: &[u64],
) -> (Picture, Outline) {
    let opened = Opened::in_memory(plain.log(rows));
    let (blocks, cancel) = (Blocks::new(1 << 20), Cancel::default());
    let tree = opened.tree(0).unwrap();
    let mut subject = Subject {
        opened: &opened,
        tree,
        nodes: Nodes::new(tree, &blocks, opened.number, &cancel),
        notation: opened.notation(),
        names: Names::default(),
        window: None,
        cancel: &cancel,
    };
    let detail = Detail::of(wanted, &mut subject.nodes).unwrap();
    let outline = Outline::new(&mut subject, wanted.node, &detail).unwrap();
    let mut drawn = picture(&mut subject, wanted, &outline, shared).unwrap();
    drawn.mark(&mut subject, &outline, &NodeSet::of(plain.parents.len() as u64, matches)).unwrap();
    (drawn, outline)
}

/// The ancestor at each ply of a node_id, itself last.
fn path(plain: &Plain, id: usize) -> Vec<usize> {
    let mut path: Vec<usize> = std::iter::successors(Some(id), |&node| plain.parents[node]).collect();
    path.reverse();
    path
}

/// Node_ids with a rectangle of their own, and those of the density, at each ply below the root.
struct Drawn {
    /// By ply and node_id.
    rectangles: Vec<Vec<u64>>,
    /// By ply and column.
    density: Vec<Vec<u64>>,
}

impl Drawn {
    fn of(picture: &Picture, outline: &Outline, nodes: usize) -> Self {
        let density = picture.density.as_ref().unwrap();
        let columns = (outline.ids.end - density.first).div_ceil(density.step) as usize;
        let plies = picture.plies as usize;
        let mut found =
            Self { rectangles: vec![vec![0; nodes]; plies], density: vec![vec![0; columns]; plies] };
        for item in outline.sketch.items.iter().filter(|item| item.merged == 0) {
            for id in item.first.id..item.first.id + item.size {
                if outline.ids.contains(&id) {
                    found.rectangles[item.depth as usize][id as usize] += 1;
                }
            }
        }
        for place in 0..density.ply.len() {
            let (first, count) = (density.column[place] as usize, density.columns[place] as usize);
            let own = &mut found.density[density.ply[place] as usize][first..first + count];
            assert!(own.iter().all(|&nodes| nodes == 0), "spans of one ply do not overlap");
            // A span of several columns tells their sum, which are about the same.
            own.fill(density.nodes[place] / count as u64);
            own[0] += density.nodes[place] % count as u64;
        }
        found
    }
}

/// All that exists is drawn, once, at its own ply and within a column of its own place.
fn check(plain: &Plain, picture: &Picture, outline: &Outline) {
    let nodes = plain.parents.len();
    let density = picture.density.as_ref().unwrap();
    let found = Drawn::of(picture, outline, nodes);
    let root_ply = plain.plies[outline.node.id as usize] as usize;
    let deepest = outline.ids.clone().map(|id| plain.plies[id as usize] as usize - root_ply).max().unwrap();
    assert_eq!(picture.complete, deepest <= outline.plies as usize, "complete where nothing lies deeper");
    assert_eq!(picture.plies as usize, deepest.min(outline.plies as usize) + 1);
    for depth in 0..picture.plies as usize {
        let mut left = vec![0_u64; found.density[depth].len()];
        let mut exists = 0;
        for id in outline.ids.clone() {
            if plain.plies[id as usize] as usize >= root_ply + depth {
                exists += 1;
                let own = found.rectangles[depth][id as usize];
                assert!(own <= 1, "rectangles of one ply do not overlap");
                left[((id - density.first) / density.step) as usize] += 1 - own;
            }
        }
        let rectangles: u64 = found.rectangles[depth].iter().sum();
        let spans: u64 = found.density[depth].iter().sum();
        assert_eq!(rectangles + spans, exists, "ply {depth}");
        for (column, (&left, &drawn)) in left.iter().zip(&found.density[depth]).enumerate() {
            assert_eq!(left == 0, drawn == 0, "ply {depth}, column {column}");
            assert!(left.abs_diff(drawn) <= 1 + density.step / 4, "ply {depth}, column {column}");
        }
    }
}

/// Matches are marked at their own ply and column.
fn check_marks(plain: &Plain, picture: &Picture, outline: &Outline, matches: &[u64]) {
    let density = picture.density.as_ref().unwrap();
    let marks = density.marks.as_ref().unwrap();
    let root_ply = plain.plies[outline.node.id as usize];
    let mut expected: Vec<(u32, u32)> = matches
        .iter()
        .filter(|id| outline.ids.contains(id))
        .map(|&id| (plain.plies[id as usize] - root_ply, (id - density.first) / density.step))
        .filter(|(ply, _)| *ply <= u64::from(outline.plies))
        .map(|(ply, column)| (ply as u32, column as u32))
        .collect();
    let matched = expected.len() as u64;
    expected.sort_unstable();
    expected.dedup();
    let mut found: Vec<(u32, u32)> = marks.ply.iter().copied().zip(marks.column.iter().copied()).collect();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found, expected);
    assert_eq!(marks.matches.iter().sum::<u64>(), matched);
}

/// A tree by the number of children of each node, in the order of entering.
fn shaped(nodes: usize, parent: impl Fn(usize) -> usize) -> Plain {
    Plain::attached(&(0..nodes - 1).map(parent).collect::<Vec<_>>())
}

/// Trees as searches make them, and as they do not.
fn shapes() -> Vec<(&'static str, Plain)> {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    vec![
        ("random", trees(20_000).new_tree(&mut runner).unwrap().current()),
        // A path with a leaf at every step.
        ("deep", shaped(600, |index| if index % 2 == 0 { index } else { index - 1 })),
        ("flat", shaped(30_000, |_| 0)),
        ("full", shaped(40_000, |index| index / 12)),
        // Broad at the top, with a thin tail below every hundredth leaf.
        (
            "tails",
            shaped(30_000, |index| match index {
                0..20_000 => index / 25,
                _ if index % 40 == 0 => 19_900 - index / 200,
                _ => index,
            }),
        ),
    ]
}

#[test]
fn every_ply_is_drawn_to_its_end() {
    for (name, plain) in shapes() {
        for width in [1, 40, 300, 1200] {
            for shared in [Shared::default(), Shared::of_trees_from(0)] {
                let wanted = PictureRequest { color: "v".to_owned(), ..wanted(0, width, 1000) };
                let (picture, outline) = drawn(&plain, 4096, &wanted, &shared, &[]);
                println!("{name}, {width} columns, {} pyramids", shared.pyramids());
                check(&plain, &picture, &outline);
            }
        }
    }
}

#[test]
fn large_trees_are_drawn_from_chunks() {
    let plain = shaped(40_000, |index| index / 12);
    let shared = Shared::of_trees_from(0);
    let wanted = PictureRequest { color: "v".to_owned(), ..wanted(0, 20, 1000) };
    let (picture, outline) = drawn(&plain, 4096, &wanted, &shared, &[]);
    assert_eq!(shared.pyramids(), 1, "the columns are as wide as chunks");
    let (by_rows, _) = drawn(&plain, 4096, &wanted, &Shared::default(), &[]);
    check(&plain, &picture, &outline);
    assert_eq!(picture.plies, by_rows.plies);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn any_part_of_any_tree_is_drawn_whole(
        plain in trees(400),
        rows in 1_usize..90,
        root in any::<prop::sample::Index>(),
        ends in any::<[prop::sample::Index; 2]>(),
        is_part in any::<bool>(),
        width in 1_u32..80,
        plies in 1_u32..30,
        matches in proptest::collection::vec(any::<prop::sample::Index>(), 0..40),
    ) {
        let root = root.index(plain.parents.len());
        let [first, second] = ends.map(|end| (root + end.index(plain.sizes[root] as usize)) as u64);
        let ids = is_part.then(|| first.min(second)..first.max(second) + 1);
        let matches: Vec<u64> = matches.iter().map(|index| index.index(plain.parents.len()) as u64).collect();
        let mut matches = matches;
        matches.sort_unstable();
        matches.dedup();
        let wanted = PictureRequest { ids, color: "v".to_owned(), ..wanted(root as u64, width, plies) };
        let (picture, outline) = drawn(&plain, rows, &wanted, &Shared::default(), &matches);
        check(&plain, &picture, &outline);
        check_marks(&plain, &picture, &outline, &matches);
    }

    #[test]
    fn mixes_hold_the_values_that_are_there(
        mut plain in trees(600),
        rows in 1_usize..90,
        width in 1_u32..12,
        kinds in 1_i64..9,
    ) {
        plain.values.iter_mut().for_each(|value| *value = value.rem_euclid(kinds));
        let wanted = PictureRequest { color: "v * (1 - 2 * (@ply % 2))".to_owned(), ..wanted(0, width, 1000) };
        let (picture, outline) = drawn(&plain, rows, &wanted, &Shared::default(), &[]);
        let density = picture.density.as_ref().unwrap();
        let found = Drawn::of(&picture, &outline, plain.parents.len());
        for place in (0..density.ply.len()).filter(|&place| density.columns[place] == 1) {
            let (depth, column) = (density.ply[place] as usize, u64::from(density.column[place]));
            let ids = density.first + column * density.step..;
            let there: Vec<i64> = ids
                .take(density.step as usize)
                .take_while(|&id| id < plain.parents.len() as u64)
                .filter(|&id| plain.plies[id as usize] as usize >= depth)
                .filter(|&id| found.rectangles[depth][id as usize] == 0)
                .map(|id| plain.values[path(&plain, id as usize)[depth]] * (1 - 2 * (depth as i64 % 2)))
                .collect();
            for [value, part] in &density.mixes[density.mix[place] as usize] {
                let value = density.values[*value as usize].number().unwrap() as i64;
                let share = there.iter().filter(|&&other| other == value).count() as f64 / there.len() as f64;
                prop_assert!((share - f64::from(*part) / 16.0).abs() <= 0.1, "{value}: {share} and {part}/16");
            }
        }
    }
}
