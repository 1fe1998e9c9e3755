//! The explanation of [`Distance`]: how far each player is from a line, and where lines are open.

use super::{Distance, distance};
use crate::explain::{Breakdown, Explain, Marks, Term};
use crate::notation::Notation;
use crate::tic_tac_toe::TicTacToe;

impl Explain<TicTacToe> for Distance {
    fn break_down(&self, game: &TicTacToe) -> Breakdown {
        let distances = [0, 1].map(|player| i64::from(distance(game, player)));
        let term = Term::counted("distance", "moves to the nearest line; 4 if none is open", -1, &distances);
        let marks = Marks::of(&game.position_text(), 3);
        let maps = vec![
            marks.open_lines("open-lines-x", "lines through the square that x can still fill", 'x'),
            marks.open_lines("open-lines-o", "lines through the square that o can still fill", 'o'),
        ];
        Breakdown::plain("moves", vec![term], maps)
    }
}
