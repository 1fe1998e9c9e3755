//! Regions: parts of the board that no amazon can leave, and the turns left to play in them.
//!
//! ```text
//! w . x b .      Two regions, one for each side: nobody meets anybody any more. White has two empty squares
//! . x x x .      and so at most two moves, black three: every turn uses up one empty square, whatever else it does.
//! ```
//!
//! Once every region has amazons of one side only, the game is a count: the side that runs out of moves first loses.
//! The number of turns in a region is found by filling it: the squares that can still be reached are an upper bound,
//! and a way to fill that many is searched for depth-first, within a budget.
//!
//! Invariant: [`Filling`] reports an ending only if the loser's turns are counted exactly and the winner is sure to
//! have enough; then it is the result of a full search, to the ply.

use super::bits::{Bits, Square, neighbours};
use super::{Amazons, Move};
use gt_search::{Ending, Endings, Game, KnownEnding};

/// A part of the board: connected empty squares and amazons, with no way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    empty: Bits,
    amazons: [Bits; 2],
}

/// The number of turns a player has left in regions of his own: a lower and an upper bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// The number of turns that a known way achieves.
    pub least: u16,
    /// The number of turns that cannot be exceeded.
    pub most: u16,
}

/// The known endings of positions in which every region belongs to one side.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filling;

/// The maximum number of positions searched to fill a region.
const POSITIONS_MAX: u32 = 400;

impl Region {
    /// The number of its empty squares.
    pub fn squares(&self) -> u32 {
        self.empty.count_ones()
    }

    /// The player who has it to himself; `None` if both or neither have amazons in it.
    pub fn owner(&self) -> Option<usize> {
        match self.amazons.map(|set| set != 0) {
            [true, false] => Some(0),
            [false, true] => Some(1),
            [true, true] | [false, false] => None,
        }
    }

    /// Whether both sides have amazons in it.
    pub fn is_contested(&self) -> bool {
        self.amazons.iter().all(|&set| set != 0)
    }

    /// The number of turns that its owner has in it.
    fn turns(&self, game: &Amazons, owner: usize) -> Turns {
        let mut alone = *game;
        (alone.amazons, alone.empty, alone.to_move) = ([0; 2], self.empty, owner as u8);
        alone.amazons[owner] = self.amazons[owner];
        let mut budget = POSITIONS_MAX;
        let (least, is_exact) = fill(&alone, &mut budget);
        Turns { least, most: if is_exact { least } else { reachable(&alone) } }
    }
}

impl Amazons {
    /// The regions of the position, in the order of their first squares.
    pub fn regions(&self) -> Vec<Region> {
        let pieces = self.amazons[0] | self.amazons[1];
        let mut rest = self.empty | pieces;
        let mut regions = Vec::new();
        while rest != 0 {
            let all = connected(Square::from_index(rest.trailing_zeros()).bit(), rest);
            regions.push(Region { empty: all & self.empty, amazons: self.amazons.map(|set| set & all) });
            rest &= !all;
        }
        regions
    }

    /// The turns that each player has left, if no region is contested.
    pub fn turns_left(&self) -> Option<[Turns; 2]> {
        if self.sides_meet() {
            return None;
        }
        let mut turns = [Turns::default(); 2];
        for region in self.regions() {
            if let Some(owner) = region.owner() {
                let here = region.turns(self, owner);
                turns[owner].least += here.least;
                turns[owner].most += here.most;
            }
        }
        Some(turns)
    }

    /// Whether some region is contested. In an open position a few steps are enough to know.
    fn sides_meet(&self) -> bool {
        let [white, black] = self.amazons;
        let open = self.empty | white | black;
        let mut reached = white;
        loop {
            let next = neighbours(reached) & open;
            if next & black != 0 {
                return true;
            }
            if next | reached == reached {
                return false;
            }
            reached |= next;
        }
    }
}

impl Endings<Amazons> for Filling {
    fn known(&self, game: &Amazons) -> Option<KnownEnding> {
        let turns = game.turns_left()?;
        let (mine, theirs) = (turns[game.to_move()], turns[1 - game.to_move()]);
        // If both have equally many turns, the player to move runs out first.
        if mine.least > theirs.most && theirs.least == theirs.most {
            Some(Ending::Win { plies: 2 * theirs.most + 1 }.into())
        } else if mine.most <= theirs.least && mine.least == mine.most {
            Some(Ending::Loss { plies: 2 * mine.most }.into())
        } else {
            None
        }
    }
}

/// The most turns found for the player to move, who is alone on the board, and whether that is certainly the maximum.
fn fill(game: &Amazons, budget: &mut u32) -> (u16, bool) {
    let most = reachable(game);
    let mut best = 0;
    let mut is_exact = true;
    for after in ways_to_fill(game) {
        let could_be = 1 + reachable(&after);
        if could_be <= best {
            break;
        }
        if *budget == 0 {
            return (best, false);
        }
        *budget -= 1;
        let (turns, all) = fill(&after, budget);
        best = best.max(1 + turns);
        is_exact &= all;
        if best == most {
            return (best, true);
        }
    }
    (best, is_exact)
}

/// The positions after each turn, with the same player to move: those that leave the most squares reachable first,
/// and among them those whose arrow fills a corner.
fn ways_to_fill(game: &Amazons) -> Vec<Amazons> {
    let mut moves: Vec<Move> = Vec::new();
    game.generate(&mut moves);
    let after = |mv: Move| {
        let mut after = *game;
        after.make(mv);
        after.to_move = game.to_move;
        after
    };
    let mut ways: Vec<(u16, u32, Amazons)> = moves
        .into_iter()
        .map(|mv| {
            let after = after(mv);
            let ways_in = (neighbours(mv.arrow().bit()) & after.empty).count_ones();
            (reachable(&after), ways_in, after)
        })
        .collect();
    ways.sort_by_key(|&(reachable, ways_in, _)| (std::cmp::Reverse(reachable), ways_in));
    ways.into_iter().map(|(_, _, after)| after).collect()
}

/// The number of empty squares that the player to move can still reach: every turn uses up at least one of
/// them.
fn reachable(game: &Amazons) -> u16 {
    let amazons = game.amazons[usize::from(game.to_move & 1)];
    let mut reached = neighbours(amazons) & game.empty;
    loop {
        let next = reached | neighbours(reached) & game.empty;
        if next == reached {
            return reached.count_ones() as u16;
        }
        reached = next;
    }
}

/// The part of a set that is connected to some of its squares.
fn connected(from: Bits, set: Bits) -> Bits {
    let mut all = from;
    loop {
        let next = all | neighbours(all) & set;
        if next == all {
            return all;
        }
        all = next;
    }
}
