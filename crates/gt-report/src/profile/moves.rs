//! Moves, lines and other cells as texts.

use gt_query::{Type, Value};

use crate::naming::NameMoves;
use crate::number::{grouped, plain, signed};

/// The maximum number of moves of a line in a table.
const TABLE_MOVES_MAX: usize = 64;

/// Moves by their names, or as numbers.
#[derive(Clone, Copy)]
pub(super) struct Moves<'a>(pub(super) Option<&'a dyn NameMoves>);

impl Moves<'_> {
    /// A move at the root.
    pub(super) fn at_root(self, number: i64) -> String {
        self.after(&[], number)
    }

    fn after(self, before: &[i64], number: i64) -> String {
        self.0.and_then(|names| names.name(before, number)).unwrap_or_else(|| number.to_string())
    }

    /// A cell of a table. The moves of a profile's tables are made at the root; deeper ones are in lines.
    pub(super) fn cell(self, value: Option<&Value>, value_type: Type) -> String {
        match value {
            None => "-".to_owned(),
            Some(Value::Integer(number)) if value_type == Type::Move => {
                i64::try_from(*number).map_or_else(|_| number.to_string(), |number| self.at_root(number))
            }
            Some(Value::Integer(number)) => signed(*number),
            Some(Value::Float(number)) => plain(*number),
            Some(Value::Line(line)) => self.line(&line.moves(), TABLE_MOVES_MAX),
            Some(other) => other.to_string(),
        }
    }

    pub(super) fn line(self, moves: &[i64], moves_max: usize) -> String {
        let shown = moves.iter().take(moves_max).enumerate();
        let mut texts: Vec<String> =
            shown.map(|(place, &number)| self.after(&moves[..place], number)).collect();
        match moves.len().saturating_sub(moves_max) {
            0 => {}
            more if more < moves_max => texts.push("…".to_owned()),
            more => texts.push(format!("… ({} more moves)", grouped(more as u64))),
        }
        texts.join(" ")
    }
}
