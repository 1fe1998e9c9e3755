//! Counting threats: empty places that would complete four in a line.

mod explain;

use super::ConnectFour;
use gt_search::{Evaluate, Game};

/// What a threat counts.
const THREAT: i32 = 16;
/// What it counts more on a row that its owner gets to play when the board fills up: `x`, who begins, has the
/// odd rows (the first is row 1), `o` the even ones.
const THREAT_IN_TIME: i32 = 16;
/// What a landing place counts more if it is a threat: it can be played at once.
const THREAT_NOW: i32 = 8;

/// A move that wins comes before all others.
const HINT_WINS: i32 = 1 << 18;
/// A move that keeps the opponent from winning at once is the only one that does not lose.
const HINT_SAVES: i32 = 1 << 17;
/// A move below a place where the opponent wins comes last.
const HINT_LOSES: i32 = -(1 << 10);

/// The mover's threats and well-placed discs, minus the opponent's.
///
/// A threat is an empty place that completes a line; it counts more on a row of its owner's parity and when it
/// can be played at once. A disc counts the fours that could go through its place, above three.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threats;

impl Evaluate<ConnectFour> for Threats {
    #[inline]
    fn evaluate(&self, game: &ConnectFour) -> i32 {
        let value = game.worth + threats(game, 0) - threats(game, 1);
        if game.to_move() == 0 { value } else { -value }
    }
}

/// What the threats of a player count.
fn threats(game: &ConnectFour, player: usize) -> i32 {
    let layout = game.layout;
    let threats = layout.completing(game.discs[player]) & !game.filled();
    let count = |set: u64| set.count_ones() as i32;
    THREAT * count(threats)
        + THREAT_IN_TIME * count(threats & layout.in_time[player])
        + THREAT_NOW * count(threats & game.landings())
}

/// What speaks for a disc of the mover's at a place of a column, before anything was searched.
#[inline]
pub(super) fn hint(game: &ConnectFour, place: u64, column: u8) -> i32 {
    let layout = game.layout;
    let [own, others] = [game.to_move(), 1 - game.to_move()].map(|player| game.discs[player]);
    if layout.has_four(own | place) {
        return HINT_WINS;
    }
    if layout.has_four(others | place) {
        return HINT_SAVES;
    }
    let above = place << 1 & layout.board;
    let loses = if layout.has_four(others | above) { HINT_LOSES } else { 0 };
    let columns = layout.size.columns() as i32;
    loses - (2 * i32::from(column) + 1 - columns).abs() / 2
}
