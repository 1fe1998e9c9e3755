//! The article's three evaluations, on whole sets of squares. [`super::plain`] has them square by square.

pub(super) mod explain;

use super::bits::Bits;
use super::fill::Slides;
use super::foresight::mobility_after;
use super::{Amazons, Move};
use gt_search::{Evaluate, Foresight};

/// The value of an owned square in [`TerritoryMobility`], in addition to its mob number: Hashimoto's weight.
pub const TERRITORY_WEIGHT: i32 = 4;

/// The number of queen moves of the mover's amazons, minus the opponent's.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mobility;

/// The number of squares that the mover reaches in fewer queen moves than the opponent, minus the reverse.
#[derive(Clone, Copy, Debug, Default)]
pub struct Territory;

/// Like [`Territory`], but an owned square counts [`TERRITORY_WEIGHT`] plus the number of its owner's amazons
/// that reach it in one move.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerritoryMobility;

impl Evaluate<Amazons> for Mobility {
    #[inline]
    fn evaluate(&self, game: &Amazons) -> i32 {
        let slides = Slides::new(game.empty);
        let [mine, theirs] = sides(game);
        count_all(slides.directions(mine)) - count_all(slides.directions(theirs))
    }

    fn foresight(&self) -> Foresight {
        Foresight::Exact
    }

    fn foresee(&self, game: &Amazons, moves: &[Move], values: &mut Vec<i32>) {
        mobility_after(game, moves, values);
    }
}

impl Evaluate<Amazons> for Territory {
    #[inline]
    fn evaluate(&self, game: &Amazons) -> i32 {
        let slides = Slides::new(game.empty);
        let [mine, theirs] = sides(game);
        let reached = [slides.reach(mine), slides.reach(theirs)];
        let [mine, theirs] = owned(&slides, reached);
        count(mine) - count(theirs)
    }
}

impl Evaluate<Amazons> for TerritoryMobility {
    #[inline]
    fn evaluate(&self, game: &Amazons) -> i32 {
        let slides = Slides::new(game.empty);
        let directions = sides(game).map(|amazons| slides.directions(amazons));
        let reached = directions.map(|sets| sets.into_iter().fold(0, |all, set| all | set));
        let [mine, theirs] = owned(&slides, reached);
        let mobs = |sets: [Bits; 8], owned: Bits| count_all(sets.map(|set| set & owned));
        TERRITORY_WEIGHT * (count(mine) - count(theirs)) + mobs(directions[0], mine)
            - mobs(directions[1], theirs)
    }
}

/// The amazons of the mover and of the opponent.
#[inline(always)]
fn sides(game: &Amazons) -> [Bits; 2] {
    let mover = usize::from(game.to_move & 1);
    [game.amazons[mover], game.amazons[mover ^ 1]]
}

/// The squares that each side reaches first, given the squares it reaches in one move.
///
/// A flood by queen moves from both sides at once. A side need not continue from a square that the other reached
/// earlier: from there on the other is ahead everywhere. From a square that both reach at the same time both
/// continue, for beyond it they tie again.
#[inline(always)]
fn owned(slides: &Slides, [mut mine, mut theirs]: [Bits; 2]) -> [Bits; 2] {
    let mut owned = [mine & !theirs, theirs & !mine];
    let mut open = slides.empty & !(mine | theirs);
    while open != 0 && mine | theirs != 0 {
        [mine, theirs] = [slides.reach(mine) & open, slides.reach(theirs) & open];
        owned[0] |= mine & !theirs;
        owned[1] |= theirs & !mine;
        open &= !(mine | theirs);
    }
    owned
}

#[inline(always)]
fn count(set: Bits) -> i32 {
    set.count_ones() as i32
}

#[inline(always)]
fn count_all(sets: [Bits; 8]) -> i32 {
    sets.into_iter().map(count).sum()
}
