//! The icicle: a row for each ply; a node's place from the left is its node_id.

use super::Place;
use super::sketch::Sketch;

pub(super) fn places(sketch: &Sketch) -> Vec<Place> {
    let Some(root) = sketch.items.first() else { return Vec::new() };
    let total = root.size as f64;
    let place = |item: &super::sketch::Item| Place {
        x: (item.first.id - root.first.id) as f64 / total,
        y: f64::from(item.depth),
        width: item.size as f64 / total,
        height: 1.0,
    };
    sketch.items.iter().map(place).collect()
}
