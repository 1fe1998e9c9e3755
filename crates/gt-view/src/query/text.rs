//! Places in a query text as the page counts them: in UTF-16 code units, as JavaScript does.

use crate::error::{Answer, Refusal};

/// The longest query text.
const TEXT_BYTES_MAX: usize = 64 << 10;

/// Refuses a text that nobody writes.
pub(crate) fn check_length(text: &str) -> Answer<()> {
    if text.len() > TEXT_BYTES_MAX {
        let sentence = format!("the query text has {} bytes; at most {TEXT_BYTES_MAX} are read", text.len());
        return Err(Refusal::bad("text", sentence));
    }
    Ok(())
}

/// The UTF-16 place of every byte of a text.
pub(crate) struct Utf16(Vec<u32>);

impl Utf16 {
    pub(crate) fn new(text: &str) -> Self {
        let mut places = Vec::with_capacity(text.len() + 1);
        let mut units = 0;
        for character in text.chars() {
            places.extend(std::iter::repeat_n(units, character.len_utf8()));
            units += character.len_utf16() as u32;
        }
        places.push(units);
        Self(places)
    }

    /// The place of a byte; the end for bytes behind it.
    pub(crate) fn of_byte(&self, byte: usize) -> u32 {
        self.0[byte.min(self.0.len() - 1)]
    }

    /// The byte at a place; the end for places behind it.
    pub(crate) fn to_byte(&self, place: u64) -> usize {
        self.0.partition_point(|&units| u64::from(units) < place).min(self.0.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::Utf16;

    #[test]
    fn places_count_as_javascript_does() {
        let text = "a€😀b";
        let places = Utf16::new(text);
        let of = |byte| places.of_byte(byte);
        assert_eq!([of(0), of(1), of(4), of(8), of(9), of(99)], [0, 1, 2, 4, 5, 5]);
        assert_eq!([places.to_byte(2), places.to_byte(4), places.to_byte(77)], [4, 8, 9]);
    }
}
