//! Vectors: a value of every row. A text is a code for each row, and a dictionary.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::value::Value;

/// A value of every row.
#[derive(Clone, Debug)]
pub(in crate::engine) enum Vector {
    /// Integers of 64 bits; truth values as 0 and 1.
    Integer(Vec<i64>),
    /// Integers in `i64::MIN ..= u64::MAX`.
    Wide(Vec<i128>),
    /// Floats, NaN where unknown.
    Float(Vec<f64>),
    /// Texts.
    Text(Texts),
}

/// The kind of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::engine) enum VectorKind {
    /// Integers of 64 bits.
    Integer,
    /// Integers in `i64::MIN ..= u64::MAX`.
    Wide,
    /// Floats.
    Float,
    /// Texts.
    Text,
}

impl Default for Vector {
    fn default() -> Self {
        Self::Integer(Vec::new())
    }
}

/// A method that turns a vector into one of a kind, if necessary, and returns its lanes for writing.
macro_rules! lanes_to_write {
    ($name:ident, $kind:ident, $lanes:ty) => {
        pub(in crate::engine) fn $name(&mut self) -> &mut $lanes {
            if !matches!(self, Self::$kind(_)) {
                *self = Self::$kind(<$lanes>::default());
            }
            match self {
                Self::$kind(lanes) => lanes,
                _ => unreachable!("it was made one just now"),
            }
        }
    };
}

impl Vector {
    lanes_to_write!(integers_mut, Integer, Vec<i64>);
    lanes_to_write!(wides_mut, Wide, Vec<i128>);
    lanes_to_write!(floats_mut, Float, Vec<f64>);
    lanes_to_write!(texts_mut, Text, Texts);

    /// An empty vector of a kind.
    pub(in crate::engine) fn empty(kind: VectorKind) -> Self {
        let mut empty = Self::default();
        empty.set_values(kind, &[]);
        empty
    }

    pub(in crate::engine) fn kind(&self) -> VectorKind {
        match self {
            Self::Integer(_) => VectorKind::Integer,
            Self::Wide(_) => VectorKind::Wide,
            Self::Float(_) => VectorKind::Float,
            Self::Text(_) => VectorKind::Text,
        }
    }

    pub(in crate::engine) fn len(&self) -> usize {
        match self {
            Self::Integer(lanes) => lanes.len(),
            Self::Wide(lanes) => lanes.len(),
            Self::Float(lanes) => lanes.len(),
            Self::Text(texts) => texts.codes.len(),
        }
    }

    /// The value of a row that has one; unknown for a float that is NaN.
    pub(in crate::engine) fn value_at(&self, row: usize) -> Option<Value> {
        match self {
            Self::Integer(lanes) => Some(Value::Integer(lanes[row].into())),
            Self::Wide(lanes) => Some(Value::Integer(lanes[row])),
            Self::Float(lanes) => Value::float(lanes[row]),
            Self::Text(texts) => texts.get(row).cloned().map(Value::Text),
        }
    }

    /// Makes this a vector of a kind, with these values. A truth value is 0 or 1; a value that the kind cannot hold
    /// counts as unknown.
    pub(in crate::engine) fn set_values(&mut self, kind: VectorKind, values: &[Option<Value>]) {
        let integers = values.iter().map(|value| match value {
            Some(Value::Integer(value)) => *value,
            Some(Value::Boolean(value)) => i128::from(*value),
            Some(Value::Float(_) | Value::Text(_) | Value::Line(_)) | None => 0,
        });
        match kind {
            VectorKind::Integer => refill(self.integers_mut(), integers.map(|value| value as i64)),
            VectorKind::Wide => refill(self.wides_mut(), integers),
            VectorKind::Float => {
                let floats = values.iter().map(|value| value.as_ref().and_then(Value::as_float));
                refill(self.floats_mut(), floats.map(|value| value.unwrap_or(f64::NAN)));
            }
            VectorKind::Text => self.texts_mut().set_values(values),
        }
    }

    /// A word that orders rows by their values, for rows that have one; different wide integers may share a word.
    #[inline]
    pub(in crate::engine) fn order_word(&self, row: usize) -> u64 {
        match self {
            Self::Integer(lanes) => lanes[row].cast_unsigned() ^ SIGN,
            // Wide integers begin at the smallest 64-bit integer, which is below zero.
            Self::Wide(lanes) => ((lanes[row] - i128::from(i64::MIN)) >> 1) as u64,
            Self::Float(lanes) => float_order_word(lanes[row]),
            Self::Text(texts) => texts.codes[row].into(),
        }
    }

