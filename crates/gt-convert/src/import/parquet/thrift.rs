//! Walks over Thrift's compact form, in which Parquet writes its footer and page headers, without decoding
//! it.
//!
//! ```text
//! struct   (field number and type, value)…  0
//! list     count and type, values…          a count is at most the bytes that follow
//! ```
//!
//! The library reads a known field by the type that it expects, whatever the file declares, and skips others as the
//! file declares. So a walk checks every known field against its required shape, and rejects what the library would
//! skip without consuming a byte: a list of two billion Booleans.

use std::io::{Read, Take};

use parquet::errors::Result;

use super::source::general;

/// The maximum nesting of values; no footer comes near it.
const DEPTH_MAX: u8 = 32;

/// The required shape of a field.
pub(super) enum Shape {
    Bool,
    Byte,
    /// A whole number of 16, 32 or 64 bits: all are written in the same way.
    Int,
    Double,
    Binary,
    List(&'static Shape),
    Struct(&'static Struct),
}

/// The known fields of a struct, by number.
pub(super) struct Struct {
    pub(super) name: &'static str,
    pub(super) fields: &'static [(i64, Shape)],
}

/// An event of a walk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    /// The field with this number.
    Number(i64),
    /// The end of the struct.
    End,
}

/// Called with the struct's name, the field, and its value if that is a whole number.
pub(super) type OnField<'a> = &'a mut dyn FnMut(&'static str, Field, Option<i64>) -> Result<()>;

mod wire {
    pub(super) const TRUE: u8 = 1;
    pub(super) const FALSE: u8 = 2;
    pub(super) const BYTE: u8 = 3;
    pub(super) const I16: u8 = 4;
    pub(super) const I64: u8 = 6;
    pub(super) const DOUBLE: u8 = 7;
    pub(super) const BINARY: u8 = 8;
    pub(super) const LIST: u8 = 9;
    pub(super) const SET: u8 = 10;
    pub(super) const MAP: u8 = 11;
    pub(super) const STRUCT: u8 = 12;
    pub(super) const UUID: u8 = 13;
}

/// Walks over bytes in compact form.
pub(super) struct Walk<R> {
    source: Take<R>,
}

impl<R: Read> Walk<R> {
    /// A walk over at most this many bytes.
    pub(super) fn new(source: R, bytes_max: u64) -> Self {
        Self { source: source.take(bytes_max) }
    }

    /// The number of bytes left.
    pub(super) fn left(&self) -> u64 {
        self.source.limit()
    }

    /// Walks over a struct, and reports each known field after its value.
    pub(super) fn walk(&mut self, shape: &'static Struct, on_field: OnField<'_>) -> Result<()> {
        self.fields(Some(shape), DEPTH_MAX, on_field)
    }

    fn fields(&mut self, shape: Option<&'static Struct>, depth: u8, on_field: OnField<'_>) -> Result<()> {
        let depth = depth.checked_sub(1).ok_or_else(strange)?;
        let mut number = 0_i64;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return shape.map_or(Ok(()), |shape| on_field(shape.name, Field::End, None));
            }
            let next = match head >> 4 {
                0 => self.integer()?,
                step => number + i64::from(step),
            };
            // The library keeps the last of duplicate fields; every writer uses ascending numbers.
            if next <= number || next > i64::from(i16::MAX) {
                return Err(strange());
            }
            number = next;
            let known = shape.and_then(|shape| shape.fields.iter().find(|(known, _)| *known == number));
            match (known, shape) {
                (Some((_, Shape::Int)), Some(shape)) if (wire::I16..=wire::I64).contains(&(head & 0x0f)) => {
                    let value = self.integer()?;
                    on_field(shape.name, Field::Number(number), Some(value))?;
                }
                (Some((_, expected)), Some(shape)) => {
                    self.known(head & 0x0f, expected, depth, &mut *on_field)?;
                    on_field(shape.name, Field::Number(number), None)?;
                }
                _ => self.unknown(head & 0x0f, depth)?,
            }
        }
    }

