//! Positions that differ only in how the board is held.
//!
//! ```text
//! x . .     . . x     . . .     . . .
//! . o .     . o .     . o .     . o .      and the same four mirrored: eight positions, one of which
//! . . .     . . .     . . x     x . .      stands for all, the canonical one
//! ```
//!
//! | game | symmetries |
//! |---|---|
//! | tic-tac-toe | 8: turns and mirror images of the square |
//! | connect four | 2: left and right exchanged; discs fall one way |
//! | Amazons | 8 on square boards; 4 on others, which a quarter turn does not fit |
//! | Thorns, trees | 1 |
//! | chess | 1: pawns go one way, and castling differs on the two sides |
//! | Chinese checkers | turns and mirror images of the star that put each point where players sit onto such a point and keep the order of moving, the players renamed: 4 for two players, 3 for three, 2 for four, 6 for six |
//!
//! **Invariant:** a symmetry maps the moves of a position to the moves of the position's image.

use crate::notation::Notation;

/// A game whose board can be held in several ways.
pub trait Symmetric: Notation {
    /// Returns the number of ways to hold the board; 0 is the board as it is.
    fn symmetries(&self) -> usize {
        1
    }

    /// Returns the position with the board held in another way; `symmetry` is below
    /// [`Symmetric::symmetries`].
    #[must_use]
    fn turned(&self, symmetry: usize) -> Self {
        let _ = symmetry;
        self.clone()
    }

    /// Returns the image of a move of this position.
    fn turned_move(&self, mv: Self::Move, symmetry: usize) -> Self::Move {
        let _ = symmetry;
        mv
    }

    /// Returns the position as text without details that make no difference to the choice of a move, such as the
    /// number of moves played.
    fn essence(&self) -> String {
        self.position_text()
    }
}

/// The position that stands for all positions that differ only in how the board is held: the one whose essence sorts first.
pub(crate) struct Canonical<'a, G> {
    game: &'a G,
    /// Its essence.
    pub(crate) text: String,
    /// The symmetries that lead to it, with the images of the position; several if it is symmetric itself.
    images: Vec<(usize, G)>,
}

impl<'a, G: Symmetric> Canonical<'a, G> {
    pub(crate) fn of(game: &'a G) -> Self {
        let mut canonical = Self { game, text: game.essence(), images: vec![(0, game.clone())] };
        for symmetry in 1..game.symmetries() {
            let image = game.turned(symmetry);
            let text = image.essence();
            if text < canonical.text {
                canonical = Self { game, text, images: vec![(symmetry, image)] };
            } else if text == canonical.text {
                canonical.images.push((symmetry, image));
            }
        }
        canonical
    }

    /// The number that a move of the position has in the canonical one; the smallest if there are several.
    pub(crate) fn code(&self, mv: G::Move) -> i64 {
        let code = |(symmetry, image): &(usize, G)| image.encode(self.game.turned_move(mv, *symmetry));
        self.images.iter().map(code).min().unwrap_or_else(|| self.game.encode(mv))
    }
}

/// The image of a square of a rectangle. Bit 0 of the symmetry mirrors the files, bit 1 the ranks; bit 2, only for
/// square boards, first exchanges files and ranks.
pub(crate) fn turned_square(
    (file, rank): (usize, usize),
    (width, height): (usize, usize),
    symmetry: usize,
) -> (usize, usize) {
    let (file, rank) = if symmetry & 4 == 0 { (file, rank) } else { (rank, file) };
    let file = if symmetry & 1 == 0 { file } else { width - 1 - file };
    let rank = if symmetry & 2 == 0 { rank } else { height - 1 - rank };
    (file, rank)
}
