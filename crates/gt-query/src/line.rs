//! Lines of moves that share their common beginnings.
//!
//! ```text
//! e2e4 ◀── e7e5 ◀── g1f3        three lines, three links: each line is its last link
//!             ◀──── b1c3        a fourth takes one more
//! ```
//!
//! A table with the line of every node of a tree takes memory per node, not per move of each line.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The moves from the root to a node.
///
/// ```
/// use gt_query::Line;
/// let line = Line::default().then(7).then(9);
/// assert_eq!((line.len(), line.moves()), (2, vec![7, 9]));
/// assert_eq!(line, [7, 9].into_iter().collect::<Line>());
/// ```
#[derive(Clone, Default)]
pub struct Line {
    last: Option<Arc<Link>>,
}

struct Link {
    before: Option<Arc<Link>>,
    last_move: i64,
    /// The number of moves up to this one.
    length: usize,
}

impl Line {
    /// Returns the line extended by one move.
    #[must_use]
    pub fn then(&self, last_move: i64) -> Self {
        let link = Link { before: self.last.clone(), last_move, length: self.len() + 1 };
        Self { last: Some(Arc::new(link)) }
    }

    /// Returns the number of moves.
    #[must_use]
    pub fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |last| last.length)
    }

    /// Whether it is the line of the root.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// Returns the moves, first to last.
    #[must_use]
    pub fn moves(&self) -> Vec<i64> {
        let mut moves: Vec<i64> = self.backward().collect();
        moves.reverse();
        moves
    }

    /// The moves, last to first.
    fn backward(&self) -> impl Iterator<Item = i64> {
        let links = std::iter::successors(self.last.as_deref(), |link| link.before.as_deref());
        links.map(|link| link.last_move)
    }
}

impl Drop for Link {
    /// Drops link by link: a chain can be longer than the stack is deep.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut link) = before.and_then(Arc::into_inner) {
            before = link.before.take();
        }
    }
}

impl FromIterator<i64> for Line {
    fn from_iter<T: IntoIterator<Item = i64>>(moves: T) -> Self {
        moves.into_iter().fold(Self::default(), |line, next| line.then(next))
    }
}

impl PartialEq for Line {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.backward().eq(other.backward())
    }
}

impl Eq for Line {}

impl Hash for Line {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        self.backward().for_each(|last_move| last_move.hash(state));
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.moves()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line that is as long as a tree may be deep, dropped by two owners.
    #[test]
    fn a_million_moves() {
        let line: Line = (0..1 << 20).collect();
        let other = line.then(5);
        drop(line);
        assert_eq!((other.len(), other.moves()[7]), ((1 << 20) + 1, 7));
    }
}
