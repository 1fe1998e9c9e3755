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
        let mut numbers = vec![0_u32; (max - min) as usize + 1];
        Self::build_by(column, entries_max, |value, counted| {
            let number = &mut numbers[(value - min) as usize];
            if *number == 0 {
                counted.push((value, 0));
                *number = counted.len() as u32;
            }
            *number as usize - 1
        })
    }

    fn build_hashed(column: &[i64], entries_max: usize) -> Option<Self> {
        let entries_max = entries_max.min(HASHED_ENTRIES_MAX);
        let mut slots = Slots::new(entries_max);
        Self::build_by(column, entries_max, |value, counted| slots.number(value, counted))
    }

    /// The dictionary by the numbers that values have in the order of their appearance: `number` tells the number of a value, and
    /// lists the value with no count where it is new.
    #[inline(always)]
    fn build_by(
        column: &[i64],
        entries_max: usize,
        mut number: impl FnMut(i64, &mut Vec<(i64, u32)>) -> usize,
    ) -> Option<Self> {
        let mut counted = Vec::new();
        let mut codes = Vec::with_capacity(column.len());
        for &value in column {
            let number = number(value, &mut counted);
            if counted.len() > entries_max {
                return None;
            }
            counted[number].1 += 1;
            codes.push(number as i64);
        }
        // The most frequent values get the smallest codes.
        let mut order: Vec<u32> = (0..counted.len() as u32).collect();
        order.sort_unstable_by_key(|&number| {
            let (value, count) = counted[number as usize];
            (std::cmp::Reverse(count), value)
        });
        in_classes(order.len(), |class| {
            order[class].sort_unstable_by_key(|&number| counted[number as usize].0)
        });
        let mut ranks = vec![0; order.len()];
        for (rank, &number) in order.iter().enumerate() {
            ranks[number as usize] = rank as i64;
        }
        codes.iter_mut().for_each(|code| *code = ranks[*code as usize]);
        Some(Self { values: order.iter().map(|&number| counted[number as usize].0).collect(), codes })
    }
}

/// The numbers of values, found by a hash.
struct Slots {
    /// The number of a value plus one, or 0; at most half of them are taken.
    slots: Vec<u32>,
}

impl Slots {
    /// For so many values and one more.
    fn new(entries_max: usize) -> Self {
        Self { slots: vec![0; (2 * (entries_max + 1)).next_power_of_two()] }
    }

    /// The number of a value among those that are listed; a new one is appended to them.
    #[inline]
    fn number(&mut self, value: i64, counted: &mut Vec<(i64, u32)>) -> usize {
        let hash = (value as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mask = self.slots.len() - 1;
        let mut slot = (hash >> 40) as usize & mask;
        loop {
            match self.slots[slot] as usize {
                0 => {
                    counted.push((value, 0));
                    self.slots[slot] = counted.len() as u32;
                    return counted.len() - 1;
                }
                number if counted[number - 1].0 == value => return number - 1,
                _ => slot = (slot + 1) & mask,
            }
        }
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
