//! For every row, the number or the aggregate of its siblings on one side that compare with it in some way.
//!
//! ```text
//! family   4 1 3 2       Before, sibling > node:   counted 0 1 1 2, added up 0 4 4 7
//! ```
//!
//! In a small family each sibling is compared with every other; in a wide one the siblings so far are counted and
//! added up by the ranks of their numbers. So a row costs at most the logarithm of the size of its family.

use std::cmp::Ordering;
use std::ops::Range;

use super::bag::Fenwick;
use super::relations::Relations;
use crate::accumulator::Accumulator;
use crate::engine::bits::Bitmap;
use crate::syntax::ast::Comparison;

/// The aggregate of some nodes; `None` without nodes.
pub(in crate::engine) type Gathered = Option<Accumulator>;

/// Joins the aggregate of other nodes.
fn join(all: &mut Gathered, more: &Gathered) {
    match (all, more) {
        (Some(all), Some(more)) => all.merge(more),
        (all @ None, Some(more)) => *all = Some(more.clone()),
        (_, None) => {}
    }
}

/// The largest family in which each sibling is compared with every other.
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

    /// The number of siblings of each row whose number compares in this way to the row's. `of_siblings` has a number
    /// for each place, `of_rows` one for each row. NaN satisfies no comparison.
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

    /// The aggregate of each row's siblings; `own` has the contribution of each place that counts.
    pub(in crate::engine) fn gather(&self, own: &[Gathered]) -> Vec<Gathered> {
        let mut found = vec![None; self.relations.rows()];
        self.each_family(|elsewhere, family| {
            let mut all = None;
            elsewhere.for_each(|place| join(&mut all, &own[place]));
            for &row in family {
                found[row as usize].clone_from(&all);
                join(&mut all, &own[row as usize]);
            }
        });
        found
    }

    /// The aggregate of those siblings of each row whose number compares in this way to the row's. The numbers are as
    /// in [`Siblings::count_compared`], and `own` has the contribution of each place that counts.
    pub(in crate::engine) fn gather_compared<T: Copy + PartialOrd>(
        &self,
        comparison: Comparison,
        (of_siblings, of_rows): (&[T], &[T]),
        own: &[Gathered],
    ) -> Vec<Gathered> {
        let mut found = vec![None; self.relations.rows()];
        let number = |place: usize| {
            Some(of_siblings[place]).filter(|number| self.taken.get(place) && is_number(number))
        };
        let mut sorted = Vec::new();
        self.each_family(|elsewhere, family| {
            let places = || elsewhere.clone().chain(family.iter().map(|&row| row as usize));
            if elsewhere.len() + family.len() <= FEW {
                for (seen, &row) in (elsewhere.len()..).zip(family) {
                    let (to, found) = (of_rows[row as usize], &mut found[row as usize]);
                    for place in places().take(seen) {
                        if number(place).is_some_and(|number| holds(comparison, number, to)) {
                            join(found, &own[place]);
                        }
                    }
                }
                return;
            }
            sorted.clear();
            sorted.extend(places().filter_map(number));
            let mut ranks = GatheredRanks::of(&mut sorted, comparison);
            let add = |ranks: &mut GatheredRanks<'_, T>, place: usize| {
                number(place).into_iter().for_each(|number| ranks.add(number, &own[place]));
            };
            elsewhere.clone().for_each(|place| add(&mut ranks, place));
            for &row in family {
                found[row as usize] = ranks.gather(of_rows[row as usize]);
                add(&mut ranks, row as usize);
            }
        });
        found
    }

    /// Calls `visit` with each family, in the order in which its nodes are counted, and with the places of the siblings
    /// in other blocks that count for the whole family.
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

/// The number of `numbers` that compare in this way to another number.
fn count_of<T: Copy + PartialOrd>(comparison: Comparison, numbers: &[T], to: T) -> i64 {
    #[inline]
    fn count<T: Copy>(numbers: &[T], holds: impl Fn(T) -> bool) -> i64 {
        numbers.iter().map(|number| i64::from(holds(*number))).sum()
    }
    match comparison {
        Comparison::Equal => count(numbers, |number| number == to),
        // Not the opposite of being equal: NaN is neither equal nor unequal.
        Comparison::NotEqual => count(numbers, |number| (number < to) | (number > to)),
        Comparison::Less => count(numbers, |number| number < to),
        Comparison::LessEqual => count(numbers, |number| number <= to),
        Comparison::Greater => count(numbers, |number| number > to),
        Comparison::GreaterEqual => count(numbers, |number| number >= to),
    }
}

