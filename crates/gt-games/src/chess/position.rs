//! A board, and the piece on each of its squares.
//!
//! `cozy-chess` keeps a set of squares for each piece, so finding the piece on a square takes a look into every set. Ordering moves needs
//! the pieces at both ends of every move.
//!
//! Invariant: the squares are those of the board ([`Squares::of`]).

use cozy_chess::{Board, File, Move, Piece, Square};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Position {
    board: Board,
    squares: Squares,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Squares([u8; Square::NUM]);

/// The number of an empty square; pieces have their own numbers, from 0.
pub(super) const EMPTY: usize = Piece::NUM;

impl Position {
    pub(super) fn of(board: Board) -> Self {
        Self { squares: Squares::of(&board), board }
    }

    #[inline]
    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    /// The number of the piece on a square, or [`EMPTY`].
    #[inline]
    pub(super) fn number(&self, square: Square) -> usize {
        self.squares.number(square)
    }

    /// The numbers of all squares.
    #[inline]
    pub(super) fn numbers(&self) -> &[u8; Square::NUM] {
        &self.squares.0
    }

    #[inline]
    pub(super) fn piece(&self, square: Square) -> Option<Piece> {
        Piece::try_index(self.number(square))
    }

    /// Makes a legal move.
    #[inline]
    pub(super) fn play(&mut self, mv: Move) {
        self.squares.play(&self.board, mv);
        self.board.play_unchecked(mv);
    }

    /// Takes the board after a pass, which leaves every piece on its square.
    #[inline]
    pub(super) fn pass(&mut self, passed: Board) {
        self.board = passed;
    }
}

impl Squares {
    fn of(board: &Board) -> Self {
        Self(Square::ALL.map(|square| board.piece_on(square).map_or(EMPTY, |piece| piece as usize) as u8))
    }

    #[inline]
    fn number(&self, square: Square) -> usize {
        usize::from(self.0[square as usize])
    }

    /// Moves the pieces of a legal move; `board` is the board before it.
    #[inline]
    fn play(&mut self, board: &Board, mv: Move) {
        if board.colors(board.side_to_move()).has(mv.to) {
            let (king, rook) =
                if mv.from.file() < mv.to.file() { (File::G, File::F) } else { (File::C, File::D) };
            self.set(mv.from, EMPTY);
            self.set(mv.to, EMPTY);
            self.set(Square::new(king, mv.from.rank()), Piece::King as usize);
            self.set(Square::new(rook, mv.from.rank()), Piece::Rook as usize);
            return;
        }
        let moved = self.number(mv.from);
        let takes_on_another_square =
            moved == Piece::Pawn as usize && mv.from.file() != mv.to.file() && self.number(mv.to) == EMPTY;
        if takes_on_another_square {
            self.set(Square::new(mv.to.file(), mv.from.rank()), EMPTY);
        }
        self.set(mv.from, EMPTY);
        self.set(mv.to, mv.promotion.map_or(moved, |piece| piece as usize));
    }

    #[inline]
    fn set(&mut self, square: Square, number: usize) {
        self.0[square as usize] = number as u8;
    }
}
