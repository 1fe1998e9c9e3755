//! Rows that wait to be put in order. They are packed: as lists of values they would take ten times the memory.
//!
//! ```text
//! row     node_id u64 · the keys of `order by` · the cells
//! value   a tag; behind it an integer in 1, 2, 4 or 8 bytes, a float in 8, or the place of any other value in a list
//! ```

use std::cmp::Ordering;

use super::form::{by_key, bytes_of};
use crate::evaluate::Evaluated;
use crate::ir::Arrangement;
use crate::value::{Overflow, Value};

/// The size in bytes from which rows go into another chunk, so that memory grows by a chunk and is never copied.
const CHUNK: usize = 1 << 20;

/// Packed rows, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub(super) struct OrderedRows {
    chunks: Vec<Chunk>,
    places: Vec<Place>,
    /// The number of keys of each row.
    keys: usize,
    /// The number of cells of each row.
    cells: usize,
    bytes: usize,
}

#[derive(Clone, Debug, Default)]
struct Chunk {
    bytes: Vec<u8>,
    /// Texts, lines, integers beyond `i64`, and overflows.
    others: Vec<Evaluated>,
}

/// The place of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    chunk: u32,
    start: u32,
}

mod tag {
    pub(super) const UNKNOWN: u8 = 0;
    pub(super) const FALSE: u8 = 1;
    pub(super) const TRUE: u8 = 2;
    pub(super) const FLOAT: u8 = 3;
    pub(super) const INTEGER_8: u8 = 4;
    pub(super) const INTEGER_16: u8 = 5;
    pub(super) const INTEGER_32: u8 = 6;
    pub(super) const INTEGER_64: u8 = 7;
    pub(super) const OTHER: u8 = 8;
}

/// A value, read.
enum Cell<'a> {
    Unknown,
    Integer(i64),
    Float(f64),
    Boolean(bool),
    Other(&'a Evaluated),
}

impl OrderedRows {
    pub(super) fn new(keys: usize, cells: usize) -> Self {
        Self { keys, cells, ..Self::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The memory of the rows.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds a row.
    pub(super) fn add(
        &mut self,
        node_id: u64,
        keys: impl Iterator<Item = Option<Value>>,
        cells: impl Iterator<Item = Evaluated>,
    ) {
        if self.chunks.last().is_none_or(|chunk| chunk.bytes.len() >= CHUNK) {
            self.bytes += size_of::<Chunk>();
            self.chunks.push(Chunk::default());
        }
        let place = self.chunks.len() - 1;
        let chunk = &mut self.chunks[place];
        let (start, others) = (chunk.bytes.len(), chunk.others.len());
        chunk.bytes.extend(node_id.to_le_bytes());
        keys.for_each(|key| chunk.put(Ok(key)));
        cells.for_each(|cell| chunk.put(cell));
        self.bytes += size_of::<Place>() + chunk.bytes.len() - start;
        self.bytes += chunk.others[others..].iter().map(bytes_of_other).sum::<usize>();
        self.places.push(Place { chunk: place as u32, start: start as u32 });
    }

    /// Takes over the rows of another list.
    pub(super) fn merge(&mut self, mut more: Self) {
        more.chunks.iter_mut().for_each(|chunk| chunk.bytes.shrink_to_fit());
        let base = self.chunks.len() as u32;
        self.chunks.extend(more.chunks);
        self.places.extend(more.places.iter().map(|place| Place { chunk: base + place.chunk, ..*place }));
        self.bytes += more.bytes;
    }

    /// Keeps only the `count` rows that come first in the order.
    pub(super) fn keep_first(&mut self, count: usize, arrangement: &Arrangement) {
        let mut places = std::mem::take(&mut self.places);
        places.select_nth_unstable_by(count, |left, right| self.order(arrangement, *left, *right));
        let mut kept = Self::new(self.keys, self.cells);
        for place in &places[..count] {
            let mut row = self.reader(*place);
            let node_id = row.node_id();
            let keys: Vec<Option<Value>> = (0..self.keys).map(|_| row.next().key()).collect();
            kept.add(node_id, keys.into_iter(), (0..self.cells).map(|_| row.next().value()));
        }
        *self = kept;
    }

    /// Takes the places of the rows, which can then be put in order.
    pub(super) fn take_places(&mut self) -> Vec<Place> {
        std::mem::take(&mut self.places)
    }

    /// The order of two rows: that of their keys or, if these are equal, of their node_ids.
    pub(super) fn order(&self, arrangement: &Arrangement, left: Place, right: Place) -> Ordering {
        let (mut left, mut right) = (self.reader(left), self.reader(right));
        let ids = (left.node_id(), right.node_id());
        for key in &arrangement.order {
            let order = left.next().order(&right.next(), key.descending);
            if order.is_ne() {
                return order;
            }
        }
        ids.0.cmp(&ids.1)
    }

    pub(super) fn node_id(&self, place: Place) -> u64 {
        self.reader(place).node_id()
    }

    pub(super) fn cells(&self, place: Place) -> impl Iterator<Item = Evaluated> {
        let mut reader = self.reader(place);
        reader.node_id();
        (0..self.keys).for_each(|_| _ = reader.next());
        (0..self.cells).map(move |_| reader.next().value())
    }

    /// The first overflow in these rows.
    pub(super) fn overflow(&self, places: &[Place]) -> Option<Overflow> {
        let has_any = self.chunks.iter().any(|chunk| chunk.others.iter().any(Result::is_err));
        let mut rows = places.iter().filter(|_| has_any);
        rows.find_map(|place| self.cells(*place).find_map(Result::err))
    }

    fn reader(&self, place: Place) -> Reader<'_> {
        let chunk = &self.chunks[place.chunk as usize];
        Reader { bytes: &chunk.bytes[place.start as usize..], others: &chunk.others }
    }
}

impl Chunk {
    fn put(&mut self, value: Evaluated) {
        let bytes = &mut self.bytes;
        match value {
            Ok(None) => bytes.push(tag::UNKNOWN),
            Ok(Some(Value::Boolean(truth))) => bytes.push(if truth { tag::TRUE } else { tag::FALSE }),
            Ok(Some(Value::Float(float))) => {
                bytes.push(tag::FLOAT);
                bytes.extend(float.to_le_bytes());
            }
            Ok(Some(Value::Integer(integer))) if i64::try_from(integer).is_ok() => {
                let integer = integer as i64;
                if let Ok(integer) = i8::try_from(integer) {
                    bytes.push(tag::INTEGER_8);
                    bytes.extend(integer.to_le_bytes());
                } else if let Ok(integer) = i16::try_from(integer) {
                    bytes.push(tag::INTEGER_16);
                    bytes.extend(integer.to_le_bytes());
                } else if let Ok(integer) = i32::try_from(integer) {
                    bytes.push(tag::INTEGER_32);
                    bytes.extend(integer.to_le_bytes());
                } else {
                    bytes.push(tag::INTEGER_64);
                    bytes.extend(integer.to_le_bytes());
                }
            }
            other => {
                bytes.push(tag::OTHER);
                bytes.extend((self.others.len() as u32).to_le_bytes());
                self.others.push(other);
            }
        }
    }
}

/// The memory of a value in the list of others.
fn bytes_of_other(value: &Evaluated) -> usize {
    size_of::<Evaluated>() + bytes_of(value.as_ref().ok().and_then(Option::as_ref))
}

/// Reads a row, value by value. Rows are written by [`OrderedRows::add`] alone, so that none ends early.
struct Reader<'a> {
    bytes: &'a [u8],
    others: &'a [Evaluated],
}

