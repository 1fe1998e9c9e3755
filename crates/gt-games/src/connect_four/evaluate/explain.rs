//! The explanation of [`Threats`]: threats by row and nearness, well-placed discs, and open lines.

use super::{THREAT, THREAT_IN_TIME, THREAT_NOW, Threats};
use crate::connect_four::ConnectFour;
use crate::explain::{Breakdown, Explain, MapCell, Marks, SquareMap, Term, over_squares};
use crate::notation::Notation;

impl Explain<ConnectFour> for Threats {
    fn break_down(&self, game: &ConnectFour) -> Breakdown {
        let layout = game.layout;
        let threats = game.discs.map(|discs| layout.completing(discs) & !game.filled());
        let count = |sets: [u64; 2]| sets.map(|set| i64::from(set.count_ones()));
        let in_time = [threats[0] & layout.in_time[0], threats[1] & layout.in_time[1]];
        let now = threats.map(|set| set & game.landings());
        let places = game.discs.map(|discs| i64::from(layout.worth_of(discs)));
        let terms = vec![
            Term::counted("threats", "empty places that complete four in a line", THREAT, &count(threats)),
            Term::counted(
                "in time",
                "threats on odd rows for x, on even rows for o",
                THREAT_IN_TIME,
                &count(in_time),
            ),
            Term::counted("at once", "threats that a disc dropped now would fill", THREAT_NOW, &count(now)),
            Term::counted("places", "lines through the places of the discs, beyond three each", 1, &places),
        ];
        Breakdown::plain("points", terms, maps(game, threats))
    }
}

fn maps(game: &ConnectFour, threats: [u64; 2]) -> Vec<SquareMap> {
    let marks = Marks::of(&game.position_text(), 4);
    let size = game.size();
    let threat = |column: usize, row: usize| {
        let bit = 1 << (column * (size.rows() + 1) + row);
        match threats.map(|set| set & bit != 0) {
            [true, true] => MapCell::number(2),
            [true, false] => MapCell::owned(0, 1),
            [false, true] => MapCell::owned(1, 1),
            [false, false] => MapCell::default(),
        }
    };
    vec![
        SquareMap {
            name: "threats",
            note: "who completes four in a line here; 2: both would",
            cells: over_squares(size.columns(), size.rows(), threat),
        },
        marks.open_lines("open-lines-x", "fours through the place that x can still fill", 'x'),
        marks.open_lines("open-lines-o", "fours through the place that o can still fill", 'o'),
    ]
}
