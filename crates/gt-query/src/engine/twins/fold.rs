//! The aggregate of each row of a group over the others in it.
//!
//! ```text
//! nothing is compared      all of the group, less the row itself; of `min` and `max` the best two are kept
//! a few rows               each is compared with each
//! many rows                counts by sorting (`ranks`)
//! ```

use std::cmp::Ordering;
use std::sync::atomic::AtomicBool;

use super::lanes::{Lanes, integer_of_key, key_of_float};
use super::ranks::{Compared, counts};
use super::results::StoredAs;
use crate::engine::Failure;
use crate::engine::parallel::check_at;
use crate::ir::Comparison;
use crate::mean::Mean;
use crate::vocabulary::Function;

/// The largest number of rows that are compared pairwise.
const FEW: usize = 48;

/// The maximum number of pairwise comparisons for the groups of one thread: some seconds.
const PAIRS_MAX: u64 = 1 << 35;

/// A question about twins.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Question {
    pub(in crate::engine) function: Function,
    /// The comparisons, with the indices of lanes: of the twin, and of the node.
    pub(in crate::engine) pairs: Vec<(Comparison, usize, usize)>,
    /// The index of the value taken from a twin, and whether it is a float.
    pub(in crate::engine) argument: Option<(usize, bool)>,
}

impl Question {
    /// The representation of its answers.
    pub(super) fn kept(&self) -> StoredAs {
        match (self.function, self.argument) {
            (Function::Avg, _) | (Function::Min | Function::Max, Some((_, true))) => StoredAs::Floats,
            (Function::Min | Function::Max, _) => StoredAs::Integers,
            _ => StoredAs::Sums,
        }
    }
}

/// The current group, and the buffers that groups reuse.
pub(super) struct Folding<'a> {
    question: &'a Question,
    is_twin: Vec<bool>,
    is_node: Vec<bool>,
    /// By pair, a bit for each order that satisfies it: less, equal, greater.
    orders: Vec<u8>,
    /// The compared values, by pair: of twins, of nodes.
    compared: Vec<(Vec<u64>, Vec<u64>)>,
    argument: Vec<u64>,
    /// The number of comparisons left, for groups that are not small.
    pairs_left: u64,
}

impl<'a> Folding<'a> {
    pub(super) fn new(question: &'a Question) -> Self {
        Self {
            question,
            is_twin: Vec::new(),
            is_node: Vec::new(),
            orders: question.pairs.iter().map(|(comparison, ..)| orders(*comparison)).collect(),
            compared: vec![Default::default(); question.pairs.len()],
            argument: Vec::new(),
            pairs_left: PAIRS_MAX,
        }
    }

    /// Collects the values of the rows at these indices.
    pub(super) fn load(&mut self, places: &[u32], flags: &[u8], numbers: &[Vec<u64>]) {
        let copy = |lane: &[u64], out: &mut Vec<u64>| {
            out.clear();
            out.extend(places.iter().map(|place| lane[*place as usize]));
        };
        let flag = |flag: u8, out: &mut Vec<bool>| {
            out.clear();
            out.extend(places.iter().map(|place| flags[*place as usize] & flag != 0));
        };
        flag(Lanes::TWIN, &mut self.is_twin);
        flag(Lanes::NODE, &mut self.is_node);
        for ((_, of_twin, of_node), (twins, nodes)) in self.question.pairs.iter().zip(&mut self.compared) {
            copy(&numbers[*of_twin], twins);
            copy(&numbers[*of_node], nodes);
        }
        if let Some((argument, _)) = self.question.argument {
            copy(&numbers[argument], &mut self.argument);
        }
    }

    /// Calls `put` with each row of the group that has an answer, by its index in it.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled, or too many rows would have to be compared pairwise.
    pub(super) fn answer(
        &mut self,
        cancel: Option<&AtomicBool>,
        put: &mut impl FnMut(usize, u64),
    ) -> Result<(), Failure> {
        if self.compared.is_empty() {
            self.of_all(put);
            Ok(())
        } else if self.is_node.len() <= FEW {
            self.each_with_each(cancel, put)
        } else {
            self.of_many(cancel, put)
        }
    }

    fn nodes(&self) -> impl Iterator<Item = usize> {
        (0..self.is_node.len()).filter(|place| self.is_node[*place])
    }

    /// The answer if nothing is compared: all twins of the group, without the row itself.
    fn of_all(&self, put: &mut impl FnMut(usize, u64)) {
        match self.question.function {
            Function::Min => self.extremes(|key| key, put),
            // The maximum is the minimum from the other end.
            Function::Max => self.extremes(|key| !key, put),
            _ => {
                let mut all = Gathered::default();
                let twins = (0..self.is_twin.len()).filter(|place| self.is_twin[*place]);
                twins.for_each(|place| all.add(self.taken(place)));
                for place in self.nodes() {
                    let mut own = all;
                    if self.is_twin[place] {
                        own.remove(self.taken(place));
                    }
                    self.put(place, &own, put);
                }
            }
        }
    }

