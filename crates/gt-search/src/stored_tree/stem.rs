//! The nodes of a stored tree.

use crate::game::{Game, PackedBoard};
use crate::table::Entry;

/// The board of an expanded node, packed if the game packs its boards.
pub(super) enum Board<G> {
    Packed(PackedBoard),
    Whole(Box<G>),
}

impl<G: Game> Board<G> {
    fn new(game: &G) -> Self {
        game.pack().map_or_else(|| Self::Whole(Box::new(game.clone())), Self::Packed)
    }

    /// The position to play on; `None` only if a game cannot unpack its own packed board.
    pub(super) fn unpacked(&self) -> Option<G> {
        match self {
            Self::Packed(packed) => G::unpack(packed),
            Self::Whole(game) => Some((**game).clone()),
        }
    }

    /// The bytes that it takes in addition to the stem.
    fn bytes(&self) -> usize {
        match self {
            Self::Packed(_) => 0,
            Self::Whole(_) => size_of::<G>(),
        }
    }
}

/// An expanded node: it has a board, and a child for every legal move.
pub(super) struct Stem<G: Game> {
    pub(super) board: Board<G>,
    pub(super) children: Vec<Branch<G>>,
}

/// A child: a move from its parent's board, tentative until it has a stem.
pub(super) struct Branch<G: Game> {
    pub(super) mv: G::Move,
    /// The result of the last search below the move, from the view of the player to move there.
    pub(super) known: Option<Entry>,
    pub(super) stem: Option<Box<Stem<G>>>,
}

impl<G: Game> Stem<G> {
    pub(super) fn new(game: &G) -> Self {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let children = moves.into_iter().map(|mv| Branch { mv, known: None, stem: None }).collect();
        Self { board: Board::new(game), children }
    }

    /// Commits a move: makes a separate board for it, with tentative children.
    pub(super) fn after(game: &G, mv: G::Move) -> Self {
        let mut game = game.clone();
        game.make(mv);
        Self::new(&game)
    }

    /// Sorts children best first, that is, worst for the opponent; unknown ones keep their order at the end.
    pub(super) fn sort_children(&mut self) {
        self.children.sort_by_key(|branch| branch.known.map_or(i32::MAX, |known| known.value));
    }

    pub(super) fn count_below(&self) -> usize {
        let below = |branch: &Branch<G>| branch.stem.as_ref().map_or(0, |stem| stem.count_below());
        self.children.len() + self.children.iter().map(below).sum::<usize>()
    }

    /// The bytes of the stem and everything below it, without the allocator's overhead.
    pub(super) fn bytes(&self) -> usize {
        let below = |branch: &Branch<G>| branch.stem.as_ref().map_or(0, |stem| stem.bytes());
        let children = self.children.capacity() * size_of::<Branch<G>>();
        size_of::<Self>() + self.board.bytes() + children + self.children.iter().map(below).sum::<usize>()
    }
}
