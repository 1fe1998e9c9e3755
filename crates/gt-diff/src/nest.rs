//! A check that sizes form a tree.

/// Checks row by row that sizes form a tree.
///
/// **Invariant:** `starts` are the first rows of the subtrees that have no parent yet, ascending.
pub(crate) struct Nest {
    first: u32,
    next: u32,
    starts: Vec<u32>,
}

impl Nest {
    pub(crate) fn new(first: u32) -> Self {
        Self { first, next: first, starts: Vec::new() }
    }

    pub(crate) fn place(&mut self, size: i64) -> std::result::Result<u32, &'static str> {
        let row = self.next;
        let impossible = "its subtree's size is impossible";
        let size = u32::try_from(size).ok().filter(|&size| size > 0 && size <= row + 1).ok_or(impossible)?;
        let start = row + 1 - size;
        let mut reached = row;
        while let Some(below) = self.starts.pop_if(|below| *below >= start) {
            reached = below;
        }
        // The starts of subtrees among the rows that are not held are unknown; a subtree that reaches there has all
        // held rows below it.
        let nests = if start >= self.first { reached == start } else { self.starts.is_empty() };
        if !nests {
            return Err("its subtree begins inside of another");
        }
        self.starts.push(start);
        self.next += 1;
        Ok(size)
    }

    /// Whether the last row's subtree is the whole tree.
    pub(crate) fn is_one_tree(&self) -> bool {
        self.starts == [0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_tree(first: u32, sizes: &[i64]) -> bool {
        let mut nest = Nest::new(first);
        sizes.iter().all(|size| nest.place(*size).is_ok()) && nest.is_one_tree()
    }

    #[test]
    fn sizes_of_trees_nest_and_others_do_not() {
        assert!(is_tree(0, &[1]));
        assert!(is_tree(0, &[1, 1, 3, 1, 5]));
        for sizes in [&[0][..], &[2], &[-1], &[1, 1], &[1, 1, 2], &[1, 2, 2, 4], &[1, 1 << 40], &[1, 2, 1, 3]]
        {
            assert!(!is_tree(0, sizes), "{sizes:?}");
        }
        // The rows before are not held: their trees can end anywhere.
        assert!(is_tree(3, &[1, 3, 6]));
        assert!(!is_tree(3, &[3, 2, 6]), "the second begins inside of the first");
        assert!(!is_tree(3, &[1, 3]), "nothing has all rows below it");
    }
}
