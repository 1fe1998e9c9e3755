//! The attributes of collected rows, packed to the width of their types.

use std::collections::HashMap;
use std::sync::Arc;

use gt_log::Kind;

pub(super) struct Records {
    kinds: Vec<Kind>,
    row_bytes: usize,
    bytes: Vec<u8>,
    /// The distinct texts, and their numbers.
    texts: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
    text_bytes: usize,
}

impl Records {
    pub(super) fn new(kinds: Vec<Kind>) -> Self {
        Self {
            row_bytes: kinds.iter().map(|kind| kind.width()).sum(),
            kinds,
            bytes: Vec::new(),
            texts: Vec::new(),
            numbers: HashMap::new(),
            text_bytes: 0,
        }
    }

    /// How many cells a row has.
    pub(super) fn width(&self) -> usize {
        self.kinds.len()
    }

    /// About how much memory they take.
    pub(super) fn bytes(&self) -> usize {
        const TEXT_OVERHEAD: usize = 64;
        self.bytes.len() + self.text_bytes + TEXT_OVERHEAD * self.texts.len()
    }

    /// Adds a row: for each attribute its cell, and its text if it is one.
    pub(super) fn push<'t>(&mut self, cells: impl Iterator<Item = (i64, Option<&'t Arc<str>>)>) {
        for (attribute, (cell, text)) in cells.enumerate() {
            let kind = self.kinds[attribute];
            let cell = text.map_or(cell, |text| i64::from(self.number(text)));
            self.bytes.extend_from_slice(&cell.to_le_bytes()[..kind.width()]);
        }
    }

    /// Visits the cells of a row, each with its text if it is one.
    pub(super) fn visit(&self, row: usize, mut take: impl FnMut(Kind, i64, &str)) {
        let mut place = row * self.row_bytes;
        for &kind in &self.kinds {
            let mut bytes = [0; 8];
            bytes[..kind.width()].copy_from_slice(&self.bytes[place..place + kind.width()]);
            place += kind.width();
            // The high bytes are lost on narrow types, which is all the same to whoever narrows again.
            let cell = i64::from_le_bytes(bytes);
            take(kind, cell, if kind == Kind::Text { &self.texts[cell as usize] } else { "" });
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
