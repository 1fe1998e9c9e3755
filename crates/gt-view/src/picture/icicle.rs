//! The icicle: a row for each ply; a node's place from the left is its node_id.

use std::ops::Range;

use gt_picture::squarified::Place;

use super::sketch::{Item, Sketch};

/// The places of all items, where these node_ids are as wide as the picture.
pub(super) fn places(sketch: &Sketch, ids: &Range<u64>) -> Vec<Place> {
    let total = (ids.end - ids.start) as f64;
    let place = |item: &Item| Place {
        x: (item.first.id as f64 - ids.start as f64) / total,
        y: f64::from(item.depth),
        width: item.size as f64 / total,
        height: 1.0,
    };
    sketch.items.iter().map(place).collect()
}