    /// A value that must have this shape.
    fn known(&mut self, wire: u8, shape: &'static Shape, depth: u8, on_field: OnField<'_>) -> Result<()> {
        match (shape, wire) {
            (Shape::Bool, wire::TRUE | wire::FALSE) => Ok(()),
            (Shape::Byte, wire::BYTE) => self.skip(1),
            (Shape::Int, wire::I16..=wire::I64) => self.integer().map(|_| ()),
            (Shape::Double, wire::DOUBLE) => self.skip(8),
            (Shape::Binary, wire::BINARY) => self.binary(),
            (Shape::Struct(shape), wire::STRUCT) => self.fields(Some(shape), depth, on_field),
            (Shape::List(element), wire::LIST | wire::SET) => {
                let (count, wire) = self.list_head()?;
                for _ in 0..count {
                    self.known(wire, element, depth, &mut *on_field)?;
                }
                Ok(())
            }
            _ => Err(strange()),
        }
    }

    /// A value of an unknown field.
    fn unknown(&mut self, wire: u8, depth: u8) -> Result<()> {
        let depth = depth.checked_sub(1).ok_or_else(strange)?;
        match wire {
            wire::TRUE | wire::FALSE => Ok(()),
            wire::BYTE => self.skip(1),
            wire::I16..=wire::I64 => self.integer().map(|_| ()),
            wire::DOUBLE => self.skip(8),
            wire::BINARY => self.binary(),
            wire::UUID => self.skip(16),
            wire::STRUCT => self.fields(None, depth, &mut |_, _, _| Ok(())),
            wire::LIST | wire::SET => {
                let (count, wire) = self.list_head()?;
                (0..count).try_for_each(|_| self.unknown(wire, depth))
            }
            wire::MAP => {
                let count = self.varint()?;
                if count == 0 {
                    return Ok(());
                }
                let types = self.byte()?;
                let (key, value) = (types >> 4, types & 0x0f);
                self.check_count(count, key)?;
                self.check_count(count, value)?;
                (0..count)
                    .try_for_each(|_| self.unknown(key, depth).and_then(|()| self.unknown(value, depth)))
            }
            _ => Err(strange()),
        }
    }

    /// The number of elements in a list, and their type.
    fn list_head(&mut self) -> Result<(u64, u8)> {
        let head = self.byte()?;
        let count = match head >> 4 {
            15 => self.varint()?,
            count => u64::from(count),
        };
        if count > 0 {
            self.check_count(count, head & 0x0f)?;
        }
        Ok((count, head & 0x0f))
    }

    /// Every element takes at least one byte; Booleans, of which the library consumes none, are rejected.
    fn check_count(&self, count: u64, wire: u8) -> Result<()> {
        if count > self.left() || matches!(wire, wire::TRUE | wire::FALSE) { Err(strange()) } else { Ok(()) }
    }

    fn binary(&mut self) -> Result<()> {
        let length = self.varint()?;
        self.skip(length)
    }

    fn skip(&mut self, bytes: u64) -> Result<()> {
        if bytes > self.left() {
            return Err(strange());
        }
        let skipped = std::io::copy(&mut (&mut self.source).take(bytes), &mut std::io::sink())?;
        if skipped == bytes { Ok(()) } else { Err(strange()) }
    }

    /// A whole number: 0, 1, 2, 3 … stand for 0, -1, 1, -2 …
    fn integer(&mut self) -> Result<i64> {
        let folded = self.varint()?;
        Ok((folded >> 1) as i64 ^ -((folded & 1) as i64))
    }

    fn varint(&mut self) -> Result<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if (bits << shift) >> shift != bits {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(strange())
    }

    fn byte(&mut self) -> Result<u8> {
        let mut byte = [0];
        self.source.read_exact(&mut byte).map_err(|_| strange())?;
        Ok(byte[0])
    }
}

fn strange() -> parquet::errors::ParquetError {
    general("its footer or a page's header makes no sense")
}
