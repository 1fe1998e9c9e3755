//! Pictures of random trees, held against what a picture must be.

use proptest::prelude::*;
use proptest::strategy::ValueTree;

use super::sketch::{Detail, RECTANGLES_MAX, Sketch};
use super::*;
use crate::blocks::Blocks;
use crate::nodes::Nodes;
use crate::plain::{Plain, trees};
use crate::work::Cancel;

fn sketched(plain: &Plain, rows: usize, root: u64, detail: &Detail) -> Sketch {
    let log = plain.log(rows);
    let blocks = Blocks::new(1 << 20);
    let cancel = Cancel::default();
    let mut nodes = Nodes::new(log.tree(0).unwrap(), &blocks, 0, &cancel);
    let root = nodes.locate(root).unwrap().node;
    Sketch::draw(&mut nodes, root, detail).unwrap()
}

pub(super) fn wanted(node: u64, width: u32, plies: u32) -> PictureRequest {
    PictureRequest {
        node,
        view: View::Icicle,
        width,
        height: 700,
        plies,
        color: String::new(),
        ids: None,
        written: false,
    }
}

/// Every node is drawn, merged, or below an item that says there is more; items are what the tree has.
fn check_sketch(plain: &Plain, root: usize, sketch: &Sketch, detail: &Detail) -> Result<(), TestCaseError> {
    let end = root + plain.sizes[root] as usize;
    let mut covered = vec![false; plain.parents.len()];
    for (place, item) in sketch.items.iter().enumerate() {
        let first = item.first.id as usize;
        prop_assert_eq!(u64::from(item.depth), plain.plies[first] - plain.plies[root]);
        if item.merged == 0 {
            prop_assert_eq!(item.size, plain.sizes[first]);
            covered[first] = true;
            let has_more = item.below.is_empty() && plain.sizes[first] > 1;
            prop_assert_eq!(item.more, has_more);
            if has_more {
                covered[first..first + item.size as usize].fill(true);
                let is_deep = item.depth == detail.plies;
                let is_small = (item.size as f64) < detail.grain;
                prop_assert!(is_deep || is_small || !sketch.complete, "nothing is left out without need");
            }
        } else {
            let siblings = &plain.children[plain.parents[first].unwrap()];
            let index = siblings.iter().position(|&child| child == first).unwrap();
            let run = &siblings[index..index + item.merged as usize];
            prop_assert!(run.len() > 1);
            prop_assert_eq!(item.size, run.iter().map(|&child| plain.sizes[child]).sum::<u64>());
            prop_assert!(run.iter().all(|&child| (plain.sizes[child] as f64) < detail.grain));
            let largest = run.iter().map(|&child| plain.sizes[child]).max().unwrap();
            prop_assert_eq!(item.largest.size, largest);
            prop_assert!(run.contains(&(item.largest.id as usize)));
            covered[first..first + item.size as usize].fill(true);
        }
        if place > 0 {
            let siblings = &plain.children[plain.parents[item.largest.id as usize].unwrap()];
            prop_assert_eq!(siblings[item.index as usize], item.largest.id as usize);
        }
        let below = &sketch.items[item.below.clone()];
        if !below.is_empty() {
            prop_assert_eq!(item.children, Some(plain.children[first].len() as u64));
            prop_assert_eq!(below.iter().map(|child| child.size).sum::<u64>(), item.size - 1);
            prop_assert!(below.windows(2).all(|pair| pair[0].first.id + pair[0].size == pair[1].first.id));
        }
    }
    prop_assert!(covered[root..end].iter().all(|&covered| covered));
    prop_assert!(sketch.items.len() <= RECTANGLES_MAX);
    Ok(())
}

const CLOSE: f64 = 1e-9;

fn check_icicle(sketch: &Sketch) -> Result<(), TestCaseError> {
    let root = sketch.items[0].first;
    let places = icicle::places(sketch, &(root.id..root.id + root.size));
    let total = sketch.items[0].size as f64;
    for (item, place) in sketch.items.iter().zip(&places) {
        prop_assert!((place.width - item.size as f64 / total).abs() < CLOSE);
        prop_assert_eq!(place.y, f64::from(item.depth));
        for below in &places[item.below.clone()] {
            prop_assert!(
                below.x >= place.x - CLOSE && below.x + below.width <= place.x + place.width + CLOSE
            );
        }
        let below = &places[item.below.clone()];
        prop_assert!(below.windows(2).all(|pair| pair[0].x + pair[0].width <= pair[1].x + CLOSE));
    }
    Ok(())
}

fn check_treemap(sketch: &Sketch, aspect: f64) -> Result<(), TestCaseError> {
    let places = treemap::places(sketch, aspect);
    let total = sketch.items[0].size as f64;
    for (item, place) in sketch.items.iter().zip(&places) {
        prop_assert!((place.width * place.height - item.size as f64 / total).abs() < 1e-6, "areas are sizes");
        let below = &places[item.below.clone()];
        for (index, child) in below.iter().enumerate() {
            prop_assert!(
                child.x >= place.x - CLOSE && child.x + child.width <= place.x + place.width + CLOSE
            );
            prop_assert!(
                child.y >= place.y - CLOSE && child.y + child.height <= place.y + place.height + CLOSE
            );
            for other in &below[..index] {
                let apart = other.x + other.width <= child.x + CLOSE
                    || child.x + child.width <= other.x + CLOSE
                    || other.y + other.height <= child.y + CLOSE
                    || child.y + child.height <= other.y + CLOSE;
                prop_assert!(apart, "{other:?} and {child:?} overlap");
                // Siblings are in move order: no later one lies wholly before an earlier one, both ways.
                let before = child.x + CLOSE < other.x && child.y + CLOSE < other.y;
                prop_assert!(!before, "{child:?} comes before {other:?}");
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn pictures_show_every_node_once(
        plain in trees(150),
        rows in 1_usize..60,
        root in any::<prop::sample::Index>(),
        smallest in 1.0_f64..200.0,
        plies in 1_u32..12,
        aspect in 0.2_f64..5.0,
    ) {
        let root = root.index(plain.parents.len());
        let ids = root as u64..root as u64 + plain.sizes[root];
        let detail = Detail { grain: plain.sizes[root] as f64 / smallest, plies, ids };
        let sketch = sketched(&plain, rows, root as u64, &detail);
        check_sketch(&plain, root, &sketch, &detail)?;
        check_icicle(&sketch)?;
        check_treemap(&sketch, aspect)?;
    }
}

#[test]
fn rectangles_are_limited_and_the_largest_stay() {
    // A node with 30,000 children, each with one of its own.
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let plain = trees(30_000).new_tree(&mut runner).unwrap().current();
    let detail = Detail { grain: 1.0, plies: 100, ids: 0..plain.sizes[0] };
    let sketch = sketched(&plain, 1000, 0, &detail);
    assert!(sketch.items.len() <= RECTANGLES_MAX);
    let wanted = wanted(0, 10_000, 100);
    let detail = Detail::of_ids(&wanted, 0..plain.sizes[0]);
    let sketch = sketched(&plain, 1000, 0, &detail);
    check_sketch(&plain, 0, &sketch, &detail).unwrap();
    assert!(sketch.items.len() > 1, "the root is opened however many children it has");
}
