//! The ways to hold the star, as far as the players' seats allow.
//!
//! The star has twelve: six rotations, each with and without a reflection. One is a symmetry of the game if it maps
//! every point with a player onto a point with a player and preserves the order of moving, the players renamed. A
//! reflection reverses the order of moving, which makes no difference with two players:
//!
//! ```text
//! players   seats          symmetries
//! 2         0 3            4: left and right exchanged, a half turn, both
//! 3         0 2 4          3: thirds of a turn
//! 4         0 1 3 4        2: a half turn
//! 6         0 1 2 3 4 5    6: sixths of a turn
//! ```

use super::board::{BIT, CORNERS, HOLES, Hole, HoleSet, Holes};
use super::{ChineseCheckers, Move, PLAYERS_MAX, seats};
use crate::notation::Notation;
use crate::symmetry::Symmetric;
use gt_search::Game;
use std::sync::LazyLock;

/// One way to hold the star.
struct Way {
    /// The image of each hole.
    holes: [Hole; HOLES],
    /// The player whose name each player takes.
    players: [usize; PLAYERS_MAX],
}

impl Way {
    fn turned(&self, holes: Holes) -> Holes {
        HoleSet(holes).fold(0, |all, hole| all | BIT[self.holes[hole.index()].index()])
    }
}

/// The symmetries for each number of players; the first is the star as it is.
static WAYS: LazyLock<[Vec<Way>; PLAYERS_MAX + 1]> = LazyLock::new(|| std::array::from_fn(ways));

fn ways(players: usize) -> Vec<Way> {
    let turns = (0..6).flat_map(|sixths| [false, true].map(|mirrored| (sixths, mirrored)));
    turns.filter_map(|(sixths, mirrored)| way(seats(players), sixths, mirrored)).collect()
}

/// The symmetry that rotates the star by this many sixths, after an optional reflection, if the seats allow
/// it.
fn way(seats: &[usize], sixths: usize, mirrored: bool) -> Option<Way> {
    let all = HoleSet((1 << HOLES) - 1);
    let holes: Vec<Hole> = all.filter_map(|hole| turned_hole(hole, sixths, mirrored)).collect();
    let mut way = Way { holes: holes.try_into().ok()?, players: [0; PLAYERS_MAX] };
    for (player, &seat) in seats.iter().enumerate() {
        let point = way.turned(CORNERS[seat]);
        way.players[player] = seats.iter().position(|&other| CORNERS[other] == point)?;
    }
    let count = seats.len();
    let keeps_order =
        (0..count).all(|player| way.players[(player + 1) % count] == (way.players[player] + 1) % count);
    keeps_order.then_some(way)
}

/// With three coordinates that add up to 0, one for each axis of the star, a sixth of a turn permutes them.
fn turned_hole(hole: Hole, sixths: usize, mirrored: bool) -> Option<Hole> {
    let (row, column) = hole.offset();
    let mut place = [(column - row) / 2, (-column - row) / 2, row];
    if mirrored {
        place.swap(0, 1);
    }
    for _ in 0..sixths {
        place = [-place[2], -place[0], -place[1]];
    }
    let [left, right, row] = place;
    Hole::at_offset(row, left - right)
}

impl Symmetric for ChineseCheckers {
    fn symmetries(&self) -> usize {
        self.ways().len()
    }

    fn turned(&self, symmetry: usize) -> Self {
        let Some(way) = self.ways().get(symmetry) else { return *self };
        let mut pieces = [0; PLAYERS_MAX];
        for player in 0..self.players() {
            pieces[way.players[player]] = way.turned(self.pieces[player]);
        }
        Self::from_parts(pieces, self.players(), way.players[self.to_move()], self.turns)
    }

    fn turned_move(&self, mv: Move, symmetry: usize) -> Move {
        match (mv, self.ways().get(symmetry)) {
            (Move::Go(from, to), Some(way)) => Move::Go(way.holes[from.index()], way.holes[to.index()]),
            (mv, _) => mv,
        }
    }

    /// Omits the number of turns.
    fn essence(&self) -> String {
        let text = self.position_text();
        text.rsplit_once(' ').map_or_else(String::new, |(essence, _)| essence.to_owned())
    }
}

impl ChineseCheckers {
    fn ways(&self) -> &'static [Way] {
        &WAYS[self.players()]
    }
}
