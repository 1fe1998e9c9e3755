//! The treemap: children inside their parent, areas in proportion, siblings in move order.
//!
//! ```text
//! ┌────┬──────┐   Children are laid out as `gt_picture::squarified` does for pictures. A node's own share of its area is
//! │ 1  │  3   │   a strip that they leave free.
//! ├────┼──┬───┤
//! │ 2  │4 │ 5 │
//! └────┴──┴───┘
//! ```

use gt_picture::squarified::{self, Place};

use super::sketch::Sketch;

/// The places of all items; `aspect` is the picture's width by its height.
pub(super) fn places(sketch: &Sketch, aspect: f64) -> Vec<Place> {
    let mut places = vec![Place::default(); sketch.items.len()];
    let Some(first) = places.first_mut() else { return places };
    *first = Place { x: 0.0, y: 0.0, width: 1.0, height: 1.0 };
    // Parents come before children.
    for (index, item) in sketch.items.iter().enumerate() {
        if item.below.is_empty() {
            continue;
        }
        let sizes: Vec<f64> =
            sketch.items[item.below.clone()].iter().map(|child| child.size as f64).collect();
        let inner = without_own_share(places[index], item.size as f64, aspect);
        for (child, place) in item.below.clone().zip(fill(inner, &sizes, aspect)) {
            places[child] = place;
        }
    }
    places
}

/// What is left of a place for the children: all but one node's share, taken off the longer side.
fn without_own_share(place: Place, size: f64, aspect: f64) -> Place {
    let kept = (size - 1.0) / size;
    if place.width * aspect >= place.height {
        Place { width: place.width * kept, ..place }
    } else {
        Place { height: place.height * kept, ..place }
    }
}

/// Fills a place with rectangles of these sizes. They come near to squares on the screen, so they are laid out in its
/// measure: `aspect` times as wide.
fn fill(inner: Place, sizes: &[f64], aspect: f64) -> impl Iterator<Item = Place> {
    let stretched = Place { x: inner.x * aspect, width: inner.width * aspect, ..inner };
    squarified::fill(stretched, sizes).into_iter().map(move |place| Place {
        x: place.x / aspect,
        width: place.width / aspect,
        ..place
    })
}
