//! Partial answers as bytes, so that one machine can send them to another.
//!
//! ```text
//! numbers       little-endian
//! list, text    length u32 · elements
//! Option        0, or 1 · what it holds
//! value         0 integer i128 · 1 float f64 · 2 truth value u8 · 3 text · 4 line: list of i64
//! ```
//!
//! **Invariant:** [`Wire::read`] restores what [`Wire::put`] writes. It rejects other bytes, and never takes more memory
//! than a small multiple of their length; what it accepts can be merged without an overflow.

use crate::line::Line;
use crate::value::Value;

/// Something that is sent as bytes.
pub(crate) trait Wire: Sized {
    fn put(&self, bytes: &mut Vec<u8>);
    fn read(bytes: &mut Bytes<'_>) -> Option<Self>;
}

/// The bytes left to read.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }

    /// Reads `length` bytes.
    pub(crate) fn slice(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    /// Reads a length.
    pub(crate) fn length(&mut self) -> Option<usize> {
        usize::try_from(u32::from_le_bytes(self.array()?)).ok()
    }
}

/// Writes a length. An answer has far fewer groups, and a text far fewer bytes, than 2^32.
pub(crate) fn put_length(length: usize, bytes: &mut Vec<u8>) {
    bytes.extend(u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes());
}

macro_rules! numbers {
    ($($number:ty),*) => { $(
        impl Wire for $number {
            fn put(&self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }
            fn read(bytes: &mut Bytes<'_>) -> Option<Self> {
                bytes.array().map(Self::from_le_bytes)
            }
        }
    )* };
}

numbers!(u8, i64, i128, f64);

/// Implements [`Wire`] for a struct, field by field.
macro_rules! wire_fields {
    ($name:ty { $($field:ident),* }) => {
        impl $crate::wire::Wire for $name {
            fn put(&self, bytes: &mut Vec<u8>) {
                $( $crate::wire::Wire::put(&self.$field, bytes); )*
            }
            fn read(bytes: &mut $crate::wire::Bytes<'_>) -> Option<Self> {
                Some(Self { $( $field: $crate::wire::Wire::read(bytes)?, )* })
            }
        }
    };
}
pub(crate) use wire_fields;

/// A number of nodes or a node_id; the sum of millions of such numbers fits.
impl Wire for u64 {
    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.to_le_bytes());
    }

    fn read(bytes: &mut Bytes<'_>) -> Option<Self> {
        bytes.array().map(Self::from_le_bytes).filter(|number| *number <= 1 << 40)
    }
}

impl Wire for bool {
    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(*self));
    }

    fn read(bytes: &mut Bytes<'_>) -> Option<Self> {
        match u8::read(bytes)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.is_some().put(bytes);
        self.iter().for_each(|inner| inner.put(bytes));
    }

    fn read(bytes: &mut Bytes<'_>) -> Option<Self> {
        Some(if bool::read(bytes)? { Some(T::read(bytes)?) } else { None })
    }
}

impl<T: Wire> Wire for Box<T> {
    fn put(&self, bytes: &mut Vec<u8>) {
        (**self).put(bytes);
    }

    fn read(bytes: &mut Bytes<'_>) -> Option<Self> {
        T::read(bytes).map(Self::new)
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, bytes: &mut Vec<u8>) {
        put_length(self.len(), bytes);
        self.iter().for_each(|element| element.put(bytes));
    }

    fn read(bytes: &mut Bytes<'_>) -> Option<Self> {
        let length = bytes.length()?;
        (0..length).map(|_| T::read(bytes)).collect()
    }
}

impl Wire for Value {
    fn put(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Integer(number) => {
                bytes.push(0);
                number.put(bytes);
            }
            Self::Float(number) => {
                bytes.push(1);
                number.put(bytes);
            }
            Self::Boolean(truth) => {
                bytes.push(2);
                truth.put(bytes);
            }
            Self::Text(text) => {
                bytes.push(3);
                put_length(text.len(), bytes);
                bytes.extend(text.as_bytes());
            }
            Self::Line(line) => {
                bytes.push(4);
                line.moves().put(bytes);
            }
        }
    }

    fn read(bytes: &mut Bytes<'_>) -> Option<Self> {
        const WHOLE: std::ops::RangeInclusive<i128> = i64::MIN as i128..=u64::MAX as i128;
        Some(match u8::read(bytes)? {
            0 => Self::Integer(i128::read(bytes).filter(|number| WHOLE.contains(number))?),
            1 => Self::float(f64::read(bytes)?)?,
            2 => Self::Boolean(bool::read(bytes)?),
            3 => {
                let length = bytes.length()?;
                Self::text(std::str::from_utf8(bytes.slice(length)?).ok()?)
            }
            4 => Self::Line(Vec::<i64>::read(bytes)?.into_iter().collect::<Line>()),
            _ => return None,
        })
    }
}

/// Reads a sum of integers. The sum of 2^40 nodes with 2^64 each is below the limit, and millions of such sums add up.
pub(crate) fn read_sum(bytes: &mut Bytes<'_>) -> Option<i128> {
    i128::read(bytes).filter(|sum| sum.unsigned_abs() <= 1 << 104)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> Vec<Option<Value>> {
        let line: Line = [7, -9].into_iter().collect();
        vec![
            None,
            Some(Value::Integer(u64::MAX.into())),
            Some(Value::Float(-0.5)),
            Some(Value::Boolean(true)),
            Some(Value::text("é")),
            Some(Value::Line(line)),
            Some(Value::Integer(i64::MIN.into())),
        ]
    }

    #[test]
    fn values_come_back_as_they_were_and_other_bytes_are_refused() {
        let mut bytes = Vec::new();
        values().put(&mut bytes);
        let mut left = Bytes(&bytes);
        assert_eq!(Vec::<Option<Value>>::read(&mut left), Some(values()));
        assert!(left.0.is_empty());
        for length in 0..bytes.len() {
            assert_eq!(Vec::<Option<Value>>::read(&mut Bytes(&bytes[..length])), None, "{length} bytes");
        }
        let wrong: [&[u8]; 4] = [&[255; 20], &[1, 0, 0, 0, 9], &[1, 0, 0, 0, 1, 9], &[1, 0, 0, 0, 1, 2, 2]];
        for wrong in wrong {
            assert_eq!(Vec::<Option<Value>>::read(&mut Bytes(wrong)), None, "{wrong:?}");
        }
        let mut too_large = vec![0];
        i128::MAX.put(&mut too_large);
        assert_eq!(Value::read(&mut Bytes(&too_large)), None);
        let mut no_number = vec![1];
        f64::NAN.put(&mut no_number);
        assert_eq!(Value::read(&mut Bytes(&no_number)), None);
    }
}
