//! The nodes of a stored tree.

use crate::game::Game;
use crate::table::Entry;

/// An expanded node: it has a board, and every legal move as a child.
pub(super) struct Stem<G: Game> {
    pub(super) board: G,
    pub(super) children: Vec<Branch<G>>,
}

/// A child: a move from its parent's board, tentative until there is a stem behind it.
pub(super) struct Branch<G: Game> {
    pub(super) mv: G::Move,
    /// What the last search found below the move, from the view of the player who is to move there.
    pub(super) known: Option<Entry>,
    pub(super) stem: Option<Box<Stem<G>>>,
}

impl<G: Game> Stem<G> {
    pub(super) fn new(board: G) -> Self {
        let mut moves = Vec::new();
        board.moves(&mut moves);
        let children = moves.into_iter().map(|mv| Branch { mv, known: None, stem: None }).collect();
        Self { board, children }
    }

    /// Commits a move: a board of its own, with tentative children.
    pub(super) fn after(board: &G, mv: G::Move) -> Self {
        let mut board = board.clone();
        board.make(mv);
        Self::new(board)
    }

    /// Best first, that is, worst for the opponent; what is unknown keeps its order at the end.
    pub(super) fn sort_children(&mut self) {
        self.children.sort_by_key(|branch| branch.known.map_or(i32::MAX, |known| known.value));
    }

    pub(super) fn count_below(&self) -> usize {
        let below = |branch: &Branch<G>| branch.stem.as_ref().map_or(0, |stem| stem.count_below());
        self.children.len() + self.children.iter().map(below).sum::<usize>()
    }
}
