//! Values in words: moves in the log's notation, attributes by their aliases.

use gt_log::{Alias, Schema};
use gt_query::{MoveCodec, Type, Value};

use super::column::Column;
use super::notation::Notation;

/// The words of a log.
#[derive(Clone, Copy)]
pub(crate) struct Wording<'a> {
    /// What moves are written in; nothing where they are shown as numbers.
    pub(crate) notation: Option<Notation<'a>>,
    /// Whose aliases name values; nothing where these are shown as numbers.
    pub(crate) aliases: Option<&'a Schema>,
}

impl Wording<'_> {
    /// A value of a column as text.
    pub(crate) fn text(&self, value: &Value, column: &Column) -> String {
        match value {
            Value::Integer(number) if column.value_type == Type::Move => {
                i64::try_from(*number).map_or_else(|_| number.to_string(), |number| self.of_move(number))
            }
            Value::Integer(number) => self.alias(*number, column).unwrap_or_else(|| number.to_string()),
            Value::Line(line) => {
                line.moves().iter().map(|number| self.of_move(*number)).collect::<Vec<_>>().join(" ")
            }
            other => other.to_string(),
        }
    }

    fn of_move(&self, number: i64) -> String {
        self.known_move(number).unwrap_or_else(|| number.to_string())
    }

    pub(crate) fn known_move(&self, number: i64) -> Option<String> {
        self.notation.and_then(|notation| notation.text(number))
    }

    fn alias(&self, number: i128, column: &Column) -> Option<String> {
        let (schema, attribute) = (self.aliases?, column.names?);
        let of_attribute = |alias: &&Alias| alias.attribute == Some(attribute);
        alias_text(&schema.aliases().iter().filter(of_attribute).collect::<Vec<_>>(), number)
    }
}

/// A number by its alias, or by those of its bits (`CutNode|QNode`); nothing where they do not name all of it.
fn alias_text(aliases: &[&Alias], number: i128) -> Option<String> {
    if let Some(alias) = aliases.iter().find(|alias| i128::from(alias.value) == number) {
        return Some(alias.name.clone());
    }
    let mut left = u64::try_from(number).ok().filter(|number| *number > 0)?;
    let mut names = Vec::new();
    for alias in aliases {
        let bit = alias.value.cast_unsigned();
        if bit.is_power_of_two() && left & bit != 0 {
            left &= !bit;
            names.push(alias.name.as_str());
        }
    }
    (left == 0).then(|| names.join("|"))
}

#[test]
fn numbers_are_named_by_one_alias_or_by_bits() {
    let alias = |name: &str, value| Alias { name: name.to_owned(), value, attribute: Some(0) };
    let bits = [alias("Pv", 1), alias("Cut", 2), alias("Quiet", 8)];
    let values = [alias("Exact", 0), alias("Lower", 1), alias("Upper", 3)];
    let one = [alias("Mate", 1 << 30)];
    let text = |aliases: &[Alias], number| alias_text(&aliases.iter().collect::<Vec<_>>(), number);
    assert_eq!(text(&bits, 2).as_deref(), Some("Cut"));
    assert_eq!(text(&bits, 10).as_deref(), Some("Cut|Quiet"));
    assert_eq!([0, 4, 6, -1].map(|number| text(&bits, number)), [const { None }; 4]);
    assert_eq!(text(&values, 3).as_deref(), Some("Upper"));
    assert_eq!(text(&values, 2), None);
    assert_eq!((text(&one, 1 << 30).as_deref(), text(&one, (1 << 30) + 1)), (Some("Mate"), None));
}
