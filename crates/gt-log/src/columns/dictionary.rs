//! Few distinct values: each is stored once, the most frequent first, and every row has a code.
//!
//! The most frequent values have the smallest codes, so packing with exceptions profits from a skewed column. Among codes with the same
//! number of bits the values ascend, so that the steps between them are small.

use super::integer::{Integer, Lists};
use super::narrow::{Narrow, with_list};
use super::workbench::Workbench;

/// The maximum range of values from the least to the greatest for which counting is an array access; for a short column, this much per row.
/// In this range, a value's distance from the least fits 16 bits, and no place has to be checked against the table's length.
const DIRECT_RANGE_MAX: usize = 1 << 16;
const DIRECT_RANGE_OF_ROW: u64 = 4;
/// Beyond that range, the maximum number of entries in a dictionary.
const HASHED_ENTRIES_MAX: usize = 1 << 12;

/// Up to this range, values are counted in four tables, by rows in turn: incrementing the same place repeatedly is slow.
const FOUR_TABLES_RANGE_MAX: usize = 1 << 13;
/// The distance between the tables: not a power of two, because a processor at first takes places that far apart for the same.
const TABLE_STEP: usize = FOUR_TABLES_RANGE_MAX + 16;

/// A count for each value.
type Counts = [u32; DIRECT_RANGE_MAX];

pub(super) struct Dictionary {
    /// The distinct values, in the order of their codes.
    pub(super) values: Vec<i64>,
    /// For every row, the place of its value.
    pub(super) codes: Narrow,
}

impl Dictionary {
    /// Builds the dictionary of a column with this least and greatest value, unless it would have too many entries to pay.
    pub(super) fn build(column: &Narrow, ends: (i64, i64), bench: &mut Workbench) -> Option<Self> {
        with_list!(column, column => Self::build_of(column, ends, bench))
    }

    fn build_of<T: Integer>(column: &[T], (min, max): (i64, i64), bench: &mut Workbench) -> Option<Self> {
        let entries_max = column.len() / 4 + 2;
        let range_max = (DIRECT_RANGE_MAX as u64 - 1).min(DIRECT_RANGE_OF_ROW * column.len() as u64);
        if max.wrapping_sub(min) as u64 > range_max || max < min {
            return Self::build_hashed(column, entries_max, &mut bench.integers);
        }
        let range = (max - min) as usize + 1;
        let table = counts(&mut bench.table)?;
        if range <= FOUR_TABLES_RANGE_MAX && range <= column.len() {
            let counted = count_in_four(column, min, range, table);
            let made = (counted.len() <= entries_max)
                .then(|| Self::of_counted(counted, column, min, table, &mut bench.integers));
            (0..4).for_each(|number| table[number * TABLE_STEP..][..range].fill(0));
            return made;
        }
        match count(column, min, table, entries_max) {
            Ok(counted) => {
                let made = Self::of_counted(counted, column, min, table, &mut bench.integers);
                made.values.iter().for_each(|value| table[(value - min) as usize] = 0);
                Some(made)
            }
            Err(places) => {
                places.iter().for_each(|&place| table[usize::from(place)] = 0);
                None
            }
        }
    }

    /// Makes the dictionary of values with these counts; the table has a place for each value.
    fn of_counted<T: Integer>(
        counted: Vec<Counted>,
        column: &[T],
        min: i64,
        table: &mut Counts,
        lists: &mut Lists,
    ) -> Self {
        let mut counted = counted;
        by_frequency(&mut counted);
        for (code, counted) in counted.iter().enumerate() {
            table[counted.place()] = code as u32;
        }
        let values: Vec<i64> = counted.iter().map(|counted| min + counted.place() as i64).collect();
        let codes = if values.len() <= i16::MAX as usize {
            Narrow::I16(coded(column, min, table, lists))
        } else {
            Narrow::I32(coded(column, min, table, lists))
        };
        Self { values, codes }
    }

