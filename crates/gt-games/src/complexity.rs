//! The size of games: published numbers, and measurements from random games.
//!
//! The size of a game tree is taken as `branching ^ length`, as in the literature. Random games are not good games:
//! they are longer or shorter, and pieces stand elsewhere, so the two columns differ by more than chance.
//!
//! **Invariant:** the same seed measures the same numbers.

use crate::error::Result;
use crate::registry::{AnyEvaluation, GameKind, Playable, Setup, Task};

/// A document's numbers for a game. Numbers that it does not give are missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// The document.
    pub source: &'static str,
    /// Moves in a position, on average.
    pub branching: Option<f64>,
    /// Plies of a game, on average.
    pub length: Option<f64>,
    /// The decimal logarithm of the number of positions.
    pub states_log10: Option<f64>,
    /// The decimal logarithm of the size of the game tree.
    pub tree_log10: Option<f64>,
}

const NOTHING: Published =
    Published { source: "", branching: None, length: None, states_log10: None, tree_log10: None };

const ARTICLE: &str = "Gorski, Efficient Implementation of Game Trees";
const REPORT: &str = "Wagner, Game Tree";

/// The numbers for a game in the three documents that this project grew from.
#[must_use]
pub fn published(kind: GameKind) -> &'static [Published] {
    const TIC_TAC_TOE: &[Published] = &[
        Published { source: ARTICLE, tree_log10: Some(5.0), ..NOTHING },
        // 5,478 positions.
        Published { source: REPORT, states_log10: Some(3.74), ..NOTHING },
    ];
    const AMAZONS: &[Published] = &[Published {
        source: ARTICLE,
        branching: Some(336.0),
        length: Some(84.0),
        tree_log10: Some(212.0),
        ..NOTHING
    }];
    const CHESS: &[Published] = &[
        Published {
            source: ARTICLE,
            branching: Some(35.0),
            length: Some(80.0),
            tree_log10: Some(123.0),
            ..NOTHING
        },
        // Shannon's numbers.
        Published {
            source: REPORT,
            length: Some(80.0),
            states_log10: Some(43.0),
            tree_log10: Some(120.0),
            ..NOTHING
        },
    ];
    match kind {
        GameKind::TicTacToe => TIC_TAC_TOE,
        GameKind::Amazons => AMAZONS,
        GameKind::Chess => CHESS,
        GameKind::ConnectFour | GameKind::ChineseCheckers | GameKind::Thorns | GameKind::Tree => &[],
    }
}

/// The measurements from random games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The number of games played.
    pub playouts: u32,
    /// The number of games that ended before [`PLIES_MAX`].
    pub finished: u32,
    /// Moves in a position, on average over all positions that had a move.
    pub branching: f64,
    /// Plies of a game, on average.
    pub length: f64,
    /// The fewest plies.
    pub length_min: u32,
    /// The most plies.
    pub length_max: u32,
    /// `length * log10(branching)`.
    pub tree_log10: f64,
}

/// The number of plies after which a random game is broken off.
pub const PLIES_MAX: u32 = 2_000;

/// Plays random games from a setup.
///
/// ```
/// use gt_games::GameKind;
/// use gt_games::complexity::measure;
/// use gt_games::registry::Setup;
///
/// let measured = measure(GameKind::TicTacToe, &Setup::default(), 200, 1)?;
/// assert!((5.0..=9.0).contains(&measured.length) && measured.length_max == 9);
/// # Ok::<(), gt_games::NotationError>(())
/// ```
///
/// # Errors
/// Returns an error if the setup does not fit the game.
pub fn measure(kind: GameKind, setup: &Setup, playouts: u32, seed: u64) -> Result<Measured> {
    kind.run(setup, &[], None, Playouts { playouts, random: Random(seed) })
}

struct Playouts {
    playouts: u32,
    random: Random,
}

impl Task for Playouts {
    type Output = Measured;

    fn run<G: Playable>(mut self, start: G, _: AnyEvaluation<G>) -> Measured {
        let (mut plies, mut moves_seen, mut finished) = (0_u64, 0_u64, 0);
        let (mut length_min, mut length_max) = (u32::MAX, 0);
        let mut moves = Vec::new();
        for _ in 0..self.playouts {
            let mut game = start.clone();
            let mut length = 0;
            loop {
                moves.clear();
                game.moves(&mut moves);
                if moves.is_empty() || length == PLIES_MAX {
                    break;
                }
                moves_seen += moves.len() as u64;
                game.make(moves[self.random.below(moves.len())]);
                length += 1;
            }
            finished += u32::from(moves.is_empty());
            plies += u64::from(length);
            (length_min, length_max) = (length_min.min(length), length_max.max(length));
        }
        let branching = if plies == 0 { 0.0 } else { moves_seen as f64 / plies as f64 };
        let length = plies as f64 / f64::from(self.playouts.max(1));
        let tree_log10 = if plies == 0 { 0.0 } else { length * branching.log10() };
        let length_min = length_min.min(length_max);
        Measured { playouts: self.playouts, finished, branching, length, length_min, length_max, tree_log10 }
    }
}

/// SplitMix64: small, fast, and the same on every platform.
struct Random(u64);

impl Random {
    /// A number below `end`; `end` must not be 0.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        ((u128::from(crate::zobrist::mix(self.0)) * end as u128) >> 64) as usize
    }
}
