//! What was known of open nodes when they were entered.
//!
//! Only nodes that were given values have an entry, so a search that gives none pays nothing.

use crate::format::EntryValues;
use crate::record::{Row, TextColumn, Value};
use crate::{Kind, Schema};

/// The values that a node was entered with.
pub(crate) struct Entry {
    /// The node's place on the open path.
    pub(crate) place: usize,
    pub(crate) record: Vec<u8>,
    pub(crate) texts: Vec<TextColumn>,
    /// The attributes that it lacks, ascending.
    pub(crate) missing: Vec<u16>,
}

impl Entry {
    /// Whether it has a value of this attribute.
    pub(crate) fn knows(&self, attribute: u16) -> bool {
        self.missing.binary_search(&attribute).is_err()
    }

    /// The text of an attribute whose code stands in these bytes.
    pub(crate) fn text(&self, attribute: usize, code: &[u8]) -> &str {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(code);
        let texts = &self.texts[attribute].texts;
        texts.get(u32::from_le_bytes(bytes) as usize).map_or("", String::as_str)
    }
}

/// The entries of the open path, outermost first.
pub(crate) struct Entries {
    kinds: Vec<Kind>,
    record_bytes: usize,
    open: Vec<Entry>,
    /// Of nodes that were left, for their memory.
    spare: Vec<Entry>,
}

impl Entries {
    pub(crate) fn new(schema: &Schema) -> Self {
        let kinds: Vec<Kind> = schema.attributes().iter().map(|attribute| attribute.kind).collect();
        let record_bytes = kinds.iter().map(|kind| kind.width()).sum();
        Self { kinds, record_bytes, open: Vec::new(), spare: Vec::new() }
    }

    /// Takes what `store` puts for the node at this place; what is wrong with it, if something is.
    pub(crate) fn push(
        &mut self,
        place: usize,
        store: impl FnOnce(&mut Row<'_>) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut entry = self.spare.pop().unwrap_or_else(|| Entry {
            place,
            record: vec![0; self.record_bytes],
            texts: vec![TextColumn::default(); self.kinds.len()],
            missing: Vec::new(),
        });
        entry.place = place;
        let mut row = Row::new(&mut entry.record, &mut entry.texts, &mut entry.missing);
        let stored = store(&mut row);
        match stored.err().or(row.fault()) {
            Some(what) => {
                self.recycle(entry);
                Err(what)
            }
            None => {
                self.open.push(entry);
                Ok(())
            }
        }
    }

    /// Takes away the entry of the node at this place, if it has one.
    #[inline(always)]
    pub(crate) fn pop(&mut self, place: usize) -> Option<Entry> {
        match self.open.last() {
            Some(entry) if entry.place == place => self.open.pop(),
            _ => None,
        }
    }

    /// Gives an entry's memory back.
    pub(crate) fn recycle(&mut self, mut entry: Entry) {
        for (texts, kind) in entry.texts.iter_mut().zip(&self.kinds) {
            if *kind == Kind::Text {
                texts.clear();
            }
        }
        self.spare.push(entry);
    }

    /// The values of open nodes from this place of the path on.
    pub(crate) fn values_from(&self, place: usize) -> Vec<EntryValues> {
        let first = self.open.partition_point(|entry| entry.place < place);
        let values = |entry: &Entry| EntryValues { place: entry.place - place, values: self.values(entry) };
        self.open[first..].iter().map(values).filter(|node| !node.values.is_empty()).collect()
    }

    fn values(&self, entry: &Entry) -> Vec<(usize, Value)> {
        let mut values = Vec::new();
        let mut offset = 0;
        for (attribute, kind) in self.kinds.iter().enumerate() {
            let bytes = &entry.record[offset..offset + kind.width()];
            offset += kind.width();
            if entry.knows(attribute as u16) {
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
