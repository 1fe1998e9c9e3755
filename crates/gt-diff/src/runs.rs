//! The match of two trees: runs of rows that match one to one.
//!
//! ```text
//! A   0 1 2 3 4 5 6 7         run (a 0, b 0, 3): rows 0 1 2 with 0 1 2
//! B   0 1 2 x x 3 4 5         run (a 3, b 5, 3): rows 3 4 5 with 5 6 7; A's 6 and 7 are in no run: only in A
//! ```
//!
//! **Invariant:** runs are in the order of A's rows, no row is in two of them, and adjacent runs are merged if
//! possible.

/// Rows of A from `a` on, each matched with its row of B from `b` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) rows: u32,
}

/// All runs of two trees.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    runs: Vec<Run>,
    /// The indices of the runs in the order of B's rows.
    by_b: Vec<u32>,
    matched: u32,
}

impl Runs {
    /// Appends a run, whose rows of A come after all earlier ones.
    pub(crate) fn push(&mut self, run: Run) {
        self.matched += run.rows;
        match self.runs.last_mut() {
            Some(last) if last.a + last.rows == run.a && last.b + last.rows == run.b => last.rows += run.rows,
            _ if run.rows > 0 => self.runs.push(run),
            _ => {}
        }
    }

    /// Builds the index for rows of B, once all runs are added.
    pub(crate) fn close(&mut self) {
        self.by_b = (0..self.runs.len() as u32).collect();
        self.by_b.sort_unstable_by_key(|&place| self.runs[place as usize].b);
    }

    /// The number of rows of A with a match in B.
    pub(crate) fn matched(&self) -> u32 {
        self.matched
    }

    /// The runs with rows of A in this range, clipped to it.
    pub(crate) fn within(&self, rows: std::ops::Range<u32>) -> impl Iterator<Item = Run> {
        let from = self.runs.partition_point(|run| run.a + run.rows <= rows.start);
        let cut = move |run: &Run| {
            let skipped = rows.start.saturating_sub(run.a);
            let end = (run.a + run.rows).min(rows.end);
            (run.a < rows.end).then(|| Run {
                a: run.a + skipped,
                b: run.b + skipped,
                rows: end - run.a - skipped,
            })
        };
        self.runs[from..].iter().map_while(cut)
    }

    /// The run that holds a row of A.
    fn of_a(&self, row: u32) -> Option<Run> {
        let place = self.runs.partition_point(|run| run.a <= row).checked_sub(1)?;
        Some(self.runs[place]).filter(|run| row - run.a < run.rows)
    }

    /// The row of B that matches a row of A.
    pub(crate) fn to_b(&self, row: u32) -> Option<u32> {
        self.of_a(row).map(|run| run.b + (row - run.a))
    }

    /// The row of A that matches a row of B.
    pub(crate) fn to_a(&self, row: u32) -> Option<u32> {
        let after = self.by_b.partition_point(|&place| self.runs[place as usize].b <= row);
        let run = self.runs[self.by_b[after.checked_sub(1)?] as usize];
        (row - run.b < run.rows).then(|| run.a + (row - run.b))
    }

    /// Whether the rows of A from `start` to `row` match those of B that end at `row_b`, one to one.
    pub(crate) fn is_one(&self, start: u32, row: u32, row_b: u32) -> bool {
        self.of_a(row).is_some_and(|run| run.a <= start && run.b + (row - run.a) == row_b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_from_both_sides() {
        let mut runs = Runs::default();
        for run in [
            Run { a: 0, b: 0, rows: 3 },
            Run { a: 3, b: 3, rows: 1 },
            Run { a: 6, b: 9, rows: 2 },
            Run { a: 8, b: 5, rows: 1 },
        ] {
            runs.push(run);
        }
        runs.close();
        assert_eq!(runs.runs.len(), 3);
        assert_eq!(runs.matched(), 7);
        let to_b: Vec<_> = (0..10).map(|row| runs.to_b(row)).collect();
        let some = Some;
        assert_eq!(to_b, [some(0), some(1), some(2), some(3), None, None, some(9), some(10), some(5), None]);
        for (row, partner) in
            to_b.iter().enumerate().filter_map(|(row, partner)| Some((row as u32, (*partner)?)))
        {
            assert_eq!(runs.to_a(partner), Some(row));
        }
        assert_eq!([4, 6, 8, 11].map(|row| runs.to_a(row)), [None; 4]);
        assert!(runs.is_one(1, 3, 3) && !runs.is_one(1, 3, 2) && !runs.is_one(3, 6, 9));
        let cut: Vec<_> = runs.within(2..7).collect();
        assert_eq!(cut, [Run { a: 2, b: 2, rows: 2 }, Run { a: 6, b: 9, rows: 1 }]);
    }
}
