//! What was known of open nodes when they were entered.
//!
//! A node's entry is at the node's place on the open path, so nothing is pushed or popped: the path says which nodes have one, and a
//! search that gives no values pays nothing.

use crate::encode::RowLayout;
use crate::format::EntryValues;
use crate::record::{Row, TextColumn, Value};
use crate::{Kind, Schema, columns::missing};

/// The entries of the open path, by place. What every entry asks for is first: see `State`.
#[repr(C)]
pub(crate) struct Entries {
    /// There is room for more than there are entries.
    words: Vec<u64>,
    /// Words for an entry: the attributes that it lacks, as bits, and the bytes of its record.
    stride: usize,
    has_texts: bool,
    layout: RowLayout,
    /// Of each entry by attribute, where the schema has texts; there may be more than there are entries.
    texts: Vec<Vec<TextColumn>>,
}

/// The values that a node was entered with.
pub(crate) struct Entry<'a> {
    pub(crate) record: &'a [u8],
    texts: &'a [TextColumn],
    /// The attributes that it lacks, as bits.
    pub(crate) missing: &'a [u64],
}

impl<'a> Entry<'a> {
    /// The text of an attribute that this code stands for.
    pub(crate) fn text(&self, attribute: usize, code: u32) -> &'a str {
        let texts = self.texts.get(attribute).map_or(&[][..], |texts| &texts.texts);
        texts.get(code as usize).map_or("", String::as_str)
    }
}

impl Entries {
    pub(crate) fn new(layout: RowLayout) -> Self {
        Self {
            stride: layout.missing_words() + layout.record_bytes().div_ceil(8),
            has_texts: layout.has_texts(),
            layout,
            words: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// Takes what `store` puts for the node at this place; what is wrong with it, if something is.
    #[inline(always)]
    pub(crate) fn set(
        &mut self,
        place: usize,
        schema: &Schema,
        store: impl FnOnce(&Schema, &mut Row<'_>) -> Result<(), String>,
    ) -> Result<(), String> {
        let start = place * self.stride;
        let end = start + self.stride;
        if end > self.words.len() {
            self.make_room(end);
        }
        if self.has_texts {
            self.clear_texts(place);
        }
        let texts = self.texts.get_mut(place).map_or(&mut [][..], |texts| texts);
        let (missing, record) = self.words[start..end].split_at_mut(self.layout.missing_words());
        let record: &mut [u8] = bytemuck::cast_slice_mut(record);
        let mut row = Row::new(&mut record[..self.layout.record_bytes()], texts, missing);
        let stored = store(schema, &mut row);
        stored.err().or(row.fault()).map_or(Ok(()), Err)
    }

    /// The place for the bytes of the record of the node at this place, which lacks these attributes. None where there are texts.
    #[inline(always)]
    pub(crate) fn place_of(&mut self, place: usize, lacking: &[u64]) -> Option<&mut [u8]> {
        if self.has_texts {
            return None;
        }
        let start = place * self.stride;
        let end = start + self.stride;
        if end > self.words.len() {
            self.make_room(end);
        }
        let (missing, record) = self.words[start..end].split_at_mut(self.layout.missing_words());
        match (&mut *missing, lacking) {
            ([missing], [lacking]) => *missing = *lacking,
            _ => copy_words(missing, lacking),
        }
        bytemuck::cast_slice_mut(record).get_mut(..self.layout.record_bytes())
    }

    #[cold]
    fn make_room(&mut self, words: usize) {
        self.words.resize((2 * words).max(64 * self.stride), 0);
    }

    /// Makes the texts of an entry empty.
    #[cold]
    fn clear_texts(&mut self, place: usize) {
        let attributes = self.layout.kinds().len();
        self.texts.resize_with((place + 1).max(self.texts.len()), || vec![TextColumn::default(); attributes]);
        for (texts, kind) in self.texts[place].iter_mut().zip(self.layout.kinds()) {
            if *kind == Kind::Text {
                texts.clear();
            }
        }
    }

    /// The entry of the node at this place, which has one.
    #[inline(always)]
    pub(crate) fn get(&self, place: usize) -> Entry<'_> {
        let start = place * self.stride;
        let (missing, record) = self.words[start..start + self.stride].split_at(self.layout.missing_words());
        let texts = self.texts.get(place).map_or(&[][..], |texts| texts);
        Entry { record: bytemuck::cast_slice(record), texts, missing }
    }

    /// The values of the nodes at these places, which have entries; places are counted from `first`.
    pub(crate) fn values(&self, places: impl Iterator<Item = usize>, first: usize) -> Vec<EntryValues> {
        let values = |place| EntryValues { place: place - first, values: self.values_at(place) };
        places.map(values).filter(|node| !node.values.is_empty()).collect()
    }

    fn values_at(&self, place: usize) -> Vec<(usize, Value)> {
        let entry = self.get(place);
        let mut values = Vec::new();
        for (attribute, kind) in self.layout.kinds().iter().enumerate() {
            if missing::contains(entry.missing, attribute) {
                continue;
            }
            let integer = kind.integer_of(&entry.record[self.layout.place(attribute)]);
            let value = match kind {
                Kind::Text => Value::Text(entry.text(attribute, integer as u32).to_owned()),
                kind => Value::of_integer(*kind, integer, &[]),
            };
            values.push((attribute, value));
        }
        values
    }
}

/// Copies so many words as there are; the rest becomes 0.
#[cold]
fn copy_words(to: &mut [u64], from: &[u64]) {
    to.fill(0);
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
}
