//! Rectangles that fill an area, with sizes in proportion, in order: rows along the shorter side, filled while their
//! rectangles come closer to squares.
//!
//! ```text
//! ┌────┬──────┐
//! │ 1  │  3   │
//! ├────┼──┬───┤
//! │ 2  │4 │ 5 │
//! └────┴──┴───┘
//! ```

/// A rectangle in a picture. Both directions have one measure: pixels, or what is in proportion to them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Its left edge.
    pub x: f64,
    /// Its upper edge.
    pub y: f64,
    /// How far it reaches to the right.
    pub width: f64,
    /// How far it reaches down.
    pub height: f64,
}

/// Returns the rectangles for these sizes, which are all above 0.
///
/// ```
/// use gt_picture::squarified::{Place, fill};
///
/// let places = fill(Place { x: 0.0, y: 0.0, width: 4.0, height: 2.0 }, &[2.0, 2.0, 4.0]);
/// assert_eq!(places[2], Place { x: 2.0, y: 0.0, width: 2.0, height: 2.0 });
/// ```
#[must_use]
pub fn fill(mut free: Place, sizes: &[f64]) -> Vec<Place> {
    let mut places = Vec::with_capacity(sizes.len());
    let mut left: f64 = sizes.iter().sum();
    while places.len() < sizes.len() {
        let rest = &sizes[places.len()..];
        let count = row_length(free, rest, left);
        let row: f64 = rest[..count].iter().sum();
        // The last row takes the rest left by rounding.
        let share = if count == rest.len() { 1.0 } else { row / left };
        free = lay_row(free, &rest[..count], share, &mut places);
        left -= row;
    }
    places
}

/// The number of rectangles in the next row: as long as the worst of them gets no longer and thinner.
fn row_length(free: Place, sizes: &[f64], left: f64) -> usize {
    let side = free.width.min(free.height).max(f64::MIN_POSITIVE);
    let unit = free.width * free.height / left;
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

/// Lays a row along the shorter side, and returns the rest of the area.
fn lay_row(free: Place, sizes: &[f64], share: f64, places: &mut Vec<Place>) -> Place {
    let row: f64 = sizes.iter().sum();
    let is_column = free.width >= free.height;
    let mut before = 0.0;
    for size in sizes {
        let (from, part) = (before / row, size / row);
        before += size;
        places.push(if is_column {
            Place {
                y: free.y + free.height * from,
                width: free.width * share,
                height: free.height * part,
                ..free
            }
        } else {
            Place {
                x: free.x + free.width * from,
                width: free.width * part,
                height: free.height * share,
                ..free
            }
        });
    }
    if is_column {
        Place { x: free.x + free.width * share, width: free.width * (1.0 - share), ..free }
    } else {
        Place { y: free.y + free.height * share, height: free.height * (1.0 - share), ..free }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn areas_are_in_proportion_and_fill_the_place(sizes in proptest::collection::vec(1_u32..5000, 1..60), width in 10.0..900.0, height in 10.0..900.0) {
            let sizes: Vec<f64> = sizes.into_iter().map(f64::from).collect();
            let whole = Place { x: 3.0, y: 5.0, width, height };
            let places = fill(whole, &sizes);
            let all: f64 = sizes.iter().sum();
            prop_assert_eq!(places.len(), sizes.len());
            for (place, size) in places.iter().zip(&sizes) {
                let wanted = width * height * size / all;
                prop_assert!((place.width * place.height - wanted).abs() < 1e-6 * width * height);
                prop_assert!(place.x > 3.0 - 1e-6 && place.x + place.width < 3.0 + width + 1e-6);
                prop_assert!(place.y > 5.0 - 1e-6 && place.y + place.height < 5.0 + height + 1e-6);
            }
        }
    }
}
