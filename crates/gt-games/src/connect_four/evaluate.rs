//! Counting threats: empty places that would complete four in a line.

mod explain;

use super::ConnectFour;
use gt_search::{Evaluate, Game};

/// The value of a threat.
const THREAT: i32 = 16;
/// The bonus for a threat on a row that its owner gets to play when the board fills up: `x`, who begins, has
/// the odd rows (the first is row 1), `o` the even ones.
const THREAT_IN_TIME: i32 = 16;
/// The bonus for a threat on a landing place: it can be played at once.
const THREAT_NOW: i32 = 8;

/// A winning move comes before all others.
const HINT_WINS: i32 = 1 << 18;
/// A move that prevents an immediate win of the opponent is the only one that does not lose.
const HINT_SAVES: i32 = 1 << 17;
/// A move below a place where the opponent wins comes last.
const HINT_LOSES: i32 = -(1 << 10);
/// A new threat is worth as much as two columns nearer to the middle.
const HINT_THREAT: i32 = 2;

/// The mover's threats and well-placed discs, minus the opponent's.
///
/// A threat is an empty place that completes a line. It counts more on a row of its owner's parity and if it can be
/// played at once. A disc counts the number of fours through its place, minus three.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threats;

impl Evaluate<ConnectFour> for Threats {
    #[inline]
    fn evaluate(&self, game: &ConnectFour) -> i32 {
        let value = game.worth + threats(game, 0) - threats(game, 1);
        if game.to_move() == 0 { value } else { -value }
    }

    fn is_mirror_symmetric(&self) -> bool {
        true
    }
}

/// The value of a player's threats.
fn threats(game: &ConnectFour, player: usize) -> i32 {
    let layout = game.layout;
    let threats = game.completing[player] & !game.filled();
    let count = |set: u64| set.count_ones() as i32;
    THREAT * count(threats)
        + THREAT_IN_TIME * count(threats & layout.in_time[player])
        + THREAT_NOW * count(threats & game.landings())
}

/// The ordering hint for a disc of the mover at a place of a column.
#[inline]
pub(super) fn hint(game: &ConnectFour, place: u64, column: u8) -> i32 {
    let mover = game.to_move() & 1;
    let [own, others] = [game.completing[mover], game.completing[mover ^ 1]];
    if own & place != 0 {
        return HINT_WINS;
    }
    if others & place != 0 {
        return HINT_SAVES;
    }
    let loses = if others & place << 1 != 0 { HINT_LOSES } else { 0 };
    let columns = game.layout.size.columns() as i32;
    let threats = game.layout.completing(game.discs[mover] | place) & !own & !game.filled();
    loses + HINT_THREAT * threats.count_ones() as i32 - (2 * i32::from(column) + 1 - columns).abs() / 2
}
