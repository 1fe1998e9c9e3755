//! The nodes of a stored tree.

use crate::game::{Game, PackedBoard};
use crate::table::Entry;

/// The board of an expanded node: packed, where the game packs its boards.
pub(super) enum Board<G> {
    Packed(PackedBoard),
    Whole(Box<G>),
}

impl<G: Game> Board<G> {
    fn new(game: &G) -> Self {
        game.pack().map_or_else(|| Self::Whole(Box::new(game.clone())), Self::Packed)
    }

    /// The position to play on; `None` would mean that a game does not take back what it has packed.
    pub(super) fn unpacked(&self) -> Option<G> {
        match self {
            Self::Packed(packed) => G::unpack(packed),
            Self::Whole(game) => Some((**game).clone()),
        }
    }

    /// What it takes beside the stem.
    fn bytes(&self) -> usize {
        match self {
            Self::Packed(_) => 0,
            Self::Whole(_) => size_of::<G>(),
        }
    }
}

/// An expanded node: it has a board, and every legal move as a child.
pub(super) struct Stem<G: Game> {
    pub(super) board: Board<G>,
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
    pub(super) fn new(game: &G) -> Self {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let children = moves.into_iter().map(|mv| Branch { mv, known: None, stem: None }).collect();
        Self { board: Board::new(game), children }
    }

    /// Commits a move: a board of its own, with tentative children.
    pub(super) fn after(game: &G, mv: G::Move) -> Self {
        let mut game = game.clone();
        game.make(mv);
        Self::new(&game)
    }

    /// Best first, that is, worst for the opponent; what is unknown keeps its order at the end.
    pub(super) fn sort_children(&mut self) {
        self.children.sort_by_key(|branch| branch.known.map_or(i32::MAX, |known| known.value));
    }

    pub(super) fn count_below(&self) -> usize {
        let below = |branch: &Branch<G>| branch.stem.as_ref().map_or(0, |stem| stem.count_below());
        self.children.len() + self.children.iter().map(below).sum::<usize>()
    }

    /// The bytes of the stem and all below it, without what the allocator adds.
    pub(super) fn bytes(&self) -> usize {
        let below = |branch: &Branch<G>| branch.stem.as_ref().map_or(0, |stem| stem.bytes());
        let children = self.children.capacity() * size_of::<Branch<G>>();
        size_of::<Self>() + self.board.bytes() + children + self.children.iter().map(below).sum::<usize>()
    }
}
