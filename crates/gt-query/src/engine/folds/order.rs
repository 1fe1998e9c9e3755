//! Quantiles and numbers of distinct values, for every row over its relatives.
//!
//! ```text
//! values ──▶ codes: places among the different values      Subtree: intervals of the list of codes
//!                                                          others:  a bag of codes, changed along families and paths
//! ```
//!
//! Each row costs the logarithm of the number of distinct values, for any shape: on a path, a node is inserted into
//! the bag once and removed once; so is a child within its family.

use std::cmp::Ordering;
use std::ops::Range;

use super::bag::{Bag, Distinct, Fenwick, Quantile};
use super::relations::{NOBODY, Relations};
use super::wavelet::Wavelet;
use super::{Bitmap, Scope};

/// The largest number of values in an interval that is sorted directly.
const FEW: u32 = 16;

/// Values with an order.
pub(in crate::engine) trait Ordered: Copy {
    fn order(&self, other: &Self) -> Ordering;
}

macro_rules! ordered {
    ($($type:ty: $compare:path),*) => {$(
        impl Ordered for $type {
            #[inline]
            fn order(&self, other: &Self) -> Ordering {
                $compare(self, other)
            }
        }
    )*};
}
ordered!(i64: Ord::cmp, i128: Ord::cmp, f64: f64::total_cmp);

/// Values, each with its number of occurrences.
pub(in crate::engine) type Multiset<T> = Vec<(T, i64)>;

/// The values of a block's rows, and of the outside nodes that count with them.
#[derive(Debug)]
pub(in crate::engine) struct Ranked<'a, T> {
    relations: &'a Relations,
    /// The distinct values in order.
    values: Vec<T>,
    /// By row the index of its value; [`NOBODY`] for rows that are not taken.
    codes: Vec<u32>,
    /// By segment the changes of the bag before it.
    starts: Vec<Vec<(u32, i64)>>,
}

impl<'a, T: Ordered> Ranked<'a, T> {
    /// The values of the taken rows. `starts` may be empty, or has for each segment:
    /// for [`Scope::Before`] and [`Scope::After`], the values of the tops' siblings in other blocks;
    /// for [`Scope::Path`], the changes from the path of the previous segment to its own, with negative counts for
    /// removed values, so that all of them together are no longer than the open paths.
    pub(in crate::engine) fn new(
        relations: &'a Relations,
        values: &[T],
        take: &Bitmap,
        starts: &[Multiset<T>],
    ) -> Self {
        let mut sorted = Vec::with_capacity(take.count() as usize);
        take.each(|row| sorted.push((values[row], row as u32)));
        sorted.extend(starts.iter().flatten().map(|(value, _)| (*value, NOBODY)));
        sorted.sort_unstable_by(|left, right| left.0.order(&right.0));
        let mut codes = vec![NOBODY; values.len()];
        let mut different: Vec<T> = Vec::new();
        for (value, row) in sorted {
            if different.last().is_none_or(|last| last.order(&value).is_ne()) {
                different.push(value);
            }
            if let Some(code) = codes.get_mut(row as usize) {
                *code = different.len() as u32 - 1;
            }
        }
        let code = |value: &T| different.partition_point(|other| other.order(value).is_lt()) as u32;
        let coded = |start: &Multiset<T>| start.iter().map(|(value, count)| (code(value), *count)).collect();
        let starts = starts.iter().map(coded).collect();
        Self { relations, values: different, codes, starts }
    }

    /// For each row the value with the given rank among its relatives, and whether there is one; `rank` maps their
    /// number to a rank from 1 to that number.
    pub(in crate::engine) fn quantiles(
        &self,
        scope: Scope,
        rank: impl Fn(i64) -> i64,
        out: &mut Vec<T>,
        known: &mut Bitmap,
    ) where
        T: Default,
    {
        let mut bag = Quantile { counts: Fenwick::new(self.values.len()), rank };
        let found = self.answers(scope, &mut bag, |bag| self.quantiles_below(bag));
        known.pack(&found, |code| u8::from(code != NOBODY));
        out.clear();
        out.extend(found.iter().map(|&code| self.values.get(code as usize).copied().unwrap_or_default()));
    }

    /// For each row the number of distinct values among its relatives.
    pub(in crate::engine) fn distinct(&self, scope: Scope) -> Vec<i64> {
        let mut bag = Distinct { counts: vec![0; self.values.len()], different: 0 };
        let found = self.answers(scope, &mut bag, |_| self.distinct_below());
        found.into_iter().map(i64::from).collect()
    }

