//! What was known of open nodes when they were entered.
//!
//! Only nodes that were given values have an entry, so a search that gives none pays nothing. Entries are a stack beside the open
//! path: their records lie one after the other, and an entry that is dropped leaves its memory to the next.

use crate::format::EntryValues;
use crate::record::{AttributeSet, Row, TextColumn, Value};
use crate::{Kind, Schema};

/// The entries of the open path, outermost first.
pub(crate) struct Entries {
    kinds: Vec<Kind>,
    record_bytes: usize,
    open: Vec<Head>,
    /// The record of entry `i` is at `i * record_bytes`. There is room for more than there are entries.
    records: Vec<u8>,
    /// Of each entry by attribute, where the schema has texts; there may be more than there are entries.
    texts: Vec<Vec<TextColumn>>,
    has_texts: bool,
}

/// An entry but for its record.
struct Head {
    /// The node's place on the open path.
    place: usize,
    /// The attributes that it lacks.
    missing: AttributeSet,
}

/// The values that a node was entered with.
pub(crate) struct Entry<'a> {
    pub(crate) record: &'a [u8],
    texts: &'a [TextColumn],
    /// The attributes that it lacks.
    pub(crate) missing: &'a AttributeSet,
}

impl Entry<'_> {
    /// The text of an attribute whose code stands in these bytes.
    pub(crate) fn text(&self, attribute: usize, code: &[u8]) -> &str {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(code);
        let texts = self.texts.get(attribute).map_or(&[][..], |texts| &texts.texts);
        texts.get(u32::from_le_bytes(bytes) as usize).map_or("", String::as_str)
    }
}

impl Entries {
    pub(crate) fn new(schema: &Schema) -> Self {
        let kinds: Vec<Kind> = schema.attributes().iter().map(|attribute| attribute.kind).collect();
        Self {
            record_bytes: kinds.iter().map(|kind| kind.width()).sum(),
            has_texts: kinds.contains(&Kind::Text),
            kinds,
            open: Vec::new(),
            records: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// Takes what `store` puts for the node at this place; what is wrong with it, if something is.
    #[inline(always)]
    pub(crate) fn push(
        &mut self,
        place: usize,
        store: impl FnOnce(&mut Row<'_>) -> Result<(), String>,
    ) -> Result<(), String> {
        let number = self.open.len();
        let start = number * self.record_bytes;
        let end = start + self.record_bytes;
        if end > self.records.len() {
            self.records.resize(2 * end, 0);
        }
        if self.has_texts {
            self.clear_texts(number);
        }
        let texts = self.texts.get_mut(number).map_or(&mut [][..], |texts| texts);
        // Filled in where it stays.
        self.open.push(Head { place, missing: AttributeSet::default() });
        let missing = &mut self.open[number].missing;
        let mut row = Row::new(&mut self.records[start..end], texts, missing);
        let stored = store(&mut row);
        match stored.err().or(row.fault()) {
            None => Ok(()),
            Some(what) => {
                self.open.pop();
                Err(what)
            }
        }
    }

    /// Makes the texts of an entry empty.
    #[cold]
    fn clear_texts(&mut self, number: usize) {
        let attributes = self.kinds.len();
        self.texts
            .resize_with((number + 1).max(self.texts.len()), || vec![TextColumn::default(); attributes]);
        for (texts, kind) in self.texts[number].iter_mut().zip(&self.kinds) {
            if *kind == Kind::Text {
                texts.clear();
            }
        }
    }

    /// Whether the node at this place, the last of the path, has an entry.
    #[inline(always)]
    pub(crate) fn has(&self, place: usize) -> bool {
        self.open.last().is_some_and(|entry| entry.place == place)
    }

    /// The last entry.
    #[inline(always)]
    pub(crate) fn last(&self) -> Option<Entry<'_>> {
        let number = self.open.len().checked_sub(1)?;
        Some(self.entry(number))
    }

    /// Drops the last entry.
    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        self.open.pop();
    }

    /// The values of open nodes from this place of the path on.
    pub(crate) fn values_from(&self, place: usize) -> Vec<EntryValues> {
        let first = self.open.partition_point(|entry| entry.place < place);
        let values = |number: usize| EntryValues {
            place: self.open[number].place - place,
            values: self.values(&self.entry(number)),
        };
        (first..self.open.len()).map(values).filter(|node| !node.values.is_empty()).collect()
    }

    #[inline(always)]
    fn entry(&self, number: usize) -> Entry<'_> {
        let start = number * self.record_bytes;
        Entry {
            record: &self.records[start..start + self.record_bytes],
            texts: self.texts.get(number).map_or(&[], |texts| texts),
            missing: &self.open[number].missing,
        }
    }

    fn values(&self, entry: &Entry<'_>) -> Vec<(usize, Value)> {
        let mut values = Vec::new();
        let mut offset = 0;
        for (attribute, kind) in self.kinds.iter().enumerate() {
            let bytes = &entry.record[offset..offset + kind.width()];
            offset += kind.width();
            if !entry.missing.contains(attribute) {
                let value = match kind {
                    Kind::Text => Value::Text(entry.text(attribute, bytes).to_owned()),
                    kind => Value::of_integer(*kind, kind.integer_of(bytes), &[]),
                };
                values.push((attribute, value));
            }
        }
        values
    }
}
