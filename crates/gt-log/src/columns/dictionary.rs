//! Few distinct values: each once, the most frequent first, and a code for every row.
//!
//! The most frequent have the smallest codes, so packing with exceptions profits from a skewed column. Among codes that take the same
//! number of bits the values ascend: the steps from one to the next are small then.

/// Up to this range of values, counting is an array access; of a short column, up to so much for each row.
const DIRECT_RANGE_MAX: u64 = 1 << 16;
const DIRECT_RANGE_OF_ROW: u64 = 4;
/// Beyond that range, a dictionary has at most so many entries.
const HASHED_ENTRIES_MAX: usize = 1 << 12;

pub(super) struct Dictionary {
    /// The distinct values, in the order of their codes.
    pub(super) values: Vec<i64>,
    /// For every row, the place of its value.
    pub(super) codes: Vec<i64>,
}

impl Dictionary {
    /// The dictionary of a column with this least and greatest value, unless it had too many entries to pay.
    pub(super) fn build(column: &[i64], min: i64, max: i64) -> Option<Self> {
        let entries_max = column.len() / 4 + 2;
        let range_max = DIRECT_RANGE_MAX.min(DIRECT_RANGE_OF_ROW * column.len() as u64);
        if max.wrapping_sub(min) as u64 <= range_max && max >= min {
            Self::build_direct(column, min, max, entries_max)
        } else {
            Self::build_hashed(column, entries_max)
        }
    }

    fn build_direct(column: &[i64], min: i64, max: i64, entries_max: usize) -> Option<Self> {
        let place = |value: i64| (value - min) as usize;
        let mut table = vec![0_u32; place(max) + 1];
        // Listed when they first appear: to look for them in the table would take longer than to count.
        let mut distinct = Vec::new();
        for &value in column {
            let count = &mut table[place(value)];
            if *count == 0 {
                if distinct.len() == entries_max {
                    return None;
                }
                distinct.push(value);
            }
            *count += 1;
        }
        let counted = distinct.into_iter().map(|value| (value, table[place(value)]));
        let values = by_frequency(counted.collect());
        for (code, &value) in values.iter().enumerate() {
            table[place(value)] = code as u32;
        }
        let codes = column.iter().map(|&value| i64::from(table[place(value)])).collect();
        Some(Self { values, codes })
    }

    fn build_hashed(column: &[i64], entries_max: usize) -> Option<Self> {
        let entries_max = entries_max.min(HASHED_ENTRIES_MAX);
        let mut table = Table::new(entries_max);
        let mut codes = Vec::with_capacity(column.len());
        for &value in column {
            codes.push(i64::from(table.count(value)));
            if table.counted.len() > entries_max {
                return None;
            }
        }
        // Codes are in the order of appearance so far; the most frequent values get the smallest.
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
            ranks[code as usize] = rank as i64;
        }
        codes.iter_mut().for_each(|code| *code = ranks[*code as usize]);
        Some(Self { values: order.iter().map(|&code| table.counted[code as usize].0).collect(), codes })
    }
}

/// Values with their counts, found by a hash of the value; each has the number of its first appearance.
struct Table {
    counted: Vec<(i64, u32)>,
    /// The number of an entry plus one, or 0; at most half of them are taken.
    slots: Vec<u32>,
}

impl Table {
    /// For so many entries and one more.
    fn new(entries_max: usize) -> Self {
        Self { counted: Vec::new(), slots: vec![0; (2 * (entries_max + 1)).next_power_of_two()] }
    }

    /// Counts a value and gives its number.
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

fn by_frequency(mut counted: Vec<(i64, u32)>) -> Vec<i64> {
    counted.sort_unstable_by_key(|&(value, count)| (std::cmp::Reverse(count), value));
    let mut values: Vec<i64> = counted.into_iter().map(|(value, _)| value).collect();
    in_classes(values.len(), |class| values[class].sort_unstable());
    values
}

/// Calls `work` with each range of codes that take the same number of bits.
fn in_classes(codes: usize, mut work: impl FnMut(std::ops::Range<usize>)) {
    let mut start = 1;
    while start < codes {
        work(start..codes.min(2 * start));
        start *= 2;
    }
}
