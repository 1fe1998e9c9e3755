//! Sorting by value, compiled once for all games: the values are sorted, and the items follow them.

/// Sorts from the highest value to the lowest; items of equal value keep their order.
pub(crate) fn sort_highest_first<T>(items: &mut [T], value: impl Fn(&T) -> i32) {
    let order = highest_first(items.iter().map(value));
    for place in 0..items.len() {
        // An earlier swap may have moved the item that was at this place.
        let mut from = order[place].1;
        while from < place {
            from = order[from].1;
        }
        items.swap(place, from);
    }
}

/// Sorts values from the highest to the lowest, each with its former place; equal values keep their order.
pub(crate) fn highest_first(values: impl Iterator<Item = i32>) -> Vec<(i32, usize)> {
    sorted(values.zip(0..).collect())
}

#[inline(never)]
fn sorted(mut order: Vec<(i32, usize)>) -> Vec<(i32, usize)> {
    order.sort_unstable_by_key(|&(value, place)| (std::cmp::Reverse(value), place));
    order
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_sorts_as_the_library_does(values in prop::collection::vec(-3..3_i32, 0..60)) {
            let mut items: Vec<(i32, usize)> = values.into_iter().zip(0..).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
            sort_highest_first(&mut items, |&(value, _)| value);
            prop_assert_eq!(items, expected);
        }
    }
}
