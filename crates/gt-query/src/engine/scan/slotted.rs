//! Rows with the slots of the aggregates that take them; or values in place of rows, each with the number of its rows.

use std::cell::RefCell;
use std::collections::HashMap;

use super::graph::{NumberId, TestId};
use crate::accumulator::{Accumulator, Many};
use crate::exact_sum::ExactSum;
use crate::moments::Moments;

/// A number, and the test of the rows from which it is taken.
pub(super) type Taken = (NumberId, TestId);

/// Some rows, and the slot of each.
pub(super) struct Slotted<'a> {
    pub(super) rows: &'a [u32],
    pub(super) slots: &'a [u32],
    /// How often each row counts; `None` if each counts once.
    pub(super) times: Option<&'a [u32]>,
    /// The number of slots.
    pub(super) count: usize,
    /// By slot, the sums of small integers and of floats: `avg`, `stddev` and `max` of a number share them.
    pub(super) small: RefCell<HashMap<Taken, Vec<Many>>>,
    pub(super) exact: RefCell<HashMap<Taken, Vec<ExactSums>>>,
}

impl<'a> Slotted<'a> {
    pub(super) fn new(rows: &'a [u32], slots: &'a [u32], count: usize) -> Self {
        Self { rows, slots, times: None, count, small: RefCell::default(), exact: RefCell::default() }
    }

    /// Calls `visit` with each row, its slot, and how often it counts.
    #[inline(always)]
    pub(super) fn each(&self, mut visit: impl FnMut(usize, u32, u32)) {
        let pairs = self.rows.iter().zip(self.slots);
        // Two loops: the first one multiplies nothing.
        match self.times {
            None => pairs.for_each(|(row, slot)| visit(*row as usize, *slot, 1)),
            Some(times) => {
                pairs.zip(times).for_each(|((row, slot), times)| visit(*row as usize, *slot, *times))
            }
        }
    }

    /// The number of rows of each slot, if small integers were taken from all rows.
    pub(super) fn counted(&self, takes_all: impl Fn(TestId) -> bool) -> Option<Vec<u64>> {
        let small = self.small.borrow();
        let (_, all) = small.iter().find(|((_, take), _)| takes_all(*take))?;
        Some(all.iter().map(Many::count).collect())
    }
}

/// The exact sums of a slot's numbers, squares and products.
#[derive(Clone, Default)]
pub(super) struct ExactSums {
    pub(super) count: u64,
    pub(super) x: ExactSum,
    pub(super) xx: ExactSum,
    pub(super) y: ExactSum,
    pub(super) yy: ExactSum,
    pub(super) xy: ExactSum,
}

impl ExactSums {
    /// Adds the moments to an aggregate.
    pub(super) fn give(&self, found: &mut Accumulator) {
        let of_x = Moments::of_floats(self.count, &self.x, &self.xx);
        let of_y = Moments::of_floats(self.count, &self.y, &self.yy);
        found.add_moments(of_x, of_y, &self.xy);
    }
}
