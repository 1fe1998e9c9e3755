//! A record of a CSV file: the contents of its fields, and which of them were quoted.

use crate::RowPlace;

/// A record: its fields' contents, without quotes.
#[derive(Default)]
pub(super) struct Record {
    pub(super) bytes: Vec<u8>,
    pub(super) ends: Vec<FieldEnd>,
    /// The line where it starts.
    pub(super) line: u64,
}

/// The end of a field in its record's bytes.
#[derive(Clone, Copy)]
pub(super) struct FieldEnd {
    pub(super) end: usize,
    pub(super) quoted: bool,
}

/// A field's content, and whether it was quoted.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) quoted: bool,
}

impl Record {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The total number of bytes in its fields.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn place(&self) -> RowPlace {
        RowPlace::Line(self.line)
    }

    pub(super) fn field(&self, number: usize) -> Field<'_> {
        let start = if number == 0 { 0 } else { self.ends[number - 1].end };
        let FieldEnd { end, quoted } = self.ends[number];
        Field { bytes: &self.bytes[start..end], quoted }
    }

    pub(super) fn fields(&self) -> impl Iterator<Item = Field<'_>> {
        (0..self.len()).map(|number| self.field(number))
    }
}
