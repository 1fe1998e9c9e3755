//! The names of moves at the positions where they are made.

/// Names moves. The name of a move can depend on the position, so the moves before it are given.
///
/// ```
/// use gt_report::NameMoves;
///
/// let namer: &dyn NameMoves = &|before: &[i64], number| Some(format!("{}. m{number}", before.len() + 1));
/// assert_eq!(namer.name(&[4, 7], 1).as_deref(), Some("3. m1"));
/// ```
pub trait NameMoves {
    /// Returns the name of the move with this number after the moves `before`, from the root; `None` if it has none.
    fn name(&self, before: &[i64], number: i64) -> Option<String>;
}

impl<F: Fn(&[i64], i64) -> Option<String>> NameMoves for F {
    fn name(&self, before: &[i64], number: i64) -> Option<String> {
        self(before, number)
    }
}
