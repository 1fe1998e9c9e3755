//! Which columns of a block must be decoded before others.
//!
//! A column may be written relative to another column or grouped by it, and that column again. A writer keeps such chains short, and free
//! of circles.

/// The maximum number of columns that are decoded for one column: more than a writer needs, but few enough that a crafted file costs no
/// time.
pub(crate) const DECODED_FOR_ONE_MAX: usize = 300;

/// A column needs at most two others directly; with a half for each, no column needs more than the whole.
const NEEDED_MAX: usize = 120;

/// What the columns of a block that are already encoded need.
#[derive(Clone, Debug)]
pub(crate) struct Needs {
    of: Vec<Vec<usize>>,
}

impl Needs {
    pub(crate) const fn none() -> Self {
        Self { of: Vec::new() }
    }

    /// Starts a block with this many columns.
    pub(crate) fn begin(&mut self, columns: usize) {
        self.of.clear();
        self.of.resize(columns, Vec::new());
    }

    /// Sets the columns that a column needs directly.
    pub(crate) fn set(&mut self, column: usize, needed: Vec<usize>) {
        self.of[column] = needed;
    }

    /// Whether a column may need another one: the other must not need it, and not too many columns.
    pub(crate) fn allow(&self, column: usize, other: usize) -> bool {
        let mut left = NEEDED_MAX;
        self.can_do_without(column, other, &mut left)
    }

    /// Whether `other` can be decoded without the column; counts down for each column that is decoded.
    fn can_do_without(&self, column: usize, other: usize, left: &mut usize) -> bool {
        if other == column || *left == 0 {
            return false;
        }
        *left -= 1;
        self.of
            .get(other)
            .is_none_or(|needed| needed.iter().all(|&next| self.can_do_without(column, next, left)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_stay_open_and_short() {
        let mut needs = Needs::none();
        needs.begin(400);
        needs.set(1, vec![2]);
        needs.set(2, vec![3, 4]);
        assert!(needs.allow(5, 1) && needs.allow(4, 3));
        assert!(!needs.allow(4, 1) && !needs.allow(1, 1));
        for column in 6..400 {
            if needs.allow(column, column - 1) {
                needs.set(column, vec![column - 1]);
            }
        }
        assert!(!needs.allow(399, 124) || !needs.allow(399, 125), "a chain ends somewhere");
        needs.begin(3);
        assert!(needs.allow(4, 1));
    }
}
