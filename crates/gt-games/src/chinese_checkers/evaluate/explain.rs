//! The explanation of [`Distance`]: the steps that each player has to go, and from where.

use super::{DISTANCE_AT_GOAL, Distance};
use crate::chinese_checkers::ChineseCheckers;
use crate::chinese_checkers::board::{HOLES, HoleSet};
use crate::explain::{Balance, Breakdown, Explain, MapCell, SquareMap, Term};
use gt_search::Game;

/// The names of the maps of each player's distances.
const MAPS: [&str; 6] = ["goal-A", "goal-B", "goal-C", "goal-D", "goal-E", "goal-F"];

impl Explain<ChineseCheckers> for Distance {
    fn break_down(&self, game: &ChineseCheckers) -> Breakdown {
        let players = game.players();
        let to_go = |player: usize| i64::from(game.distances[player]) - i64::from(DISTANCE_AT_GOAL);
        let steps: Vec<i64> = (0..players).map(to_go).collect();
        let note = "steps to the tip of the goal, beyond those that a full goal has";
        let terms = vec![Term::counted("steps to go", note, -1, &steps)];
        let mut maps = vec![pieces(game)];
        maps.extend((0..players).map(|player| goal(game, player)));
        Breakdown { balance: Balance::Own, ..Breakdown::plain("steps", terms, maps) }
    }
}

/// Every piece with the steps that it has to go.
fn pieces(game: &ChineseCheckers) -> SquareMap {
    let mut cells = vec![MapCell::default(); HOLES];
    for player in 0..game.players() {
        for hole in HoleSet(game.pieces[player]) {
            cells[hole.index()] = MapCell::owned(player, i32::from(game.distance(player, hole)));
        }
    }
    SquareMap { name: "pieces", note: "steps from each piece to the tip of its goal", cells }
}

/// The distance of every hole from a player's goal, which is in the player's colour.
fn goal(game: &ChineseCheckers, player: usize) -> SquareMap {
    let all = HoleSet((1 << HOLES) - 1);
    let goal = game.goal(player);
    let cell = |hole: crate::chinese_checkers::Hole| MapCell {
        owner: (goal >> hole.index() & 1 == 1).then_some(player),
        number: Some(i32::from(game.distance(player, hole))),
    };
    SquareMap {
        name: MAPS[player],
        note: "steps to the tip of this player's goal",
        cells: all.map(cell).collect(),
    }
}
