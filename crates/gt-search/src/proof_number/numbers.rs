//! Proof and disproof numbers, and the table that keeps them.

/// The number of a goal that cannot be reached.
pub(super) const NEVER: u32 = u32::MAX;

/// How far a node is from an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl Numbers {
    /// Nothing is known yet.
    pub(super) const UNKNOWN: Self = Self { proof: 1, disproof: 1 };
    pub(super) const PROVEN: Self = Self { proof: 0, disproof: NEVER };
    pub(super) const DISPROVEN: Self = Self { proof: NEVER, disproof: 0 };

    pub(super) fn is_proven(self) -> bool {
        self.proof == 0
    }

    pub(super) fn is_disproven(self) -> bool {
        self.disproof == 0
    }

    pub(super) fn is_decided(self) -> bool {
        self.is_proven() || self.is_disproven()
    }

    pub(super) fn shown_proof(self) -> Option<u32> {
        (self.proof != NEVER).then_some(self.proof)
    }

    pub(super) fn shown_disproof(self) -> Option<u32> {
        (self.disproof != NEVER).then_some(self.disproof)
    }
}

/// Adds numbers. [`NEVER`] plus anything is [`NEVER`], and no other sum becomes [`NEVER`].
pub(super) fn sum(numbers: impl Iterator<Item = u32>) -> u32 {
    let mut total = 0_u32;
    for number in numbers {
        if number == NEVER {
            return NEVER;
        }
        total = total.saturating_add(number).min(NEVER - 1);
    }
    total
}

/// The numbers of a node, and the work spent on it.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    numbers: Numbers,
    work: u32,
}

const EMPTY: Entry = Entry { key: 0, numbers: Numbers::UNKNOWN, work: 0 };
/// The number of entries in which a node may be stored.
const WAYS: usize = 4;

/// A table of a fixed size: of the entries in which a node may be stored, the one with the least work is
/// replaced.
pub(super) struct ProofTable {
    entries: Vec<Entry>,
}

impl ProofTable {
    pub(super) fn new(bytes: usize) -> Self {
        let buckets = (bytes / (WAYS * size_of::<Entry>())).max(1);
        Self { entries: vec![EMPTY; buckets * WAYS] }
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = self.entries.len() / WAYS;
        ((u128::from(key) * buckets as u128) >> 64) as usize * WAYS
    }

    /// The numbers of a node and the work spent on them.
    pub(super) fn get(&self, key: u64) -> Option<(Numbers, u32)> {
        let start = self.bucket(key);
        let found = self.entries[start..start + WAYS].iter().find(|entry| entry.key == key && entry.work > 0);
        found.map(|entry| (entry.numbers, entry.work))
    }

    pub(super) fn put(&mut self, key: u64, numbers: Numbers, work: u32) {
        let start = self.bucket(key);
        let bucket = &mut self.entries[start..start + WAYS];
        let own = bucket.iter().position(|entry| entry.key == key);
        let least = (0..WAYS).min_by_key(|&way| bucket[way].work).unwrap_or(0);
        bucket[own.unwrap_or(least)] = Entry { key, numbers, work: work.max(1) };
    }
}