    fn build_hashed<T: Integer>(column: &[T], entries_max: usize, lists: &mut Lists) -> Option<Self> {
        let entries_max = entries_max.min(HASHED_ENTRIES_MAX);
        let mut table = Table::new(entries_max);
        let mut codes = lists.take::<i16>();
        codes.clear();
        codes.reserve(column.len());
        for &value in column {
            codes.push(table.count(value.into()) as i16);
            if table.counted.len() > entries_max {
                lists.keep(codes);
                return None;
            }
        }
        // So far, codes are in the order of first appearance; the most frequent values must get the smallest.
        let mut order: Vec<u32> = (0..table.counted.len() as u32).collect();
        order.sort_unstable_by_key(|&code| {
            let (value, count) = table.counted[code as usize];
            (std::cmp::Reverse(count), value)
        });
        in_classes(order.len(), |class| {
            order[class].sort_unstable_by_key(|&code| table.counted[code as usize].0)
        });
        let mut ranks = vec![0; order.len()];
        for (rank, &code) in order.iter().enumerate() {
            ranks[code as usize] = rank as i16;
        }
        codes.iter_mut().for_each(|code| *code = ranks[*code as usize]);
        let values = order.iter().map(|&code| table.counted[code as usize].0).collect();
        Some(Self { values, codes: Narrow::I16(codes) })
    }
}

/// A value, as its distance from the least, and its count in a column. More frequent values order first, and of equally frequent ones the
/// smaller value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Counted(u64);

impl Counted {
    /// The place is below [`DIRECT_RANGE_MAX`], so it fits half of the word.
    fn new(place: usize, count: u32) -> Self {
        Self(u64::from(!count) << 32 | place as u64)
    }

    fn place(self) -> usize {
        self.0 as u32 as usize
    }
}

/// Counts the values of a column in a table that is all zeros. Too many distinct values are an error, which contains their places.
fn count<T: Integer>(
    column: &[T],
    min: i64,
    table: &mut Counts,
    entries_max: usize,
) -> Result<Vec<Counted>, Vec<u16>> {
    // Values are listed when they first appear: finding them in the table would take longer than counting.
    let mut distinct: Vec<u16> = Vec::new();
    for &value in column {
        let place = place(value, min);
        let count = &mut table[usize::from(place)];
        if *count == 0 {
            if distinct.len() == entries_max {
                return Err(distinct);
            }
            distinct.push(place);
        }
        *count += 1;
    }
    let counted = |place: u16| Counted::new(place.into(), table[usize::from(place)]);
    Ok(distinct.into_iter().map(counted).collect())
}

/// A value's distance from the least, which must fit 16 bits.
#[inline(always)]
fn place<T: Integer>(value: T, min: i64) -> u16 {
    value.into().wrapping_sub(min) as u16
}

/// The table, allocated if necessary: all zeros.
fn counts(table: &mut Vec<u32>) -> Option<&mut Counts> {
    if table.len() < DIRECT_RANGE_MAX {
        *table = vec![0; DIRECT_RANGE_MAX];
    }
    table.first_chunk_mut()
}

/// Counts the values of a column in four tables, if their range is short.
fn count_in_four<T: Integer>(column: &[T], min: i64, range: usize, table: &mut Counts) -> Vec<Counted> {
    let mut count = |value: T, number: u16| {
        let place = place(value, min).wrapping_add(number * TABLE_STEP as u16);
        table[usize::from(place)] += 1;
    };
    let (fours, rest) = column.as_chunks::<4>();
    for &[a, b, c, d] in fours {
        count(a, 0);
        count(b, 1);
        count(c, 2);
        count(d, 3);
    }
    rest.iter().for_each(|&value| count(value, 0));
    let [a, b, c, d] = [0, 1, 2, 3].map(|number| &table[number * TABLE_STEP..][..range]);
    let sums = a.iter().zip(b).zip(c.iter().zip(d)).map(|((a, b), (c, d))| a + b + c + d);
    let counted = sums.enumerate().filter(|&(_, count)| count > 0);
    counted.map(|(place, count)| Counted::new(place, count)).collect()
}

