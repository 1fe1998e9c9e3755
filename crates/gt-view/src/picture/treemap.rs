//! The treemap: children inside their parent, areas in proportion, siblings in move order.
//!
//! ```text
//! ┌────┬──────┐   Rows are filled along the shorter side while their rectangles come nearer to squares
//! │ 1  │  3   │   (squarified, but without sorting: 1 2 | 3 | 4 5). A node's own share of its area is a strip
//! ├────┼──┬───┤   that its children leave free.
//! │ 2  │4 │ 5 │
//! └────┴──┴───┘
//! ```

use super::Place;
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
        fill(inner, &sizes, aspect, &mut places[item.below.clone()]);
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

/// Fills a place with rectangles of these sizes, row by row.
fn fill(mut free: Place, sizes: &[f64], aspect: f64, places: &mut [Place]) {
    let mut left: f64 = sizes.iter().sum();
    let mut start = 0;
    while start < sizes.len() {
        let end = start + row_length(free, &sizes[start..], left, aspect);
        let row: f64 = sizes[start..end].iter().sum();
        // The last row takes what rounding has left.
        let share = if end == sizes.len() { 1.0 } else { row / left };
        free = lay_row(free, &sizes[start..end], row, share, aspect, &mut places[start..end]);
        left -= row;
        start = end;
    }
}

/// How many rectangles the next row takes: as long as the worst of them gets no longer and thinner.
fn row_length(free: Place, sizes: &[f64], left: f64, aspect: f64) -> usize {
    let (width, height) = (free.width * aspect, free.height);
    let side = width.min(height);
    let unit = width * height / left;
    let worst = |row: f64, smallest: f64, largest: f64| {
        let depth = row * unit / side;
        let ratio = |size: f64| {
            let length = size * unit / depth;
            (length / depth).max(depth / length)
        };
        ratio(smallest).max(ratio(largest))
    };
    let (mut row, mut smallest, mut largest) = (sizes[0], sizes[0], sizes[0]);
    let mut best = worst(row, smallest, largest);
    for (count, &size) in sizes.iter().enumerate().skip(1) {
        (row, smallest, largest) = (row + size, smallest.min(size), largest.max(size));
        let next = worst(row, smallest, largest);
        if next > best {
            return count;
        }
        best = next;
    }
    sizes.len()
}

/// Lays a row along the shorter side; what is left of the place.
fn lay_row(free: Place, sizes: &[f64], row: f64, share: f64, aspect: f64, places: &mut [Place]) -> Place {
    let is_column = free.width * aspect >= free.height;
    let mut before = 0.0;
    for (size, place) in sizes.iter().zip(places) {
        let (from, to) = (before / row, (before + size) / row);
        before += size;
        *place = if is_column {
            Place {
                x: free.x,
                y: free.y + free.height * from,
                width: free.width * share,
                height: free.height * (to - from),
            }
        } else {
            Place {
                x: free.x + free.width * from,
                y: free.y,
                width: free.width * (to - from),
                height: free.height * share,
            }
        };
    }
    if is_column {
        Place { x: free.x + free.width * share, width: free.width * (1.0 - share), ..free }
    } else {
        Place { y: free.y + free.height * share, height: free.height * (1.0 - share), ..free }
    }
}