    /// The minimum of the others: of the two smallest of all, the one that is not the row itself.
    fn extremes(&self, turned: impl Fn(u64) -> u64, put: &mut impl FnMut(usize, u64)) {
        const NONE: u64 = u64::MAX;
        let own = |place: usize| if self.is_twin[place] { turned(self.taken(place)) } else { NONE };
        let (mut least, mut second) = (NONE, NONE);
        for key in (0..self.is_twin.len()).map(own) {
            (least, second) = (least.min(key), second.min(least.max(key)));
        }
        for place in self.nodes() {
            let found = if own(place) == least { second } else { least };
            if found != NONE {
                put(place, turned(found));
            }
        }
    }

    fn each_with_each(
        &self,
        cancel: Option<&AtomicBool>,
        put: &mut impl FnMut(usize, u64),
    ) -> Result<(), Failure> {
        let rows = self.is_twin.len();
        for node in self.nodes() {
            if rows > FEW {
                check_at(node, cancel)?;
            }
            if self.question.argument.is_none() {
                let count: u64 =
                    (0..rows).map(|twin| u64::from(self.is_twin[twin] & self.holds(twin, node))).sum();
                let is_own = self.is_twin[node] & self.holds(node, node);
                put(node, count - u64::from(is_own));
                continue;
            }
            let mut gathered = Gathered::default();
            for twin in (0..rows).filter(|twin| *twin != node && self.is_twin[*twin]) {
                if self.holds(twin, node) {
                    gathered.add(self.taken(twin));
                }
            }
            self.put(node, &gathered, put);
        }
        Ok(())
    }

    fn of_many(
        &mut self,
        cancel: Option<&AtomicBool>,
        put: &mut impl FnMut(usize, u64),
    ) -> Result<(), Failure> {
        let by_sorting = if self.question.argument.is_none() { self.counts() } else { None };
        if let Some(counts) = by_sorting {
            for place in self.nodes() {
                let is_own = self.is_twin[place] && self.holds(place, place);
                put(place, u64::from(counts[place] - u32::from(is_own)));
            }
            return Ok(());
        }
        let rows = self.is_twin.len() as u64;
        match self.pairs_left.checked_sub(rows.saturating_mul(rows)) {
            Some(left) => self.pairs_left = left,
            None => return Err(Failure::TooManyTwins { nodes: rows }),
        }
        self.each_with_each(cancel, put)
    }

    fn counts(&self) -> Option<Vec<u32>> {
        let pairs = self.question.pairs.iter().zip(&self.compared);
        let compared = pairs.map(|((comparison, ..), (twins, nodes))| Compared {
            comparison: *comparison,
            of_twin: twins.clone(),
            of_node: nodes.clone(),
        });
        counts(&compared.collect::<Vec<_>>(), &self.is_twin)
    }

    /// Branch-free: how two values compare is unpredictable.
    #[inline]
    fn holds(&self, twin: usize, node: usize) -> bool {
        let pairs = self.orders.iter().zip(&self.compared);
        let holds = pairs.map(|(orders, (twins, nodes))| {
            let (twin, node) = (twins[twin], nodes[node]);
            orders >> (u8::from(twin >= node) + u8::from(twin > node)) & 1
        });
        holds.fold(1, |all, one| all & one) == 1
    }

    fn taken(&self, place: usize) -> u64 {
        self.argument.get(place).copied().unwrap_or(0)
    }

    fn put(&self, place: usize, gathered: &Gathered, put: &mut impl FnMut(usize, u64)) {
        match self.question.function {
            Function::Sum => put(place, gathered.sum.cast_unsigned()),
            Function::Avg | Function::Min | Function::Max if gathered.count == 0 => {}
            Function::Avg => {
                let mut mean = Mean::default();
                mean.add_integers(gathered.sum.into(), gathered.count.into());
                mean.value().into_iter().for_each(|mean| put(place, key_of_float(mean)));
            }
            Function::Min => put(place, gathered.least),
            Function::Max => put(place, gathered.most),
            // All others are counts.
            _ => put(place, gathered.count.into()),
        }
    }
}

/// A bit for each order that satisfies a comparison: less, equal, greater.
fn orders(comparison: Comparison) -> u8 {
    let each = [Ordering::Less, Ordering::Equal, Ordering::Greater].into_iter().enumerate();
    each.map(|(bit, order)| u8::from(comparison.holds(order)) << bit).sum()
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

    /// Removes one that was added, for a count or sum.
    #[inline]
    fn remove(&mut self, key: u64) {
        self.count -= 1;
        self.sum = self.sum.wrapping_sub(integer_of_key(key));
    }
}