    fn answers<B: Bag>(&self, scope: Scope, bag: &mut B, below: impl Fn(&mut B) -> Vec<u32>) -> Vec<u32> {
        match scope {
            Scope::Subtree => below(bag),
            Scope::Child => self.among_children(bag),
            Scope::Path => self.along_paths(bag),
            Scope::Before => self.along_families(bag, |family, visit| family.iter().for_each(visit)),
            Scope::After => self.along_families(bag, |family, visit| family.iter().rev().for_each(visit)),
        }
    }

    fn along_families(
        &self,
        bag: &mut impl Bag,
        in_order: impl Fn(&[u32], &mut dyn FnMut(&u32)),
    ) -> Vec<u32> {
        let mut found = vec![NOBODY; self.codes.len()];
        self.relations.each_family(|segment, family| {
            let start = segment.and_then(|segment| self.starts.get(segment)).map_or(&[][..], Vec::as_slice);
            start.iter().for_each(|&(code, count)| bag.change(code, count));
            in_order(family, &mut |&row| {
                found[row as usize] = bag.answer();
                self.change(bag, row as usize, 1);
            });
            family.iter().for_each(|&row| self.change(bag, row as usize, -1));
            start.iter().for_each(|&(code, count)| bag.change(code, -count));
        });
        found
    }

    fn among_children(&self, bag: &mut impl Bag) -> Vec<u32> {
        let mut found = vec![NOBODY; self.codes.len()];
        let mut codes = Vec::new();
        for row in self.relations.segments.iter().cloned().flatten() {
            codes.clear();
            let children = self.relations.tops_of(self.relations.below(row));
            codes.extend(children.map(|child| self.codes[child]).filter(|&code| code != NOBODY));
            found[row] = bag.of(&mut codes);
        }
        found
    }

    fn along_paths(&self, bag: &mut impl Bag) -> Vec<u32> {
        let mut found = vec![NOBODY; self.codes.len()];
        // The rows on the path, each with the answer for its children.
        let mut path: Vec<(usize, u32)> = Vec::new();
        for (place, rows) in self.relations.segments.iter().enumerate() {
            if let Some(changes) = self.starts.get(place) {
                changes.iter().for_each(|&(code, count)| bag.change(code, count));
            }
            path.push((self.codes.len(), bag.answer()));
            for row in rows.clone().rev() {
                let parent = self.relations.family_of(row);
                while let Some((above, _)) = path.pop_if(|(above, _)| *above != parent) {
                    self.change(bag, above, -1);
                }
                found[row] = path.last().map_or(NOBODY, |(_, answer)| *answer);
                if !self.relations.below(row).is_empty() {
                    self.change(bag, row, 1);
                    path.push((row, bag.answer()));
                }
            }
            path.drain(..).skip(1).for_each(|(row, _)| self.change(bag, row, -1));
        }
        found
    }

    fn change(&self, bag: &mut impl Bag, row: usize, by: i64) {
        if self.codes[row] != NOBODY {
            bag.change(self.codes[row], by);
        }
    }

    /// Calls `visit` with each row, and with the range of the values below it in the list of all taken ones.
    fn each_below(&self, mut visit: impl FnMut(usize, Range<u32>)) {
        let mut places = vec![0_u32];
        places.extend(self.codes.iter().scan(0, |place, &code| {
            *place += u32::from(code != NOBODY);
            Some(*place)
        }));
        for row in self.relations.segments.iter().cloned().flatten() {
            let below = self.relations.below(row);
            visit(row, places[below.start]..places[below.end]);
        }
    }

    fn quantiles_below<F: Fn(i64) -> i64>(&self, bag: &mut Quantile<F>) -> Vec<u32> {
        let mut found = vec![NOBODY; self.codes.len()];
        let codes: Vec<u32> = self.codes.iter().copied().filter(|&code| code != NOBODY).collect();
        let wavelet = Wavelet::of(codes.clone());
        let mut few = Vec::new();
        self.each_below(|row, below| {
            found[row] = if below.len() as u32 <= FEW {
                few.clear();
                few.extend_from_slice(&codes[below.start as usize..below.end as usize]);
                bag.of(&mut few)
            } else {
                let rank = (bag.rank)(below.len() as i64);
                wavelet.select(below.start, below.end, rank as u32 - 1)
            };
        });
        found
    }

    /// The last place so far of each value is marked; a row sees as many values as there are marks below it.
    fn distinct_below(&self) -> Vec<u32> {
        let mut found = vec![0; self.codes.len()];
        let mut last = vec![NOBODY; self.values.len()];
        let mut marks = Fenwick::new(self.codes.len());
        self.each_below(|row, below| {
            if !below.is_empty() {
                found[row] = (marks.total - marks.below(below.start as usize)) as u32;
            }
            if let Some(last) = last.get_mut(self.codes[row] as usize) {
                if *last != NOBODY {
                    marks.change(*last as usize, -1);
                }
                *last = below.end;
                marks.change(below.end as usize, 1);
            }
        });
        found
    }
}
