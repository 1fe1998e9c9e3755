//! What the evaluations see: each player's terms in the opening and in the ending, the attacked squares and the kings'
//! surroundings.

use super::pieces::{self, Reach};
use super::view::View;
use super::{Material, PHASE_MAX, Score, SixTerms, WORTH, king, pawns, phase};
use crate::chess::Chess;
use crate::explain::{
    Balance, Breakdown, Explain, MapCell, Phase, Share, SquareMap, Term, Weight, more_of, over_squares,
};
use cozy_chess::{
    BitBoard, Board, Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

/// The kinds of pieces that count in material, with their names.
const COUNTED: [(Piece, &str); 5] = [
    (Piece::Pawn, "pawns"),
    (Piece::Knight, "knights"),
    (Piece::Bishop, "bishops"),
    (Piece::Rook, "rooks"),
    (Piece::Queen, "queens"),
];

impl Explain<Chess> for SixTerms {
    fn break_down(&self, game: &Chess) -> Breakdown {
        let views = views(game);
        let reaches = [Reach::of(&views[0]), Reach::of(&views[1])];
        let [white, black] = &views;
        let mixed = Mixed { phase: phase(&views) };
        let mut terms = material(&views, mixed);
        terms.extend([
            mixed.term(
                "pawn formation",
                "doubled, isolated, passed and rammed pawns, and all eight",
                views.each_ref().map(pawns::formation),
            ),
            mixed.term(
                "mobility",
                "squares that the pieces can go to without a pawn taking them",
                reaches.each_ref().map(|reach| reach.mobility),
            ),
            mixed.term(
                "board control",
                "the middle of the board, open files, free bishops, the king in the ending",
                [pieces::board_control(white, &reaches[0]), pieces::board_control(black, &reaches[1])],
            ),
            mixed.term(
                "development",
                "minor pieces out, the queen not too early, the king castled",
                views.each_ref().map(king::development),
            ),
            mixed.term(
                "king safety",
                "pawns before the king, attackers around him, his ways out",
                [king::safety(white, &reaches[1]), king::safety(black, &reaches[0])],
            ),
        ]);
        mixed.breakdown(terms, maps(game.board()))
    }
}

impl Explain<Chess> for Material {
    fn break_down(&self, game: &Chess) -> Breakdown {
        let views = views(game);
        let mixed = Mixed { phase: phase(&views) };
        mixed.breakdown(material(&views, mixed), maps(game.board()))
    }
}

fn views(game: &Chess) -> [View; 2] {
    [View::of(game.board(), Color::White), View::of(game.board(), Color::Black)]
}

fn material(views: &[View; 2], mixed: Mixed) -> Vec<Term> {
    let term = |(piece, name): (Piece, &'static str)| {
        let worth = WORTH[piece as usize];
        let counts = [views[0].count(piece), views[1].count(piece)];
        let mut term =
            mixed.term(name, "what they are worth", counts.map(|count| worth * count)).in_group("material");
        for (share, count) in term.shares.iter_mut().zip(counts) {
            share.count = Some(i64::from(count));
        }
        term.weight =
            Some(Weight::Tapered { opening: f64::from(worth.opening()), ending: f64::from(worth.ending()) });
        term
    };
    COUNTED.into_iter().map(term).collect()
}

/// Scores, mixed between opening and ending. Shares are in 24ths, so that nothing is rounded before all is added.
#[derive(Clone, Copy)]
struct Mixed {
    phase: i32,
}

impl Mixed {
    fn share(self, score: Score) -> Share {
        let (opening, ending) = (score.opening(), score.ending());
        let value = i64::from(opening * self.phase + ending * (PHASE_MAX - self.phase));
        Share { count: None, stages: Some((opening, ending)), value }
    }

    fn term(self, name: &'static str, note: &'static str, scores: [Score; 2]) -> Term {
        Term { group: None, name, note, weight: None, shares: scores.map(|score| self.share(score)).to_vec() }
    }

    fn breakdown(self, terms: Vec<Term>, maps: Vec<SquareMap>) -> Breakdown {
        Breakdown {
            balance: Balance::Difference,
            measure: "hundredths of a pawn",
            unit: i64::from(PHASE_MAX),
            phase: Some(Phase { now: self.phase, of: PHASE_MAX }),
            terms,
            maps,
        }
    }
}

fn maps(board: &Board) -> Vec<SquareMap> {
    let attackers =
        |square: Square| [Color::White, Color::Black].map(|color| attackers(board, square, color));
    let attacks = |square: Square| more_of(attackers(square));
    let zones = [Color::White, Color::Black]
        .map(|color| get_king_moves(board.king(color)) | board.king(color).bitboard());
    let king_zone = |square: Square| {
        let [white, black] = attackers(square);
        match zones.map(|zone| zone.has(square)) {
            [true, false] => MapCell::owned(0, black),
            [false, true] => MapCell::owned(1, white),
            // Where the kings' surroundings meet, both are attacked.
            [true, true] => MapCell::number(white + black),
            [false, false] => MapCell::default(),
        }
    };
    let map = |name, note, cell: &dyn Fn(Square) -> MapCell| {
        let cell = |file: usize, rank: usize| cell(Square::index(8 * rank + file));
        SquareMap { name, note, cells: over_squares(8, 8, cell) }
    };
    vec![
        map("attacks", "who attacks the square more often, and how often", &attacks),
        map(
            "king-zones",
            "the squares around each king, and how often the other side attacks them",
            &king_zone,
        ),
    ]
}

/// How many pieces of a colour attack a square.
fn attackers(board: &Board, square: Square, color: Color) -> i32 {
    let occupied = board.occupied();
    let queens = board.pieces(Piece::Queen);
    let all: BitBoard = get_pawn_attacks(square, !color) & board.pieces(Piece::Pawn)
        | get_knight_moves(square) & board.pieces(Piece::Knight)
        | get_king_moves(square) & board.pieces(Piece::King)
        | get_bishop_moves(square, occupied) & (board.pieces(Piece::Bishop) | queens)
        | get_rook_moves(square, occupied) & (board.pieces(Piece::Rook) | queens);
    (all & board.colors(color)).len() as i32
}
