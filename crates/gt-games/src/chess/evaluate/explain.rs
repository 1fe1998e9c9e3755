//! The explanation of the evaluations: each player's terms in the opening and in the ending, the attacked squares and
//! the kings' surroundings.

use super::features;
use super::view::View;
use super::{
    FITTED, MIX_UNIT, Material, Mix, PHASE_MAX, SCALE_FULL, Score, SixTerms, TermKind, WORTH, Weighted,
    Weights, ending, phase, term_sums, views,
};
use crate::chess::Chess;
use crate::explain::{
    Balance, Breakdown, Explain, MapCell, Phase, Share, SquareMap, Term, Weight, more_of, over_squares,
};
use cozy_chess::{
    BitBoard, Board, Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

/// The kinds of pieces that count in material, with their names.
pub(in crate::chess) const COUNTED: [(Piece, &str); 5] = [
    (Piece::Pawn, "pawns"),
    (Piece::Knight, "knights"),
    (Piece::Bishop, "bishops"),
    (Piece::Rook, "rooks"),
    (Piece::Queen, "queens"),
];

impl Explain<Chess> for SixTerms {
    fn break_down(&self, game: &Chess) -> Breakdown {
        six_terms(game, &FITTED)
    }
}

impl Explain<Chess> for Weighted {
    fn break_down(&self, game: &Chess) -> Breakdown {
        six_terms(game, self.0)
    }
}

impl Explain<Chess> for Material {
    fn break_down(&self, game: &Chess) -> Breakdown {
        let views = views(game);
        let mix = Mix { phase: phase(&views), scale: SCALE_FULL, drive: 0 };
        let worth = |piece: Piece| WORTH[piece as usize];
        breakdown(mix, pieces(&views, mix, worth), maps(game.board()))
    }
}

/// The five terms other than material, with descriptions.
const NOTES: [(TermKind, &str, &str); 5] = [
    (
        TermKind::PawnFormation,
        "pawn formation",
        "doubled, isolated, backward, connected, passed and rammed pawns, all eight, and where they stand",
    ),
    (TermKind::Mobility, "mobility", "squares that the pieces can go to without a pawn taking them; pins"),
    (
        TermKind::BoardControl,
        "board control",
        "the middle of the board, room, open files, good squares, minor pieces behind pawns, threats, having the move",
    ),
    (
        TermKind::Development,
        "development",
        "minor pieces out, queen and rooks not too early, the king castled",
    ),
    (
        TermKind::KingSafety,
        "king safety",
        "the king's place, pawns before him, attackers around him, his ways out",
    ),
];

fn six_terms(game: &Chess, weights: &Weights) -> Breakdown {
    let views = views(game);
    let sums = term_sums(game, &views, weights);
    let totals = sums.map(|terms| terms.into_iter().fold(Score::default(), |sum, term| sum + term));
    let mix = Mix::of(&views, (totals[0] - totals[1]).ending());
    let worth = |piece: Piece| weights.of(features::PIECE + piece as usize);
    let mut terms = pieces(&views, mix, worth);
    let counted = |player: usize| {
        COUNTED
            .iter()
            .fold(Score::default(), |sum, &(piece, _)| sum + worth(piece) * views[player].count(piece))
    };
    let combinations = [0, 1].map(|player| sums[player][TermKind::Material as usize] - counted(player));
    let note = "bishops of both colours; knights and rooks by the number of own pawns";
    terms.push(term(mix, "combinations", note, combinations).in_group("material"));
    terms.extend(
        NOTES.map(|(kind, name, note)| term(mix, name, note, sums.map(|terms| terms[kind as usize]))),
    );
    if mix.drive != 0 {
        terms.push(drive(&views));
    }
    breakdown(mix, terms, maps(game.board()))
}

/// The term for a bare king that is driven to where he can be mated.
fn drive(views: &[View; 2]) -> Term {
    let share = |view: &View| {
        let driven = ending::drive(view);
        Share { count: None, stages: Some((driven, driven)), value: i64::from(driven) * i64::from(MIX_UNIT) }
    };
    let note = "a bare king driven to the edge, or the corner where he can be mated";
    Term { group: None, name: "bare king", note, weight: None, shares: views.each_ref().map(share).to_vec() }
}

fn pieces(views: &[View; 2], mix: Mix, worth: impl Fn(Piece) -> Score) -> Vec<Term> {
    let term = |(piece, name): (Piece, &'static str)| {
        let worth = worth(piece);
        let counts = [views[0].count(piece), views[1].count(piece)];
        let scores = counts.map(|count| worth * count);
        let mut term = term(mix, name, "what they are worth", scores).in_group("material");
        for (share, count) in term.shares.iter_mut().zip(counts) {
            share.count = Some(i64::from(count));
        }
        term.weight =
            Some(Weight::Tapered { opening: f64::from(worth.opening()), ending: f64::from(worth.ending()) });
        term
    };
    COUNTED.into_iter().map(term).collect()
}

fn term(mix: Mix, name: &'static str, note: &'static str, scores: [Score; 2]) -> Term {
    let share = |score: Score| Share {
        count: None,
        stages: Some((score.opening(), score.ending())),
        value: i64::from(mix.parts(score)),
    };
    Term { group: None, name, note, weight: None, shares: scores.map(share).to_vec() }
}

/// Shares are in parts of the mix, so that nothing is rounded before the sum.
fn breakdown(mix: Mix, terms: Vec<Term>, maps: Vec<SquareMap>) -> Breakdown {
    Breakdown {
        balance: Balance::Difference,
        measure: "hundredths of a pawn",
        unit: i64::from(MIX_UNIT),
        phase: Some(Phase { now: mix.phase, of: PHASE_MAX }),
        terms,
        maps,
    }
}

/// The attacked squares and the kings' surroundings.
pub(in crate::chess) fn maps(board: &Board) -> Vec<SquareMap> {
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
            // Where the kings' surroundings overlap, both kings are attacked.
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

/// The number of pieces of a colour that attack a square.
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
