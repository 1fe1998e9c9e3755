//! What people are shown for the moves and values of two trees.

use gt_diff::{Compared, Side};
use gt_log::Value;
use gt_report::NameMoves;
use gt_report::diff::{Line, Move, WordedValue};

use crate::moves::{Moves, TreeMoves};
use crate::values::ValueWords;

/// The names of both trees, A's first.
pub(super) struct Names<'a>([SideNames<'a>; 2]);

struct SideNames<'a> {
    moves: TreeMoves<'a>,
    values: ValueWords<'a>,
}

impl<'a> SideNames<'a> {
    fn new(side: &Side<'a>, moves: Moves) -> Self {
        Self {
            moves: TreeMoves::new(side.log, side.tree, moves),
            values: ValueWords::new(side.log, side.tree),
        }
    }

    fn told(&self, attribute: Option<usize>, value: Value, ply: u64) -> WordedValue {
        let words = attribute.and_then(|attribute| self.values.of(attribute, &value, ply));
        let plain = || if value == Value::Missing { "-".to_owned() } else { value.to_string() };
        WordedValue { words: words.unwrap_or_else(plain), value }
    }
}

impl<'a> Names<'a> {
    pub(super) fn new(a: &Side<'a>, b: &Side<'a>, moves: Moves) -> Self {
        Self([a, b].map(|side| SideNames::new(side, moves)))
    }

    /// A move after others: what A calls it, or else B.
    pub(super) fn of_move(&self, before: &[i64], code: i64) -> Move {
        let name = self.0.iter().find_map(|side| side.moves.name(before, code));
        name.map_or(Move::Number(code), Move::Named)
    }

    /// The moves of a line from the root.
    pub(super) fn line(&self, codes: &[i64]) -> Line {
        codes.iter().enumerate().map(|(place, &code)| self.of_move(&codes[..place], code)).collect()
    }

    /// An attribute of two nodes, each with its ply.
    pub(super) fn told(&self, attribute: Option<&Compared>, values: [(Value, u64); 2]) -> [WordedValue; 2] {
        let [a, b] = &self.0;
        let [(value_a, ply_a), (value_b, ply_b)] = values;
        let place_a = attribute.map(|compared| compared.place_a);
        let place_b = attribute.map(|compared| compared.place_b);
        [a.told(place_a, value_a, ply_a), b.told(place_b, value_b, ply_b)]
    }
}
