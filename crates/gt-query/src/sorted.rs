//! Interruptible sorting: runs are sorted one by one, and then merged.

use std::cmp::Ordering;
use std::collections::VecDeque;

/// The number of items between two calls of `check`.
const RUN: usize = 4096;

/// Returns the items in order. `check` is called now and then to decide whether to continue.
///
/// # Errors
/// Returns the error of `check`.
pub(crate) fn sorted<T, E>(
    items: Vec<T>,
    compare: &dyn Fn(&T, &T) -> Ordering,
    check: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<T>, E> {
    let mut runs = VecDeque::new();
    let mut items = items.into_iter();
    while items.len() > 0 {
        check()?;
        let mut run: Vec<T> = items.by_ref().take(RUN).collect();
        run.sort_by(compare);
        runs.push_back(run);
    }
    while let Some(left) = runs.pop_front() {
        let Some(right) = runs.pop_front() else { return Ok(left) };
        runs.push_back(merged(left, right, compare, check)?);
    }
    Ok(Vec::new())
}

fn merged<T, E>(
    left: Vec<T>,
    right: Vec<T>,
    compare: &dyn Fn(&T, &T) -> Ordering,
    check: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<T>, E> {
    let mut all = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    loop {
        if all.len().is_multiple_of(RUN) {
            check()?;
        }
        let from_right = match (left.peek(), right.peek()) {
            (Some(left), Some(right)) => compare(right, left).is_lt(),
            (left, _) => left.is_none(),
        };
        match if from_right { right.next() } else { left.next() } {
            Some(item) => all.push(item),
            None => return Ok(all),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn it_is_the_order_of_the_standard_library(length in 0..30_000_usize, seed in any::<u64>()) {
            let items: Vec<u64> = (0..length as u64).map(|item| item.wrapping_mul(seed | 1) >> 40).collect();
            let mut expected = items.clone();
            expected.sort_unstable();
            let found = sorted(items, &Ord::cmp, &mut || Ok::<(), ()>(()));
            prop_assert_eq!(found, Ok(expected));
        }

        /// It stops within a few thousand items, at any stage.
        #[test]
        fn it_can_be_stopped_at_any_time(length in 1..30_000_usize, after in 0..20_usize) {
            let mut left = after;
            let mut compared = std::cell::Cell::new(0_usize);
            let stopped = sorted(
                (0..length).rev().collect(),
                &|a: &usize, b: &usize| {
                    compared.set(compared.get() + 1);
                    a.cmp(b)
                },
                &mut || -> Result<(), ()> {
                    left = left.checked_sub(1).ok_or(())?;
                    Ok(())
                },
            );
            if stopped.is_err() {
                prop_assert!(*compared.get_mut() <= (after + 1) * RUN * 16);
            }
        }
    }
}
