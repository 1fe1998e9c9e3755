//! The report's evaluation: six terms, weighted for the opening and for the ending, and mixed by how far the
//! game has progressed.
//!
//! Each term is written once, for a player whose pawns go up the board (`view`). The position is evaluated from both
//! sides and the other's terms are subtracted, so exchanging the colours exactly negates the value. Values are in
//! hundredths of a pawn.

mod ending;
mod explain;
mod features;
mod king;
mod pawns;
mod pieces;
mod score;
mod view;
mod weights;

pub(super) use explain::{COUNTED, maps};
pub use features::{FEATURES, GROUPS, Group, TermKind};
pub use score::Score;
pub use weights::{FITTED, Weights};

use super::Chess;
use cozy_chess::{Color, Piece};
use ending::SCALE_FULL;
use features::{Counts, Sum, Tally, TermSums};
use gt_search::{Evaluate, Game};
use pieces::Reach;
use view::View;

/// The piece values if nothing else counts, pawn to king: the report's alpha. The king cannot be lost, so his value
/// is 0.
const WORTH: [Score; Piece::NUM] = [
    Score::new(100, 120),
    Score::new(320, 310),
    Score::new(330, 330),
    Score::new(500, 530),
    Score::new(950, 980),
    Score::new(0, 0),
];

/// The weight of each piece in the phase; all of them together make [`PHASE_MAX`].
const PHASE: [i32; Piece::NUM] = [0, 1, 1, 2, 4, 0];
const PHASE_MAX: i32 = 24;

/// The six terms, from the mover's view, with the default weights.
#[derive(Clone, Copy, Debug, Default)]
pub struct SixTerms;

/// The six terms with custom weights.
#[derive(Clone, Copy, Debug)]
pub struct Weighted(pub &'static Weights);

/// The first of the six terms alone, from the mover's view.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

impl Evaluate<Chess> for SixTerms {
    #[inline]
    fn evaluate(&self, game: &Chess) -> i32 {
        value(game, &FITTED)
    }
}

impl Evaluate<Chess> for Weighted {
    #[inline]
    fn evaluate(&self, game: &Chess) -> i32 {
        value(game, self.0)
    }
}

impl Evaluate<Chess> for Material {
    #[inline]
    fn evaluate(&self, game: &Chess) -> i32 {
        let views = views(game);
        for_mover(game, (views[0].material() - views[1].material()).at_phase(phase(&views)))
    }
}

#[inline(always)]
fn views(game: &Chess) -> [View; 2] {
    [View::of(game.board(), Color::White), View::of(game.board(), Color::Black)]
}

#[inline(always)]
fn for_mover(game: &Chess, white: i32) -> i32 {
    if game.to_move() == 0 { white } else { -white }
}

/// The mover's value. The evaluation counts bits all the time. Nearly every machine has an instruction for that, but
/// the compiler may not assume it, so the code is compiled a second time for machines that have it.
#[inline]
fn value(game: &Chess, weights: &Weights) -> i32 {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "bmi1,lzcnt,popcnt")]
        fn value_counting_bits(game: &Chess, weights: &Weights) -> i32 {
            value_of(game, weights)
        }
        if is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("lzcnt")
        {
            // SAFETY: `value_counting_bits` requires the CPU features that `is_x86_feature_detected!` has
            // just confirmed.
            return unsafe { value_counting_bits(game, weights) };
        }
    }
    value_of(game, weights)
}

#[inline(always)]
fn value_of(game: &Chess, weights: &Weights) -> i32 {
    let views = views(game);
    let mut sums = [Sum { weights, total: Score::default() }, Sum { weights, total: Score::default() }];
    count_features(game, &views, &mut sums);
    let score = sums[0].total - sums[1].total;
    for_mover(game, Mix::of(&views, score.ending()).value(score))
}

/// Reports each player's features to his own tally.
#[inline(always)]
fn count_features<T: Tally>(game: &Chess, views: &[View; 2], tallies: &mut [T; 2]) {
    let [white, black] = tallies;
    let reaches = [Reach::of(&views[0], white), Reach::of(&views[1], black)];
    for (mine, tally) in [white, black].into_iter().enumerate() {
        let (view, own, other) = (&views[mine], &reaches[mine], &reaches[1 - mine]);
        pawns::formation(view, own, other, tally);
        pieces::board_control(view, own, tally);
        pieces::threats(view, own, other, tally);
        king::development(view, tally);
        king::safety(view, own, other, tally);
        tally.count(features::TEMPO, i32::from(game.to_move() == mine));
    }
}

