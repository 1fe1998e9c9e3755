//! The report's evaluation: six terms, weighted for the opening and for the ending, and mixed by how far the
//! game has gone.
//!
//! Each term is written once, for a player whose pawns go up the board (`view`); the position is looked
//! at from both sides and the other's terms are subtracted. So the value turns its sign exactly when the colours
//! are exchanged. Values are in hundredths of a pawn.

mod explain;
mod king;
mod pawns;
mod pieces;
mod score;
mod view;

pub use score::Score;

use super::Chess;
use cozy_chess::{Color, Piece};
use gt_search::{Evaluate, Game};
use pieces::Reach;
use view::View;

/// What the pieces are worth, pawn to king: the report's alpha. The king cannot be lost, so he counts nothing.
const WORTH: [Score; Piece::NUM] = [
    Score::new(100, 120),
    Score::new(320, 310),
    Score::new(330, 330),
    Score::new(500, 530),
    Score::new(950, 980),
    Score::new(0, 0),
];

/// How much each piece keeps a position in the opening; all of them together make [`PHASE_MAX`].
const PHASE: [i32; Piece::NUM] = [0, 1, 1, 2, 4, 0];
const PHASE_MAX: i32 = 24;

/// The six terms, from the mover's view.
#[derive(Clone, Copy, Debug, Default)]
pub struct SixTerms;

/// The first of the six terms alone, from the mover's view.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

impl Evaluate<Chess> for SixTerms {
    #[inline]
    fn evaluate(&self, game: &Chess) -> i32 {
        let terms = Terms::of(game);
        for_mover(game, terms.total().at_phase(terms.phase))
    }
}

impl Evaluate<Chess> for Material {
    #[inline]
    fn evaluate(&self, game: &Chess) -> i32 {
        let views = [View::of(game.board(), Color::White), View::of(game.board(), Color::Black)];
        for_mover(game, (views[0].material() - views[1].material()).at_phase(phase(&views)))
    }
}

fn for_mover(game: &Chess, white: i32) -> i32 {
    if game.to_move() == 0 { white } else { -white }
}

/// What makes up the value of a position, for white.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The pieces' worth.
    pub material: Score,
    /// Doubled, rammed, passed, isolated pawns, and all eight.
    pub pawn_formation: Score,
    /// The squares that the pieces can go to.
    pub mobility: Score,
    /// The middle of the board, open files, free bishops.
    pub board_control: Score,
    /// Minor pieces out, the queen not too early, the king castled; nothing in the ending.
    pub development: Score,
    /// The king's shelter, his attackers, his ways out.
    pub king_safety: Score,
    /// 24 with all pieces on the board, 0 with none but pawns.
    pub phase: i32,
}

impl Terms {
    /// Looks at a position.
    #[inline]
    pub fn of(game: &Chess) -> Self {
        let board = game.board();
        let views = [View::of(board, Color::White), View::of(board, Color::Black)];
        let reaches = [Reach::of(&views[0]), Reach::of(&views[1])];
        let [white, black] = &views;
        Self {
            material: white.material() - black.material(),
            pawn_formation: pawns::formation(white) - pawns::formation(black),
            mobility: reaches[0].mobility - reaches[1].mobility,
            board_control: pieces::board_control(white, &reaches[0])
                - pieces::board_control(black, &reaches[1]),
            development: king::development(white) - king::development(black),
            king_safety: king::safety(white, &reaches[1]) - king::safety(black, &reaches[0]),
            phase: phase(&views),
        }
    }

    /// The sum of the six.
    #[inline]
    pub fn total(&self) -> Score {
        self.material
            + self.pawn_formation
            + self.mobility
            + self.board_control
            + self.development
            + self.king_safety
    }
}

#[inline]
fn phase(views: &[View; 2]) -> i32 {
    let of = |piece: Piece| PHASE[piece as usize] * (views[0].count(piece) + views[1].count(piece));
    let sum = of(Piece::Knight) + of(Piece::Bishop) + of(Piece::Rook) + of(Piece::Queen);
    sum.min(PHASE_MAX)
}
