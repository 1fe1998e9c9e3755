//! The aggregate of each row over the others of its group that comparisons select.
//!
//! ```text
//! small groups    a row is compared with the one after it, then with the second after it, …, in all groups at once
//! others          counts by sorting (`ranks`); else like small ones, one group at a time
//! ```
//!
//! Groups are in the order of their sizes, so the rows with a d-th row after them come first.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use super::fold::{Question, mean};
use super::groups::{Order, SMALL};
use super::lanes::{Lanes, integer_of_key};
use super::ranks::{Compared, counts};
use super::results::Answers;
use crate::engine::Failure;
use crate::engine::parallel::check;
use crate::engine::wide::wide;
use crate::ir::Comparison;
use crate::vocabulary::Function;

/// The maximum number of pairwise comparisons for the groups of one thread: some seconds.
const PAIRS_MAX: u64 = 1 << 35;

/// The folding of one thread's groups.
pub(super) struct Folding<'a> {
    question: &'a Question,
    /// The number of comparisons left, for groups that are not small.
    pairs_left: u64,
    /// The answers, as counts or as gathered values.
    counts: Vec<u32>,
    gathered: Vec<Gathered>,
    /// For each pair of rows, whether the later is selected by the earlier, and the other way round.
    later: Vec<u8>,
    earlier: Vec<u8>,
}

impl<'a> Folding<'a> {
    pub(super) fn new(question: &'a Question) -> Self {
        let (counts, gathered) = (Vec::new(), Vec::new());
        Self { question, pairs_left: PAIRS_MAX, counts, gathered, later: Vec::new(), earlier: Vec::new() }
    }

    /// The answers of the rows of a bucket, whose lanes are in the order of groups.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled, or too many rows would have to be compared pairwise.
    pub(super) fn compared(
        &mut self,
        order: &Order,
        lanes: &Lanes,
        cancel: Option<&AtomicBool>,
    ) -> Result<Answers, Failure> {
        let rows = lanes.flags.len();
        let is_counted = self.question.argument.is_none();
        self.counts.clear();
        self.counts.resize(if is_counted { rows } else { 0 }, 0);
        self.gathered.clear();
        self.gathered.resize(if is_counted { 0 } else { rows }, Gathered::default());
        for range in &order.large {
            if is_counted && self.count_by_sorting(lanes, range) {
                continue;
            }
            let rows = range.len() as u64;
            match self.pairs_left.checked_sub(rows.saturating_mul(rows)) {
                Some(left) => self.pairs_left = left,
                None => return Err(Failure::TooManyTwins { nodes: rows }),
            }
            for distance in 1..range.len() {
                check(cancel)?;
                self.compare(order, lanes, range.clone(), distance);
            }
        }
        let start = order.ends[SMALL];
        for distance in 1..SMALL {
            self.compare(order, lanes, start..order.ends[distance], distance);
        }
        let places = order.places.iter().map(|place| *place as usize);
        Ok(match is_counted {
            true => Answers::Counts(places.map(|place| self.counts[place]).collect()),
            false => Answers::Words(places.map(|place| self.gathered[place].answer(self.question)).collect()),
        })
    }

    /// Compares each row at these places with the one `distance` places after it, if both are in one group.
    fn compare(&mut self, order: &Order, lanes: &Lanes, places: Range<usize>, distance: usize) {
        let Some(end) = places.end.checked_sub(distance).filter(|end| *end > places.start) else { return };
        let (first, second) = (places.start..end, places.start + distance..places.end);
        let (later, earlier) = (&mut self.later, &mut self.earlier);
        let groups = order.groups[first.clone()].iter().zip(&order.groups[second.clone()]);
        let flags = lanes.flags[first.clone()].iter().zip(&lanes.flags[second.clone()]);
        // A flag's bit is moved to the lowest.
        const TWIN: u32 = Lanes::TWIN.trailing_zeros();
        const NODE: u32 = Lanes::NODE.trailing_zeros();
        let of_group = groups.map(|(first, second)| u8::from(first == second)).zip(flags);
        later.clear();
        later.extend(of_group.clone().map(|(same, (first, second))| same & first >> NODE & second >> TWIN));
        earlier.clear();
        earlier.extend(of_group.map(|(same, (first, second))| same & first >> TWIN & second >> NODE));
        for (comparison, of_twin, of_node) in &self.question.pairs {
            let (of_twin, of_node) = (&lanes.numbers[*of_twin], &lanes.numbers[*of_node]);
            keep(later, *comparison, &of_twin[second.clone()], &of_node[first.clone()]);
            keep(earlier, *comparison, &of_twin[first.clone()], &of_node[second.clone()]);
        }
        let Some((argument, _)) = self.question.argument else {
            let add = |(count, more): (&mut u32, &mut u8)| *count += u32::from(*more);
            self.counts[first].iter_mut().zip(later).for_each(add);
            self.counts[second].iter_mut().zip(earlier).for_each(add);
            return;
        };
        let values = &lanes.numbers[argument];
        let add = |((gathered, is_taken), value): ((&mut Gathered, &mut u8), &u64)| {
            if *is_taken != 0 {
                gathered.add(*value);
            }
        };
        self.gathered[first.clone()].iter_mut().zip(later).zip(&values[second.clone()]).for_each(add);
        self.gathered[second].iter_mut().zip(earlier).zip(&values[first]).for_each(add);
    }

