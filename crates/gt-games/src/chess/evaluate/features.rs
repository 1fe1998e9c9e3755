//! The features of a position: the things that the evaluation counts, each with its own weight.
//!
//! ```text
//! position ──▶ counts of features, player by player ──▶ times the weights ──▶ the six terms ──▶ the value
//!                        (a Tally hears of them)             (Weights)
//! ```
//!
//! Invariant: the value is linear in the weights, so that `gt tune` can fit them. Anything that is not linear in the
//! position (the attack on a king, mobility) is a row of features of which one is counted.

use super::{Score, Weights};

/// The term, of the six, that a feature belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// The value of the pieces.
    Material,
    /// The pawn structure.
    PawnFormation,
    /// The number of squares that the pieces can go to.
    Mobility,
    /// The squares that the pieces control, and where they stand.
    BoardControl,
    /// Whether the pieces are developed.
    Development,
    /// The safety of the king.
    KingSafety,
}

/// A row of features of the same kind.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Its name in files.
    pub name: &'static str,
    /// The index of its first feature.
    pub first: usize,
    /// The number of its features.
    pub len: usize,
    /// The term it belongs to.
    pub term: TermKind,
}

macro_rules! features {
    (@at $offset:expr;) => {
        /// The number of features.
        pub const FEATURES: usize = $offset;
    };
    (@at $offset:expr; $name:ident $len:literal $($rest:tt)*) => {
        pub(super) const $name: usize = $offset;
        features!(@at $offset + $len; $($rest)*);
    };
    ($($name:ident $text:literal $len:literal $term:ident,)*) => {
        features!(@at 0; $($name $len)*);
        /// All features, in the order of their weights.
        pub const GROUPS: &[Group] =
            &[$(Group { name: $text, first: $name, len: $len, term: TermKind::$term }),*];
    };
}

features! {
    PIECE "piece" 5 Material,
    BISHOP_PAIR "bishop-pair" 1 Material,
    KNIGHT_WITH_PAWNS "knight-with-pawns" 1 Material,
    ROOK_WITH_PAWNS "rook-with-pawns" 1 Material,
    PAWN_SQUARE "pawn-square" 32 PawnFormation,
    DOUBLED "doubled" 1 PawnFormation,
    ISOLATED "isolated" 1 PawnFormation,
    BACKWARD "backward" 1 PawnFormation,
    WEAK_UNOPPOSED "weak-unopposed" 1 PawnFormation,
    CONNECTED "connected" 8 PawnFormation,
    RAMMED_ON_SECOND "rammed-on-second" 1 PawnFormation,
    RAMMED_ON_THIRD "rammed-on-third" 1 PawnFormation,
    ALL_EIGHT "all-eight" 1 PawnFormation,
    ROOK_BEHIND_EIGHT "rook-behind-eight" 1 PawnFormation,
    PASSED "passed" 8 PawnFormation,
    PASSED_BLOCKED "passed-blocked" 8 PawnFormation,
    PASSED_FREE "passed-free" 8 PawnFormation,
    PASSED_DEFENDED "passed-defended" 8 PawnFormation,
    PASSED_OWN_KING "passed-own-king" 8 PawnFormation,
    PASSED_OTHER_KING "passed-other-king" 8 PawnFormation,
    ROOK_BEHIND_PASSED "rook-behind-passed" 1 PawnFormation,
    KNIGHT_MOBILITY "knight-mobility" 9 Mobility,
    BISHOP_MOBILITY "bishop-mobility" 14 Mobility,
    ROOK_MOBILITY "rook-mobility" 15 Mobility,
    QUEEN_MOBILITY "queen-mobility" 28 Mobility,
    PINNED "pinned" 5 Mobility,
    KNIGHT_SQUARE "knight-square" 32 BoardControl,
    BISHOP_SQUARE "bishop-square" 32 BoardControl,
    ROOK_SQUARE "rook-square" 32 BoardControl,
    QUEEN_SQUARE "queen-square" 32 BoardControl,
    MIDDLE "middle" 1 BoardControl,
    AROUND_MIDDLE "around-middle" 1 BoardControl,
    PAWN_IN_BISHOP_S_WAY "pawn-in-bishops-way" 1 BoardControl,
    SHUT_IN_BISHOP "shut-in-bishop" 1 BoardControl,
    ROOK_ON_OPEN_FILE "rook-on-open-file" 1 BoardControl,
    ROOK_ON_HALF_OPEN_FILE "rook-on-half-open-file" 1 BoardControl,
    OUTPOST "outpost" 2 BoardControl,
    PAWN_THREAT "pawn-threat" 5 BoardControl,
    MINOR_THREAT "minor-threat" 5 BoardControl,
    ROOK_THREAT "rook-threat" 5 BoardControl,
    PUSH_THREAT "push-threat" 1 BoardControl,
    HANGING "hanging" 1 BoardControl,
    SPACE "space" 1 BoardControl,
    MINOR_BEHIND_PAWN "minor-behind-pawn" 1 BoardControl,
    TEMPO "tempo" 1 BoardControl,
    MINOR_AT_HOME "minor-at-home" 1 Development,
    QUEEN_OUT_BEFORE_MINOR "queen-out-before-minor" 1 Development,
    ROOK_OUT_BEFORE_MINOR "rook-out-before-minor" 1 Development,
    MIDDLE_PAWN_AT_HOME "middle-pawn-at-home" 1 Development,
    CASTLED "castled" 1 Development,
    CASTLING_LOST "castling-lost" 1 Development,
    KING_SQUARE "king-square" 32 KingSafety,
    SHELTER "shelter" 4 KingSafety,
    KING_ON_OPEN_FILE "king-on-open-file" 1 KingSafety,
    STORM "storm" 1 KingSafety,
    SHELTER_PAWN "shelter-pawn" 16 KingSafety,
    STORM_PAWN "storm-pawn" 16 KingSafety,
    STORM_BLOCKED "storm-blocked" 8 KingSafety,
    ATTACK "attack" 56 KingSafety,
    WAY_OUT "way-out" 1 KingSafety,
    NO_WAY_OUT "no-way-out" 1 KingSafety,
}

/// A receiver of a player's features and their counts.
pub(super) trait Tally {
    fn count(&mut self, feature: usize, times: i32);
}

/// Adds up the values of the features.
pub(super) struct Sum<'a> {
    pub(super) weights: &'a Weights,
    pub(super) total: Score,
}

impl Tally for Sum<'_> {
    #[inline(always)]
    fn count(&mut self, feature: usize, times: i32) {
        self.total += self.weights.of(feature) * times;
    }
}

/// Adds up the values of the features term by term.
pub(super) struct TermSums<'a> {
    pub(super) weights: &'a Weights,
    pub(super) totals: [Score; 6],
}

impl Tally for TermSums<'_> {
    fn count(&mut self, feature: usize, times: i32) {
        let group = GROUPS.iter().rev().find(|group| group.first <= feature);
        if let Some(group) = group {
            self.totals[group.term as usize] += self.weights.of(feature) * times;
        }
    }
}

/// Records the counts themselves.
pub(super) struct Counts(pub(super) Box<[i32; FEATURES]>);

impl Tally for Counts {
    fn count(&mut self, feature: usize, times: i32) {
        self.0[feature] += times;
    }
}
