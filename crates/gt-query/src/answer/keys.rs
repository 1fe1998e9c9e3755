//! The keys of many groups, in columns.

use std::cmp::Ordering;
use std::hash::{BuildHasher, Hash, Hasher};

use super::form::{bytes_of, unknown_last};
use crate::hashing::{Folding, Seeded};
use crate::value::Value;

/// A column of keys. Numbers and truth values are stored compactly.
#[derive(Clone, Debug)]
pub(crate) enum Keys {
    Words { kinds: Vec<Kind>, words: Vec<u64> },
    Values(Vec<Option<Value>>),
}

/// The meaning of a key's 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Unknown,
    /// A signed integer.
    Integer,
    /// An integer above `i64::MAX`.
    Unsigned,
    Float,
    Boolean,
}

/// The memory of a key that is a number, in bytes.
const WORD_BYTES: usize = size_of::<Kind>() + size_of::<u64>();

impl Default for Keys {
    fn default() -> Self {
        Self::Words { kinds: Vec::new(), words: Vec::new() }
    }
}

impl Keys {
    /// An empty column of the same kind, with room for about `capacity` keys.
    pub(super) fn empty(&self, capacity: usize) -> Self {
        match self {
            Self::Words { .. } => {
                Self::Words { kinds: Vec::with_capacity(capacity), words: Vec::with_capacity(capacity) }
            }
            Self::Values(_) => Self::Values(Vec::with_capacity(capacity)),
        }
    }

    pub(crate) fn push(&mut self, key: Option<Value>) {
        match (&mut *self, packed(key.as_ref())) {
            (Self::Words { kinds, words }, Some((kind, word))) => {
                kinds.push(kind);
                words.push(word);
            }
            (Self::Values(values), _) => values.push(key),
            (Self::Words { kinds, .. }, None) => {
                let mut values: Vec<_> = (0..kinds.len()).map(|group| self.get(group)).collect();
                values.push(key);
                *self = Self::Values(values);
            }
        }
    }

    /// Appends the key of another column's group.
    pub(super) fn push_from(&mut self, from: &Self, group: usize) {
        match (&mut *self, from) {
            (Self::Words { kinds, words }, Self::Words { kinds: from_kinds, words: from_words }) => {
                kinds.push(from_kinds[group]);
                words.push(from_words[group]);
            }
            _ => self.push(from.get(group)),
        }
    }

    /// The key of a group.
    pub(super) fn get(&self, group: usize) -> Option<Value> {
        match self {
            Self::Words { kinds, words } => unpacked(kinds[group], words[group]),
            Self::Values(values) => values[group].clone(),
        }
    }

    /// Whether a group has the key of another column's group.
    #[inline]
    pub(super) fn is_same(&self, group: usize, other: &Self, of: usize) -> bool {
        match (self, other) {
            (Self::Words { kinds, words }, Self::Words { kinds: other_kinds, words: other_words }) => {
                words[group] == other_words[of] && kinds[group] == other_kinds[of]
            }
            (Self::Values(values), Self::Values(others)) => values[group] == others[of],
            _ => self.get(group) == other.get(of),
        }
    }

    /// The order of two groups' keys; unknown comes last.
    pub(super) fn order(&self, group: usize, other: &Self, of: usize) -> Ordering {
        unknown_last(self.get(group).as_ref(), other.get(of).as_ref())
    }

    fn hash(&self, group: usize, hasher: &mut Folding) {
        match self {
            Self::Words { kinds, words } => hash_word(kinds[group], words[group], hasher),
            Self::Values(values) => match packed(values[group].as_ref()) {
                Some((kind, word)) => hash_word(kind, word, hasher),
                None => values[group].hash(hasher),
            },
        }
    }

    /// The approximate memory of a group's key, in bytes; it does not depend on the others.
    pub(super) fn bytes(&self, group: usize) -> usize {
        match self {
            Self::Words { .. } => WORD_BYTES,
            Self::Values(values) if packed(values[group].as_ref()).is_some() => WORD_BYTES,
            Self::Values(values) => bytes_of(values[group].as_ref()),
        }
    }

    /// The approximate memory of all keys, in bytes.
    pub(super) fn bytes_of_all(&self) -> usize {
        match self {
            Self::Words { words, .. } => WORD_BYTES * words.len(),
            Self::Values(values) => (0..values.len()).map(|group| self.bytes(group)).sum(),
        }
    }
}

/// The hash of a group's keys.
#[inline]
pub(super) fn hash_of(keys: &[Keys], group: usize) -> u64 {
    let mut hasher = Seeded::default().build_hasher();
    keys.iter().for_each(|keys| keys.hash(group, &mut hasher));
    hasher.finish()
}

#[inline]
fn hash_word(kind: Kind, word: u64, hasher: &mut Folding) {
    hasher.write_u8(kind as u8);
    hasher.write_u64(word);
}

fn packed(key: Option<&Value>) -> Option<(Kind, u64)> {
    Some(match key {
        None => (Kind::Unknown, 0),
        Some(Value::Integer(value)) => match i64::try_from(*value) {
            Ok(value) => (Kind::Integer, value as u64),
            Err(_) => (Kind::Unsigned, u64::try_from(*value).ok()?),
        },
        Some(Value::Float(value)) => (Kind::Float, value.to_bits()),
        Some(Value::Boolean(value)) => (Kind::Boolean, u64::from(*value)),
        Some(Value::Text(_) | Value::Line(_)) => return None,
    })
}

fn unpacked(kind: Kind, word: u64) -> Option<Value> {
    match kind {
        Kind::Unknown => None,
        Kind::Integer => Some(Value::Integer((word as i64).into())),
        Kind::Unsigned => Some(Value::Integer(word.into())),
        Kind::Float => Some(Value::Float(f64::from_bits(word))),
        Kind::Boolean => Some(Value::Boolean(word != 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key() -> impl Strategy<Value = Option<Value>> {
        prop_oneof![
            Just(None),
            any::<i64>().prop_map(|value| Some(Value::Integer(value.into()))),
            any::<u64>().prop_map(|value| Some(Value::Integer(value.into()))),
            (-2..2_i128).prop_map(|value| Some(Value::Integer(value))),
            any::<f64>().prop_map(Value::float),
            any::<bool>().prop_map(|value| Some(Value::Boolean(value))),
            "[ab]?".prop_map(|text| Some(Value::text(&text))),
        ]
    }

    proptest! {
        /// A column gives back the keys that it was given, and knows which are equal, with and without texts among
        /// them.
        #[test]
        fn keys_are_kept(keys in proptest::collection::vec(key(), 1..20)) {
            let mut columns = [Keys::default(), Keys::default()];
            for key in &keys {
                columns[0].push(key.clone());
            }
            (0..keys.len()).for_each(|group| {
                let from = columns[0].clone();
                columns[1].push_from(&from, group);
            });
            let alone = |group: usize| {
                let mut alone = Keys::default();
                alone.push(keys[group].clone());
                alone
            };
            for group in 0..keys.len() {
                for other in 0..keys.len() {
                    let is_same = keys[group] == keys[other];
                    prop_assert_eq!(columns[0].is_same(group, &columns[1], other), is_same);
                    prop_assert_eq!(columns[0].is_same(group, &alone(other), 0), is_same);
                }
                let same = alone(group);
                prop_assert_eq!(columns[1].get(group), keys[group].clone());
                prop_assert_eq!(hash_of(&columns[..1], group), hash_of(std::slice::from_ref(&same), 0));
                prop_assert_eq!(columns[0].bytes(group), same.bytes(0));
            }
        }
    }
}