    /// The order of the values of two rows that have one.
    pub(in crate::engine) fn order(&self, left: usize, right: usize) -> Ordering {
        match self {
            Self::Integer(lanes) => lanes[left].cmp(&lanes[right]),
            Self::Wide(lanes) => lanes[left].cmp(&lanes[right]),
            Self::Float(lanes) => lanes[left].total_cmp(&lanes[right]),
            Self::Text(texts) => texts.codes[left].cmp(&texts.codes[right]),
        }
    }
}

const SIGN: u64 = 1 << 63;

/// The word of a float, for [`Vector::order_word`]. Positive floats come after negative ones, whose bits are in reverse
/// order.
#[inline]
pub(in crate::engine) fn float_order_word(float: f64) -> u64 {
    let bits = float.to_bits();
    // No branch, which random numbers would mispredict.
    let all_ones_below_zero = (bits.cast_signed() >> 63).cast_unsigned();
    bits ^ (all_ones_below_zero | SIGN)
}

fn refill<T>(out: &mut Vec<T>, lanes: impl Iterator<Item = T>) {
    out.clear();
    out.extend(lanes);
}

/// A text of every row. **Invariant:** the dictionary is sorted by bytes, and its entries are distinct. At rows
/// without a value the code may be beyond it.
#[derive(Clone, Debug, Default)]
pub(in crate::engine) struct Texts {
    pub(super) codes: Vec<u32>,
    pub(super) dictionary: Arc<[Arc<str>]>,
}

impl Texts {
    pub(in crate::engine) fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// The code of a text in the dictionary.
    pub(in crate::engine) fn code(&self, value: &Value) -> Option<i64> {
        let code = match value {
            Value::Text(text) => self.dictionary.binary_search(text).ok()?,
            Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Line(_) => return None,
        };
        Some(code as i64)
    }

    /// The texts, each once.
    pub(in crate::engine) fn dictionary(&self) -> &[Arc<str>] {
        &self.dictionary
    }

    /// The maximum number of distinct texts.
    pub(in crate::engine) fn entries(&self) -> usize {
        self.dictionary.len()
    }

    /// Returns texts with this dictionary and other codes.
    pub(in crate::engine) fn with_codes(&self, codes: Vec<i64>) -> Self {
        let codes = codes.into_iter().map(|code| code as u32).collect();
        Self { codes, dictionary: Arc::clone(&self.dictionary) }
    }

    pub(super) fn get(&self, row: usize) -> Option<&Arc<str>> {
        self.dictionary.get(self.codes[row] as usize)
    }

    /// Sets another dictionary, and returns the codes for writing.
    pub(super) fn codes_for(&mut self, dictionary: Arc<[Arc<str>]>) -> &mut Vec<u32> {
        self.dictionary = dictionary;
        &mut self.codes
    }

    pub(super) fn set_values(&mut self, values: &[Option<Value>]) {
        let text = |value: &Option<Value>| match value {
            Some(Value::Text(text)) => Some(Arc::clone(text)),
            Some(Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Line(_)) | None => None,
        };
        let texts: Vec<Option<Arc<str>>> = values.iter().map(text).collect();
        let (dictionary, found) = sort(texts.iter().flatten(), Arc::clone);
        let mut found = found.into_iter();
        let codes = texts.iter().map(|text| text.as_ref().and_then(|_| found.next()).unwrap_or(0));
        refill(self.codes_for(dictionary), codes);
    }
}

/// Makes a dictionary of some texts, whose entries `share` creates, and returns it with the code of each text.
pub(super) fn sort<'a, T: AsRef<str> + 'a>(
    texts: impl Iterator<Item = &'a T>,
    share: impl Fn(&T) -> Arc<str>,
) -> (Arc<[Arc<str>]>, Vec<u32>) {
    let texts: Vec<&T> = texts.collect();
    let mut places: Vec<u32> = (0..texts.len() as u32).collect();
    places.sort_by_key(|place| texts[*place as usize].as_ref());
    let mut codes = vec![0; texts.len()];
    let mut dictionary: Vec<Arc<str>> = Vec::new();
    for place in places {
        let text = texts[place as usize];
        if dictionary.last().is_none_or(|last| **last != *text.as_ref()) {
            dictionary.push(share(text));
        }
        codes[place as usize] = dictionary.len() as u32 - 1;
    }
    (dictionary.into(), codes)
}

pub(super) fn floats_of(a: &Vector) -> &[f64] {
    match a {
        Vector::Float(lanes) => lanes,
        other => panic!("floats are wanted, not {:?}", other.kind()),
    }
}