/// Whether a number compares in this way to another; NaN never does.
fn holds<T: PartialOrd>(comparison: Comparison, number: T, to: T) -> bool {
    match comparison {
        Comparison::Equal => number == to,
        Comparison::NotEqual => number.partial_cmp(&to).is_some_and(Ordering::is_ne),
        Comparison::Less => number < to,
        Comparison::LessEqual => number <= to,
        Comparison::Greater => number > to,
        Comparison::GreaterEqual => number >= to,
    }
}

fn is_number<T: PartialOrd>(number: &T) -> bool {
    number.partial_cmp(number).is_some()
}

/// The numbers of a list that have been added so far, counted by their ranks in the list.
struct Ranks<'a, T> {
    /// The numbers of the list in order, each once.
    sorted: &'a [T],
    counts: Fenwick,
}

impl<'a, T: Copy + PartialOrd> Ranks<'a, T> {
    /// Begins with none of these numbers added.
    fn of(numbers: &'a mut Vec<T>) -> Self {
        numbers.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
        numbers.dedup();
        Self { sorted: numbers, counts: Fenwick::new(numbers.len()) }
    }

    fn add(&mut self, number: T) {
        self.counts.change(self.sorted.partition_point(|other| *other < number), 1);
    }

    /// The number of added numbers that compare in this way to a number.
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

/// The numbers of a list that have been added so far, aggregated by their ranks as far as a comparison needs it.
struct GatheredRanks<'a, T> {
    /// The numbers of the list in order, each once.
    sorted: &'a [T],
    comparison: Comparison,
    /// At `i`, the aggregate of the interval of ranks of length `i & -i` that ends before `i`.
    below: Vec<Gathered>,
    /// Like `below`, with the ranks counted from the last.
    above: Vec<Gathered>,
    /// The aggregate of each rank.
    equal: Vec<Gathered>,
}

impl<'a, T: Copy + PartialOrd> GatheredRanks<'a, T> {
    /// Begins with none of these numbers added.
    fn of(numbers: &'a mut Vec<T>, comparison: Comparison) -> Self {
        numbers.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
        numbers.dedup();
        let states = |asked: &[Comparison]| {
            vec![None; if asked.contains(&comparison) { numbers.len() + 1 } else { 0 }]
        };
        let below = states(&[Comparison::Less, Comparison::LessEqual, Comparison::NotEqual]);
        let above = states(&[Comparison::Greater, Comparison::GreaterEqual, Comparison::NotEqual]);
        let equal = states(&[Comparison::Equal]);
        Self { sorted: numbers, comparison, below, above, equal }
    }

    fn add(&mut self, number: T, own: &Gathered) {
        let rank = self.sorted.partition_point(|other| *other < number);
        let from_last = self.sorted.len() - 1 - rank;
        for (states, rank) in [(&mut self.below, rank), (&mut self.above, from_last)] {
            let mut at = rank + 1;
            while at < states.len() {
                join(&mut states[at], own);
                at += at & at.wrapping_neg();
            }
        }
        if let Some(equal) = self.equal.get_mut(rank) {
            join(equal, own);
        }
    }

    /// The aggregate of the added numbers that compare to a number.
    fn gather(&self, to: T) -> Gathered {
        if !is_number(&to) {
            return None;
        }
        let less = self.sorted.partition_point(|number| *number < to);
        let up_to = self.sorted.partition_point(|number| *number <= to);
        let mut found = None;
        let mut first = |states: &[Gathered], count: usize| {
            let mut at = count;
            while at > 0 {
                join(&mut found, &states[at]);
                at &= at - 1;
            }
        };
        let count = self.sorted.len();
        match self.comparison {
            Comparison::Less => first(&self.below, less),
            Comparison::LessEqual => first(&self.below, up_to),
            Comparison::Greater => first(&self.above, count - up_to),
            Comparison::GreaterEqual => first(&self.above, count - less),
            Comparison::NotEqual => {
                first(&self.below, less);
                first(&self.above, count - up_to);
            }
            Comparison::Equal if less < up_to => found.clone_from(&self.equal[less]),
            Comparison::Equal => {}
        }
        found
    }
}
