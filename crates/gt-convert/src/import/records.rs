//! The attributes of collected rows, packed to the width of their types.
//!
//! ```text
//! row    value value … value  bits        a bit for each value, set where it is missing
//! ```

use std::collections::HashMap;
use std::sync::Arc;

use gt_log::Kind;

use super::node::Cell;

pub(super) struct Records {
    kinds: Vec<Kind>,
    value_bytes: usize,
    row_bytes: usize,
    bytes: Vec<u8>,
    /// The distinct texts, and their numbers.
    texts: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
    text_bytes: usize,
}

impl Records {
    pub(super) fn new(kinds: Vec<Kind>) -> Self {
        let value_bytes = kinds.iter().map(|kind| kind.width()).sum();
        Self {
            value_bytes,
            row_bytes: value_bytes + kinds.len().div_ceil(8),
            kinds,
            bytes: Vec::new(),
            texts: Vec::new(),
            numbers: HashMap::new(),
            text_bytes: 0,
        }
    }

    /// The number of cells in a row.
    pub(super) fn width(&self) -> usize {
        self.kinds.len()
    }

    /// The approximate memory.
    pub(super) fn bytes(&self) -> usize {
        const TEXT_OVERHEAD: usize = 64;
        self.bytes.len() + self.text_bytes + TEXT_OVERHEAD * self.texts.len()
    }

    /// Adds a row: a cell for each attribute.
    pub(super) fn push(&mut self, cells: impl Iterator<Item = Cell>) {
        let missing = self.bytes.len() + self.value_bytes;
        let mut place = self.bytes.len();
        self.bytes.resize(place + self.row_bytes, 0);
        for (attribute, cell) in cells.enumerate() {
            let width = self.kinds[attribute].width();
            let value = match cell {
                Cell::Integer(integer) => integer,
                Cell::Text(text) => i64::from(self.number(&text)),
                Cell::Missing => {
                    self.bytes[missing + attribute / 8] |= 1 << (attribute % 8);
                    0
                }
            };
            self.bytes[place..place + width].copy_from_slice(&value.to_le_bytes()[..width]);
            place += width;
        }
    }

    /// Visits the cells of a row.
    pub(super) fn visit(&self, row: usize, mut take: impl FnMut(Kind, Cell)) {
        let row = &self.bytes[row * self.row_bytes..][..self.row_bytes];
        let (mut values, missing) = row.split_at(self.value_bytes);
        for (attribute, &kind) in self.kinds.iter().enumerate() {
            let (value, rest) = values.split_at(kind.width());
            values = rest;
            let mut bytes = [0; 8];
            bytes[..value.len()].copy_from_slice(value);
            // The high bytes are lost on narrow types, which does not matter if they are narrowed again.
            let integer = i64::from_le_bytes(bytes);
            let cell = match kind {
                _ if missing[attribute / 8] & 1 << (attribute % 8) != 0 => Cell::Missing,
                Kind::Text => Cell::Text(self.texts[integer as usize].clone()),
                _ => Cell::Integer(integer),
            };
            take(kind, cell);
        }
    }

    fn number(&mut self, text: &Arc<str>) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        // 2^32 distinct texts take more memory than is ever granted.
        let number = self.texts.len() as u32;
        self.text_bytes += text.len();
        self.texts.push(text.clone());
        self.numbers.insert(text.clone(), number);
        number
    }
}
