//! Pseudorandom numbers that are the same on every platform (SplitMix64).

/// A stream of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    #[cfg(test)]
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A stream that depends on a seed and on its purpose.
    pub(crate) fn stream(seed: u64, purpose: u64) -> Self {
        Self(Self(seed.wrapping_add(purpose.wrapping_mul(0xd134_2543_de82_ef95))).next())
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; `end` must not be 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// A number from 0 to 1.
    #[cfg(test)]
    pub(crate) fn unit(&mut self) -> f64 {
        self.next() as f64 / u64::MAX as f64
    }

    /// Puts the items into a random order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
