//! The matched nodes that differ, and in what: a bit for each row of A, and a word for each row whose bit is set.
//!
//! ```text
//! row      0 1 2 3 4 5
//! changed  0 1 0 0 1 1      words of rows 1, 4, 5: the roles of the attributes that differ, and later the cause
//! ```
//!
//! **Invariant:** `before[k]` counts the set bits before bit `64 * k`, so that a row's word is at its rank.

/// The position of the cause in a word.
const CAUSE_SHIFT: u32 = 12;

/// The differences.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    bits: Vec<u64>,
    before: Vec<u32>,
    words: Vec<u16>,
}

impl Changes {
    /// Makes an empty set for this many rows.
    pub(crate) fn none(rows: u32) -> Self {
        Self { bits: vec![0; (rows as usize).div_ceil(64) + 1], ..Self::default() }
    }

    /// Adds a row after all others, with the roles that differ.
    pub(crate) fn push(&mut self, row: u32, roles: u16) {
        self.bits[row as usize / 64] |= 1 << (row % 64);
        self.words.push(roles);
    }

    /// Builds the index, once all rows are added.
    pub(crate) fn close(&mut self) {
        let mut sum = 0;
        let before = |word: &u64| {
            let before = sum;
            sum += word.count_ones();
            before
        };
        self.before = self.bits.iter().map(before).collect();
    }

    /// The number of differing rows.
    pub(crate) fn count(&self) -> u32 {
        self.words.len() as u32
    }

    /// The number of differing rows before this one.
    fn rank(&self, row: u32) -> u32 {
        let word = row as usize / 64;
        self.before[word] + (self.bits[word] & ((1 << (row % 64)) - 1)).count_ones()
    }

    /// Whether any of the rows from `start` to `row` differs.
    pub(crate) fn any(&self, start: u32, row: u32) -> bool {
        !self.words.is_empty() && self.rank(row + 1) > self.rank(start)
    }

    fn place(&self, row: u32) -> Option<usize> {
        let is_set = self.bits[row as usize / 64] >> (row % 64) & 1 == 1;
        is_set.then(|| self.rank(row) as usize)
    }

    /// The roles of the attributes in which a row differs; 0 if it does not.
    pub(crate) fn roles(&self, row: u32) -> u16 {
        self.place(row).map_or(0, |place| self.words[place] & ((1 << CAUSE_SHIFT) - 1))
    }

    /// Sets the cause of a row's difference; does nothing if it has none.
    pub(crate) fn set_cause(&mut self, row: u32, cause: u8) {
        if let Some(place) = self.place(row) {
            let roles = self.words[place] & ((1 << CAUSE_SHIFT) - 1);
            self.words[place] = roles | u16::from(cause) << CAUSE_SHIFT;
        }
    }

    /// The stored cause of a row's difference; `None` if it has none.
    pub(crate) fn cause(&self, row: u32) -> Option<u8> {
        self.place(row).map(|place| (self.words[place] >> CAUSE_SHIFT) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_their_words() {
        let mut changes = Changes::none(200);
        for row in [0, 63, 64, 130, 199] {
            changes.push(row, row as u16 + 1);
        }
        changes.close();
        assert_eq!(changes.count(), 5);
        assert_eq!([0, 1, 63, 64, 130, 199].map(|row| changes.roles(row)), [1, 0, 64, 65, 131, 200]);
        assert!(
            changes.any(65, 130) && !changes.any(65, 129) && changes.any(199, 199) && !changes.any(131, 198)
        );
        changes.set_cause(64, 7);
        changes.set_cause(65, 7);
        assert_eq!([64, 65, 130].map(|row| changes.cause(row)), [Some(7), None, Some(0)]);
        assert_eq!(changes.roles(64), 65);
    }
}
