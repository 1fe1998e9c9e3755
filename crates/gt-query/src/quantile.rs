//! Quantiles by the nearest rank: the smallest value that at least a given share of the values do not exceed.

use crate::hashing::QuickMap;
use crate::value::Value;
use crate::wire::{Bytes, Wire, put_length};

/// The rank, from 1, of the quantile at `share` (from 0 to 1) of `count` values (at least one): `share * count`,
/// rounded up. The share is taken in its decimal form, so that a tenth of ten values is one value.
pub(crate) fn nearest_rank(share: f64, count: u64) -> u64 {
    let written = format!("{share:e}");
    let (digits, power) = written.split_once('e').unwrap_or((&written, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let digits: u128 = format!("{whole}{fraction}").parse().unwrap_or(0);
    let power = power.parse::<i64>().unwrap_or(0) - fraction.len() as i64;
    // A count times 17 digits fits in 128 bits; if the divisor does not, the share is less than one value.
    let divisor = u32::try_from(-power).ok().and_then(|power| 10_u128.checked_pow(power));
    let rank = divisor.map_or(1, |divisor| (digits * u128::from(count)).div_ceil(divisor));
    u64::try_from(rank).unwrap_or(count).clamp(1, count)
}

/// The number of occurrences of each value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Multiset {
    times: QuickMap<Value, u64>,
    count: u64,
}

impl Wire for Multiset {
    fn put(&self, bytes: &mut Vec<u8>) {
        put_length(self.times.len(), bytes);
        for (value, times) in &self.times {
            value.put(bytes);
            times.put(bytes);
        }
    }

    fn read(bytes: &mut Bytes<'_>) -> Option<Self> {
        let mut values = Self::default();
        for _ in 0..bytes.length()? {
            values.add(Value::read(bytes)?, u64::read(bytes)?);
        }
        Some(values)
    }
}

impl Multiset {
    pub(crate) fn add(&mut self, value: Value, times: u64) {
        *self.times.entry(value).or_default() += times;
        self.count += times;
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        other.times.iter().for_each(|(value, times)| self.add(value.clone(), *times));
    }

    /// The values, each with its number of occurrences.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Value, u64)> {
        self.times.iter().map(|(value, times)| (value, *times))
    }

    /// The number of distinct values.
    pub(crate) fn distinct(&self) -> usize {
        self.times.len()
    }

    /// The quantile at this share; `None` without values.
    pub(crate) fn quantile(&self, share: f64) -> Option<Value> {
        let mut left = if self.count == 0 { return None } else { nearest_rank(share, self.count) };
        let mut values: Vec<_> = self.times.iter().collect();
        values.sort_unstable_by(|left, right| left.0.order(right.0));
        let found = values.into_iter().find(|(_, times)| {
            let is_it = left <= **times;
            left = left.saturating_sub(**times);
            is_it
        });
        found.map(|(value, _)| value.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_what_is_written() {
        assert_eq!(nearest_rank(0.1, 10), 1);
        assert_eq!(nearest_rank(0.07, 100), 7);
        assert_eq!(nearest_rank(0.5, 7), 4);
        assert_eq!(nearest_rank(0.0, 7), 1);
        assert_eq!(nearest_rank(1.0, 7), 7);
        assert_eq!(nearest_rank(1e-300, 7), 1);
        assert_eq!(nearest_rank(0.999_999_999_999, 1 << 40), (1 << 40) - 1);
        assert_eq!(nearest_rank(1.0, u64::MAX), u64::MAX);
    }
}