    /// Counts, for each row of a group, by sorting; if that takes pairs, counts nothing and returns `false`.
    fn count_by_sorting(&mut self, lanes: &Lanes, places: &Range<usize>) -> bool {
        let pairs = self.question.pairs.iter().map(|(comparison, of_twin, of_node)| Compared {
            comparison: *comparison,
            of_twin: lanes.numbers[*of_twin][places.clone()].to_vec(),
            of_node: lanes.numbers[*of_node][places.clone()].to_vec(),
        });
        let compared: Vec<_> = pairs.collect();
        let flags = &lanes.flags[places.clone()];
        let is_twin: Vec<bool> = flags.iter().map(|flags| flags & Lanes::TWIN != 0).collect();
        let Some(counts) = counts(&compared, &is_twin) else { return false };
        for (place, (out, count)) in self.counts[places.clone()].iter_mut().zip(counts).enumerate() {
            let holds = |condition: &Compared| {
                condition.comparison.holds(condition.of_twin[place].cmp(&condition.of_node[place]))
            };
            let is_own = is_twin[place] && compared.iter().all(holds);
            *out = if flags[place] & Lanes::NODE != 0 { count - u32::from(is_own) } else { 0 };
        }
        true
    }
}

/// Clears what is set where a comparison does not hold.
fn keep(set: &mut [u8], comparison: Comparison, twins: &[u64], nodes: &[u64]) {
    let (left, right, opposite) = match comparison {
        Comparison::Equal | Comparison::Less => (twins, nodes, 0),
        Comparison::NotEqual | Comparison::GreaterEqual => (twins, nodes, 1),
        Comparison::Greater => (nodes, twins, 0),
        Comparison::LessEqual => (nodes, twins, 1),
    };
    match comparison {
        Comparison::Equal | Comparison::NotEqual => keep_where(set, left, right, opposite, &|a, b| a == b),
        _ => keep_where(set, left, right, opposite, &|a, b| a < b),
    }
}

wide! {
    fn keep_where[F: Fn(u64, u64) -> bool](set: &mut [u8], left: &[u64], right: &[u64], opposite: u8, holds: &F) {
        let pairs = left.iter().zip(right);
        set.iter_mut().zip(pairs).for_each(|(set, (left, right))| *set &= u8::from(holds(*left, *right)) ^ opposite);
    }
}

/// The aggregate of some twins.
#[derive(Clone, Copy)]
struct Gathered {
    count: u32,
    /// The sum of integers; it fits.
    sum: i64,
    least: u64,
    most: u64,
}

impl Default for Gathered {
    fn default() -> Self {
        Self { count: 0, sum: 0, least: u64::MAX, most: 0 }
    }
}

impl Gathered {
    #[inline]
    fn add(&mut self, key: u64) {
        self.count += 1;
        self.sum = self.sum.wrapping_add(integer_of_key(key));
        self.least = self.least.min(key);
        self.most = self.most.max(key);
    }

    fn answer(&self, question: &Question) -> u64 {
        let found = match question.function {
            Function::Sum => Some(self.sum.cast_unsigned()),
            Function::Min => Some(self.least).filter(|_| self.count > 0),
            Function::Max => Some(self.most).filter(|_| self.count > 0),
            // All others with an argument are means.
            _ => mean(self.sum, self.count),
        };
        found.unwrap_or(question.kept().nothing())
    }
}