impl<'a> Reader<'a> {
    fn node_id(&mut self) -> u64 {
        u64::from_le_bytes(self.array())
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.bytes.split_first_chunk::<N>().unwrap_or((&[0; N], &[]));
        self.bytes = rest;
        *taken
    }

    fn next(&mut self) -> Cell<'a> {
        match self.array::<1>()[0] {
            tag::FALSE => Cell::Boolean(false),
            tag::TRUE => Cell::Boolean(true),
            tag::FLOAT => Cell::Float(f64::from_le_bytes(self.array())),
            tag::INTEGER_8 => Cell::Integer(i8::from_le_bytes(self.array()).into()),
            tag::INTEGER_16 => Cell::Integer(i16::from_le_bytes(self.array()).into()),
            tag::INTEGER_32 => Cell::Integer(i32::from_le_bytes(self.array()).into()),
            tag::INTEGER_64 => Cell::Integer(i64::from_le_bytes(self.array())),
            tag::OTHER => Cell::Other(&self.others[u32::from_le_bytes(self.array()) as usize]),
            _ => Cell::Unknown,
        }
    }
}

impl Cell<'_> {
    fn value(&self) -> Evaluated {
        match self {
            Self::Unknown => Ok(None),
            Self::Integer(integer) => Ok(Some(Value::Integer((*integer).into()))),
            Self::Float(float) => Ok(Some(Value::Float(*float))),
            Self::Boolean(truth) => Ok(Some(Value::Boolean(*truth))),
            Self::Other(value) => (*value).clone(),
        }
    }

    /// A key: an overflow in one is an error of the query, and its row is not kept.
    fn key(&self) -> Option<Value> {
        self.value().ok().flatten()
    }

    /// The order of two keys.
    fn order(&self, other: &Self, descending: bool) -> Ordering {
        match (self, other) {
            (Self::Integer(left), Self::Integer(right)) if descending => right.cmp(left),
            (Self::Integer(left), Self::Integer(right)) => left.cmp(right),
            _ => by_key(descending, self.key().as_ref(), other.key().as_ref()),
        }
    }
}
