//! The distinct texts of a block's column, in one allocation.

use crate::wire::{Malformed, Reader, Wire};

/// The distinct texts of an attribute in a block; each has the number that stands for it in the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    joined: String,
    ends: Vec<u32>,
}

/// How many more texts than rows a block may have: a refused row leaves its texts behind.
const TEXTS_BESIDE_ROWS: usize = 1 << 16;

impl Texts {
    /// Reads and checks the texts of a block.
    ///
    /// A writer stores a text when a row has it, so there are not many more texts than rows.
    pub(super) fn read(reader: &mut Reader<'_>, rows: usize) -> Wire<Self> {
        let count = reader.count()?;
        if count > 2 * rows + TEXTS_BESIDE_ROWS {
            return Err(Malformed("it has more texts than rows"));
        }
        let mut texts = Self { joined: String::new(), ends: Vec::with_capacity(count) };
        for _ in 0..count {
            texts.joined.push_str(reader.text()?);
            let end = u32::try_from(texts.joined.len());
            texts.ends.push(end.map_err(|_| Malformed("its texts are too long"))?);
        }
        Ok(texts)
    }

    /// The number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The text with this number.
    #[must_use]
    pub fn get(&self, number: usize) -> Option<&str> {
        let start = number.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.joined.get(start as usize..*self.ends.get(number)? as usize)
    }

    /// All texts, in the order of their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        (0..self.len()).map(|number| self.get(number).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_by_number() {
        let bytes = b"\x03\x02e4\x00\x03d\xc3\xa9 rest";
        let mut reader = Reader::new(bytes);
        let texts = Texts::read(&mut reader, 3).unwrap();
        assert_eq!(reader.rest(), b" rest");
        assert_eq!(texts.iter().collect::<Vec<_>>(), ["e4", "", "d\u{e9}"]);
        assert_eq!((texts.get(0), texts.get(1), texts.get(3)), (Some("e4"), Some(""), None));
    }
}
