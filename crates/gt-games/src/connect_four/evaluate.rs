//! Counting threats: empty places that would complete four in a line.

mod explain;

use super::{BOARD, BOTTOM, ConnectFour, STEPS};
use gt_search::{Evaluate, Game};

/// What a threat counts.
const THREAT: i32 = 16;
/// What it counts more on a row that its owner gets to play when the board fills up: `x`, who begins, has the
/// odd rows (the first is row 1), `o` the even ones.
const THREAT_IN_TIME: i32 = 16;
/// What a landing place counts more if it is a threat: it can be played at once.
const THREAT_NOW: i32 = 8;

const ODD_ROWS: u64 = BOTTOM * 0b01_0101;
const EVEN_ROWS: u64 = BOARD & !ODD_ROWS;

/// Places grouped by the number of fours that go through them: all have 3, and one more in each set.
const BUSY: [u64; 10] = busy_places();

/// The mover's threats and well-placed discs, minus the opponent's.
///
/// A threat is an empty place that completes a line; it counts more on a row of its owner's parity and when it
/// can be played at once. A disc counts the fours that could go through its place.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threats;

impl Evaluate<ConnectFour> for Threats {
    fn evaluate(&self, game: &ConnectFour) -> i32 {
        let value = worth(game, 0, ODD_ROWS) - worth(game, 1, EVEN_ROWS);
        if game.to_move() == 0 { value } else { -value }
    }
}

fn worth(game: &ConnectFour, player: usize, in_time: u64) -> i32 {
    let discs = game.discs[player];
    let threats = completing(discs) & BOARD & !game.filled();
    let count = |set: u64| set.count_ones() as i32;
    let places: i32 = BUSY.iter().map(|&busy| count(discs & busy)).sum();
    THREAT * count(threats)
        + THREAT_IN_TIME * count(threats & in_time)
        + THREAT_NOW * count(threats & game.landings())
        + places
}

/// The places, empty or not, that with three of the set make four in a line.
pub(super) fn completing(discs: u64) -> u64 {
    let mut places = 0;
    for step in STEPS {
        let (up, down) = (discs << step & discs << (2 * step), discs >> step & discs >> (2 * step));
        // … the fourth at either end, then in either gap.
        places |= up & discs << (3 * step) | down & discs >> (3 * step);
        places |= up & discs >> step | down & discs << step;
    }
    places
}

/// `BUSY[n]` holds the places through which more than `n + 3` fours go.
const fn busy_places() -> [u64; 10] {
    let mut busy = [0; 10];
    let mut place = 0;
    while place < 49 {
        let fours = fours_through(place);
        let mut level = 0;
        while level < 10 {
            if BOARD >> place & 1 == 1 && fours > level + 3 {
                busy[level] |= 1 << place;
            }
            level += 1;
        }
        place += 1;
    }
    busy
}

const fn fours_through(place: u32) -> usize {
    let mut fours = 0;
    let mut direction = 0;
    while direction < 4 {
        let step = STEPS[direction];
        let mut first = 0;
        while first + 3 * step < 49 {
            let line =
                1u64 << first | 1 << (first + step) | 1 << (first + 2 * step) | 1 << (first + 3 * step);
            if line & !BOARD == 0 && line >> place & 1 == 1 {
                fours += 1;
            }
            first += 1;
        }
        direction += 1;
    }
    fours
}

// 13 fours go through the middle, so the last level holds something.
const _: () = assert!(BUSY[9] != 0);
