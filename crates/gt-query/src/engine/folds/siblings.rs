//! For every row, the number of its siblings on one side that compare with it in some way.
//!
//! ```text
//! family   4 1 3 2       Before, sibling > node:   0 1 1 2
//! ```
//!
//! In a small family each sibling is compared with each; in a wide one the siblings so far are counted by the ranks of
//! their numbers. So a row costs at most the logarithm of the size of its family.

use std::cmp::Ordering;
use std::ops::Range;

use super::bag::Fenwick;
use super::relations::Relations;
use crate::engine::bits::Bitmap;
use crate::syntax::ast::Comparison;

/// The largest family in which each sibling is compared with each.
const FEW: usize = 64;

/// The siblings that count for each row. They have *places*: that of a row is its index, and those of nodes in other
/// blocks come after the rows.
#[derive(Debug)]
pub(in crate::engine) struct Siblings<'a> {
    pub(in crate::engine) relations: &'a Relations,
    /// Whether the siblings before a row count, and not those after it.
    pub(in crate::engine) is_before: bool,
    /// By segment, the places of its tops' siblings in other blocks; or empty.
    pub(in crate::engine) elsewhere: &'a [Range<usize>],
    /// By place, whether the node counts.
    pub(in crate::engine) taken: &'a Bitmap,
}

impl Siblings<'_> {
    /// The number of siblings of each row.
    pub(in crate::engine) fn count(&self) -> Vec<i64> {
        let mut counts = vec![0; self.relations.rows()];
        self.each_family(|elsewhere, family| {
            let mut count = self.taken.count_in(elsewhere) as i64;
            for &row in family {
                counts[row as usize] = count;
                count += i64::from(self.taken.get(row as usize));
            }
        });
        counts
    }

    /// The number of siblings of each row whose number compares in this way to that of the row. `of_siblings` has a
    /// number for each place, `of_rows` one for each row. A float that is not a number compares in no way.
    pub(in crate::engine) fn count_compared<T: Copy + PartialOrd>(
        &self,
        comparison: Comparison,
        of_siblings: &[T],
        of_rows: &[T],
    ) -> Vec<i64> {
        let mut counts = vec![0; self.relations.rows()];
        let number = |place: usize| {
            Some(of_siblings[place]).filter(|number| self.taken.get(place) && is_number(number))
        };
        let mut seen = Vec::new();
        self.each_family(|elsewhere, family| {
            seen.clear();
            if elsewhere.len() + family.len() <= FEW {
                seen.extend(elsewhere.filter_map(number));
                for &row in family {
                    counts[row as usize] = count_of(comparison, &seen, of_rows[row as usize]);
                    seen.extend(number(row as usize));
                }
                return;
            }
            let places = elsewhere.clone().chain(family.iter().map(|&row| row as usize));
            seen.extend(places.filter_map(number));
            let mut ranks = Ranks::of(&mut seen);
            elsewhere.filter_map(number).for_each(|number| ranks.add(number));
            for &row in family {
                counts[row as usize] = ranks.count(comparison, of_rows[row as usize]);
                number(row as usize).into_iter().for_each(|number| ranks.add(number));
            }
        });
        counts
    }

    /// Calls `visit` with each family, those that are counted first in front, and the places of the siblings in other
    /// blocks that count for all of it.
    fn each_family(&self, mut visit: impl FnMut(Range<usize>, &[u32])) {
        let mut reversed = Vec::new();
        self.relations.each_family(|segment, family| {
            let elsewhere = segment.and_then(|segment| self.elsewhere.get(segment)).cloned().unwrap_or(0..0);
            if self.is_before {
                return visit(elsewhere, family);
            }
            reversed.clear();
            reversed.extend(family.iter().rev());
            visit(elsewhere, &reversed);
        });
    }
}

/// The number of these that compare in this way to a number.
fn count_of<T: Copy + PartialOrd>(comparison: Comparison, numbers: &[T], to: T) -> i64 {
    #[inline]
    fn count<T: Copy>(numbers: &[T], holds: impl Fn(T) -> bool) -> i64 {
        numbers.iter().map(|number| i64::from(holds(*number))).sum()
    }
    match comparison {
        Comparison::Equal => count(numbers, |number| number == to),
        // Not the opposite of being equal: a float that is not a number is neither.
        Comparison::NotEqual => count(numbers, |number| (number < to) | (number > to)),
        Comparison::Less => count(numbers, |number| number < to),
        Comparison::LessEqual => count(numbers, |number| number <= to),
        Comparison::Greater => count(numbers, |number| number > to),
        Comparison::GreaterEqual => count(numbers, |number| number >= to),
    }
}

fn is_number<T: PartialOrd>(number: &T) -> bool {
    number.partial_cmp(number).is_some()
}

/// Some of a list of numbers, counted by their ranks in it.
struct Ranks<'a, T> {
    /// The numbers of the list in order, each once.
    sorted: &'a [T],
    counts: Fenwick,
}

impl<'a, T: Copy + PartialOrd> Ranks<'a, T> {
    /// None of these numbers yet.
    fn of(numbers: &'a mut Vec<T>) -> Self {
        numbers.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
        numbers.dedup();
        Self { sorted: numbers, counts: Fenwick::new(numbers.len()) }
    }

    fn add(&mut self, number: T) {
        self.counts.change(self.sorted.partition_point(|other| *other < number), 1);
    }

    /// The number of those so far that compare in this way to a number.
    fn count(&self, comparison: Comparison, to: T) -> i64 {
        if !is_number(&to) {
            return 0;
        }
        let less = || self.counts.below(self.sorted.partition_point(|number| *number < to));
        let up_to = || self.counts.below(self.sorted.partition_point(|number| *number <= to));
        match comparison {
            Comparison::Equal => up_to() - less(),
            Comparison::NotEqual => self.counts.total - up_to() + less(),
            Comparison::Less => less(),
            Comparison::LessEqual => up_to(),
            Comparison::Greater => self.counts.total - up_to(),
            Comparison::GreaterEqual => self.counts.total - less(),
        }
    }
}