/// The code of each row's value.
fn coded<T: Integer, C: Integer>(column: &[T], min: i64, table: &Counts, lists: &mut Lists) -> Vec<C> {
    let mut codes = lists.take();
    codes.clear();
    codes.extend(column.iter().map(|&value| C::of(i64::from(table[usize::from(place(value, min))]))));
    codes
}

/// Counts values that are found by a hash; each value has the number of its first appearance.
struct Table {
    counted: Vec<(i64, u32)>,
    /// The number of an entry plus one, or 0; at most half of the slots are taken.
    slots: Vec<u32>,
}

impl Table {
    /// Makes a table for this many entries and one more.
    fn new(entries_max: usize) -> Self {
        Self { counted: Vec::new(), slots: vec![0; (2 * (entries_max + 1)).next_power_of_two()] }
    }

    /// Counts a value and returns its number.
    #[inline]
    fn count(&mut self, value: i64) -> u32 {
        let hash = (value as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mask = self.slots.len() - 1;
        let mut slot = (hash >> 40) as usize & mask;
        loop {
            match self.slots[slot] {
                0 => {
                    self.counted.push((value, 1));
                    self.slots[slot] = self.counted.len() as u32;
                    return self.counted.len() as u32 - 1;
                }
                number if self.counted[number as usize - 1].0 == value => {
                    self.counted[number as usize - 1].1 += 1;
                    return number - 1;
                }
                _ => slot = (slot + 1) & mask,
            }
        }
    }
}

/// Orders values by their codes.
fn by_frequency(counted: &mut [Counted]) {
    // From the last class to the first: a value's class depends on its frequency, but its place in the class does not.
    let mut rest = counted;
    while rest.len() > 1 {
        let start = rest.len().next_power_of_two() / 2;
        rest.select_nth_unstable(start);
        let (before, class) = rest.split_at_mut(start);
        class.sort_unstable_by_key(|counted| counted.0 as u32);
        rest = before;
    }
}

/// Calls `work` with each range of codes that take the same number of bits.
fn in_classes(codes: usize, mut work: impl FnMut(std::ops::Range<usize>)) {
    let mut start = 1;
    while start < codes {
        work(start..codes.min(2 * start));
        start *= 2;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::columns::extremes;

    proptest! {
        #[test]
        fn codes_stand_for_their_values(span in prop_oneof![1..40_i64, 1..9000_i64, Just(1 << 20)], low in -20_000..20_000_i64, picks in prop::collection::vec(any::<u32>(), 1..3000), distinct in 1..200_u32) {
            let value = |pick: u32| low + i64::from(pick % distinct).wrapping_mul(0x9e37_79b9) % span;
            let column: Vec<i64> = picks.into_iter().map(value).collect();
            let mut narrow = Narrow::default();
            narrow.append(&column, extremes(&column));
            // The bench is reused: what is left in it must change nothing.
            let mut bench = Workbench::default();
            for _ in 0..2 {
                let Some(dictionary) = Dictionary::build(&narrow, extremes(&column), &mut bench) else {
                    let mut sorted = column.clone();
                    sorted.sort_unstable();
                    sorted.dedup();
                    prop_assert!(sorted.len() > column.len() / 4 + 2);
                    continue;
                };
                let codes = dictionary.codes.wide(&mut Vec::new()).to_vec();
                let decoded: Vec<i64> = codes.iter().map(|&code| dictionary.values[code as usize]).collect();
                prop_assert_eq!(&decoded, &column);
                prop_assert!(bench.table.iter().all(|&count| count == 0));
                let frequency = |code: i64| codes.iter().filter(|&&other| other == code).count();
                prop_assert!((1..dictionary.values.len() as i64).all(|code| frequency(code) <= frequency(0)));
            }
        }
    }
}
