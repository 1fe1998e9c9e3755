//! A value of a joint, in a third of the room of an [`Evaluated`].

use crate::evaluate::Evaluated;
use crate::value::{Overflow, Value};

/// The value of a column, a `let` or an aggregate at a joint.
#[derive(Clone, Debug, Default)]
pub(super) enum Kept {
    #[default]
    Unknown,
    Integer(i64),
    Float(f64),
    Boolean(bool),
    /// An integer beyond `i64`, a text or a line.
    Other(Box<Value>),
    Overflow(Box<Overflow>),
}

const _: () = assert!(size_of::<Kept>() == 16);

impl Kept {
    pub(super) fn get(&self) -> Evaluated {
        Ok(Some(match self {
            Self::Unknown => return Ok(None),
            Self::Integer(value) => Value::Integer((*value).into()),
            Self::Float(value) => Value::Float(*value),
            Self::Boolean(value) => Value::Boolean(*value),
            Self::Other(value) => Value::clone(value),
            Self::Overflow(overflow) => return Err(**overflow),
        }))
    }
}

impl From<Evaluated> for Kept {
    fn from(value: Evaluated) -> Self {
        match value {
            Ok(None) => Self::Unknown,
            Ok(Some(Value::Float(value))) => Self::Float(value),
            Ok(Some(Value::Boolean(value))) => Self::Boolean(value),
            Ok(Some(Value::Integer(value))) => match i64::try_from(value) {
                Ok(value) => Self::Integer(value),
                Err(_) => Self::Other(Box::new(Value::Integer(value))),
            },
            Ok(Some(value @ (Value::Text(_) | Value::Line(_)))) => Self::Other(Box::new(value)),
            Err(overflow) => Self::Overflow(Box::new(overflow)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::Line;
    use crate::span::Span;

    #[test]
    fn every_value_comes_back() {
        let integers = [i128::from(i64::MIN), -1, 0, i128::from(i64::MAX), i128::from(u64::MAX)];
        let mut values: Vec<Evaluated> =
            integers.into_iter().map(|value| Ok(Some(Value::Integer(value)))).collect();
        values.extend([
            Ok(None),
            Ok(Some(Value::Float(-0.5))),
            Ok(Some(Value::Boolean(true))),
            Ok(Some(Value::Text("e2e4".into()))),
            Ok(Some(Value::Line(Line::default()))),
            Err(Overflow::new(Span::default()).at(7)),
        ]);
        for value in values {
            assert_eq!(Kept::from(value.clone()).get(), value);
        }
    }
}