/// The mix of opening and ending in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mix {
    /// 24 with all pieces on the board, 0 with none but pawns.
    pub phase: i32,
    /// How much of the ending's value counts, in 64ths: less where the material left hardly wins.
    pub scale: i32,
    /// White's bonus for driving a bare king, or black's if negative.
    pub drive: i32,
}

/// The denominator of a mix.
const MIX_UNIT: i32 = PHASE_MAX * SCALE_FULL;

impl Mix {
    /// Computes the mix; `ending` is the ending's value for white.
    #[inline(always)]
    fn of(views: &[View; 2], ending: i32) -> Self {
        let [white, black] = views;
        let scale = if ending >= 0 { ending::scale(white, black) } else { ending::scale(black, white) };
        Self { phase: phase(views), scale, drive: ending::drive(white) - ending::drive(black) }
    }

    /// Returns the shares of an opening's weight and of an ending's.
    pub fn shares(self) -> [f64; 2] {
        let opening = f64::from(self.phase) / f64::from(PHASE_MAX);
        [opening, (1.0 - opening) * f64::from(self.scale) / f64::from(SCALE_FULL)]
    }

    /// A score in parts of [`MIX_UNIT`].
    #[inline(always)]
    fn parts(self, score: Score) -> i32 {
        score.opening() * self.phase * SCALE_FULL + score.ending() * self.scale * (PHASE_MAX - self.phase)
    }

    /// White's value.
    #[inline(always)]
    fn value(self, score: Score) -> i32 {
        (self.parts(score) + self.drive * MIX_UNIT) / MIX_UNIT
    }
}

/// The parts of a position's value, for white.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The value of the pieces.
    pub material: Score,
    /// Doubled, rammed, passed, isolated, backward and connected pawns, and all eight.
    pub pawn_formation: Score,
    /// The squares that the pieces can go to, and pins.
    pub mobility: Score,
    /// The middle of the board, open files, good squares, threats, having the move.
    pub board_control: Score,
    /// Minor pieces out, queen and rooks not too early, the king castled.
    pub development: Score,
    /// The king's place, shelter, attackers and escape squares.
    pub king_safety: Score,
    /// The mix of opening and ending.
    pub mix: Mix,
}

impl Terms {
    /// Computes the terms of a position.
    pub fn of(game: &Chess) -> Self {
        let views = views(game);
        let [white, black] = term_sums(game, &views, &FITTED);
        let of = |kind: TermKind| white[kind as usize] - black[kind as usize];
        let mut terms = Self {
            material: of(TermKind::Material),
            pawn_formation: of(TermKind::PawnFormation),
            mobility: of(TermKind::Mobility),
            board_control: of(TermKind::BoardControl),
            development: of(TermKind::Development),
            king_safety: of(TermKind::KingSafety),
            mix: Mix { phase: 0, scale: 0, drive: 0 },
        };
        terms.mix = Mix::of(&views, terms.total().ending());
        terms
    }

    /// Returns the sum of the six.
    pub fn total(&self) -> Score {
        self.material
            + self.pawn_formation
            + self.mobility
            + self.board_control
            + self.development
            + self.king_safety
    }
}

/// The six terms of each player.
fn term_sums(game: &Chess, views: &[View; 2], weights: &Weights) -> [[Score; 6]; 2] {
    let empty = || TermSums { weights, totals: [Score::default(); 6] };
    let mut sums = [empty(), empty()];
    count_features(game, views, &mut sums);
    sums.map(|sums| sums.totals)
}

/// Returns a position's data for `gt tune`: the count of each feature, white's minus black's, and their mix.
pub fn feature_counts(game: &Chess) -> (Box<[i32; FEATURES]>, Mix) {
    let views = views(game);
    let mut counts = [Counts(Box::new([0; FEATURES])), Counts(Box::new([0; FEATURES]))];
    count_features(game, &views, &mut counts);
    let [mut white, black] = counts.map(|counts| counts.0);
    white.iter_mut().zip(black.iter()).for_each(|(white, black)| *white -= black);
    let score = (0..FEATURES).fold(Score::default(), |sum, place| sum + FITTED.of(place) * white[place]);
    let mix = Mix::of(&views, score.ending());
    (white, mix)
}

#[inline(always)]
fn phase(views: &[View; 2]) -> i32 {
    let of = |piece: Piece| PHASE[piece as usize] * (views[0].count(piece) + views[1].count(piece));
    let sum = of(Piece::Knight) + of(Piece::Bishop) + of(Piece::Rook) + of(Piece::Queen);
    sum.min(PHASE_MAX)
}
